"""How many patients a protocol leaves: what each criterion costs, and what a wider bound brings.

Criteria are judged as `match` judges them. A patient qualifies, is open, or conflicts; who does not
have the condition of the trial at all is counted apart and stands in no funnel. Counts of a cohort
rest on the likeliest verdict: one that is not sure counts as a conflict too, and how many are sure,
so that `match` would say EXCLUDED, is told beside.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.criteria import CriterionKind
from trialyst.ctgov.protocol import Eligibility
from trialyst.ctgov.trial import Trial
from trialyst.eligibility.criteria import ReadCriterion, encode_criteria, read_eligibility
from trialyst.errors import TrialystError
from trialyst.matching.ingest import NoteReader
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.judging.structured import judge_structured
from trialyst.matching.relevance import Relevance
from trialyst.matching.validating import ReadTrials, judge_trials
from trialyst.matching.verdict import TrialVerdict, aggregate_to_trial_verdict
from trialyst.scale.patients import BadRow, PatientText
from trialyst.scale.relaxing import (
    AGE,
    Relaxation,
    bounds_of,
    relax_criteria,
    relax_fields,
    value_of,
)

if TYPE_CHECKING:
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = ["DRAFT", "Cohort", "Feasibility", "Protocol", "assess_protocol", "read_cohort"]

DRAFT = "NCT00000000"
"""The id of a protocol that is not registered."""
MOST_SUGGESTED = 12
"""Wider bounds that are tried by themselves."""
_SHARES = (0.5, 1.0)
"""Of the patients whom a bound keeps out, the shares that suggested bounds let in."""

QUALIFIES, OPEN, CONFLICT, ELSEWHERE = "qualify", "open", "conflict", "another_condition"


class Cohort(NamedTuple):
    """Patients as read, and the rows that are none."""

    profiles: list[PatientProfile]
    bad: list[BadRow]


def read_cohort(patients: Iterable[PatientText | BadRow], vocabulary: Vocabulary) -> Cohort:
    """Read every patient once."""
    reader = NoteReader(vocabulary)
    found = Cohort([], [])
    for row in patients:
        if isinstance(row, BadRow):
            found.bad.append(row)
            continue
        try:
            found.profiles.append(reader.understand(row.text))
        except TrialystError as problem:
            found.bad.append(BadRow(row.place, problem.message))
    return found


@dataclass(frozen=True)
class Protocol:
    """A trial with its criteria as understood."""

    trial: Trial
    read: tuple[ReadCriterion, ...]

    @classmethod
    def of_trial(cls, trial: Trial, judge: RulesJudge) -> Protocol:
        """Read the criteria of a registered trial."""
        return cls(trial, read_eligibility(trial.eligibility.criteria or "", judge))

    @classmethod
    def draft(cls, text: str, conditions: Sequence[str], judge: RulesJudge) -> Protocol:
        """Read the criteria of a draft, which is about some conditions."""
        title = " ".join(conditions)
        trial = Trial(
            nct_id=DRAFT,
            brief_title=title,
            conditions=tuple(conditions),
            eligibility=Eligibility.model_validate({"eligibilityCriteria": text}),
        )
        return cls.of_trial(trial, judge)

    def relaxed(self, asked: Relaxation) -> tuple[Protocol, tuple[int, ...]]:
        """Give the protocol with a wider bound, and the places of the criteria that changed."""
        read, changed = relax_criteria(self.read, asked)
        fields = relax_fields(self.trial.eligibility, asked)
        trial = self.trial.model_copy(update={"eligibility": fields})
        return Protocol(trial, read), changed

    def bounds(self) -> list[Relaxation]:
        """Give every numeric bound, those of the record's fields first, each once."""
        fields = self.trial.eligibility
        found = []
        if fields.maximum_age is not None:
            found.append(Relaxation(AGE, upward=True, number=fields.maximum_age.days / 365.25))
        if fields.minimum_age is not None:
            found.append(Relaxation(AGE, upward=False, number=fields.minimum_age.days / 365.25))
        for each in self.read:
            wanted = each.criterion.kind is not CriterionKind.EXCLUSION
            found += bounds_of(each.requirement, wanted=wanted)
        return list(dict.fromkeys(found))


class _Judged(NamedTuple):
    """One patient under a protocol."""

    state: str
    results: tuple[CriterionResult, ...]


@dataclass(frozen=True)
class Feasibility:
    """What a protocol leaves of a cohort."""

    trial: str
    title: str
    patients: int
    counts: dict[str, int]
    criteria: list[dict[str, Any]]
    relaxed: list[dict[str, Any]] = field(default_factory=list)
    suggested: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        return {
            "trial": self.trial,
            "title": self.title,
            "patients": self.patients,
            **self.counts,
            "criteria": self.criteria,
            "relaxed": self.relaxed,
            "suggested": self.suggested,
        }


def assess_protocol(
    protocol: Protocol,
    profiles: Sequence[PatientProfile],
    judge: RulesJudge,
    *,
    vocabulary: Vocabulary,
    relax: Sequence[Relaxation] = (),
    suggest: bool = True,
) -> Feasibility:
    """Judge every patient under a protocol, under bounds that were asked for, and under others."""
    topics = [Relevance(each, vocabulary).has_condition(protocol.trial) for each in profiles]
    if not protocol.trial.conditions:
        topics = [None] * len(profiles)

    def under(changed: Protocol) -> list[_Judged]:
        return [
            _judge(changed, profile, judge, topic=topic)
            for profile, topic in zip(profiles, topics, strict=True)
        ]

    judged = under(protocol)
    compare = _Comparison(protocol, judged, under)
    told = Feasibility(
        trial="draft" if protocol.trial.nct_id == DRAFT else protocol.trial.nct_id,
        title=protocol.trial.brief_title or "",
        patients=len(profiles),
        counts=_counts(judged),
        criteria=_costs([each for each in judged if each.state != ELSEWHERE]),
        relaxed=[compare.with_bound(each) for each in relax],
    )
    if not suggest:
        return told
    tried = [
        compare.with_bound(each)
        for each in _suggestions(protocol, profiles, judged)[:MOST_SUGGESTED]
    ]
    worth = [each for each in tried if each["conflict"] < 0 or each["qualify"] > 0]
    worth.sort(key=lambda each: (each["conflict"], -each["qualify"], each["relax"]))
    return replace(told, suggested=worth)


