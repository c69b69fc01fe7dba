"""The summary of a cohort as one page: what it holds, and three lists with their bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from trialyst.matching.report import RESEARCH_USE
from trialyst.matching.verdict import TrialVerdict
from trialyst.scale.drawing import Bar, draw_bars

__all__ = ["page", "render_summary"]

_STYLE = (
    "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a202c}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left;"
    "vertical-align:top}th{border-bottom:1px solid #a0aec0}svg{max-width:100%;height:auto}"
)


def render_summary(summary: Mapping[str, Any]) -> str:
    """Give the page."""
    verdicts = summary["verdicts"]
    told = ", ".join(f"{verdicts[each.value]:,} {each.words}" for each in TrialVerdict)
    trials = [
        Bar(each["nct_id"], (each["meets"], each["open"]), f"{each['patients']:,}")
        for each in summary["trials"]
    ]
    excluding = [
        Bar(f"{each['nct_id']} {each['criterion']}", (each["patients"],), f"{each['patients']:,}")
        for each in summary["excluding"]
    ]
    missing = [
        Bar(each["fact"], (each["trials"],), f"{each['trials']:,}") for each in summary["missing"]
    ]
    body = [
        f"<p>{summary['patients']:,} patients were matched; {summary['with_candidates']:,} have a "
        f"trial that nothing surely rules out. {summary['bad_rows']:,} rows could not be read.</p>",
        f"<p>Patients and trials compared: {escape(told)}.</p>",
        _section("Trials with most candidates", trials,
                 "Dark: meets what could be read; light: open."),
        _section("Criteria that exclude most", excluding, "Patients of whom it surely speaks."),
        _section("Facts most often missing", missing, "Open trials that hang on it."),
        _problems(summary["problems"]),
    ]  # fmt: skip
    return page("Summary of a cohort", "".join(body))


def page(title: str, body: str) -> str:
    """Give a page that stands by itself."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>{body}"
        f"<p><small>{escape(RESEARCH_USE)}</small></p></body></html>\n"
    )


def _section(title: str, bars: Sequence[Bar], note: str) -> str:
    drawn = draw_bars(bars, title=title) if bars else "<p>None.</p>"
    return f"<h2>{escape(title)}</h2><p>{escape(note)}</p>{drawn}"


def _problems(problems: Sequence[Mapping[str, Any]]) -> str:
    if not problems:
        return ""
    rows = "".join(
        f"<tr><td>{escape(each['place'])}</td><td>{escape(each['problem'])}</td></tr>"
        for each in problems
    )
    head = "<tr><th>Place</th><th>Why</th></tr>"
    return f"<h2>Rows that could not be read</h2><table>{head}{rows}</table>"
