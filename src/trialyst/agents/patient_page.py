"""The match for a coordinator, as one HTML page that loads nothing and prints well.

First what fits on a sheet: the patient, what to know, the best trials. Then the facts to ask,
chosen trials side by side, a page for each of the best, and all others in a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from trialyst.agents.page import link_of
from trialyst.agents.patient_words import (
    Group,
    group_of,
    next_step,
    short_why,
)
from trialyst.agents.wording import shorten, status_words
from trialyst.matching.judging.result import CriterionResult
from trialyst.matching.report import MatchedTrial, MatchReport
from trialyst.matching.verdict import TrialVerdict
from trialyst.matching.wording import (
    criterion_words,
    phase_words,
    site_words,
    verdict_words,
    why_words,
)
from trialyst.unseen import without_unseen

__all__ = ["COMPARED", "PAGES", "render_patient_page"]

PAGES = 20
"""Trials that have a page of their own, as many as the first page lists."""
COMPARED = 3
"""Trials side by side where none were chosen: the first that do not conflict."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_TITLE = 84
_FACTS = 15
_TOP_TITLE, _TOP_STEP = 58, 64
"""Letters that keep a row of the first page to two lines."""
_LONGEST_FACT = 220
_SIGNS = {
    TrialVerdict.ELIGIBLE: "\u2713",
    TrialVerdict.UNCERTAIN: "?",
    TrialVerdict.EXCLUDED: "\u2715",
    TrialVerdict.NOT_RELEVANT: "\u2013",
}
_FIRST_FACTS = (
    "age", "sex", "primary_diagnosis", "stage", "performance_status", "biomarkers", "conditions",
    "current_therapies", "prior_therapies", "procedures", "measurements", "allergies", "absent",
)  # fmt: skip
_GROUPS = {
    Group.CONFLICT: "Conflicts",
    Group.POSSIBLE: "Possible conflicts",
    Group.OPEN: "Open",
    Group.PARTLY: "Fine as far as understood",
    Group.FINE: "Fine",
    Group.CONFIRM: "To confirm at the site, or not for this patient",
}

_SHOWN = frozenset(_GROUPS) - {Group.FINE, Group.CONFIRM}

Ranked = tuple[int, MatchedTrial]


def render_patient_page(
    report: MatchReport,
    *,
    warnings: Sequence[str],
    method: Sequence[str],
    chosen: Sequence[str] = (),
) -> str:
    """Write a match; the same one always gives the same text.

    Args:
        warnings: what a reader must see first.
        method: where it all comes from, one sentence each.
        chosen: ids of trials to set side by side.
    """
    page = _Page(report)
    lines = [
        *page.head(),
        *page.first(warnings),
        *page.facts(),
        *page.comparison(chosen),
        *page.trials(),
        *page.rest(),
        *page.closing(method),
    ]
    return without_unseen("".join(f"{line}\n" for line in lines))