def _judge(
    protocol: Protocol, profile: PatientProfile, judge: RulesJudge, *, topic: bool | None
) -> _Judged:
    if topic is False:
        return _Judged(ELSEWHERE, ())
    trial = protocol.trial
    read = ReadTrials({trial.nct_id: encode_criteria(protocol.read)})
    (found,) = asyncio.run(judge_trials(judge, profile.chart, [trial], read=read))
    assessment = aggregate_to_trial_verdict(
        found.results,
        structured=judge_structured(trial.eligibility, profile),
        has_condition=topic,
    )
    if any(result.disqualifies for result in assessment.results):
        state = CONFLICT
    elif assessment.verdict is TrialVerdict.ELIGIBLE or (
        # A draft that names no condition asks for none.
        not trial.conditions and not assessment.deciding and assessment.results
    ):
        state = QUALIFIES
    else:
        state = OPEN
    return _Judged(state, assessment.results)


def _counts(judged: Sequence[_Judged]) -> dict[str, int]:
    states = [each.state for each in judged]
    sure = sum(any(map(_is_sure, each.results)) for each in judged)
    counts = {state: states.count(state) for state in (QUALIFIES, OPEN, CONFLICT, ELSEWHERE)}
    return counts | {"sure_conflict": sure}


def _costs(judged: Sequence[_Judged]) -> list[dict[str, Any]]:
    """Give what each criterion costs by itself, and in the order of the text."""
    if not judged:
        return []
    left, sure = list(judged), list(judged)
    rows: list[dict[str, Any]] = []
    for place, first in enumerate(judged[0].results):
        column = [each.results[place] for each in judged]
        before = len(left)
        left = [each for each in left if not _conflicts(each.results[place])]
        sure = [each for each in sure if _fulfils(each.results[place])]
        alone = sum(
            _conflicts(each.results[place]) and sum(map(_conflicts, each.results)) == 1
            for each in judged
        )
        rows.append(
            {
                "kind": first.criterion_type.value,
                "criterion": first.criterion,
                "conflict": sum(map(_conflicts, column)),
                "sure_conflict": sum(map(_is_sure, column)),
                "open": sum(map(_is_open, column)),
                "alone": alone,
                "dropped": before - len(left),
                "left": len(left),
                "sure": len(sure),
            }
        )
    return rows


def _conflicts(result: CriterionResult) -> bool:
    return result.disqualifies


def _is_sure(result: CriterionResult) -> bool:
    return result.disqualifies and not result.possible


def _is_open(result: CriterionResult) -> bool:
    blocks = result.applicability is Applicability.APPLIES or result.set_aside
    return result.verdict is Verdict.UNKNOWN and blocks


def _fulfils(result: CriterionResult) -> bool:
    return not result.disqualifies and not _is_open(result)


class _Comparison:
    """A protocol beside itself with another bound."""

    def __init__(
        self,
        protocol: Protocol,
        judged: Sequence[_Judged],
        under: Callable[[Protocol], list[_Judged]],
    ) -> None:
        self._protocol, self._before, self._under = protocol, _counts(judged), under

    def with_bound(self, asked: Relaxation) -> dict[str, Any]:
        """Tell what a bound would bring: by how much each count changes."""
        changed, places = self._protocol.relaxed(asked)
        fields = changed.trial.eligibility != self._protocol.trial.eligibility
        after = _counts(self._under(changed)) if places or fields else self._before
        return {
            "relax": str(asked),
            "criteria": [self._protocol.read[place].criterion.plain for place in places],
            "changes_fields": fields,
            **{state: after[state] - self._before[state] for state in (QUALIFIES, OPEN, CONFLICT)},
            "would_qualify": after[QUALIFIES],
        }


def _suggestions(
    protocol: Protocol, profiles: Sequence[PatientProfile], judged: Sequence[_Judged]
) -> list[Relaxation]:
    """Give wider bounds that let in some or all of those whom a bound keeps out."""
    found: dict[Relaxation, None] = {}
    for bound in protocol.bounds():
        values = sorted(
            (
                value
                for profile, each in zip(profiles, judged, strict=True)
                if each.state in (CONFLICT, OPEN)
                and (value := value_of(profile.chart, bound.what)) is not None
                and (value > bound.number if bound.upward else value < bound.number)
            ),
            reverse=not bound.upward,
        )
        for share in _SHARES if values else ():
            value = values[max(0, round(len(values) * share) - 1)]
            found[bound._replace(number=_rounded(value, upward=bound.upward))] = None
    return list(found)


def _rounded(value: float, *, upward: bool) -> float:
    """Give the next number of two digits beyond a value.

    >>> _rounded(78.4, upward=True), _rounded(0.847, upward=False)
    (79.0, 0.84)
    """
    if value == 0:
        return 0.0
    digits = 1 - math.floor(math.log10(abs(value)))
    scale = 10.0**digits
    steps = value * scale
    return round((math.ceil(steps - 1e-9) if upward else math.floor(steps + 1e-9)) / scale, 9)
