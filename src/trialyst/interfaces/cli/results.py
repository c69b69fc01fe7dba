"""`trialyst results`: what a trial posted, each table with a column a group, or a row a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from trialyst.discovery.arguments import ResultsArguments
from trialyst.interfaces.cli.arguments import options_of
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.layout import Table
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.repurposing_views import Report
from trialyst.interfaces.cli.views import as_field, bare_id, more, to_label

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["RESULTS", "add_to", "results"]

Item = Mapping[str, Any]
Number = dict[str, Any]
"""One number of a table, with what it is of; the keys are columns of the sheet."""

_FIELDS = (
    *("nct_id", "section", "number", "title", "time_frame", "unit", "kind", "row", "group"),
    *("value", "spread", "lower_limit", "upper_limit", "at_risk", "events"),
    *("method", "p_value", "ci_percent", "comment"),
)
_STEPS = {"milestones": "milestone", "not_completed": "not completed"}
_PEOPLE = {"deaths": "Deaths", "serious": "Any serious event", "other": "Any other event"}
_ANALYSIS = "analysis"


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst results NCT90000001",
            "trialyst results NCT90000001 --sections primary_outcomes,events",
            "trialyst results NCT90000001 --page-size 50 --format csv > results.csv",
        )
    )(results)


def _numbers(answer: Answer) -> Iterator[tuple[Item, list[Number]]]:
    """Give each table of a page with its numbers; a later part is of the groups of the first."""
    groups: dict[object, Mapping[str, str]] = {}
    for item in answer["items"]:
        place = (item["section"], item.get("number"))
        known = groups[place] = _titles(item.get("groups", ())) or groups.get(place, {})
        head = {name: item.get(name) for name in ("section", "number", "title")}
        head |= {name: item.get(name) for name in ("time_frame", "unit")}
        yield item, [{**head, **number} for number in _told(item, known)]


def _titles(groups: Sequence[Item]) -> dict[str, str]:
    """Give what groups are called, by their ids; those of one title keep their ids beside it."""
    titles = [each.get("title", each["id"]) for each in groups]
    return {
        each["id"]: title if titles.count(title) == 1 else f"{title} ({each['id']})"
        for each, title in zip(groups, titles, strict=True)
    }


def _told(item: Item, titles: Mapping[str, str]) -> Iterator[Number]:
    def group(name: str) -> str:
        return titles.get(name, name)

    for name, kind in _STEPS.items():
        for step in item.get(name, ()):
            comment = "; ".join(step.get("comments", ()))
            for each, count in step["counts"].items():
                told = {"kind": kind, "row": step["title"], "group": group(each)}
                yield {**told, "value": count, "comment": comment}
    for value in item.get("values", ()):
        yield {
            **{name: each for name, each in value.items() if name in _FIELDS},
            "kind": "value",
            "row": value.get("category"),
            "group": group(value.get("group", "")),
        }
    for effect in item.get("analyses", ()):
        yield _effect(effect, [group(each) for each in effect.get("groups", ())])
    yield from _event_numbers(item, titles)


def _effect(effect: Item, groups: Sequence[str]) -> Number:
    return {
        "kind": _ANALYSIS,
        "row": effect.get("estimate_type") or effect.get("test_type"),
        "group": " vs ".join(groups),
        "value": effect.get("estimate"),
        "spread": effect.get("dispersion"),
        "lower_limit": effect.get("ci_lower"),
        "upper_limit": effect.get("ci_upper"),
        "ci_percent": effect.get("ci_percent"),
        "method": effect.get("method"),
        "p_value": effect.get("p_value"),
        "comment": effect.get("description"),
    }


def _event_numbers(item: Item, titles: Mapping[str, str]) -> Iterator[Number]:
    for group in item.get("groups", ()) if item.get("first") == 1 else ():
        for name, row in _PEOPLE.items():
            if name in group:
                told = {"kind": "people", "row": row, "group": titles[group["id"]]}
                yield {**told, "value": group[name], "at_risk": group.get(f"{name}_at_risk")}
    for event in item.get("events", ()):
        for group, counts in event["counts"].items():
            told = {"kind": "event", "row": event["term"], "group": titles.get(group, group)}
            yield {
                **told,
                "value": counts.get("affected"),
                "at_risk": counts.get("at_risk"),
                "events": counts.get("events"),
                "comment": event.get("organ_system"),
            }


def _parts(answer: Answer) -> Iterator[tuple[str, Table]]:
    for item, numbers in _numbers(answer):
        yield (
            f"{_place(item)}{_heading(item)}",
            _by_group([each for each in numbers if each["kind"] != _ANALYSIS]),
        )
        effects = [each for each in numbers if each["kind"] == _ANALYSIS]
        heads = ("Groups", "Estimate", "Value", "Interval", "P value", "Method")
        rows = [
            [
                each["group"],
                each["row"] or "",
                _cell({"value": each["value"], "spread": each["spread"]}),
                _interval(each),
                each["p_value"] or "",
                each["method"] or "",
            ]
            for each in effects
        ]
        yield f"{_place(item)}, analyses", Table(heads, rows, firm=0)


def _place(item: Item) -> str:
    number = f" {item['number']}" if "number" in item else ""
    return f"{to_label(item['section'])}{number}"


def _heading(item: Item) -> str:
    part = f", part {item['part']} of {item['parts']}" if "part" in item else ""
    title = f": {item['title']}" if "title" in item else ""
    spread = str(item.get("dispersion_type", "")).replace("_", " ").capitalize()
    about = (item.get("unit"), spread, item.get("time_frame"), item.get("status"))
    told = "; ".join(filter(None, about))
    return f"{part}{title}" + (f" ({told})" if told else "")


def _by_group(numbers: Sequence[Number]) -> Table:
    groups = list(dict.fromkeys(each["group"] for each in numbers))
    rows: dict[str, dict[str, list[str]]] = {}
    for each in numbers:
        cells = rows.setdefault(each["row"] or "All", {})
        cells.setdefault(each["group"], []).append(_cell(each))
    listed = [
        [row, *("; ".join(cells.get(group, ())) for group in groups)] for row, cells in rows.items()
    ]
    return Table(("", *groups), listed, firm=0)


def _cell(number: Number) -> str:
    """Write a value with what is given of its spread, or of how many it is."""
    spread = f" ± {number['spread']}" if number.get("spread") else ""
    risk = f"/{number['at_risk']}" if number.get("at_risk") is not None else ""
    limits = f" ({_interval(number)})" if number.get("lower_limit") else ""
    value = number.get("value")
    return "" if value is None else f"{value}{risk}{spread}{limits}"


def _interval(number: Number) -> str:
    low, high = number.get("lower_limit"), number.get("upper_limit")
    if not (low or high):
        return ""
    percent = f" ({number['ci_percent']} %)" if number.get("ci_percent") else ""
    return f"{low or '...'} to {high or '...'}{percent}"


def _sheet(answer: Answer) -> Table:
    nct_id = bare_id(answer["id"])
    rows = [
        [as_field({"nct_id": nct_id, **number}.get(name)) for name in _FIELDS]
        for _, numbers in _numbers(answer)
        for number in numbers
    ]
    return Table(_FIELDS, rows)


def _closing(answer: Answer) -> Iterable[str]:
    if not (contents := answer.body.get("contents")):
        return
    yield from more(answer, "tables")
    held = (f"{count:,} {to_label(name).lower()}" for name, count in contents.items() if count)
    yield f"Posted: {', '.join(held)}."


RESULTS = Report(_parts, _sheet, _closing)


@asks(options_of(ResultsArguments))
def results(given: Mapping[str, Any], form: Format) -> Question:
    """Show the posted results of a trial: participants, outcomes with analyses, adverse events.

    Sections are participants, baseline, primary_outcomes, secondary_outcomes, other_outcomes,
    serious_events and other_events; outcomes and events name several at once.
    """
    return Question("get_results", given, RESULTS)