class _Page:
    """The parts of the page, top to bottom."""

    def __init__(self, report: MatchReport) -> None:
        self._report = report
        ranked: list[Ranked] = list(enumerate(report.trials, start=1))
        relevant = [each for each in ranked if each[1].verdict is not TrialVerdict.NOT_RELEVANT]
        self._best = relevant[:PAGES]
        shown = {trial.nct_id for _, trial in self._best}
        self._rest = [each for each in ranked if each[1].nct_id not in shown]
        self._linked = not report.provenance.synthetic

    def head(self) -> Iterator[str]:
        diagnosis = self._report.patient.get("primary_diagnosis") or "a patient"
        synthetic = "[SYNTHETIC] " if self._report.provenance.synthetic else ""
        title = escape(f"{synthetic}Trials for {diagnosis}")
        yield "<!DOCTYPE html>"
        yield '<html lang="en"><head><meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
        yield '<meta name="referrer" content="no-referrer">'
        yield f"<title>{title}</title><style>{_style()}</style></head><body><main>"
        yield f'<section class="first" id="top"><h1>{title}</h1>'
        yield '<p class="sub">A patient note matched to registered clinical trials. '
        yield "For research use only.</p>"

    def first(self, warnings: Sequence[str]) -> Iterator[str]:
        yield from (f'<p class="note" role="note">{escape(each)}</p>' for each in warnings)
        yield '<div class="patient">'
        patient = self._report.patient
        for name in _FIRST_FACTS:
            if name in patient:
                told = shorten(_told(patient[name]), _LONGEST_FACT)
                yield f"<div><b>{escape(_label(name))}:</b> {escape(told)}</div>"
        yield "</div>"
        if self._report.changes:
            listed = "; ".join(self._report.changes)
            yield f'<p class="note"><b>Corrected by hand:</b> {escape(listed)}.</p>'
        yield f'<p class="soft">{escape(self._counted())}</p>'
        if self._best:
            yield from self._top()
        yield "</section>"

    def _counted(self) -> str:
        counts = ", ".join(
            f"{number:,} {TrialVerdict(code).words} ({code})"
            for code, number in self._report.counts.items()
        )
        return f"{len(self._report.trials):,} of {self._report.found:,} trials judged: {counts}."

    def _top(self) -> Iterator[str]:
        far = any(trial.sites for _, trial in self._best)
        heads = ["#", "Trial", "Standing", "Why", *(["Distance"] if far else []), "Next step"]
        yield (
            f"<h2>The best {len(self._best)}</h2>" if len(self._best) > 1 else "<h2>The trial</h2>"
        )
        widths = (3, 31, 13, 24, 8, 21) if far else (3, 33, 13, 27, 24)
        yield f'<div class="scroll"><table class="even">{_columns(widths)}'
        yield f"<thead><tr>{_cells('th', heads)}</tr></thead><tbody>"
        for rank, trial in self._best:
            title = escape(shorten(trial.candidate.brief_title, _TOP_TITLE))
            yield (
                f'<tr><td class="tight">{rank}</td><td>{_anchor(trial)} {title}</td>'
                f"<td>{_chip(trial.verdict)}</td><td>{escape(short_why(trial))}</td>"
            )
            if far:
                near = f"{trial.sites[0].distance_km:,.0f} km" if trial.sites else ""
                yield f'<td class="tight">{near}</td>'
            yield f"<td>{escape(shorten(next_step(trial), _TOP_STEP))}</td></tr>"
        yield "</tbody></table></div>"

    def facts(self) -> Iterator[str]:
        asked = self._report.facts_to_ask[:_FACTS]
        if not asked:
            return
        yield '<section class="page" id="facts"><h2>Facts to ask</h2>'
        yield "<p>What would decide most of the open trials, the most telling first.</p>"
        yield '<ul class="facts">'
        for each in asked:
            told = "1 trial" if each.trials == 1 else f"{each.trials:,} trials"
            told += f", {each.alone:,} by itself" if each.alone else ""
            yield f'<li>{escape(each.fact)} <span class="soft">({told})</span></li>'
        yield "</ul></section>"

    def comparison(self, chosen: Sequence[str]) -> Iterator[str]:
        wanted = set(chosen)
        ranked = list(enumerate(self._report.trials, start=1))
        picked = [each for each in ranked if each[1].nct_id in wanted]
        if not wanted:
            fitting = (TrialVerdict.ELIGIBLE, TrialVerdict.UNCERTAIN)
            picked = [each for each in self._best if each[1].verdict in fitting][:COMPARED]
        if len(picked) < 2:
            return
        yield '<section class="more" id="compared"><h2>Side by side</h2><div class="scroll">'
        heads = "".join(f'<th scope="col">{rank}. {_anchor(trial)}</th>' for rank, trial in picked)
        width = 88 / len(picked)
        yield f'<table class="even">{_columns((12, *(width for _ in picked)))}'
        yield f"<thead><tr><td></td>{heads}</tr></thead><tbody>"
        for name, cells in _compared([trial for _, trial in picked]):
            if any(cells):
                row = "".join(f"<td>{cell}</td>" for cell in cells)
                yield f'<tr><th scope="row">{name}</th>{row}</tr>'
        yield "</tbody></table></div></section>"

    def trials(self) -> Iterator[str]:
        for rank, trial in self._best:
            yield f'<section class="page" id="{trial.nct_id}">'
            yield f"<h2>{rank}. {self._id(trial)} {_chip(trial.verdict)}</h2>"
            yield f"<p><b>{escape(trial.candidate.brief_title)}</b></p>"
            yield from _about(trial)
            yield from _groups(trial.assessment.results, folded=False)
            yield '<p class="screen"><a href="#top">Back to the list</a></p></section>'

    def rest(self) -> Iterator[str]:
        if not self._rest:
            return
        yield '<section class="page" id="rest"><h2>All other trials</h2><div class="scroll">'
        heads = ["#", "Trial", "Standing", "Why", "Status"]
        yield f'<table class="even">{_columns((4, 36, 13, 35, 12))}'
        yield f"<thead><tr>{_cells('th', heads)}</tr></thead><tbody>"
        for rank, trial in self._rest:
            title = escape(shorten(trial.candidate.brief_title, _TITLE))
            yield (
                f'<tr><td class="tight">{rank}</td><td>{self._id(trial)} {title}</td>'
                f"<td>{_chip(trial.verdict)}</td><td>{escape(short_why(trial))}"
            )
            if trial.assessment.results and trial.verdict is not TrialVerdict.NOT_RELEVANT:
                yield '<details class="screen"><summary>Criteria</summary>'
                yield from _groups(trial.assessment.results, folded=True)
                yield "</details>"
            yield f"</td><td>{escape(status_words(trial.candidate.status))}</td></tr>"
        yield "</tbody></table></div></section>"

    def closing(self, method: Sequence[str]) -> Iterator[str]:
        yield '<section class="more"><h2>The patient, as read</h2><dl class="about">'
        for name, value in self._report.patient.items():
            yield f"<dt>{escape(_label(name))}</dt><dd>{escape(_told(value))}</dd>"
        yield '</dl></section><section class="more"><h2>Coverage and method</h2><ul>'
        yield from (f"<li>{escape(each)}</li>" for each in method)
        yield "</ul></section></main></body></html>"

    def _id(self, trial: MatchedTrial) -> str:
        if not self._linked:
            return trial.nct_id
        return f'<a href="{link_of(trial.nct_id)}">{trial.nct_id}</a>'


