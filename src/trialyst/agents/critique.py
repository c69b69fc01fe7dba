"""The Critique agent: what stopped before, for the drug, its class and the condition, and why.

Every stopped trial that was found is a concern once, by the closest tie it has to the question.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from trialyst.agents.findings import Concern, CritiqueFinding, Question, StopOverview
from trialyst.agents.sentences import Sentence, coverage, finding, listed, method, of
from trialyst.agents.trial import MOST_TRIALS
from trialyst.agents.wording import last_day, people, rank_of, shorten, status_words
from trialyst.repurposing.answers import Found
from trialyst.repurposing.client import RepurposingClient
from trialyst.repurposing.models import TerminatedTrial
from trialyst.repurposing.queries import read_cutoff
from trialyst.repurposing.severity import Closeness, Severity, Stop, assess_severity
from trialyst.repurposing.stop_reasons import StopCategory
from trialyst.vocabulary import Kind, Vocabulary
from trialyst.vocabulary.classes import DrugClass, narrowest_classes

__all__ = ["assess_stopped", "narrow_classes", "run_critique_agent"]

TOLD = 12
"""Concerns that become sentences; the finding holds all."""
_MOST_CLASSES = 3
WIDE_MEMBERS = 30
"""A narrowest class with more members is a wide one that has no narrower: antihypertensives."""
_GRAVE = (StopCategory.SAFETY, StopCategory.EFFICACY)
_LIMIT = method(
    "Concerns are trials that were terminated, withdrawn or suspended; a trial that completed and "
    "missed its end point is not among them."
)


@dataclass(frozen=True, slots=True)
class _Searched:
    """What stopped for one name."""

    kind: str
    name: str
    found: Found[TerminatedTrial]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(trial.nct_id for trial in self.found)


async def run_critique_agent(client: RepurposingClient, question: Question) -> CritiqueFinding:
    """Find what speaks against a drug in a condition, the gravest first."""
    as_of = _as_of(client, question)
    classes = narrow_classes(client.vocabulary, question.drug)
    names = (
        ("drug", question.drug),
        *(("class", each.name) for each in classes),
        ("condition", question.condition),
    )

    async def stopped(kind: str, name: str) -> _Searched:
        found = await client.get_terminated(name, max_results=MOST_TRIALS, **question.time)
        return _Searched(kind, name, found)

    pair, searched = await asyncio.gather(
        client.search_trials(
            question.drug, question.condition, max_results=MOST_TRIALS, **question.time
        ),
        asyncio.gather(*(stopped(kind, name) for kind, name in names)),
    )
    ties = _ties(searched, {trial.nct_id for trial in pair})
    bearing = _Bearing(client.vocabulary, question.condition)
    every = _each_once(searched)
    weighed = [each for each in every if bearing.holds(each, ties[each.nct_id])]
    concerns = sorted(
        (_concern(trial, ties[trial.nct_id], as_of, question) for trial in weighed),
        key=lambda concern: (-concern.severity, concern.nct_id),
    )
    return CritiqueFinding(
        concerns=tuple(concerns),
        overviews=tuple(_overviews(searched)),
        classes=tuple(each.name for each in classes),
        sentences=tuple(_tell(concerns, searched, set_aside=len(every) - len(weighed))),
        notes=tuple(dict.fromkeys(note for each in searched for note in each.found.notes)),
    )


def narrow_classes(vocabulary: Vocabulary, drug: str) -> tuple[DrugClass, ...]:
    """Give the narrowest classes of a drug, by any of its names; wide ones say too little."""
    concept = vocabulary.resolve(drug, kinds=(Kind.DRUG,)).concept
    known = narrowest_classes(drug, *(concept.names if concept else ()))
    return tuple(each for each in known if len(each.members) <= WIDE_MEMBERS)[:_MOST_CLASSES]


def _as_of(client: RepurposingClient, question: Question) -> datetime.date:
    cutoff = read_cutoff(question.date_before, point_in_time=question.point_in_time)
    return cutoff or client.clock().date()


def _each_once(searched: Sequence[_Searched]) -> list[TerminatedTrial]:
    return list({trial.nct_id: trial for each in searched for trial in each.found}.values())


def _ties(searched: Sequence[_Searched], pair: Set[str]) -> Mapping[str, Closeness]:
    """Say what each trial shares with the question, the closest that holds."""
    of_kind = {
        kind: frozenset[str]().union(*(each.ids for each in searched if each.kind == kind))
        for kind in ("drug", "class", "condition")
    }

    def tie(nct_id: str) -> Closeness:
        in_condition = nct_id in of_kind["condition"] or nct_id in pair
        if nct_id in of_kind["drug"]:
            return Closeness.DRUG_AND_CONDITION if in_condition else Closeness.DRUG
        if nct_id in of_kind["class"]:
            return Closeness.CLASS_AND_CONDITION if in_condition else Closeness.CLASS
        return Closeness.CONDITION

    return {nct_id: tie(nct_id) for each in searched for nct_id in each.ids}


class _Bearing:
    """Says whether a stopped trial of the class bears on the question."""

    def __init__(self, vocabulary: Vocabulary, condition: str) -> None:
        self._vocabulary = vocabulary
        self._branches = self._read(condition)

    def holds(self, trial: TerminatedTrial, tie: Closeness) -> bool:
        """Tell whether a trial counts: of the class only single agents in a related condition."""
        if tie not in (Closeness.CLASS, Closeness.CLASS_AND_CONDITION):
            return True
        if len(trial.drugs) != 1:
            return False
        if tie is Closeness.CLASS_AND_CONDITION:
            return True
        return any(not self._branches.isdisjoint(self._read(each)) for each in trial.conditions)

    def _read(self, condition: str) -> frozenset[str]:
        """Give the branches of MeSH, two levels deep, that a condition stands in."""
        concept = self._vocabulary.resolve(condition, kinds=(Kind.CONDITION,)).concept
        trees = concept.trees if concept else ()
        return frozenset(".".join(tree.split(".")[:2]) for tree in trees if "." in tree)


def assess_stopped(
    trial: TerminatedTrial, tie: Closeness, as_of: datetime.date, *, has_paper: bool
) -> Severity:
    """Say how grave it is for a question that a trial stopped."""
    stopped = last_day(trial.termination_date)
    return assess_severity(
        Stop(
            category=StopCategory(trial.stop_category),
            status=trial.overall_status or "",
            closeness=tie,
            as_of=as_of,
            success=trial.success,
            phase_rank=rank_of(trial.phase),
            enrollment=trial.enrollment,
            stopped=stopped if stopped and stopped <= as_of else None,
            has_paper=has_paper,
        )
    )


def _concern(
    trial: TerminatedTrial, tie: Closeness, as_of: datetime.date, question: Question
) -> Concern:
    # The registry links papers later and does not say when: none is known as of a past day.
    pmids = () if question.point_in_time else trial.reporting_references
    severity = assess_stopped(trial, tie, as_of, has_paper=bool(pmids))
    return Concern(
        what_failed=_what(trial, as_of),
        why=trial.why_stopped or "No reason given",
        category="success" if trial.success else trial.stop_category,
        severity=severity.score,
        severity_terms=severity.terms,
        nct_id=trial.nct_id,
        pmids=pmids,
    )


def _what(trial: TerminatedTrial, as_of: datetime.date) -> str:
    drugs = listed(list(trial.drugs[:3])) or trial.drug_name or "a trial without a drug"
    conditions = listed(list(trial.conditions[:2])) or trial.condition or "no condition named"
    phase = f"{trial.phase}, " if rank_of(trial.phase) else ""
    ended = last_day(trial.termination_date)
    when = f" about {trial.termination_date}" if ended and ended <= as_of else ""
    by = f", {trial.sponsor}" if trial.sponsor else ""
    return (
        f"{drugs} for {conditions} ({phase}{people(trial.enrollment)}, "
        f"{status_words(trial.overall_status)}{when}{by})"
    )


def _overviews(searched: Sequence[_Searched]) -> Iterator[StopOverview]:
    for each in searched:
        if each.found.summary is not None:
            yield StopOverview(kind=each.kind, name=each.name, summary=each.found.summary)


def _tell(
    concerns: Sequence[Concern], searched: Sequence[_Searched], *, set_aside: int
) -> Iterator[Sentence]:
    for each in searched:
        yield from _tell_overview(each)
    for place, concern in enumerate(concerns[:TOLD]):
        yield _tell_concern(concern, topic="concern" if place else "lead")
    if len(concerns) > TOLD:
        rest = [concern.nct_id for concern in concerns[TOLD:]]
        yield finding(
            f"{of(len(rest), 'more stopped trial')} of lower severity "
            f"{'is' if len(rest) == 1 else 'are'} in the JSON of this dossier.",
            rest,
            topic="concern",
        )
    if set_aside:
        yield method(
            f"{of(set_aside, 'stopped trial')} of the class {'is' if set_aside == 1 else 'are'} no "
            "concern here: of several drugs together, or in a condition that is not related."
        )
    yield _LIMIT


def _tell_concern(concern: Concern, *, topic: str) -> Sentence:
    tie = concern.term("closeness").given
    reason = shorten(concern.why).rstrip(".")
    said = f'the record says "{reason}"' if concern.why != "No reason given" else "no reason given"
    return finding(
        f"Severity {concern.severity} of 100, {concern.category}, {tie}: {concern.what_failed}; "
        f"{said}.",
        [concern.nct_id],
        concern.pmids,
        topic=topic,
    )


def _tell_overview(each: _Searched) -> Iterator[Sentence]:
    if not each.found.total_count:
        yield coverage(f"No stopped trial of {each.name} ({each.kind}) is in this source.")
        return
    summary = each.found.summary
    told = f"{of(each.found.total_count, 'trial')} of {each.name} ({each.kind}) stopped early"
    if summary is not None:
        grave = [
            f"{summary.categories.get(category.value, 0):,} for {category.value}"
            for category in _GRAVE
        ]
        silent = summary.without_usable_reason
        told += f", {listed(grave)}; {silent:,} without a usable reason"
    if len(each.found) < each.found.total_count:
        told += f"; {len(each.found):,} of them are weighed here"
    cited = sorted(each.found, key=lambda trial: trial.stop_category not in _GRAVE)
    yield finding(f"{told}.", (trial.nct_id for trial in cited))
