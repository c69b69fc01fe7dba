"""A requirement compared with a chart, in three-valued logic; one function a leaf.

Nothing here looks at text. `wanted` goes along with the walk: whether the patient fulfils the
criterion if the part holds. It turns at `Not` and between inclusions and exclusions, and decides
how silence is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from trialyst.eligibility.answer import (
    Answer,
    Applicability,
    Basis,
    Verdict,
    all_of,
    any_of,
    at_least,
    negate,
)
from trialyst.eligibility.comparison.case import Case, Focus
from trialyst.eligibility.comparison.conditions import answer_has
from trialyst.eligibility.comparison.markers import answer_marker
from trialyst.eligibility.comparison.measured import answer_measured
from trialyst.eligibility.comparison.persons import (
    answer_administrative,
    answer_age,
    answer_childbearing,
    answer_habit,
    answer_person,
    answer_sex,
)
from trialyst.eligibility.comparison.treatments import answer_allergy, answer_took, answer_underwent
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    Allergy,
    AnyOf,
    AtLeast,
    Childbearing,
    Except,
    Given,
    Habit,
    Has,
    Marker,
    Measured,
    Not,
    Opaque,
    Person,
    Requirement,
    Sex,
    Took,
    Underwent,
)

__all__ = ["Case", "Focus", "evaluate"]

_LEAVES: dict[type, Callable[..., Answer]] = {
    Age: answer_age,
    Sex: answer_sex,
    Childbearing: answer_childbearing,
    Has: answer_has,
    Measured: answer_measured,
    Took: answer_took,
    Underwent: answer_underwent,
    Marker: answer_marker,
    Allergy: answer_allergy,
    Habit: answer_habit,
    Person: answer_person,
    Administrative: answer_administrative,
}


def evaluate(requirement: Requirement, case: Case) -> Answer:
    """Say whether a requirement holds of a patient; one case does for all criteria of a side."""
    return _evaluate(requirement, case, wanted=not case.exclusion)


def _evaluate(requirement: Requirement, case: Case, *, wanted: bool) -> Answer:
    answer = _LEAVES.get(type(requirement))
    if answer is not None:
        return answer(requirement, case, wanted=wanted)
    match requirement:
        case All(parts=parts):
            return _all(parts, case, wanted=wanted)
        case AnyOf(parts=parts):
            return _any(parts, case, wanted=wanted)
        case AtLeast(count=count, parts=parts):
            return at_least(count, [_evaluate(part, case, wanted=wanted) for part in parts])
        case Not(part=part, left_out=True) if case.exclusion:
            # "Children are excluded" among exclusions rules children out.
            return _evaluate(part, case, wanted=wanted)
        case Not(part=part):
            return negate(_evaluate(part, case, wanted=not wanted))
        case Except(of=of, but=but):
            return _except(of, but, case, wanted=wanted)
        case Given(who=who, then=then):
            return _given(who, then, case, wanted=wanted)
        case _:
            return case.silent("Opaque", "words", wanted=wanted)


def _all(parts: tuple[Requirement, ...], case: Case, *, wanted: bool) -> Answer:
    """Join what must all hold; words not understood count only beside what holds."""
    understood = [part for part in parts if not isinstance(part, Opaque)]
    answers = [_evaluate(part, case, wanted=wanted) for part in understood or parts]
    others = [answer for answer in answers if not answer.asked]
    if others and case.exclusion and _speaks_of_others(understood):
        # "Women able to bear children who use no contraception" asks nothing of a man.
        return others[0]
    joined = all_of(answers)
    if len(understood) == len(parts) or not understood or joined.verdict is not Verdict.MET:
        return joined
    share = sum(map(_length, parts)) - sum(map(_length, understood))
    much = share > _MUCH * sum(map(_length, parts))
    about = f"{'much' if much else 'little'} beside what holds"
    rest = case.silent("Opaque", about, wanted=wanted, evidence=joined.evidence)
    return all_of([joined, rest])


def _any(parts: tuple[Requirement, ...], case: Case, *, wanted: bool) -> Answer:
    """Join what is enough by itself; beside what asks nothing unread words ask nothing either."""
    answers = [_evaluate(part, case, wanted=wanted) for part in parts]
    others = [answer for answer in answers if not answer.asked]
    told = [part for part, answer in zip(parts, answers, strict=True) if answer.asked]
    if others and case.exclusion and all(isinstance(part, Opaque) for part in told):
        return others[0]
    return any_of(answers)


def _speaks_of_others(parts: Sequence[Requirement]) -> bool:
    """Whether parts that must all hold are about who may bear children, and not about a mother."""
    return any(isinstance(part, Childbearing) for part in parts) and not any(
        isinstance(part, Person) and part.role == "relative" for part in parts
    )


_MUCH = 0.3
"""Share of a criterion not understood above which the rest is not taken for all of it."""


def _length(part: Requirement) -> int:
    return part.span[1] - part.span[0]


def _except(of: Requirement, but: Requirement, case: Case, *, wanted: bool) -> Answer:
    """Answer for what holds unless it is excused; what an excuse covers does not count."""
    held = _evaluate(of, case, wanted=wanted)
    if held.verdict is not Verdict.MET:
        return held
    excused = _evaluate(but, case, wanted=not wanted)
    if excused.verdict is Verdict.NOT_MET or excused.basis is Basis.SILENCE or not excused.asked:
        return held
    others = case.without(excused.evidence)
    if excused.verdict is Verdict.MET and others is not None:
        rest = _except(of, but, others, wanted=wanted)
        if rest.verdict is Verdict.MET and rest.basis is not Basis.SILENCE:
            return rest
    return negate(excused)


def _given(who: Requirement, then: Requirement, case: Case, *, wanted: bool) -> Answer:
    addressed = _evaluate(who, case, wanted=True)
    if addressed.verdict is Verdict.NOT_MET or not addressed.asked:
        return replace(
            addressed,
            verdict=Verdict.UNKNOWN,
            basis=Basis.NOT_ASKED,
            why=addressed.why and f"It concerns others: {addressed.why}",
            applicability=Applicability.NOT_APPLICABLE,
        )
    answer = _evaluate(then, case, wanted=wanted)
    if addressed.verdict is Verdict.UNKNOWN and answer.verdict is not Verdict.UNKNOWN:
        fulfils = (answer.verdict is Verdict.MET) == wanted
        return answer if fulfils else replace(answer, verdict=Verdict.UNKNOWN)
    return answer
