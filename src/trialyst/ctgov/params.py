"""Between a `TrialQuery` and the parameters of the v2 API's `/studies`, both ways and pure.

`parse_params` reads what a client sent to our own server, and refuses with the live service's
words; `to_params` writes what our live client sends. What a page looks like (`fields`, `format`,
`countTotal`, `pageToken`) is let through unread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.facets import parse_facets
from trialyst.ctgov.geo import (
    check_circle,
    parse_circle,
    parse_geo_decay,
    render_circle,
    render_geo_decay,
)
from trialyst.ctgov.query import DEFAULT_PAGE_SIZE, GeoDecay, TrialQuery
from trialyst.ctgov.sorting import parse_sort, render_sort
from trialyst.ctgov.vocab import Status
from trialyst.errors import InvalidInput
from trialyst.essie import EssieError, build, parse, render, resolve
from trialyst.essie.annotated import with_mesh_terms
from trialyst.essie.areas import Area, areas, find_param
from trialyst.essie.ast import And, Node
from trialyst.essie.errors import MissingOperand
from trialyst.essie.pieces import Piece, pieces
from trialyst.ids import NctId

__all__ = ["MAX_PAGE_SIZE", "PARAMETERS", "parse_params", "to_params"]

MAX_PAGE_SIZE = 1000
"""A larger page size is cut to this without a word, as on the live service."""

QUERY_SUFFIXES = (
    "cond",
    "term",
    "locn",
    "titles",
    "intr",
    "outc",
    "spons",
    "lead",
    "id",
    "patient",
)
_FILTER_SUFFIXES = ("overallStatus", "geo", "ids", "advanced", "synonyms")

PARAMETERS = frozenset(
    {
        *(f"query.{suffix}" for suffix in QUERY_SUFFIXES),
        *(
            f"{prefix}.{suffix}"
            for prefix in ("filter", "postFilter")
            for suffix in _FILTER_SUFFIXES
        ),
        *("aggFilters", "geoDecay", "sort", "pageSize"),
        *("format", "markupFormat", "fields", "countTotal", "pageToken"),
    }
)
"""Every parameter `/studies` takes."""

_MAX_INT32 = 2**31 - 1
_STATUSES = tuple(status.value for status in Status)
_LABELS = {"lead": "Lead sponsor", "patient": "Patient"}
_ID = r"NCT0*([1-9][0-9]{0,7})"
_NCT_ID = re.compile(_ID, re.IGNORECASE)
_ONLY_NCT_IDS = re.compile(rf"[\s,]*{_ID}(?:[\s,]+{_ID})*[\s,]*", re.IGNORECASE)


def parse_params(params: Mapping[str, str]) -> TrialQuery:
    """Read a request for studies.

    A blank parameter counts as absent. If a query parameter holds nothing but NCT ids, these
    studies are meant and every filter is left out, as the API documents.

    >>> parse_params({"filter.overallStatus": "RECRUITING|COMPLETED"}).statuses
    ('RECRUITING', 'COMPLETED')

    Raises:
        BadParameter: with the live service's text for a 400.
    """
    for name in params:
        if name not in PARAMETERS:
            raise BadParameter(f"`{name}` is unknown parameter", invalid_input=name)
    given = {name: text for name, text in params.items() if text.strip()}
    queries = {name: text for name, text in given.items() if name.startswith("query.")}
    unfiltered = TrialQuery(
        queries=tuple(
            (name.removeprefix("query."), _parse_query(name.removeprefix("query."), text))
            for name, text in queries.items()
        ),
        geo_decay=parse_geo_decay(given["geoDecay"]) if "geoDecay" in given else GeoDecay(),
        sort=parse_sort(given.get("sort", "")),
        page_size=_parse_page_size(given.get("pageSize", "0")),
    )
    filtered = _add_filters(unfiltered, given)
    only_ids = any(_ONLY_NCT_IDS.fullmatch(text) for text in queries.values())
    return unfiltered if only_ids else filtered


def to_params(query: TrialQuery) -> dict[str, str]:
    """Write a query as request parameters; `parse_params` gives it back.

    >>> from trialyst.essie import text_node
    >>> to_params(TrialQuery(queries=(("cond", text_node("heart attack")),), page_size=50))
    {'query.cond': 'heart attack', 'pageSize': '50'}

    Raises:
        InvalidInput: the API cannot say it, such as a circle that is too large.
    """
    nodes: dict[str, list[Node]] = {}
    for suffix, node in query.queries:
        nodes.setdefault(f"query.{suffix}", []).append(node)
    params = {name: _render_query(build.all_of(*parts)) for name, parts in nodes.items()}
    if query.filters:
        params["filter.advanced"] = render(with_mesh_terms(build.all_of(*query.filters)))
    if query.statuses:
        params["filter.overallStatus"] = ",".join(query.statuses)
    if query.ids:
        params["filter.ids"] = ",".join(map(str, query.ids))
    if query.beside_circle is not None:
        raise InvalidInput("The API finds sites near a place by their points only")
    if query.circle is not None:
        check_circle(query.circle)
        params["filter.geo"] = render_circle(query.circle)
    if query.geo_decay != GeoDecay():
        params["geoDecay"] = render_geo_decay(query.geo_decay)
    if query.sort:
        params["sort"] = render_sort(query.sort)
    if query.page_size != DEFAULT_PAGE_SIZE:
        params["pageSize"] = str(query.page_size)
    return params


def _render_query(node: Node) -> str:
    text = render(node)
    # Bare ids would switch the filters off; in parentheses they are an expression like any other.
    return f"({text})" if _ONLY_NCT_IDS.fullmatch(text) else text


def _parse_query(suffix: str, text: str) -> Node:
    if _ONLY_NCT_IDS.fullmatch(text):
        ids = dict.fromkeys(NctId(int(found)) for found in _NCT_ID.findall(text))
        return build.any_of(*(build.words(str(nct_id)) for nct_id in ids))
    area = find_param(suffix)
    label = _LABELS.get(suffix) or (area and area.label) or suffix
    return _parse_essie(text, area or pieces()["LeadSponsorName"], label=label)


def _parse_essie(text: str, place: Area | Piece, *, label: str) -> Node:
    """Parse an expression and check its names and values; refuse it as the service does."""
    try:
        node = parse(text)
        resolve(node, place, text=text)
    except EssieError as error:
        prefix = "" if isinstance(error, MissingOperand) else f"Error parsing query in {label}: "
        raise BadParameter(prefix + error.message, hint=error.hint, invalid_input=text) from error
    return node


def _add_filters(query: TrialQuery, given: Mapping[str, str]) -> TrialQuery:
    filters: list[Node] = []
    for prefix in ("filter", "postFilter"):
        query = _add_family(query, given, prefix=prefix, filters=filters)
    filters.extend(parse_facets(given.get("aggFilters", "")))
    return replace(query, filters=tuple(filters))


def _add_family(
    query: TrialQuery, given: Mapping[str, str], *, prefix: str, filters: list[Node]
) -> TrialQuery:
    """Add `filter.*` or `postFilter.*`; a second filter of a kind is ANDed as an expression."""
    texts = {suffix: given.get(f"{prefix}.{suffix}", "") for suffix in _FILTER_SUFFIXES}
    if texts["synonyms"]:
        raise BadParameter(
            f"Parameter `{prefix}.synonyms` cannot be used: synonym ids are not known here",
            hint="Leave it out and search for the term by name.",
            invalid_input=texts["synonyms"],
        )
    if texts["advanced"]:
        node = _parse_essie(texts["advanced"], areas()["BasicSearch"], label="advanced filter")
        filters.extend(node.children if isinstance(node, And) else (node,))
    statuses = _parse_statuses(texts["overallStatus"])
    ids = _parse_ids(f"{prefix}.ids", texts["ids"])
    circle = parse_circle(f"{prefix}.geo", texts["geo"]) if texts["geo"] else None
    if statuses and query.statuses:
        filters.append(build.one_of("OverallStatus", *statuses))
    if ids and query.ids:
        filters.append(_of_ids(ids))
    if circle and query.circle:
        filters.append(build.near(circle.latitude, circle.longitude, radius=circle.km, unit="km"))
    return replace(
        query,
        statuses=query.statuses or statuses,
        ids=query.ids or ids,
        circle=query.circle or circle,
    )


def _parse_statuses(text: str) -> tuple[str, ...]:
    statuses = dict.fromkeys(_split(text))
    for status in statuses:
        if status not in _STATUSES:
            raise BadParameter.of_value(
                "overallStatus", status, hint=f"Use one of {', '.join(_STATUSES)}."
            )
    return tuple(statuses)


def _parse_ids(name: str, text: str) -> tuple[NctId, ...]:
    ids: dict[NctId, None] = {}
    for item in _split(text):
        shape = _NCT_ID.fullmatch(item)
        if not shape:
            raise BadParameter(
                f"{name} has incorrect format for value {item}",
                hint="An NCT id is 'NCT' and eight digits, for example NCT00461032.",
                invalid_input=item,
            )
        ids[NctId(int(shape.group(1)))] = None
    return tuple(ids)


def _of_ids(ids: tuple[NctId, ...]) -> Node:
    texts = [str(nct_id) for nct_id in ids]
    return build.any_of(build.one_of("NCTId", *texts), build.one_of("NCTIdAlias", *texts))


def _parse_page_size(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text.strip()) or int(text) > _MAX_INT32:
        raise BadParameter.of_value("pageSize", text, hint="Use a whole number from 1 to 1000.")
    return min(int(text), MAX_PAGE_SIZE) or DEFAULT_PAGE_SIZE


def _split(text: str) -> list[str]:
    return [item.strip() for item in re.split(r"[,|]", text) if item.strip()]
