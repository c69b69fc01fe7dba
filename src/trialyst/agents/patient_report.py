"""Trials matched to a patient, as a document: what fits first, every criterion with its evidence.

Trials about something the patient does not have are listed without criteria, which are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from trialyst.agents.document import Block, Document, Grid, Listing, Section
from trialyst.agents.markdown import render_markdown
from trialyst.agents.patient_page import render_patient_page
from trialyst.agents.sentences import coverage, method, of
from trialyst.agents.wording import shorten, status_words
from trialyst.matching.judging.result import CriterionResult
from trialyst.matching.report import RESEARCH_USE, MatchedTrial, MatchReport
from trialyst.matching.verdict import TrialVerdict
from trialyst.matching.wording import (
    cost_words,
    criterion_words,
    phase_words,
    site_words,
    verdict_words,
    why_words,
)
from trialyst.unseen import without_unseen

__all__ = ["ReportForm", "lay_out_match", "render_match"]

_LONGEST_TITLE = 110
_TABLE = ("Rank", "Trial", "Verdict", "Confidence", "Phase", "Status", "Title")
_CRITERIA = ("Type", "Criterion", "Verdict", "Evidence in the note", "Why")


class ReportForm(StrEnum):
    """What a report is written as; also the endings of its files."""

    HTML = "html"
    MARKDOWN = "md"
    JSON = "json"


def render_match(report: MatchReport, form: ReportForm, *, chosen: Sequence[str] = ()) -> bytes:
    """Give the content of a file; the same report always gives the same bytes.

    Args:
        chosen: ids of trials that the page sets side by side; its own choice if none are given.
    """
    if form is ReportForm.JSON:
        # The standard library's encoder takes seconds to indent two hundred trials.
        return msgspec.json.format(msgspec.json.encode(report.to_dict()), indent=1) + b"\n"
    if form is ReportForm.MARKDOWN:
        return without_unseen(render_markdown(lay_out_match(report))).encode()
    method = [each.text for each in _method(report)]
    page = render_patient_page(
        report, warnings=tuple(_warnings(report)), method=method, chosen=chosen
    )
    return page.encode()


def lay_out_match(report: MatchReport) -> Document:
    """Give the document of a match."""
    synthetic = report.provenance.synthetic
    diagnosis = report.patient.get("primary_diagnosis") or "a patient"
    return Document(
        title=f"{'[SYNTHETIC] ' if synthetic else ''}Trials for {diagnosis}",
        subtitle="A patient note matched to registered clinical trials. For research use only.",
        warnings=tuple(_warnings(report)),
        sections=tuple(_sections(report)),
        synthetic=synthetic,
    )


def _warnings(report: MatchReport) -> Iterator[str]:
    yield RESEARCH_USE
    if report.provenance.synthetic:
        yield "SYNTHETIC RECORDS: every trial below is invented, for trying things out."
    yield from (note for note in report.provenance.notes if " days old " in note)
    if report.interrupted:
        yield "Incomplete: the run was interrupted before every candidate was judged."
    failed = [trial for trial in report.trials if trial.problem]
    if failed:
        told = of(len(failed), "trial")
        yield f"Of {told} the criteria could not be judged; each says why."


def _sections(report: MatchReport) -> Iterator[Section]:
    yield Section("The patient, as read", (Grid(None, tuple(_facts(report.patient))),))
    relevant = [each for each in enumerate(report.trials, 1) if not _is_beside(each[1])]
    yield Section("Trials in their order", tuple(_overview(report, relevant)))
    for rank, trial in relevant:
        title = f"{rank}. {trial.nct_id}: {verdict_words(trial.verdict)}"
        yield Section(title, tuple(_trial_blocks(trial)))
    beside = [each for each in enumerate(report.trials, 1) if _is_beside(each[1])]
    if beside:
        yield Section("About something else", tuple(_beside_blocks(beside)))
    yield Section("Coverage and method", (Listing(tuple(_method(report))),))


def _is_beside(trial: MatchedTrial) -> bool:
    return trial.verdict is TrialVerdict.NOT_RELEVANT


def _facts(patient: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in patient.items():
        told = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
        told = {"True": "yes", "False": "no"}.get(told, told)
        yield name.replace("_", " ").capitalize(), told


def _overview(report: MatchReport, relevant: Sequence[tuple[int, MatchedTrial]]) -> Iterator[Block]:
    yield Grid(None, tuple((name, f"{number:,}") for name, number in report.counts.items()))
    yield Grid(_TABLE, tuple(_row(rank, trial) for rank, trial in relevant))


def _row(rank: int, trial: MatchedTrial) -> tuple[str, ...]:
    candidate = trial.candidate
    return (
        str(rank),
        trial.nct_id,
        verdict_words(trial.verdict),
        f"{trial.assessment.confidence:.2f}",
        phase_words(candidate.phase),
        status_words(candidate.status),
        shorten(candidate.brief_title, _LONGEST_TITLE),
    )


def _trial_blocks(trial: MatchedTrial) -> Iterator[Block]:
    yield Grid(None, tuple(_about(trial)))
    results = trial.assessment.results
    if results:
        yield Grid(_CRITERIA, tuple(map(_criterion_row, results)), "Criteria")


def _about(trial: MatchedTrial) -> Iterator[tuple[str, str]]:
    candidate, assessment = trial.candidate, trial.assessment
    told = {
        "Title": candidate.brief_title,
        "Conditions": "; ".join(candidate.conditions),
        "Interventions": "; ".join(candidate.interventions),
        "Phase": phase_words(candidate.phase),
        "Status": status_words(candidate.status),
        "Sponsor": candidate.sponsor or "",
        "Confidence": f"{assessment.confidence:.2f}",
        "Why": why_words(trial),
        "To confirm": "; ".join(result.criterion for result in assessment.to_confirm),
        "Nearest recruiting sites": "; ".join(map(site_words, trial.sites)),
        "Found by": "; ".join(candidate.found_by_query),
    }
    yield from ((name, text) for name, text in told.items() if text)


def _criterion_row(result: CriterionResult) -> tuple[str, ...]:
    quotes = "; ".join(f"[{quote.sentence}] {quote.text}" for quote in result.quotes)
    numbers = ", ".join(f"[{number}]" for number in result.sentences)
    return (
        result.criterion_type.value,
        result.criterion,
        criterion_words(result),
        quotes or numbers,
        result.reasoning,
    )


def _beside_blocks(beside: Sequence[tuple[int, MatchedTrial]]) -> Iterator[Block]:
    told = "The note names nothing that these trials are about; their criteria were not judged."
    yield Listing((method(told),))
    rows = tuple(
        (
            str(rank),
            trial.nct_id,
            "; ".join(trial.candidate.conditions),
            trial.candidate.brief_title,
        )
        for rank, trial in beside
    )
    yield Grid(("Rank", "Trial", "Conditions", "Title"), rows)


def _method(report: MatchReport) -> Iterator[Any]:
    provenance = report.provenance
    held = "" if provenance.records is None else f", {provenance.records:,} records"
    kind = "synthetic records" if provenance.synthetic else "records"
    when = f" as of {provenance.data_timestamp[:10]}" if provenance.data_timestamp else ""
    yield coverage(f"Source: {provenance.source}, {kind}{held}{when}.")
    yield method(report.searched)
    yield coverage(f"{of(report.found, 'trial')} found, {len(report.trials):,} judged.")
    yield method(
        f"{of(report.costs.criteria, 'criterion', 'criteria')} judged by {report.judge}. A verdict "
        "speaks of the statement: MET on an exclusion criterion means that the patient has what "
        "excludes. Numbers in brackets are those of the note's sentences, from 0."
    )
    if told := cost_words(report.costs):
        yield coverage(told)
    if dropped := report.costs.fabricated_quotes:
        yield coverage(f"{of(dropped, 'quote')} that the note does not hold dropped.")
    yield from (coverage(note) for note in provenance.notes)
