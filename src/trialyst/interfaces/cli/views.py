"""How the answers of the discovery tools read: as a table, and as a sheet of every value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from trialyst.interfaces.cli.layout import (
    Screen,
    Table,
    render_csv,
    render_markdown,
    render_table,
)

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = [
    "COMPARISON",
    "COUNTS",
    "SITES",
    "TRIALS",
    "TableView",
    "View",
    "as_cell",
    "as_field",
    "bare_id",
    "more",
    "to_label",
]

LIST = "|"
"""Between the values of a list in a cell of CSV, as in the registry's own downloads."""
NONE = "(none)"


class View(Protocol):
    """What a person or a spreadsheet gets of an answer."""

    def text(self, answer: Answer, screen: Screen) -> str: ...
    def markdown(self, answer: Answer) -> str: ...
    def csv(self, answer: Answer) -> str: ...
    def closing(self, answer: Answer) -> Iterable[str]:
        """Give what stands below: how much there is, and how to get more."""
        ...


@dataclass(frozen=True, slots=True)
class TableView:
    """An answer that is a table; `sheet` has every value, under headers that never change."""

    table: Callable[[Answer], Table]
    sheet: Callable[[Answer], Table]
    closing: Callable[[Answer], Iterable[str]]

    def text(self, answer: Answer, screen: Screen) -> str:
        return render_table(self.table(answer).without_empty_columns(), screen)

    def markdown(self, answer: Answer) -> str:
        return render_markdown(self.table(answer).without_empty_columns())

    def csv(self, answer: Answer) -> str:
        return render_csv(self.sheet(answer))


def bare_id(curie: str) -> str:
    """Give an id as files spell it.

    >>> bare_id("NCT:00461032")
    'NCT00461032'
    """
    return curie.replace(":", "", 1)


def to_label(name: str) -> str:
    """Give a field's name as words.

    >>> to_label("primary_outcomes")
    'Primary outcomes'
    """
    return name.replace("_", " ").capitalize()


