"""The search page: what was asked and how it was understood, facets, hits, and the same to save."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trialyst.discovery.facets import to_advanced
from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.interfaces.web.chips import to_chips
from trialyst.interfaces.web.exporting import export
from trialyst.interfaces.web.failures import to_failure
from trialyst.interfaces.web.links import with_query
from trialyst.interfaces.web.maps import draw_countries, draw_sites
from trialyst.interfaces.web.parameters import FACET, refuse_unknown
from trialyst.interfaces.web.site import page, render, site_of
from trialyst.questions.arguments import TermArguments
from trialyst.questions.values import read_km

__all__ = ["Asked", "facet_value", "read_asked", "routes", "save", "show"]

PAGE_SIZE = 20
_SHOWN = (
    "brief_title,acronym,start_date,enrollment,sponsor,study_type,has_results,countries,sites,"
    "conditions,interventions,why_stopped"
)
_FEW_VALUES = 8
"""Values of a facet that are shown before one asks for more."""
_MOST_VALUES = 60
_WITHIN_KM = 80.0
"""Around a place, where no radius is asked for."""
_BEYOND = 1.5
"""How much farther than that the map of the sites reaches."""
SORTS = {
    "": "Best match",
    "LastUpdatePostDate:desc": "Last updated",
    "StartDate:desc": "Newest start",
    "StartDate:asc": "Oldest start",
    "PrimaryCompletionDate:asc": "Primary completion",
    "EnrollmentCount:desc": "Most people",
}
FACET_NAMES = {
    "status": "Status",
    "phase": "Phase",
    "condition": "Condition",
    "intervention": "Intervention",
    "sponsor_class": "Sponsor",
    "country": "Country",
    "start_year": "Start year",
    "age_group": "Age group",
    "sex": "Sex",
    "has_results": "Results",
}
_UNSAID = {"condition": "of no known condition", "intervention": "with no known drug tested"}
"""What a trial is that none of a facet's values has."""
_FACET_VALUES = {
    "has_results": {"true": "Posted", "false": "Not posted"},
    "sex": {"ALL": "Any sex", "FEMALE": "Women only", "MALE": "Men only"},
    "age_group": {"CHILD": "Child (to 17)", "ADULT": "Adult (18–64)", "OLDER_ADULT": "65 and over"},
    "sponsor_class": {"NIH": "NIH", "FED": "US federal", "INDIV": "Individual"},
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for: arguments of the tools, and values chosen of facets."""

    arguments: Mapping[str, Any]
    chosen: Mapping[str, Sequence[str]]
    pairs: Sequence[tuple[str, str]]
    """As they stand in the address, without paging."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for."""
        return not self.arguments and not self.chosen

    def terms(self, *, without: str | None = None) -> dict[str, Any]:
        """Give the arguments of a tool, facets as Essie; one facet may be left out."""
        chosen = {name: values for name, values in self.chosen.items() if name != without}
        advanced = to_advanced(chosen, self.arguments.get("advanced"))
        rest = {name: value for name, value in self.arguments.items() if name != "advanced"}
        return {**rest, **({"advanced": advanced} if advanced else {})}

    def address(self, *drop: str, path: str = "/search", **change: str) -> str:
        """Give the address of the same search with some things left out or changed."""
        kept = [pair for pair in self.pairs if pair[0] not in drop and pair[0] not in change]
        return with_query(path, [*kept, *change.items()])

    def toggle(self, facet: str, value: str) -> str:
        """Give the address with a value of a facet chosen, or not any more."""
        pair = (FACET + facet, value)
        rest = [each for each in self.pairs if each != pair]
        return with_query("/search", rest if pair in self.pairs else [*rest, pair])


def read_asked(params: QueryParams) -> Asked:
    """Read an address; blank fields of a form were not filled in."""
    given = [(name, value.strip()) for name, value in params.multi_items() if value.strip()]
    arguments: dict[str, Any] = {}
    for name in TermArguments.__annotations__:
        values = [value for each, value in given if each == name]
        if values:
            arguments[name] = values[0] if len(values) == 1 else values
    if "near" not in arguments:
        # A form sends the radius it shows, with or without a place.
        arguments.pop("within", None)
    chosen: dict[str, list[str]] = {}
    for name, value in given:
        if name.startswith(FACET):
            chosen.setdefault(name.removeprefix(FACET), []).append(value)
    known = {*arguments, *(f"{FACET}{name}" for name in chosen), "sort"}
    return Asked(arguments, chosen, [pair for pair in given if pair[0] in known])


@page
async def show(request: Request) -> Response:
    """Show the page; what cannot be asked is told above the form that asked it."""
    asked = read_asked(request.query_params)
    sort = request.query_params.get("sort", "")
    title = ", ".join(map(str, asked.arguments.values())) if asked.arguments else "Search"
    values: dict[str, Any] = {"title": title, "asked": asked, "sort": sort, "sorts": SORTS}
    values |= {"failure": None, "found": None}
    status = 200
    try:
        values |= await _answer(request, asked, sort)
    except InvalidInput as error:
        values["failure"], status = to_failure(error), 400
    return await render(request, "search.html", values, status=status)


async def _answer(request: Request, asked: Asked, sort: str) -> dict[str, Any]:
    site = site_of(request)
    discovery = await asyncio.to_thread(site.served.discovery)
    if asked.is_empty:
        counted = await site.count(asked.terms())
        return {"total": counted["total_count"], **_around(asked, [counted], {})}
    terms = asked.terms()
    cursor = request.query_params.get("cursor")
    sought = {**terms, **({"sort": sort} if sort else {})}
    # A cursor remembers the call that it continues.
    called = {"cursor": cursor} if cursor else {**sought, "fields": _SHOWN}
    found, counted, *others = await asyncio.gather(
        discovery.search_trials(**called, page_size=PAGE_SIZE),
        site.count(terms),
        *(site.count(asked.terms(without=name), by=(name,)) for name in asked.chosen),
    )
    return {
        "found": found,
        "total": counted["total_count"],
        "chips": to_chips(asked, found["understood"], FACET_NAMES, facet_value),
        "cursor": found["pagination"]["cursor"],
        "later": bool(cursor),
        "sites_map": await _map(request, asked, found) if "near" in asked.arguments else None,
        **_around(asked, [counted, *others], found["understood"]),
    }


async def _map(request: Request, asked: Asked, found: Mapping[str, Any]) -> Any:
    source = await site_of(request).source()
    trials = await source.get_many([NctId.parse(each["id"]) for each in found["items"]])
    near, within = str(asked.arguments["near"]), read_km("within", asked.arguments.get("within"))
    reach = _BEYOND * (within or _WITHIN_KM)
    return await draw_sites(source, trials, near=near, reach=reach)


def _around(
    asked: Asked, counted: Sequence[Mapping[str, Any]], understood: Mapping[str, Any]
) -> dict[str, Any]:
    """Give the facets, and the map of their countries."""
    breakdowns = dict(counted[0]["breakdowns"])
    for each in counted[1:]:
        breakdowns |= each["breakdowns"]
    facets = [_facet(asked, name, breakdowns[name]) for name in FACET_NAMES if name in breakdowns]
    countries = breakdowns.get("country", {}).get("counts", {})
    return {
        "facets": facets,
        "world": draw_countries(countries, lambda name: asked.toggle("country", name)),
    }


def facet_value(facet: str, value: str) -> str:
    """Give a value of a facet as a person reads it."""
    from trialyst.interfaces.web.templating import words

    return _FACET_VALUES.get(facet, {}).get(value) or (
        value if facet in ("condition", "intervention", "country") else words(value)
    )


def _facet(asked: Asked, name: str, breakdown: Mapping[str, Any]) -> dict[str, Any]:
    counts: Mapping[str, int] = breakdown["counts"]
    chosen = asked.chosen.get(name, ())
    ordered = sorted(counts.items(), reverse=True) if name == "start_year" else counts.items()
    most = max(counts.values(), default=0)
    rows = [
        {
            "value": value,
            "label": facet_value(name, value),
            "count": count,
            "chosen": value in chosen,
            "address": asked.toggle(name, value),
        }
        for value, count in ordered
    ]
    rows += [
        {
            "value": each,
            "label": facet_value(name, each),
            "count": 0,
            "chosen": True,
            "address": asked.toggle(name, each),
        }
        for each in chosen
        if each not in counts
    ]
    first = [row for row in rows if row["chosen"]]
    rest = [row for row in rows if not row["chosen"]]
    return {
        "name": name,
        "field": FACET + name,
        "label": FACET_NAMES[name],
        "open": bool(chosen) or name in ("status", "phase"),
        "few": [*first, *rest][: max(_FEW_VALUES, len(first))],
        "more": [*first, *rest][max(_FEW_VALUES, len(first)) : _MOST_VALUES],
        "values": len(rows),
        "without": breakdown["without_value"],
        "unsaid": _UNSAID.get(name, "not stated"),
        "most": most,
    }


@page
async def save(request: Request) -> Response:
    """Give all that was found as a file: CSV, JSON or RIS."""
    refuse_unknown(request)
    asked = read_asked(request.query_params)
    if asked.is_empty:
        raise InvalidInput("Nothing to save", hint="Search for something first.")
    trials = await site_of(request).trials()
    sort = request.query_params.get("sort")
    terms = {**asked.terms(), **({"sort": sort} if sort else {})}
    return await export(trials, terms, request.path_params["form"])


routes = [
    Route("/search", show),
    Route("/search.{form:str}", save),
]
