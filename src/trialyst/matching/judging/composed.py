"""Criteria whose parts are judged one by one: exceptions of people, a demand for each sex.

And readings that stay open: `without A with B`, `No A` among exclusions, `A and B` that excludes
where the patient has one of the two, `non-A` where the patient has A.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import find_conditions
from trialyst.matching.judging.denials import denied_part
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.patient import FactKind, Sex

__all__ = ["PartJudge", "doubt_reading", "judge_composed"]


class PartJudge(Protocol):
    """Judges a part of a criterion; None where the part asks nothing."""

    def __call__(self, text: str, *, exclusion: bool) -> Decision | None: ...


_PEOPLE = r"(?:patients?|subjects?|participants?|individuals?|persons?|people|those|women|men)"
_EXCEPTION = gated(
    r"^(?P<head>[^;:()]+?),?\s+(?:(?:except(?:ing)?(?: for| in)?|excluding|other than|apart from"
    rf"|with the exception of)\s+{_PEOPLE}\s+(?P<people>(?:with|who|on|having)\s[^,;:()]+)"
    r"|unless\s+(?:(?:the )?(?:patient|subject|participant)s?\s+|they\s+)?(?:(?:is|are)\s+)?"
    r"(?P<unless>(?:pregnant|lactating|breast-?feeding|nursing)[^,;:()]*))\W*$"
)
_ADULT = r"(?:[a-z-]+ )*?"
_SEXES = gated(
    rf"^\W*(?P<one>{_ADULT}(?P<first>m[ae]n|males?|wom[ae]n|females?))\s*(?:,?\s*(?:and/or|and|or)|/)"
    rf"\s+(?P<other>{_ADULT}(?P<second>m[ae]n|males?|wom[ae]n|females?))\W*$"
)
_WITHOUT_WITH = gated(
    rf"^\W*(?:{_PEOPLE}\s+)?(?P<without>without\s+[^,;:()]+?)\s+(?P<with>with\s+[^,;:()]+)$"
)
_AND = gated(r"^(?P<one>[^,;:()/]+?)\s+and\s+(?P<other>[^,;:()/]+)$")
_NOT_TWO = re.compile(r"\b(?:or|and|other|with|without|of|not?|pregnan\w*|lactat\w*|nursing)\b")
_PLAINLY_NOT = re.compile(r"\b(?:do|does|did|has|have|is|are|was|were) not\b")
"""`Does not have asthma` among exclusions excludes who has none."""
_NON = re.compile(r"\bnon[- ]?(?P<thing>[a-z]{4,})")


def judge_composed(case: Case, judge: PartJudge) -> Decision | None:
    """Judge a criterion by its parts where they say more than the whole; else None."""
    return (
        _judge_exception(case, judge)
        or _judge_own_sex(case, judge)
        or _judge_without_with(case, judge)
    )


def _judge_exception(case: Case, judge: PartJudge) -> Decision | None:
    """`Asthma except patients with diabetes`, `Asthma, unless pregnant`."""
    match = _EXCEPTION.search(case.statement.lowered)
    if match is None or case.statement.denies:
        return None
    people = match["people"] is not None
    head = judge(case.statement.text[: match.end("head")], exclusion=case.exclusion)
    other = judge(
        case.statement.text[slice(*match.span("people" if people else "unless"))], exclusion=False
    )
    if head is None or other is None or head.verdict is Verdict.NOT_MET:
        return head
    if other.verdict is Verdict.NOT_MET or other.applicability is Applicability.NOT_APPLICABLE:
        return head
    if people and not case.exclusion and other.verdict is Verdict.MET:
        reason = f"The criterion leaves such patients out. {other.reason}"
        return replace(other, rule="left out", verdict=Verdict.NOT_MET, reason=reason)
    if head.verdict is Verdict.UNKNOWN:
        return head
    return _open(other, "An exception may hold.")


def _judge_own_sex(case: Case, judge: PartJudge) -> Decision | None:
    """`Men or postmenopausal women`: what is asked of the patient's own sex."""
    sex = case.view.sex
    match = _SEXES.search(case.statement.lowered) if sex is not None else None
    if match is None:
        return None
    female = [match[name].startswith(("wom", "fem")) for name in ("first", "second")]
    if female[0] == female[1] or (match["one"], match["other"]) == (
        match["first"],
        match["second"],
    ):
        return None
    own = "one" if female[0] is (sex is Sex.FEMALE) else "other"
    return judge(case.statement.text[slice(*match.span(own))], exclusion=case.exclusion)