def as_cell(value: Any, *, between: str = "; ") -> str:
    """Give a value as text; of a list every value, of an object what it holds."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(filter(None, (as_cell(each) for each in value.values())))
    if isinstance(value, list | tuple):
        return between.join(as_cell(each) for each in value)
    return str(value)


def as_field(value: Any) -> str:
    """Give a value as a cell of CSV."""
    return str(value).lower() if isinstance(value, bool) else as_cell(value, between=LIST)


def _rows(items: Iterable[Mapping[str, Any]], fields: Sequence[str]) -> list[list[str]]:
    return [[as_field(item.get(name)) for name in fields] for item in items]


def more(answer: Answer, what: str, *, limit: str = "") -> Iterator[str]:
    """Say how many of a list are shown, and how to get the next.

    Args:
        limit: the option that sets how many are listed, where there are no pages.
    """
    shown, total = len(answer["items"]), answer["pagination"]["total_count"]
    yield f"{shown:,} {what}." if total is None else f"{shown:,} of {total:,} {what}."
    if limit and shown < (total or 0):
        yield f"For more of them raise {limit}."
    if answer.cursor:
        yield f"For the next page add: --cursor {answer.cursor}"


_TRIAL_FIELDS = ("title", "status", "phase", "conditions", "interventions", "brief_summary")


WHOLE_SUMMARY = "summary"
"""The field that has what `brief_summary` has cut."""
WHOLE = ("title", "conditions", "interventions", WHOLE_SUMMARY)
"""The fields that are not cut where they are asked for by name."""


def _trials(answer: Answer) -> Table:
    fields = ("status", "phase", "title", "conditions")
    more_of = _extras(answer["items"])
    rows = [
        [
            bare_id(item["id"]),
            *(as_cell(item.get(name)) for name in fields),
            *(_extra(name, item.get(name)) for name in more_of),
        ]
        for item in answer["items"]
    ]
    return Table(("NCT id", *map(to_label, (*fields, *more_of))), rows)


def _extras(items: Iterable[Mapping[str, Any]]) -> list[str]:
    """Name what items have besides the agreed fields, because it was asked for."""
    names = dict.fromkeys(name for item in items for name in item)
    return [name for name in names if name not in ("id", *_TRIAL_FIELDS)]


def _extra(name: str, value: Any) -> str:
    if name != "nearest_site" or not value:
        return as_cell(value)
    place = ", ".join(value[part] for part in ("facility", "city") if part in value)
    status = f" ({value['status'].lower()})" if "status" in value else ""
    return f"{_distance(value)}, {place}{status}"


def _trial_sheet(answer: Answer) -> Table:
    flat = [_flatten(item) for item in answer["items"]]
    names = (*_TRIAL_FIELDS, *(name for name in _extras(flat) if name != WHOLE_SUMMARY))
    rows = [
        [bare_id(item["id"]), *row]
        for item, row in zip(answer["items"], _rows(flat, names), strict=True)
    ]
    return Table(("nct_id", *names), rows)


def _flatten(item: Mapping[str, Any]) -> dict[str, Any]:
    """Give an item with nested values under joined names, and its summary whole."""
    flat: dict[str, Any] = {}
    for name, value in item.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}_{part}": each for part, each in value.items()}
        else:
            flat[name] = value
    if WHOLE_SUMMARY in flat:
        flat["brief_summary"] = flat[WHOLE_SUMMARY]
    return flat


_SITE_FIELDS = (
    *("facility", "status", "city", "state", "zip", "country"),
    *("latitude", "longitude", "approximate", "distance_km", "contacts"),
)


def _sites(answer: Answer) -> Table:
    rows = []
    for item in answer["items"]:
        shown = (as_cell(item.get(name)) for name in ("facility", "city", "state", "country"))
        contacts = as_cell(item.get("contacts"))
        rows.append([*shown, as_cell(item.get("status")), _distance(item), contacts])
    names = ("Facility", "City", "State", "Country", "Status", "Distance", "Contacts")
    return Table(names, rows, firm=0)


def _distance(item: Mapping[str, Any]) -> str:
    if "distance_km" not in item:
        return ""
    about = "about " if item.get("approximate") else ""
    return f"{about}{item['distance_km']:,} km"


def _site_sheet(answer: Answer) -> Table:
    nct_id = bare_id(answer["id"])
    rows = [[nct_id, *row] for row in _rows(answer["items"], _SITE_FIELDS)]
    return Table(("nct_id", *_SITE_FIELDS), rows)


def _close_sites(answer: Answer) -> Iterator[str]:
    yield from more(answer, "sites")
    nearest = answer.body.get("nearest_recruiting")
    if nearest:
        place = as_cell([nearest[name] for name in ("facility", "city") if name in nearest])
        yield f"Nearest recruiting site: {place}, {_distance(nearest)}."


def _counts(answer: Answer) -> Table:
    groups = answer["breakdowns"]
    if len(groups) != 1:
        rows = [[to_label(row[0]), row[1], row[2]] for row in _count_rows(answer)]
        return Table(("By", "Value", "Trials"), rows)
    (name,) = groups
    rows = [row[1:] for row in _count_rows(answer) if row[0] == name]
    return Table((to_label(name), "Trials"), rows)


def _count_rows(answer: Answer) -> Iterator[list[str]]:
    for name, group in answer["breakdowns"].items():
        for value, number in group["counts"].items():
            yield [name, value, str(number)]
        if group["without_value"]:
            yield [name, NONE, str(group["without_value"])]


def _count_sheet(answer: Answer) -> Table:
    groups = answer["breakdowns"]
    rows = [["total", "", str(answer["total_count"])]]
    for name, group in groups.items():
        rows += [[name, value, str(number)] for value, number in group["counts"].items()]
        rows.append([name, "", str(group["without_value"])])
    return Table(("by", "value", "count"), rows)


def _close_counts(answer: Answer) -> Iterator[str]:
    if answer["breakdowns"]:
        yield f"{answer['total_count']:,} trials in all."


class _CountView(TableView):
    """A number alone where nothing is broken down."""

    __slots__ = ()

    def text(self, answer: Answer, screen: Screen) -> str:
        if not answer["breakdowns"]:
            return str(answer["total_count"])
        return TableView.text(self, answer, screen)


def _comparison(answer: Answer) -> Table:
    ids = [item["id"] for item in answer["items"]]
    rows = [["Title", *(item.get("title", "") for item in answer["items"])]]
    for row in answer["rows"]:
        differs = "" if row["differs"] else " ="
        values = (as_cell(row["values"].get(curie)) for curie in ids)
        rows.append([to_label(row["aspect"]) + differs, *values])
    return Table(("Aspect", *map(bare_id, ids)), rows)


def _comparison_sheet(answer: Answer) -> Table:
    from trialyst.discovery.comparison import ASPECTS

    rows = []
    for item in answer["items"]:
        stated = {row["aspect"]: row["values"].get(item["id"]) for row in answer["rows"]}
        values = (as_field(stated.get(aspect)) for aspect in ASPECTS)
        rows.append([bare_id(item["id"]), item.get("title", ""), *values])
    return Table(("nct_id", "title", *ASPECTS), rows)


def _close_comparison(answer: Answer) -> Iterator[str]:
    yield f"{len(answer['items'])} trials; aspects marked = are the same in all of them."


TRIALS = TableView(_trials, _trial_sheet, lambda answer: more(answer, "trials"))
SITES = TableView(_sites, _site_sheet, _close_sites)
COUNTS = _CountView(_counts, _count_sheet, _close_counts)
COMPARISON = TableView(_comparison, _comparison_sheet, _close_comparison)
