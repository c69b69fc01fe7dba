"""Weeks of pregnancy: those a criterion sets, beside those a note tells of a woman or of a birth.

A woman's weeks are counted from her last period; an infant's are those it was born after.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.periods import COUNT, read_count
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["judge_gestation"]

_SUBJECT = gated(r"gestation|pregnan|preterm|premature|\bterm (?:new ?born|infant|neonate|bab)")
_WEEKS = r"(?:completed |full )?(?:weeks?|wks?)\b"
_RANGE = re.compile(
    rf"\b(\d{{1,2}})(?:\+\d)?\s*(?:{_WEEKS})?\s*(?:-|\u2013|to|and)\s*(\d{{1,2}})(?:\+\d)?\s*-?{_WEEKS}"
)
_LOW = re.compile(
    r"(?:>=|\u2265|>|at least|more than|greater than(?: or equal to)?|beyond|after|over)\s*=?\s*"
    rf"(\d{{1,2}})\s*-?{_WEEKS}|\b(\d{{1,2}}) or more {_WEEKS}"
)
_HIGH = re.compile(
    r"(?:<=|\u2264|<|at most|less than(?: or equal to)?|before|under|up to|fewer than)\s*=?\s*"
    rf"(\d{{1,2}})\s*-?{_WEEKS}"
)
_TRIMESTER = re.compile(r"(?<!or )(?<!and )\b(first|second|third|1st|2nd|3rd)[- ]trimester")
_PRETERM = re.compile(
    r"\b(?:preterm|premature)(?:ly)?\b(?! (?:labou?r|rupture|ovarian|ventric|ej|coro))"
)
_TERM = re.compile(r"\b(?<!pre)(?<!pre-)term (?:new ?born|infant|neonate|bab)")
_OF_BIRTH = re.compile(r"\b(?:born|birth|newborn|infant|neonat|bab(?:y|ies)|preterm|premature)")
_TOLD_BIRTH = re.compile(
    r"\bborn (?:at|after) (?:a gestational age of )?(\d{2})(?:\+\d)?[- ]weeks?"
    r"|\b(\d{2})[- ]weeks?'? (?:of )?(?:gestation|premature|preterm|infant|newborn)"
    r"|\bgestational age (?:of|was|is|:)?\s*(\d{2})"
)
_TOLD_TERM = re.compile(
    r"\b(?:full[- ]?|at )term\b|\bterm (?:infant|newborn|male|female|pregnancy)"
)
_TOLD_WOMAN = re.compile(
    r"\blast menstrual period (?:was )?(?:about |approximately )?(\d{1,2}) weeks ago"
    r"|\bat (\d{1,2})(?:\+\d)?[- ]weeks?"
    rf"|\b(\d{{1,2}}|{COUNT})[- ]weeks?'? (?:pregnan|of gestation|gestation|of pregnancy)"
    r"|\bgestational age (?:of|was|is|:)?\s*(\d{1,2})"
)
_INFANT = 2.0
_MOST = 7
_MISSED = 5
"""Weeks since the last period before which a woman need not be pregnant."""


class _Weeks(NamedTuple):
    low: float
    high: float
    """The first week that is too late."""


_TRIMESTERS = {
    **dict.fromkeys(("first", "1st"), _Weeks(0.0, 14.0)),
    **dict.fromkeys(("second", "2nd"), _Weeks(14.0, 28.0)),
    **dict.fromkeys(("third", "3rd"), _Weeks(28.0, 99.0)),
}


def judge_gestation(case: Case) -> Decision | None:
    """Weeks of gestation of a woman or an infant, where the note tells them."""
    statement, view = case.statement, case.view
    if not _SUBJECT.search(statement.lowered) or statement.denies:
        return None
    if "deliver" in statement.lowered:
        return None
    asked = _asked(statement.lowered)
    if asked is None:
        return None
    infant = view.years is not None and view.years < _INFANT
    if infant != (_OF_BIRTH.search(statement.lowered) is not None):
        return None
    told = _of_infant(view) if infant else _of_woman(view)
    if told is None:
        return None
    weeks, place = told
    holds = asked.low <= weeks < asked.high
    if holds and len(statement.contents) > _MOST:
        return None
    words = view.note.text[place.start : place.end]
    verdict = Verdict.MET if holds else Verdict.NOT_MET
    return Decision("gestation", verdict, f"The note tells of {words!r}.", (place,))


@lru_cache(maxsize=4096)
def _asked(lowered: str) -> _Weeks | None:
    trimester = _TRIMESTER.search(lowered)
    if trimester is not None and trimester.end() == lowered.rfind("trimester") + len("trimester"):
        return _TRIMESTERS[trimester[1]]
    found = _RANGE.search(lowered)
    if found is not None:
        return _Weeks(float(found[1]), float(found[2]) + 1)
    low, high = _LOW.search(lowered), _HIGH.search(lowered)
    if low is not None or high is not None:
        most = float(high[1]) if high else 99.0
        return _Weeks(float(low[1] or low[2]) if low else 0.0, most)
    if _PRETERM.search(lowered):
        return _Weeks(0.0, 37.0)
    return _Weeks(37.0, 99.0) if _TERM.search(lowered) else None


def _of_infant(view: NoteView) -> tuple[float, Sighting] | None:
    told = _TOLD_BIRTH.search(view.lowered)
    if told is not None:
        return _number(told), _place(view, told)
    told = _TOLD_TERM.search(view.lowered)
    return None if told is None else (39.0, _place(view, told))


def _of_woman(view: NoteView) -> tuple[float, Sighting] | None:
    told = _TOLD_WOMAN.search(view.lowered)
    if told is None or (told[1] and _number(told) < _MISSED):
        return None
    return _number(told), _place(view, told)


def _number(match: re.Match[str]) -> float:
    number = next(group for group in match.groups() if group)
    return float(number) if number.isdigit() else read_count(number)


def _place(view: NoteView, match: re.Match[str]) -> Sighting:
    number = view.note.sentence_at(match.start()).number
    return Sighting(number, match.start(), match.end(), "has")
