"""The Trial agent: how mature the evidence of a drug in a condition is, and whether it is a gap."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from trialyst.agents.findings import Maturity, Question, TrialEvidence, TrialFinding
from trialyst.agents.results import read_pivotal_trials
from trialyst.agents.sentences import Sentence, coverage, finding, listed, method, of
from trialyst.agents.wording import COMPLETED, ONGOING, STOPPED, people, rank_of, status_words
from trialyst.annotation import Role
from trialyst.repurposing.answers import Found
from trialyst.repurposing.client import RepurposingClient
from trialyst.repurposing.models import Grade, Trial, WhitespaceResult

__all__ = ["MOST_TRIALS", "run_trial_agent"]

MOST_TRIALS = 1_000

_GRADES = {
    Grade.UNTESTED: "untested: no trial tests the pair",
    Grade.UNKNOWN_COVERAGE: "unknown coverage: no trial of the pair in this part of the registry",
    Grade.ESTABLISHED: "established: a phase 3 or 4 trial of the pair has completed, which does "
    "not say that it succeeded",
    Grade.ACTIVE: "active: a trial of phase 2 or later is under way",
    Grade.STOPPED: "stopped: every trial of the pair ended before its time",
    Grade.EARLY: "early: the pair is tested but nothing decisive has completed or is under way",
    Grade.UNKNOWN_NAME: "unknown name: nothing can be said about the pair",
}
_OTHERWISE = {
    Role.COMPARATOR: "as comparator",
    Role.BACKGROUND: "as background",
    Role.DIAGNOSTIC: "to diagnose",
}
_METHOD = (
    "A trial counts if its arms test the drug, or if its record does not say in which role it "
    "gives it; trials that give it as comparator, as background or to diagnose are apart."
)


async def run_trial_agent(client: RepurposingClient, question: Question) -> TrialFinding:
    """Weigh the trials of a drug in a condition."""
    pair = (question.drug, question.condition)
    trials, signal = await asyncio.gather(
        client.search_trials(*pair, max_results=MOST_TRIALS, **question.time),
        client.detect_whitespace(*pair, **question.time),
    )
    evidence = _weigh(trials)
    return TrialFinding(
        trial_evidence=evidence,
        whitespace_signal=signal,
        pivotal=await read_pivotal_trials(
            client, evidence.trials, {each.nct_id: each.outcome for each in signal.hits}
        ),
        sentences=tuple(_tell(evidence, signal, question)),
        notes=tuple(dict.fromkeys((*trials.notes, *signal.provenance.notes))),
    )


def _weigh(found: Found[Trial]) -> TrialEvidence:
    otherwise = sorted((each for each in found if each.role in _OTHERWISE), key=_place)
    trials = sorted((each for each in found if each.role not in _OTHERWISE), key=_place)
    # Those that test it are listed first: behind one that does not stands none that does.
    is_whole = bool(otherwise) or len(found) == found.total_count
    settled = COMPLETED | ONGOING | STOPPED
    return TrialEvidence(
        maturity=_maturity(trials),
        total_count=len(trials) if is_whole else found.total_count,
        trials=tuple(trials),
        otherwise=tuple(otherwise),
        completed=_with_status(trials, COMPLETED),
        ongoing=_with_status(trials, ONGOING),
        stopped=_with_status(trials, STOPPED),
        unsettled=tuple(each.nct_id for each in trials if each.overall_status not in settled),
        reported=tuple(
            each.nct_id for each in trials if each.results_posted or each.reporting_references
        ),
        highest_phase=trials[0].phase if trials and rank_of(trials[0].phase) else None,
        enrollment=sum(each.enrollment or 0 for each in trials),
        pmids=tuple(dict.fromkeys(pmid for each in trials for pmid in each.reporting_references)),
    )


def _place(trial: Trial) -> tuple[int, bool, int, str]:
    """Order trials: the furthest first, of them those that did not stop, then the largest."""
    stopped = trial.overall_status in STOPPED
    return -rank_of(trial.phase), stopped, -(trial.enrollment or 0), trial.nct_id


def _with_status(trials: Sequence[Trial], statuses: Collection[str]) -> tuple[str, ...]:
    return tuple(trial.nct_id for trial in trials if trial.overall_status in statuses)


def _maturity(trials: Sequence[Trial]) -> Maturity:
    if not trials:
        return Maturity.NONE
    completed = [rank_of(each.phase) for each in trials if each.overall_status in COMPLETED]
    if not completed:
        return Maturity.REGISTERED
    furthest = max(completed)
    return Maturity.LATE if furthest >= 6 else Maturity.MID if furthest >= 4 else Maturity.EARLY


def _tell(
    evidence: TrialEvidence, signal: WhitespaceResult, question: Question
) -> Iterator[Sentence]:
    drug, condition = question.drug, question.condition
    if not evidence.trials:
        yield from _tell_gap(signal, question, evidence.otherwise)
        return
    hits = [each.nct_id for each in evidence.trials]
    narrower = signal.narrower_match_count
    if evidence.otherwise:
        narrower = sum(each.narrower and each.role not in _OTHERWISE for each in signal.hits)
    beside = f", {narrower:,} of them in a narrower condition only" if narrower else ""
    tested = of(evidence.total_count, "trial")
    yield finding(f"{tested} of {drug} in {condition} found{beside}.", hits)
    if evidence.otherwise:
        yield _tell_otherwise(evidence.otherwise, drug)
    yield finding(f"The pair is graded {_GRADES[signal.grade]}.", hits, topic="lead")
    yield _furthest(evidence.trials[0])
    if len(evidence.trials) < evidence.total_count:
        yield coverage(
            f"Of these {evidence.total_count:,} trials the {len(evidence.trials):,} that match "
            "best are weighed; the counts and the table that follow are of those."
        )
    yield from _tell_course(evidence)
    yield from _tell_reports(evidence)
    yield method(_METHOD)


def _tell_otherwise(trials: Sequence[Trial], drug: str) -> Sentence:
    counts = Counter(each.role for each in trials)
    told = [f"{counts[role]:,} {words}" for role, words in _OTHERWISE.items() if counts[role]]
    give = "more trial gives" if len(trials) == 1 else "more trials give"
    ids = [each.nct_id for each in trials]
    return finding(f"{len(trials):,} {give} {drug} without testing it: {listed(told)}.", ids)


def _furthest(trial: Trial) -> Sentence:
    outcome = trial.primary_outcomes[0].measure if trial.primary_outcomes else None
    measured = f', measuring "{" ".join(outcome.split()).rstrip(".")}"' if outcome else ""
    stage = f"{trial.phase} trial" if rank_of(trial.phase) else "trial outside the phases"
    details = (
        f"The furthest is a {stage} by {trial.sponsor or 'a sponsor not named'}, "
        f"{status_words(trial.overall_status)}, {people(trial.enrollment, trial.enrollment_type)}"
    )
    return finding(f"{details}{measured}.", [trial.nct_id], topic="lead")


def _tell_course(evidence: TrialEvidence) -> Iterator[Sentence]:
    for ids, one, many in (
        (evidence.completed, "has completed", "have completed"),
        (evidence.ongoing, "is under way", "are under way"),
        (evidence.stopped, "stopped early", "stopped early"),
        (evidence.unsettled, "has no known status", "have no known status"),
    ):
        if ids:
            yield finding(f"{of(len(ids), 'trial')} {one if len(ids) == 1 else many}.", ids)


def _tell_reports(evidence: TrialEvidence) -> Iterator[Sentence]:
    posted = [each.nct_id for each in evidence.trials if each.results_posted]
    if posted:
        has = "has" if len(posted) == 1 else "have"
        yield finding(f"{of(len(posted), 'trial')} {has} results on the registry.", posted)
    silent = [nct_id for nct_id in evidence.completed if nct_id not in evidence.reported]
    if silent:
        has = "has" if len(silent) == 1 else "have"
        told = of(len(silent), "completed trial")
        yield finding(f"{told} {has} neither results on the registry nor a linked paper.", silent)


def _tell_gap(
    signal: WhitespaceResult, question: Question, otherwise: Sequence[Trial]
) -> Iterator[Sentence]:
    drug, condition = question.drug, question.condition
    unknown = [each for each in (signal.drug, signal.condition) if not each.known]
    if signal.grade is Grade.UNKNOWN_NAME and unknown:
        names = listed([repr(each.asked) for each in unknown])
        near = list(dict.fromkeys(name for each in unknown for name in each.nearest))[:5]
        meant = f" Known names written alike: {', '.join(near)}." if near else ""
        yield coverage(
            f"Neither the vocabulary nor any record here knows {names}.{meant}", topic="lead"
        )
        return
    absent = "tests it" if otherwise else f"of {drug} in {condition} is registered in this source"
    yield coverage(f"No trial {absent}.", topic="lead")
    if otherwise:
        yield _tell_otherwise(otherwise, drug)
    yield coverage(
        f"Of its records {signal.drug_only_trials:,} name the drug in any condition and "
        f"{signal.condition_only_trials:,} the condition with any drug."
    )
    if signal.condition_drugs:
        told = [f"{each.drug_name} ({each.phase})" for each in signal.condition_drugs[:5]]
        yield finding(
            f"Other drugs are furthest in {condition}: {listed(told)}.",
            (each.nct_id for each in signal.condition_drugs[:5]),
            topic="lead",
        )
    yield method(_METHOD)
