"""Candidates made ready to be judged: their records, what they are about, what is known already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.evaluate import Focus
from trialyst.ids import NctId
from trialyst.matching.conditions import ConditionReader
from trialyst.matching.judging.result import CriterionResult, Statement
from trialyst.matching.relevance import Relevance, Standing
from trialyst.matching.validating import Known, ReadTrials, open_statements

if TYPE_CHECKING:
    from trialyst.annotation import ConditionAnnotation
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.prescreen.candidates import TrialCandidate
    from trialyst.matching.report import MatchedTrial
    from trialyst.vocabulary import Vocabulary

__all__ = ["BATCH", "Candidates", "Prepared", "Topic", "iter_open_statements", "prepare"]

BATCH = 20
"""Trials judged in one go by rules; a model's answers are kept a few trials at a time."""


class Candidates(NamedTuple):
    """Trials to be judged for a patient, with what an earlier run said of them."""

    profile: PatientProfile
    vocabulary: Vocabulary
    listed: Sequence[TrialCandidate]
    kept: Mapping[str, MatchedTrial]


class Topic(NamedTuple):
    """Whether a trial is about something the patient has, and how it stands to the main problem."""

    on_topic: bool | None = None
    standing: Standing = Standing()


class Prepared(NamedTuple):
    """Candidates with all that judging them needs."""

    batch: Sequence[TrialCandidate]
    trials: Mapping[str, Trial]
    topics: Sequence[Topic]
    asked: Sequence[Trial | None]
    known: Sequence[Known]
    read: ReadTrials


async def prepare(
    source: TrialSource, candidates: Candidates, *, size: int = BATCH
) -> AsyncIterator[Prepared]:
    """Yield batches of candidates, in their order."""
    profile, vocabulary, listed, kept = candidates
    relevance = await asyncio.to_thread(Relevance, profile, vocabulary)
    reader = ConditionReader(source, vocabulary)
    for start in range(0, len(listed), size):
        batch = listed[start : start + size]
        trials = await _fetch(source, batch)
        wanted = [trials.get(item.nct_id) for item in batch]
        conditions = await reader.read([trial for trial in wanted if trial])
        topics = await asyncio.to_thread(_tell_topics, relevance, batch, wanted, conditions)
        # A trial about something else stays so whatever its criteria say: judging costs.
        asked = [
            None if topic.on_topic is False else trial
            for trial, topic in zip(wanted, topics, strict=True)
        ]
        known = [_said(kept.get(each.nct_id)) for each in batch]
        criteria = await source.kept_criteria([NctId.parse(each.nct_id) for each in batch])
        focus = {each: Focus(found.focus or found.concepts) for each, found in conditions.items()}
        yield Prepared(batch, trials, topics, asked, known, ReadTrials(criteria, focus))


async def iter_open_statements(
    source: TrialSource, candidates: Candidates
) -> AsyncIterator[list[Statement]]:
    """Yield what a judge would be asked, trial by trial."""
    async for ready in prepare(source, candidates):
        for trial, said in zip(ready.asked, ready.known, strict=True):
            yield open_statements(trial, known=said, read=ready.read)


def _said(trial: MatchedTrial | None) -> Known:
    said: dict[Statement, list[CriterionResult]] = {}
    for each in () if trial is None else trial.assessment.results:
        said.setdefault(Statement(each.criterion, each.criterion_type), []).append(each)
    return said


def _tell_topics(
    relevance: Relevance,
    batch: Sequence[TrialCandidate],
    trials: Sequence[Trial | None],
    conditions: Mapping[str, ConditionAnnotation],
) -> list[Topic]:
    return [
        Topic(
            relevance.has_condition(trial, found_by=candidate.matched_terms),
            relevance.stand(conditions[trial.nct_id]),
        )
        if trial
        else Topic()
        for candidate, trial in zip(batch, trials, strict=True)
    ]


async def _fetch(source: TrialSource, batch: Sequence[TrialCandidate]) -> dict[str, Trial]:
    ids = [NctId.parse(candidate.nct_id) for candidate in batch]
    return {trial.nct_id: trial for trial in await source.get_many(ids)}
