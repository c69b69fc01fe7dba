"""Rules about measured values that the note gives, whatever their unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.quantity import Quantity
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.demands import Demand, find_demands
from trialyst.matching.judging.implied import judge_implied
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Fact
from trialyst.matching.reading.grades import ecog_from_karnofsky

__all__ = ["judge_measured"]

_PLAIN = 8
"""Words of content up to which a criterion with a bound asks for little else."""
_CHANGE = re.compile(
    r"\b(?:decrease|drop|change|reduction|increase|rise|fall|decline|doubling)s?\b (?:of|in)\b"
    r"|\bfrom baseline\b|\bhistory of\b|\bpast\b|\bprevious\b|\bprior\b"
)
_OR = re.compile(r"\bor\b")


class _Compared(NamedTuple):
    demand: Demand
    told: str
    place: Sighting
    holds: bool


def judge_measured(case: Case) -> Decision | None:
    """Bounds on values that the note gives."""
    statement = case.statement
    demands = find_demands(statement.lowered)
    if not demands or statement.denies or _CHANGE.search(statement.lowered):
        return None
    compared = [found for demand in demands if (found := _compare(demand, case.view))]
    if not compared:
        return None
    held = [each for each in compared if each.holds]
    broken = [each for each in compared if not each.holds]
    complete = len({each.demand.concept for each in compared}) == len(
        {demand.concept for demand in demands}
    )
    alone = len(statement.contents) <= _PLAIN
    either = case.exclusion or _are_alternatives(statement.lowered, demands)
    if either and held and alone:
        return _told(Verdict.MET, held)
    if either and complete and not held and alone:
        return _told(Verdict.NOT_MET, broken)
    if not either and broken:
        return _told(Verdict.NOT_MET, broken)
    if not either and complete and alone:
        return _told(Verdict.MET, held)
    return None


def _are_alternatives(lowered: str, demands: Sequence[Demand]) -> bool:
    return any(_OR.search(lowered, one.end, other.at) for one, other in pairwise(demands))


def _compare(demand: Demand, view: NoteView) -> _Compared | None:
    facts = view.measured(demand.concept)
    for fact in reversed(facts):
        value = None if fact.value is None else _common(demand.concept, fact.value)
        if value is None:
            continue
        ends = {demand.holds(number) for number in _ends(value)}
        if len(ends) == 1:
            return _compared(demand, fact, holds=ends.pop())
    if demand.concept == "score:ecog":
        return _compare_as_ecog(demand, view)
    implied = judge_implied(demand, view) if not facts else None
    if implied is None:
        return None
    holds, place = implied
    return _Compared(demand, repr(view.note.text[place.start : place.end]), place, holds)


def _compared(demand: Demand, fact: Fact, *, holds: bool) -> _Compared:
    place = Sighting(fact.sentence, fact.start, fact.end, "has")
    return _Compared(demand, f"{fact.name} as {fact.value}", place, holds)


def _compare_as_ecog(demand: Demand, view: NoteView) -> _Compared | None:
    for fact in reversed(view.measured("score:kps")):
        if fact.value is not None:
            grade = ecog_from_karnofsky(fact.value.number)
            return _compared(demand, fact, holds=demand.holds(grade))
    return None


def _common(concept: str, value: Quantity) -> Quantity | None:
    analyte = get_analyte(concept)
    return value if analyte is None else to_common_unit(value, analyte)


def _ends(value: Quantity) -> Sequence[float]:
    """Give the numbers between which a value lies; a bound in the note reaches far."""
    if value.upper is not None:
        return (value.number, value.upper)
    if value.comparator.startswith("<"):
        return (value.number, 0.0)
    if value.comparator.startswith(">"):
        return (value.number, float("inf"))
    return (value.number,)


def _told(verdict: Verdict, compared: Sequence[_Compared]) -> Decision:
    first = compared[0]
    places = tuple(each.place for each in compared)
    normal = ", taking the usual upper limit of normal" if first.demand.of_normal else ""
    reason = f"The note gives {first.told}{normal}."
    return Decision("measured", verdict, reason, places)
