"""The whole way: a profile, candidates, a verdict on every criterion, trials in their order.

Candidates are judged in small batches that are kept as they are done, so an interrupted run loses
little and goes on where it stopped. A trial that cannot be judged is in the report, with why.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from trialyst import __version__
from trialyst.ctgov.points import describe_place, find_place
from trialyst.errors import TrialystError
from trialyst.matching.asking import facts_to_ask
from trialyst.matching.assessing import assess
from trialyst.matching.estimating import Estimate, TellsRequests, estimate_requests
from trialyst.matching.judging.result import CriterionResult, Judge
from trialyst.matching.preparing import BATCH, Candidates, iter_open_statements, prepare
from trialyst.matching.prescreen.candidates import PresearchResult, TrialCandidate
from trialyst.matching.ranking import rank_trials
from trialyst.matching.report import Costs, MatchedTrial, MatchReport
from trialyst.matching.runs import RunDirectory, hash_note, without_words
from trialyst.matching.validating import judge_trials
from trialyst.transport.watchers import tell_watcher

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.matching.judging.model import RawAnswer
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "Keeping",
    "Patient",
    "Progress",
    "RunOptions",
    "digest_models",
    "match_patient",
    "validate",
    "write_report",
]


Progress = Callable[[int, int], None]
"""Takes how many candidates are judged, and of how many."""


class Keeping(Protocol):
    """Where judged trials are kept as they come."""

    def kept(self) -> Sequence[MatchedTrial]:
        """Give what an interrupted run kept."""
        ...

    def keep(self, trials: Sequence[MatchedTrial]) -> None:
        """Keep judged trials."""
        ...

    def keep_answers(self, answers: Sequence[RawAnswer]) -> None:
        """Keep what models wrote."""
        ...


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient to judge trials for, with what judges them."""

    profile: PatientProfile
    judge: Judge
    vocabulary: Vocabulary
    place: str | None = None
    """Where the patient is, to name the nearest sites."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where a run is kept, and what of it."""

    directory: Path
    """Holds a directory for each run."""
    resume: bool = False
    """Whether to go on with an interrupted run of the same inputs."""
    keep_note: bool = False
    opened: Callable[[RunDirectory], None] = lambda run: None
    """Told the directory of the run before anything is searched."""
    estimated: Callable[[Estimate], None] = lambda estimate: None
    """Told what models would take, before any is asked."""
    cut_short: Callable[[MatchReport], None] = lambda report: None
    """Told what was judged of a run that is cancelled, or that its source fails."""


async def match_patient(
    source: TrialSource,
    patient: Patient,
    search: Callable[[], Awaitable[PresearchResult]],
    *,
    asked: Mapping[str, Any],
    runs: RunOptions | None = None,
    progress: Progress | None = None,
) -> MatchReport:
    """Search, judge and report; with `runs` everything is kept as it is done.

    Cancelled midway, or left by its source, the run directory still gets a report of what was
    judged by then.
    """
    place = None if patient.place is None else await find_place(source, patient.place)
    notes = () if place is None else (f"Distances are from {describe_place(place)}.",)
    run = await _open_run(source, patient, asked, runs) if runs else None
    try:
        found = run.kept_search() if run else None
        if found is None:
            found = without_words(await search())
            if run:
                run.keep_search(found)
        try:
            judged = await validate(
                source,
                patient,
                found.candidates,
                keeping=run,
                progress=progress or (lambda done, total: None),
                estimated=runs.estimated if runs else None,
            )
        except (asyncio.CancelledError, TrialystError):
            if run and runs:
                # The source that failed is asked for its provenance again, and may fail again.
                with contextlib.suppress(TrialystError):
                    report = await write_report(source, patient, found, run.kept(), notes=notes)
                    runs.cut_short(_keep_report(run, report, patient.profile))
            raise
        report = await write_report(source, patient, found, judged, notes=notes)
        return report if run is None else _keep_report(run, report, patient.profile)
    finally:
        if run:
            run.close()


def _keep_report(run: RunDirectory, report: MatchReport, profile: PatientProfile) -> MatchReport:
    run.keep_report(report, profile)
    lost = f"The run could not be kept whole in {run.path}: {run.problem}."
    kept = report.model_copy(update={"run_directory": str(run.path)})
    return kept.with_note(lost if run.problem else None)


def digest_models(user: object) -> list[str]:
    """Tell the models of a judge or an agent apart by their addresses, without naming those."""
    return [each.endpoint.digest for each in getattr(user, "adapters", ())]


async def _open_run(
    source: TrialSource, patient: Patient, asked: Mapping[str, Any], runs: RunOptions
) -> RunDirectory:
    provenance = await source.provenance()
    written = patient.profile.chart.as_of
    config = {
        "version": __version__,
        "judge": patient.judge.name,
        **({"judge_at": models} if (models := digest_models(patient.judge)) else {}),
        "note_sha256": hash_note(patient.profile.note.text),
        "source": provenance.model_dump(
            mode="json", include={"source", "records", "data_timestamp"}
        ),
        **({} if written is None else {"as_of": written.isoformat()}),
        "near": patient.place,
        **asked,
    }
    run = RunDirectory(runs.directory, config, resume=runs.resume)
    runs.opened(run)
    if runs.keep_note:
        run.keep_note(patient.profile)
    return run