def _judge_without_with(case: Case, judge: PartJudge) -> Decision | None:
    """`Patients without A with B`: B may be asked for, or tell which A is meant."""
    match = _WITHOUT_WITH.search(case.statement.lowered)
    if match is None:
        return None
    text = case.statement.text
    has = judge(text[slice(*match.span("with"))], exclusion=case.exclusion)
    if has is None:
        return None
    if case.exclusion:
        return has if has.verdict is Verdict.NOT_MET else _open(has)
    free = judge(text[slice(*match.span("without"))], exclusion=False)
    whole = judge(text[match.start("without") :] + " ", exclusion=False)
    if free is None or whole is None:
        return None
    apart = min((free, has), key=lambda each: _FAILING.index(each.verdict))
    return apart if apart.verdict is whole.verdict else _open(apart)


_FAILING = (Verdict.NOT_MET, Verdict.UNKNOWN, Verdict.MET)


def doubt_reading(case: Case, decision: Decision, judge: PartJudge) -> Decision:
    """Leave a verdict open that rests on one of two ways to read a criterion."""
    if case.exclusion and decision.verdict is not Verdict.UNKNOWN and _is_of_told_denial(case):
        return _open(decision, "Whether it, or that there is none, excludes is open.")
    if decision.verdict is Verdict.MET and (
        _has_the_contrary(case) or (case.exclusion and _has_one_of_two(case, judge))
    ):
        return _open(decision)
    return decision


def _is_of_told_denial(case: Case) -> bool:
    """Whether an exclusion denies a thing of which the note tells, be it that there is none."""
    if not case.statement.denies or not case.matches.named:
        return False
    if _PLAINLY_NOT.search(case.statement.lowered):
        return False
    return denied_part(case.statement.text) is not None


def _has_the_contrary(case: Case) -> bool:
    """Whether the note tells of an A where `non-A` is asked for."""
    lowered = case.statement.lowered
    for match in _NON.finditer(lowered) if "non" in lowered else ():
        named = re.compile(rf"(?<!non)(?<!non[- ])\b{match['thing']}")
        told = (fact for fact in case.view.chart.of(FactKind.CONDITION) if fact.holds)
        if any(named.search(case.view.lowered, max(0, fact.start - 4), fact.end) for fact in told):
            return True
    return False


def _has_one_of_two(case: Case, judge: PartJudge) -> bool:
    """Whether two conditions exclude together, and the patient has one of them."""
    match = _AND.search(case.statement.lowered)
    if match is None or _NOT_TWO.search(f"{match['one']} {match['other']}"):
        return False
    text = case.statement.text
    parts = [text[slice(*match.span(name))] for name in ("one", "other")]
    if not all(_is_condition(case, part) for part in parts):
        return False
    found = [judge(part, exclusion=True) for part in parts]
    return any(each is not None and each.verdict is Verdict.NOT_MET for each in found)


def _is_condition(case: Case, text: str) -> bool:
    """Whether the last words of a text name a condition."""
    found = find_conditions(text, case.view.vocabulary)
    return any(mention.end == len(text.rstrip(" .")) for mention in found)


def _open(decision: Decision, why: str = "How the criterion is meant is open.") -> Decision:
    reason = f"{why} {decision.reason}"
    return replace(
        decision,
        rule="open reading",
        verdict=Verdict.UNKNOWN,
        reason=reason,
        applicability=Applicability.APPLIES,
    )
