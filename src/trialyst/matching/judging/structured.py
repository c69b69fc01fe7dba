"""The registry's own fields of age and sex, judged like inclusion criteria.

Ages compare in the bound's own unit, in completed units: "75 Years" admits until the 76th
birthday. An age known only as a range decides where both of its ends agree.
"""

from __future__ import annotations

import math

from trialyst.ctgov.ages import Age
from trialyst.ctgov.criteria import CriterionKind
from trialyst.ctgov.protocol import Eligibility
from trialyst.matching.judging.result import Applicability, CriterionResult, Quote, Verdict
from trialyst.matching.patient import Fact, FactKind, PatientAge, PatientProfile

__all__ = ["judge_structured"]

_EVERYBODY = "ALL"
_ROUNDING = 1e-6


def judge_structured(eligibility: Eligibility, profile: PatientProfile) -> list[CriterionResult]:
    """Judge the fields that bound age and sex; fields that are not there ask for nothing."""
    results = []
    low, high = eligibility.minimum_age, eligibility.maximum_age
    if low is not None or high is not None:
        asked = f"Age {low or 'any'} to {high or 'any'}"
        results.append(
            _result(asked, profile, FactKind.AGE, met=_judge_age(profile.age, low, high))
        )
    sex = eligibility.sex
    if sex is not None and str(sex) != _EVERYBODY:
        met = None if profile.sex is None else profile.sex.value == str(sex)
        results.append(_result(f"Sex {sex}", profile, FactKind.SEX, met=met))
    return results


def _judge_age(age: PatientAge | None, low: Age | None, high: Age | None) -> bool | None:
    if age is None:
        return None
    values = (age.value, age.value if age.upper is None else age.upper)
    ends = {_admits(value * age.unit.days, low, high) for value in values}
    return ends.pop() if len(ends) == 1 else None


def _admits(days: float, low: Age | None, high: Age | None) -> bool:
    if low is not None and _completed(days, low) < low.value:
        return False
    return high is None or _completed(days, high) <= high.value


def _completed(days: float, bound: Age) -> int:
    return math.floor(days / bound.unit.days + _ROUNDING)


def _result(
    asked: str, profile: PatientProfile, kind: FactKind, *, met: bool | None
) -> CriterionResult:
    fact = next(iter(profile.of(kind)), None)
    verdict = Verdict.UNKNOWN if met is None else Verdict.MET if met else Verdict.NOT_MET
    return CriterionResult(
        criterion=asked,
        criterion_type=CriterionKind.INCLUSION,
        verdict=verdict,
        confidence=0.5 if met is None else 0.99,
        applicability=Applicability.APPLIES,
        sentences=() if fact is None or met is None else (fact.sentence,),
        quotes=() if fact is None or met is None else (_quote(fact),),
        reasoning=_reason(kind, met=met),
        missing=kind.value if met is None else None,
        facts=(kind.value,) if met is None else (),
        leaf=kind.value.capitalize(),
    )


def _quote(fact: Fact) -> Quote:
    return Quote(fact.sentence, fact.start, fact.end, fact.text)


def _reason(kind: FactKind, *, met: bool | None) -> str:
    if met is None:
        return f"The note does not tell the {kind} well enough."
    return f"The patient's {kind} {'fits' if met else 'does not fit'}."
