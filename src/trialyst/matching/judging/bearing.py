"""Who can be pregnant: criteria that ask for no pregnancy, and those that shut out one sex.

A man, a child and a woman past her fertile years are not pregnant, whatever a note tells.
"""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.statement import WantedSex
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Sex

__all__ = ["judge_bearing"]

_FERTILE = (9.0, 58.0)
_FREE = gated(
    r"\b(?:not|non-?|neither|nor|no|cannot be|may not be)\s*"
    r"(?:be |currently |known to be |either )*"
    r"(?:\w+ (?:or|nor) )?(?:pregnan|lactat|nursing|breast-?\s?feed)"
)
_BESIDE = re.compile(r"\b(?:contracepti\w*|birth control|test|partners?|plan\w*|intend\w*)\b")
_OF_BEARING = re.compile(r"pregnan|lactat|nurs|breast|gravid|m[ae]n\b|male")
_FEW = 4
_SHUT_OUT = gated(
    r"(?:^|[.,;:]\s*)\W*(?:all )?(boys?|girls?|m[ae]n|wom[ae]n|males?|females?)\b"
    r"(?: (?:patients|subjects|participants))? (?:will be|are|is|were) "
    r"(?:excluded|not eligible|ineligible|not included)"
)
_MANLY = ("b", "m")
_WOMB = gated(r"\b(?:with|ha(?:s|ve|ving))\b[^.;,]{0,24}\b(?:uterus|womb|cervix|ovar(?:y|ies))\b")
_WITHOUT_WOMB = re.compile(r"hysterectomy|oophorectomy|absent uterus|without (?:a )?uterus")
_OF_WOMB = re.compile(r"\b(?:no|not|without|abnormal|patholog|lesion|mass|size|enlarged|fibroid)")


def judge_bearing(case: Case) -> Decision | None:
    """Not being pregnant, a sex that is shut out, and having a womb."""
    return _judge_free(case) or _judge_shut_out(case) or _judge_womb(case)


def _judge_free(case: Case) -> Decision | None:
    statement, view = case.statement, case.view
    if case.exclusion or not _FREE.search(statement.lowered):
        return None
    if view.sex is Sex.MALE and statement.sex is WantedSex.FEMALE:
        return None
    if _BESIDE.search(statement.lowered) or len(statement.contents) > _FEW:
        return None
    if _names_beside(case):
        return None
    if statement.ages and not any(ages.holds(view.years or 0.0) for ages in statement.ages):
        return None
    fertile = view.years is None or _FERTILE[0] <= view.years < _FERTILE[1]
    if view.pregnant or (view.sex is not Sex.MALE and fertile):
        return None
    reason = "The patient is male." if view.sex is Sex.MALE else "The patient is not of that age."
    return Decision("cannot bear", Verdict.MET, reason, _person(view))


def _names_beside(case: Case) -> bool:
    """Whether a criterion names what the note speaks of beside a pregnancy."""
    text = case.view.lowered
    places = (named.sighting for named in case.matches.named)
    return any(not _OF_BEARING.search(text[place.start : place.end]) for place in places)


def _judge_shut_out(case: Case) -> Decision | None:
    match = _SHUT_OUT.search(case.statement.lowered) if case.exclusion else None
    if match is None or case.view.sex is None:
        return None
    shut_out = (case.view.sex is Sex.MALE) == match.group(1).startswith(_MANLY)
    verdict = Verdict.MET if shut_out else Verdict.NOT_MET
    reason = f"The patient is {case.view.sex.lower()}; {match.group(1)} are excluded."
    return Decision("shut out", verdict, reason, _person(case.view))


def _judge_womb(case: Case) -> Decision | None:
    statement, view = case.statement, case.view
    if case.exclusion or view.sex is not Sex.FEMALE or len(statement.contents) > _FEW:
        return None
    if not _WOMB.search(statement.lowered) or _OF_WOMB.search(statement.lowered):
        return None
    if _WITHOUT_WOMB.search(view.lowered):
        return None
    reason = "The patient is a woman, and the note tells of no operation that took them."
    return Decision("womb", Verdict.MET, reason, _person(view))


def _person(view: NoteView) -> tuple[Sighting, ...]:
    return tuple(place for place in (view.sex_place, view.age_place) if place is not None)
