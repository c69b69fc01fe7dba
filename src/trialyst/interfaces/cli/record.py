"""Trials as text for a person to read, and as rows of a sheet: pure views of `get_trial`'s answer.

Nothing a section holds is left out, except the split criteria where the whole text stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.interfaces.cli.layout import Screen, Table, render_csv, render_markdown, wrap
from trialyst.interfaces.cli.views import as_cell, as_field, bare_id, to_label

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["RECORDS", "SHEET_SECTIONS", "render_record"]

WIDTH = 96
_LABEL = 22
_PAD = "  "

SHEET_SECTIONS = (
    *("title", "summaries", "protocol", "eligibility", "criteria_text"),
    *("sponsors", "dates", "arms", "cross_references"),
)
_SHEET = {
    "brief_title": ("brief_title",),
    "acronym": ("acronym",),
    "status": ("protocol", "status"),
    "why_stopped": ("protocol", "why_stopped"),
    "phase": ("protocol", "phase"),
    "study_type": ("protocol", "study_type"),
    "conditions": ("protocol", "conditions"),
    "interventions": ("arms", "interventions", "name"),
    "lead_sponsor": ("sponsors", "lead", "name"),
    "sponsor_class": ("sponsors", "lead", "class"),
    "enrollment": ("protocol", "enrollment", "count"),
    "start": ("dates", "start", "date"),
    "primary_completion": ("dates", "primary_completion", "date"),
    "completion": ("dates", "completion", "date"),
    "first_posted": ("dates", "first_posted", "date"),
    "last_update_posted": ("dates", "last_update_posted", "date"),
    "has_results": ("protocol", "has_results"),
    "minimum_age": ("eligibility", "minimum_age"),
    "maximum_age": ("eligibility", "maximum_age"),
    "sex": ("eligibility", "sex"),
    "healthy_volunteers": ("eligibility", "healthy_volunteers"),
    "site_count": ("protocol", "site_count"),
    "countries": ("protocol", "countries"),
    "brief_summary": ("summaries", "brief_summary"),
    "criteria": ("criteria_text",),
    "url": ("cross_references", "url"),
}
"""The columns of a sheet, and where in a trial each value is."""
_SPLIT = {"inclusion": "Inclusion", "exclusion": "Exclusion", "other": "Besides"}
_OUTLINED = ("outcomes", "arms", "sponsors", "references", "cross_references", "results")

Item = Mapping[str, Any]
Fact = tuple[str, str]


class _RecordView:
    """Trials one below the other."""

    def text(self, answer: Answer, screen: Screen) -> str:
        width = min(screen.width or WIDTH, WIDTH)
        return "\n\n\n".join(render_record(item, width=width) for item in answer.rows)

    def markdown(self, answer: Answer) -> str:
        return "\n\n".join(map(_to_markdown, answer.rows))

    def csv(self, answer: Answer) -> str:
        return render_csv(Table(("nct_id", "title", *_SHEET), list(map(_to_row, answer.rows))))

    def closing(self, answer: Answer) -> Iterable[str]:
        return () if len(answer.rows) == 1 else (f"{len(answer.rows)} trials.",)


RECORDS = _RecordView()


def render_record(item: Item, *, width: int = WIDTH) -> str:
    """Write what a reader looks for first, then the texts; absent parts are left out."""
    parts = [wrap(item.get("title", ""), width, indent=f"{bare_id(item['id'])}{_PAD}", hanging="")]
    if facts := list(_facts(item)):
        parts.append("\n".join(_hang(name, text, width) for name, text in facts))
    parts.extend(f"{name}\n{wrap(text, width)}" for name, text in _texts(item))
    parts.extend(
        f"{to_label(name)}\n" + "\n".join(_fit(line, width) for line in lines)
        for name, lines in _outlines(item)
    )
    return "\n\n".join(parts)


def _to_markdown(item: Item) -> str:
    parts = [f"# {bare_id(item['id'])} {item.get('title', '')}".rstrip()]
    if facts := list(_facts(item)):
        parts.append(render_markdown(Table(("Field", "Value"), facts)))
    parts.extend(f"## {name}\n\n{text}" for name, text in _texts(item))
    parts.extend(
        f"## {to_label(name)}\n\n" + "\n".join(_listed(line) for line in lines)
        for name, lines in _outlines(item)
    )
    return "\n\n".join(parts)


def _to_row(item: Item) -> list[str]:
    values = (as_field(_find(item, path)) for path in _SHEET.values())
    return [bare_id(item["id"]), item.get("title", ""), *values]


def _find(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if isinstance(value, list):
            value = [each.get(name) for each in value]
        else:
            value = value.get(name) if value is not None else None
    return value


def _facts(item: Item) -> Iterator[Fact]:
    """Give the short values, in the order a reader asks for them."""
    yield from _pairs({name: item.get(name) for name in ("brief_title", "acronym")})
    yield from _pairs(item.get("protocol", {}))
    yield from _pairs({"lead_sponsor": item.get("sponsors", {}).get("lead")})
    yield from _pairs(item.get("dates", {}))
    eligibility = item.get("eligibility", {})
    yield from _pairs({name: eligibility[name] for name in eligibility if name not in _SPLIT})


def _pairs(values: Item) -> Iterator[Fact]:
    for name, value in values.items():
        if isinstance(value, Mapping) and not {"date", "count", "name"} & set(value):
            yield from _pairs(value)
        elif text := _phrase(value):
            yield to_label(name), text


def _phrase(value: Any) -> str:
    """Write `{date, type}` and the like as one phrase: 2026-03 (estimated)."""
    if not isinstance(value, Mapping):
        return as_cell(value)
    first, *rest = (as_cell(each) for each in value.values())
    return f"{first} ({', '.join(rest).lower()})" if rest else first


def _texts(item: Item) -> Iterator[Fact]:
    for name, text in item.get("summaries", {}).items():
        yield to_label(name), text
    criteria = item.get("criteria_text") or _criteria(item.get("eligibility", {}))
    if criteria:
        yield "Eligibility criteria", criteria


def _criteria(eligibility: Item) -> str:
    """Write criteria one by one, below each kind."""
    lines = []
    for kind, heading in _SPLIT.items():
        if stated := eligibility.get(kind):
            lines += [
                f"{heading}:",
                *(f"{_PAD * each.get('depth', 0)}* {each['text']}" for each in stated),
            ]
    return "\n".join(lines)


def _outlines(item: Item) -> Iterator[tuple[str, list[str]]]:
    for name in _OUTLINED:
        section = dict(item.get(name, {}))
        if name == "sponsors":
            section.pop("lead", None)
        if lines := list(_outline(section)):
            yield name, lines


def _outline(value: Any, depth: int = 0) -> Iterator[str]:
    """Write nested values as indented lines; a list item opens with its first value."""
    pad = _PAD * depth
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _entry(to_label(name), each, depth)
        return
    for each in value:
        if not isinstance(each, Mapping):
            yield f"{pad}- {as_cell(each)}"
            continue
        (_, first), *rest = each.items()
        yield f"{pad}- {as_cell(first)}"
        for name, inner in rest:
            yield from _entry(to_label(name), inner, depth + 1)


def _entry(name: str, value: Any, depth: int) -> Iterator[str]:
    nested = isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(each, Mapping) for each in value)
    )
    if nested:
        yield f"{_PAD * depth}{name}:"
        yield from _outline(value, depth + 1)
    elif text := as_cell(value):
        yield f"{_PAD * depth}{name}: {text}"


def _hang(name: str, text: str, width: int) -> str:
    label = f"{name}: ".ljust(_LABEL) if width > 2 * _LABEL else f"{name}: "
    return wrap(text, width, indent=label, hanging=" " * len(label) if width > 2 * _LABEL else _PAD)


def _fit(line: str, width: int) -> str:
    return wrap(line.replace("\n", " "), width, hanging=_PAD * 2)


def _listed(line: str) -> str:
    """Give a line of an outline as an item of a Markdown list."""
    text = line.lstrip(" ")
    flat = text.removeprefix("- ").replace("\n", " ")
    return f"{' ' * (len(line) - len(text))}- {flat}"
