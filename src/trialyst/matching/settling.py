"""What a list of criteria comes to: an opening settled by its list, members made good by others.

`eligibility.criterion_lists` reads how many of a list must hold; here the verdicts are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.criterion_lists import CriteriaList
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict

__all__ = ["set_apart", "set_list_apart", "settle_alternatives", "settle_list"]


def _count(results: Sequence[CriterionResult], needed: int) -> Verdict:
    """Say whether so many of some statements hold."""
    met = sum(result.verdict is Verdict.MET for result in results)
    failed = sum(result.verdict is Verdict.NOT_MET for result in results)
    if met >= needed:
        return Verdict.MET
    return Verdict.NOT_MET if len(results) - failed < needed else Verdict.UNKNOWN


def settle_list(settled: list[CriterionResult], found: CriteriaList) -> None:
    """Give an opening what its list comes to, and take back what the list makes good."""
    if found.exceptions:
        _settle_exceptions(settled, found)
        return
    if found.unread:
        _leave_open(settled, found)
        return
    _settle_members(settled, found)


def set_list_apart(settled: list[CriterionResult], found: CriteriaList) -> None:
    """Set a list apart whose opening does not concern the patient, or need not hold."""
    own = settled[found.parent]
    if found.exceptions or _speaks(own) or own.applicability is not Applicability.NOT_APPLICABLE:
        return
    for place in found.children:
        result = settled[place]
        if result.disqualifies or (result.verdict is Verdict.UNKNOWN and _speaks(result)):
            settled[place] = set_apart(result, "What opens its list does not count here.")


def _settle_members(settled: list[CriterionResult], found: CriteriaList) -> None:
    listed = [settled[place] for place in found.children]
    every = found.needed == len(listed)
    counted = [each for each in listed if _speaks(each)] if every else listed
    verdict = _count(counted, len(counted) if every else found.needed)
    if not counted:
        verdict = Verdict.UNKNOWN
    own = settled[found.parent]
    if found.bare or _decides(found, own, verdict):
        settled[found.parent] = _come_to(own, found, counted or listed, verdict)
    if not found.each:
        for place in found.children:
            settled[place] = _made_good(settled[place], verdict)


def _decides(found: CriteriaList, own: CriterionResult, verdict: Verdict) -> bool:
    """Whether a list decides an opening that says something itself."""
    if found.defines and own.verdict is Verdict.UNKNOWN:
        return True
    # Who has none of what the list names does not have what it specifies.
    narrowed = own.criterion_type is CriterionKind.EXCLUSION and (found.defines or found.spelled)
    return narrowed and own.verdict is not Verdict.NOT_MET and verdict is not Verdict.MET


def _speaks(result: CriterionResult) -> bool:
    """Whether a result says something of this patient."""
    return result.verdict is not Verdict.UNKNOWN or result.applicability is Applicability.APPLIES


def _come_to(
    own: CriterionResult,
    found: CriteriaList,
    counted: Sequence[CriterionResult],
    verdict: Verdict,
) -> CriterionResult:
    deciding = [each for each in counted if each.verdict is verdict]
    # What rests on many is as sure as the least sure of them; one that is enough tells by itself.
    many = (found.needed > 1) is (verdict is Verdict.MET)
    pick = min if many and verdict is not Verdict.UNKNOWN else max
    telling = pick(deciding, key=lambda each: (_speaks(each), each.confidence))
    return replace(
        own,
        verdict=verdict,
        confidence=telling.confidence,
        applicability=telling.applicability,
        sentences=telling.sentences,
        quotes=telling.quotes,
        reasoning=f"Its list decides: {_words(found, len(counted))}. {telling.reasoning}",
        missing=telling.missing,
        facts=telling.facts,
        about_condition=telling.about_condition,
        set_aside=telling.set_aside,
        read_in_part=telling.read_in_part,
        clears_in_days=telling.clears_in_days,
        leaf=telling.leaf,
        basis=telling.basis,
    )


def _words(found: CriteriaList, size: int) -> str:
    if size == 1:
        return "its one member must hold"
    if found.needed == 1:
        return f"one of {size} is enough"
    return f"all {size} must hold" if found.needed >= size else f"{found.needed} of {size} must"


def _made_good(result: CriterionResult, verdict: Verdict) -> CriterionResult:
    """Take back a verdict that does not decide the list it stands in."""
    if result.criterion_type is CriterionKind.EXCLUSION:
        if verdict is Verdict.MET or result.verdict is not Verdict.MET:
            return result
        return set_apart(result, "It holds, but excludes only with others of its list.")
    if verdict is Verdict.MET and result.verdict is not Verdict.MET:
        return set_apart(result, "An alternative to it holds.")
    if verdict is Verdict.UNKNOWN and result.verdict is Verdict.NOT_MET:
        return set_apart(result, "It does not hold, but an alternative may.")
    return result


def _settle_exceptions(settled: list[CriterionResult], found: CriteriaList) -> None:
    own = settled[found.parent]
    listed = [settled[place] for place in found.children]
    holding = next((each for each in listed if each.verdict is Verdict.MET), None)
    if own.disqualifies and holding is not None:
        settled[found.parent] = replace(
            own,
            verdict=Verdict.UNKNOWN,
            sentences=holding.sentences,
            quotes=holding.quotes,
            reasoning=f"An exception seems to hold: {holding.criterion}. {own.reasoning}",
            missing=f"whether the exception applies: {holding.criterion}",
            facts=holding.facts,
            read_in_part=False,
            clears_in_days=None,
        )
    for place, result in zip(found.children, listed, strict=True):
        settled[place] = set_apart(result, "It names an exception.")


def _leave_open(settled: list[CriterionResult], found: CriteriaList) -> None:
    own = settled[found.parent]
    settled[found.parent] = replace(
        own,
        verdict=Verdict.UNKNOWN,
        applicability=Applicability.APPLIES,
        reasoning="How much of its list must hold cannot be told from its words.",
        missing=f"what of this list holds: {own.criterion}",
        read_in_part=False,
        clears_in_days=None,
    )
    for place in found.children:
        result = settled[place]
        told = "holds" if result.verdict is Verdict.MET else "does not hold"
        known = "It is open." if result.verdict is Verdict.UNKNOWN else f"It {told}."
        settled[place] = set_apart(result, f"What its list asks for cannot be told. {known}")


def set_apart(result: CriterionResult, why: str) -> CriterionResult:
    """Give a result that neither keeps a patient out nor has to be settled, with the reason."""
    return replace(
        result,
        verdict=Verdict.UNKNOWN,
        applicability=Applicability.NOT_APPLICABLE,
        reasoning=f"{why} {result.reasoning}",
        missing=None,
        facts=(),
        set_aside=False,
        read_in_part=False,
        clears_in_days=None,
    )


def settle_alternatives(
    results: Sequence[CriterionResult], groups: Sequence[tuple[int, ...]]
) -> list[CriterionResult]:
    """Take back what an alternative makes good: one that holds, or one that is still open."""
    settled = list(results)
    for group in groups:
        verdicts = {results[place].verdict for place in group}
        if verdicts == {Verdict.NOT_MET}:
            continue
        for place in group:
            result = results[place]
            if Verdict.MET in verdicts and result.verdict is not Verdict.MET:
                settled[place] = set_apart(result, "An alternative to it holds.")
            elif result.verdict is Verdict.NOT_MET:
                settled[place] = set_apart(result, "It does not hold, but an alternative may.")
    return settled