@cache
def _style() -> str:
    return (
        resources.files("trialyst.agents").joinpath("data", "patient_report.css").read_text("utf-8")
    )


def _cells(tag: str, texts: Sequence[str]) -> str:
    return "".join(f'<{tag} scope="col">{escape(each)}</{tag}>' for each in texts)


def _columns(widths: Sequence[float]) -> str:
    return "".join(f'<col style="width:{each:.3g}%">' for each in widths)


def _chip(verdict: TrialVerdict) -> str:
    words = f"{_SIGNS[verdict]} {verdict.words}"
    return f'<span class="chip {verdict.value}" title="{verdict.value}">{words}</span>'


def _anchor(trial: MatchedTrial) -> str:
    return f'<a href="#{trial.nct_id}">{trial.nct_id}</a>'


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _told(value: Any) -> str:
    told = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return {"True": "yes", "False": "no"}.get(told, told)


def _about(trial: MatchedTrial) -> Iterator[str]:
    candidate = trial.candidate
    told: Mapping[str, str] = {
        "Why": f"{verdict_words(trial.verdict)}: {why_words(trial)}",
        "Next step": next_step(trial),
        "About": "; ".join(candidate.conditions),
        "Gives": "; ".join(candidate.interventions),
        "Trial": ", ".join(
            filter(
                None,
                (phase_words(candidate.phase), status_words(candidate.status), candidate.sponsor),
            )
        ),
        "Contact": "; ".join(trial.contacts),
    }
    yield '<dl class="about">'
    for name, text in told.items():
        if text:
            yield f"<dt>{name}</dt><dd>{escape(text)}</dd>"
    for site in trial.sites:
        status = f", {status_words(site.status)}" if site.status else ""
        contact = f": {site.contact}" if site.contact else ""
        yield f"<dt>Site</dt><dd>{escape(site_words(site) + status + contact)}</dd>"
    yield "</dl>"


def _groups(results: Sequence[CriterionResult], *, folded: bool) -> Iterator[str]:
    """Yield the criteria of a trial by group; what is fine is folded, and stays so on paper."""
    for group, title in _GROUPS.items():
        own = [each for each in results if group_of(each) is group]
        if not own:
            continue
        name = group.value.replace(" ", "-")
        heading = f"{title} ({len(own):,})"
        if folded or group in _SHOWN:
            yield f'<div class="group {name}"><h3>{heading}</h3>'
            yield from map(_criterion, own)
            yield "</div>"
        else:
            yield f'<details class="group {name}"><summary>{heading}</summary>'
            yield from map(_criterion, own)
            yield "</details>"


def _criterion(result: CriterionResult) -> str:
    quotes = " ".join(
        f"<blockquote>{escape(quote.text)}</blockquote> <span class=soft>[{quote.sentence}]</span>"
        for quote in result.quotes
    )
    numbers = ", ".join(f"[{number}]" for number in result.sentences)
    evidence = quotes or f'<span class="soft">{numbers or "no words of the note"}</span>'
    told = f"{result.criterion_type.value}: {criterion_words(result)}"
    sure = f"{told}, {result.confidence:.2f}"
    failed = f" Not judged by the model: {result.failure}" if result.failure else ""
    return (
        f'<div class="criterion"><p>{escape(result.criterion)}</p><div>{evidence}</div>'
        f'<p class="soft">{sure}</p><p class="soft">{escape(result.reasoning + failed)}</p></div>'
    )


def _compared(trials: Sequence[MatchedTrial]) -> Iterator[tuple[str, list[str]]]:
    def each(tell: Any) -> list[str]:
        return [escape(str(tell(trial) or "")) for trial in trials]

    def count(group: Group) -> list[str]:
        return each(lambda t: sum(group_of(r) is group for r in t.assessment.results))

    yield "Title", each(lambda t: t.candidate.brief_title)
    yield "Standing", [_chip(trial.verdict) for trial in trials]
    yield "Why", each(short_why)
    yield "Next step", each(next_step)
    yield "Phase", each(lambda t: phase_words(t.candidate.phase))
    yield "Status", each(lambda t: status_words(t.candidate.status))
    yield "Gives", each(lambda t: "; ".join(t.candidate.interventions))
    yield "Sponsor", each(lambda t: t.candidate.sponsor)
    yield "Conflicts", count(Group.CONFLICT)
    yield "Possible conflicts", count(Group.POSSIBLE)
    yield "Open", count(Group.OPEN)
    yield "Fine", count(Group.FINE)
    yield "Nearest site", each(lambda t: site_words(t.sites[0]) if t.sites else "")
    yield "Contact", each(lambda t: "; ".join(t.contacts))
