"""How the answers of the repurposing client read: as tables, and as sheets of every value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trialyst.interfaces.cli.layout import (
    Screen,
    Table,
    render_csv,
    render_markdown,
    render_table,
    wrap,
)
from trialyst.interfaces.cli.views import TableView, as_cell, as_field, bare_id, more, to_label

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["COMPETITORS", "DRUG_TRIALS", "MATRIX", "STOPPED", "WHITESPACE", "Report"]

Item = Mapping[str, Any]

SHADES = {
    "untested": "░",
    "unknown_coverage": "·",
    "early": "▒",
    "active": "▓",
    "established": "█",
    "stopped": "×",
    "unknown_name": "?",
}
"""How full a cell of the matrix is."""


@dataclass(frozen=True, slots=True)
class Report:
    """An answer that is several tables, each under a title; `sheet` is the one for a file."""

    parts: Callable[[Answer], Iterator[tuple[str, Table]]]
    sheet: Callable[[Answer], Table]
    closing: Callable[[Answer], Iterable[str]]

    def text(self, answer: Answer, screen: Screen) -> str:
        """Draw the tables one below the other."""
        shown = (
            f"{_fit(title, screen)}\n{render_table(table.without_empty_columns(), screen)}"
            for title, table in self.parts(answer)
            if table.rows
        )
        return "\n\n".join(shown)

    def markdown(self, answer: Answer) -> str:
        """Write the tables under headings."""
        shown = (
            f"### {title}\n\n{render_markdown(table.without_empty_columns())}"
            for title, table in self.parts(answer)
            if table.rows
        )
        return "\n\n".join(shown)

    def csv(self, answer: Answer) -> str:
        """Write the sheet."""
        return render_csv(self.sheet(answer))


def _fit(title: str, screen: Screen) -> str:
    return title if screen.width is None else wrap(title, screen.width)


def _table(items: Iterable[Item], columns: Mapping[str, str], *, firm: int = 1) -> Table:
    rows = [[_shown(name, item.get(name)) for name in columns] for item in items]
    return Table(list(columns.values()), rows, firm)


def _shown(name: str, value: Any) -> str:
    if name == "nct_id":
        return bare_id(value)
    return (
        f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else as_cell(value)
    )


def _fields(items: Iterable[Item], fields: Sequence[str]) -> Table:
    rows = [[_field(name, item.get(name)) for name in fields] for item in items]
    return Table(fields, rows)


def _field(name: str, value: Any) -> str:
    if name == "nct_id":
        return bare_id(value)
    if name == "nct_ids":
        return as_field([bare_id(each) for each in value or ()])
    if name == "interventions":
        return as_field([each["intervention_name"] for each in value or ()])
    if name == "primary_outcomes":
        return as_field([each["measure"] for each in value or ()])
    if name == "matched_by":
        return as_field([f"{each['of']} by {each['how']}" for each in value or ()])
    return as_field(value)


def _figures(values: Mapping[str, Any]) -> Table:
    rows = [[name, _shown("", value)] for name, value in values.items() if value not in (None, "")]
    return Table(("Figure", "Value"), rows)


def _counted(values: Mapping[str, int], name: str) -> Table:
    return Table((name, "Trials"), [[label, f"{count:,}"] for label, count in values.items()])


_TRIAL_COLUMNS = {
    "nct_id": "NCT id",
    "phase": "Phase",
    "overall_status": "Status",
    "start_date": "Start",
    "enrollment": "Enrolled",
    "title": "Title",
    "sponsor": "Sponsor",
    "why_stopped": "Why stopped",
}
_TRIAL_FIELDS = (
    *("nct_id", "title", "phase", "overall_status", "why_stopped", "stop_category"),
    *("conditions", "interventions", "sponsor", "collaborators", "enrollment", "start_date"),
    *("completion_date", "study_type", "primary_outcomes", "results_posted", "references"),
    *("reporting_references", "first_posted", "primary_purpose", "matched_by", "brief_summary"),
)


def _nearest(*names: Item) -> Iterator[str]:
    for name in names:
        if name.get("nearest"):
            yield f"Known names like {name['asked']!r}: {', '.join(name['nearest'])}."


def _close_trials(answer: Answer) -> Iterator[str]:
    yield from _nearest(*answer["names"])
    yield from more(answer, "trials", limit="--max-results")


def _whitespace_parts(answer: Answer) -> Iterator[tuple[str, Table]]:
    drug, condition = answer["drug"]["asked"], answer["condition"]["asked"]
    figures = {
        "Grade": answer["grade"].replace("_", " "),
        "Whitespace": answer["is_whitespace"],
        "Trials of both": answer["exact_match_count"],
        "In narrower conditions": answer["narrower_match_count"],
        f"Trials of {drug}": answer["drug_only_trials"],
        f"Trials of {condition}": answer["condition_only_trials"],
        "Highest phase": answer.body.get("highest_phase"),
        "Participants": answer["total_enrollment"],
    }
    yield f"{drug} for {condition}", _figures(figures)
    columns = {name: _TRIAL_COLUMNS.get(name, to_label(name)) for name in _HIT_COLUMNS}
    yield "Trials of both, the most advanced first", _table(answer["hits"], columns)
    others = {"drug_name": "Drug", "phase": "Phase", "status": "Status", "nct_id": "NCT id"}
    yield (
        f"Other drugs tested for {condition}, phase 2 and later",
        _table(answer["condition_drugs"], {**others, "condition": "Condition"}),
    )


_HIT_COLUMNS = ("nct_id", "phase", "status", "start_date", "enrollment", "title", "narrower")
_WHITESPACE_FIELDS = (
    *("row", "nct_id", "drug_name", "condition", "title", "phase", "status"),
    *("enrollment", "start_date", "narrower", "matched_by"),
)


def _whitespace_sheet(answer: Answer) -> Table:
    hits = [{"row": "trial of both", **each} for each in answer["hits"]]
    others = [{"row": "other drug", **each} for each in answer["condition_drugs"]]
    return _fields([*hits, *others], _WHITESPACE_FIELDS)


def _close_whitespace(answer: Answer) -> Iterator[str]:
    yield from _nearest(answer["drug"], answer["condition"])


def _grid(answer: Answer) -> Table:
    items = answer["items"]
    conditions = list(dict.fromkeys(item["condition"] for item in items))
    rows: dict[str, dict[str, str]] = {}
    for item in items:
        trials = item["exact_match_count"] + item["narrower_match_count"]
        told = f"{SHADES[item['grade']]} {item['grade'].replace('_', ' ')}"
        cell = f"{told} {trials:,}" if trials else told
        rows.setdefault(item["drug"], {})[item["condition"]] = cell
    listed = [[drug, *(cells[name] for name in conditions)] for drug, cells in rows.items()]
    return Table(("Drug", *conditions), listed)


_MATRIX_FIELDS = (
    *("drug", "condition", "grade", "is_whitespace", "exact_match_count", "narrower_match_count"),
    *("drug_only_trials", "condition_only_trials", "highest_phase", "total_enrollment"),
)


def _close_matrix(answer: Answer) -> Iterator[str]:
    yield f"{len(answer['items']):,} pairs; the number is of trials, narrower conditions included."


_COMPETITOR_COLUMNS = {
    "sponsor": "Sponsor",
    "drug_name": "Drug",
    "max_phase": "Phase",
    "trial_count": "Trials",
    "total_enrollment": "Participants",
    "most_recent_start": "Latest start",
    "statuses": "Statuses",
}
_COMPETITOR_FIELDS = (
    *("group", "sponsor", "drug_name", "drug_type", "max_phase", "trial_count", "statuses"),
    *("total_enrollment", "most_recent_start", "nct_ids", "spellings"),
)


def _landscape_parts(answer: Answer) -> Iterator[tuple[str, Table]]:
    trend = answer.body.get("trend") or {}
    recent = len(answer["recent_starts"])
    figures = {
        "Trials with a phase": answer["total_trial_count"],
        "Sponsors with a drug": answer["competitor_count"],
        "Of prevention": answer["prevention_count"],
        "Recent starts": recent,
        "Trend": trend.get("direction"),
    }
    yield answer["condition"]["asked"], _figures(figures)
    yield "Competitors", _table(answer["competitors"], _COMPETITOR_COLUMNS, firm=0)
    yield "Prevention", _table(answer["prevention"], _COMPETITOR_COLUMNS, firm=0)
    yield "Phases", _counted(answer["phase_distribution"], "Phase")
    classes = {"name": "Class", "trial_count": "Trials", "max_phase": "Phase", "drugs": "Drugs"}
    yield "Drug classes", _table(answer["mechanism_classes"], classes, firm=0)


def _landscape_sheet(answer: Answer) -> Table:
    groups = (("treatment", answer["competitors"]), ("prevention", answer["prevention"]))
    return _fields(
        [{"group": name, **each} for name, listed in groups for each in listed],
        _COMPETITOR_FIELDS,
    )


def _close_landscape(answer: Answer) -> Iterator[str]:
    yield from _nearest(answer["condition"])
    shown, total = len(answer["competitors"]), answer["competitor_count"]
    yield f"{shown:,} of {total:,} competitors."
    if shown < total:
        yield "For more of them raise --top."


_STOPPED_COLUMNS = {
    "nct_id": "NCT id",
    "phase": "Phase",
    "stop_category": "Category",
    "why_stopped": "Why stopped",
    "drug_name": "Drug",
    "condition": "Condition",
    "enrollment": "Enrolled",
    "termination_date": "Stopped",
    "sponsor": "Sponsor",
}
_STOPPED_FIELDS = (
    *("nct_id", "title", "drug_name", "condition", "phase", "overall_status", "why_stopped"),
    *("stop_category", "stop_categories", "success", "usable_reason", "enrollment", "sponsor"),
    *("start_date", "termination_date", "termination_planned", "gives_drug", "references"),
    *("reporting_references", "drugs", "conditions", "matched_by"),
)


def _with_planned(item: dict[str, Any]) -> dict[str, Any]:
    if not item.get("termination_planned"):
        return item
    return {**item, "termination_date": f"{item['termination_date']} (planned)"}


def _close_stopped(answer: Answer) -> Iterator[str]:
    yield from _nearest(*answer["names"])
    yield from more(answer, "stopped trials", limit="--max-results")
    summary = answer["summary"]
    if summary["trials"]:
        counts = ", ".join(f"{name} {count:,}" for name, count in summary["categories"].items())
        share = summary.get("share_without_usable_reason") or 0
        yield f"Why: {counts}. Without a usable reason: {share:.0%}."
    if apart := summary.get("other_trials"):
        yield f"{apart:,} more give no drug; they are listed last and not counted under Why."


DRUG_TRIALS = TableView(
    lambda answer: _table(answer["items"], _TRIAL_COLUMNS),
    lambda answer: _fields(answer["items"], _TRIAL_FIELDS),
    _close_trials,
)
WHITESPACE = Report(_whitespace_parts, _whitespace_sheet, _close_whitespace)
MATRIX = TableView(_grid, lambda answer: _fields(answer["items"], _MATRIX_FIELDS), _close_matrix)
COMPETITORS = Report(_landscape_parts, _landscape_sheet, _close_landscape)
STOPPED = TableView(
    lambda answer: _table(list(map(_with_planned, answer["items"])), _STOPPED_COLUMNS),
    lambda answer: _fields(answer["items"], _STOPPED_FIELDS),
    _close_stopped,
)
