"""Which chart belongs to which answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.agents.charts import (
    Bar,
    Cell,
    Panel,
    Share,
    draw_landscape,
    draw_matrix,
    draw_phases,
    draw_shares,
    draw_stop_reasons,
)
from trialyst.agents.figures import Form, footed

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["draw"]

SHOWN = 10


def draw(tool: str, answer: Answer, *, form: Form) -> bytes:
    """Draw the chart of a tool's answer, with its source and the day of its records below."""
    told = answer.get("provenance", {})
    day = str(told.get("data_timestamp") or "")[:10]
    source = ", ".join(filter(None, (told.get("source"), day and f"records of {day}")))
    with footed(f"Source: {source}" if source else ""):
        return _CHARTS[tool](answer, form)


def _phases(answer: Answer, form: Form) -> bytes:
    counts = Counter(item["phase"] for item in answer["items"])
    ordered = {label: counts[label] for label in sorted(counts, key=_in_order)}
    shown, total = len(answer["items"]), answer["pagination"]["total_count"]
    names = " in ".join(name["asked"] for name in answer["names"])
    told = f"{total:,} trials" if shown == total else f"{shown:,} of {total:,} trials"
    return draw_phases(ordered, title=f"{names}: {told} by phase", form=form)


def _in_order(label: str) -> tuple[bool, bool, str]:
    """Put `Not Applicable` first, then `Early Phase 1`; the rest is in order by its letters."""
    return label != "Not Applicable", not label.startswith("Early"), label


def _pair(answer: Answer, form: Form) -> bytes:
    cell = _cell(answer, answer["drug"]["asked"], answer["condition"]["asked"])
    return draw_matrix([cell], title="Whitespace: grade and trials", form=form)


def _matrix(answer: Answer, form: Form) -> bytes:
    cells = [_cell(item, item["drug"], item["condition"]) for item in answer["items"]]
    return draw_matrix(cells, title="Whitespace: grade and trials", form=form)


def _cell(pair: Mapping[str, Any], drug: str, condition: str) -> Cell:
    trials = pair["exact_match_count"] + pair["narrower_match_count"]
    return Cell(drug, condition, pair["grade"], trials)


def _landscape(answer: Answer, form: Form) -> bytes:
    classes = [
        Bar(each["name"], each["trial_count"], f"{each['trial_count']:,}")
        for each in answer["mechanism_classes"][:SHOWN]
    ]
    return draw_landscape(
        answer["phase_distribution"],
        (answer["starts_by_year"], answer["stops_by_year"]),
        classes,
        _sponsors(answer),
        title=f"{answer['condition']['asked']}: {answer['total_trial_count']:,} trials",
        form=form,
    )


def _sponsors(answer: Answer) -> list[Bar]:
    # By class, of which the numbers are of all trials; competitors are only the first of them.
    counts = answer["sponsor_classes"].items()
    return [Bar(name, count, f"{count:,}") for name, count in list(counts)[:SHOWN]]


def _stops(answer: Answer, form: Form) -> bytes:
    summary = answer["summary"]
    title = f"{answer['names'][0]['asked']}: why {summary['trials']:,} trials stopped"
    return draw_stop_reasons(summary["categories"], title=title, form=form)


def _backtest(answer: Answer, form: Form) -> bytes:
    titles = {"new_trial": "A new trial", "phase_3": "A phase 3 trial", "stop": "A stop"}
    panels = [
        Panel(
            title,
            [
                Share(
                    f"{line['scope']} pairs"
                    if line["kind"] == "base"
                    else line["name"].replace("_", " "),
                    line[outcome].get("share"),
                    (line[outcome].get("low", 0.0), line[outcome].get("high", 0.0)),
                    is_base=line["kind"] == "base",
                )
                for line in answer["lines"]
            ],
        )
        for outcome, title in titles.items()
    ]
    years = f"{answer['follow_up_years']:g} years"
    told = f"Pairs as known on {answer['cutoff']}: the share followed within {years} by ..."
    return draw_shares(panels, title=told, form=form)


_CHARTS: Mapping[str, Callable[[Answer, Form], bytes]] = {
    "search_trials": _phases,
    "detect_whitespace": _pair,
    "matrix": _matrix,
    "get_landscape": _landscape,
    "get_terminated": _stops,
    "backtest": _backtest,
}