def _is_settled(trial: MatchedTrial) -> bool:
    return all(result.is_judged for result in trial.assessment.results)


async def validate(
    source: TrialSource,
    patient: Patient,
    candidates: Sequence[TrialCandidate],
    *,
    keeping: Keeping | None = None,
    progress: Progress = lambda done, total: None,
    estimated: Callable[[Estimate], None] | None = None,
) -> list[MatchedTrial]:
    """Judge every candidate; what has a verdict from an earlier run is not judged again.

    `estimated` is told what models would take before any is asked.
    """
    wanted = {candidate.nct_id: candidate for candidate in candidates}
    kept = {trial.nct_id: trial for trial in (keeping.kept() if keeping else ())}
    judged = {each: kept[each] for each in wanted if each in kept and _is_settled(kept[each])}
    todo = [candidate for candidate in candidates if candidate.nct_id not in judged]
    left = Candidates(patient.profile, patient.vocabulary, todo, kept)
    progress(len(judged), len(wanted))
    if estimated is not None and isinstance(patient.judge, TellsRequests):
        open_ones = iter_open_statements(source, left)
        estimated(await estimate_requests(patient.judge, patient.profile.chart, open_ones))
    async for batch in _judged(source, patient, left):
        if keeping:
            keeping.keep_answers(_take_transcript(patient.judge))
            keeping.keep(batch)
        judged.update((trial.nct_id, trial) for trial in batch)
        progress(len(judged), len(wanted))
        await tell_watcher(f"{len(judged)} of {len(wanted)} trials judged")
    return list(judged.values())


def _take_transcript(judge: Judge) -> list[RawAnswer]:
    """Give what models wrote since the last time."""
    written: list[RawAnswer] = getattr(judge, "transcript", [])
    taken = list(written)
    written.clear()
    return taken


async def _judged(
    source: TrialSource, patient: Patient, candidates: Candidates
) -> AsyncIterator[list[MatchedTrial]]:
    place = None if patient.place is None else await find_place(source, patient.place)
    judge, chart = patient.judge, patient.profile.chart
    together = judge.name == "rules"
    size = BATCH if together else getattr(judge, "concurrency", 1)
    async for ready in prepare(source, candidates, size=size):
        results = await judge_trials(
            judge, chart, ready.asked, known=ready.known, read=ready.read, jointly=together
        )
        yield [
            await assess(
                candidate,
                ready.trials.get(candidate.nct_id),
                found,
                profile=patient.profile,
                topic=topic,
                near=(source, place),
            )
            for candidate, found, topic in zip(ready.batch, results, ready.topics, strict=True)
        ]


async def write_report(
    source: TrialSource,
    patient: Patient,
    search: PresearchResult,
    judged: Sequence[MatchedTrial],
    *,
    notes: Sequence[str] = (),
) -> MatchReport:
    """Put judged trials into their order and say what the reader must know."""
    ranked = rank_trials(judged)
    results = [result for trial in judged for result in trial.assessment.results]
    provenance = await source.provenance()
    told = [*provenance.notes, *patient.profile.warnings, *search.notes, *notes]
    if not all(result.cost_known for result in results):
        told.append(f"The price of {patient.judge.name} is not known.")
    told += _tell_unjudged(results, patient.judge.name)
    return MatchReport(
        patient=patient.profile.key_facts.to_dict(),
        changes=patient.profile.changes,
        trials=tuple(ranked),
        facts_to_ask=facts_to_ask(ranked),
        judge=patient.judge.name,
        searched=search.agent_reasoning,
        found=search.total_found,
        left_out=search.left_out,
        costs=Costs(
            criteria=len(results),
            usd=_total_usd(results, search),
            failures=sum(not result.is_judged for result in results),
            fabricated_quotes=sum(result.fabricated_quotes for result in results),
        ),
        interrupted=len(judged) < len(search.candidates),
        provenance=provenance.model_copy(update={"notes": tuple(dict.fromkeys(told))}),
    )


def _total_usd(results: Sequence[CriterionResult], search: PresearchResult) -> float | None:
    if not (search.cost_known and all(result.cost_known for result in results)):
        return None
    return round(sum(result.cost_usd for result in results) + search.total_cost_usd, 6)


def _tell_unjudged(results: Sequence[CriterionResult], judge: str) -> list[str]:
    """Say how many criteria the judge gave no verdict on, and why most of them have none."""
    reasons = Counter(
        result.failure or result.reasoning for result in results if not result.is_judged
    )
    if not reasons:
        return []
    ((reason, _),) = reasons.most_common(1)
    return [
        f"{reasons.total():,} of {len(results):,} criteria got no verdict from {judge}: {reason}"
    ]
