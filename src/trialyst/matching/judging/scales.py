"""Scores on scales: how strong a pain is, and any score a criterion and a note call alike.

`IPSS > 12` beside `IPSS score: 15`; `6 or higher on a scale of 0-10` beside `9 out of 10` or
`severe pain`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from trialyst.eligibility.analytes import analyte_names
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.demands import criterion_words
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["judge_scales"]

_N = r"(?P<number>\d+(?:\.\d+)?)"
_SIGNED = (
    r"(?P<sign>>=|=>|<=|=<|[<>\u2264\u2265]|at least|greater than or equal to|less than or equal to"
    r"|greater than|more than|less than|lower than|higher than|above|below|over|under|of)"
)
_OR_MORE = r"(?:\s*(?:/|out of)\s*(?P<top>\d+))?\s*(?P<more>or (?:more|higher|greater|above)|\+)?"
_OR_LESS = r"\s*(?P<less>or (?:less|lower|fewer|below))?"
_BOUND = rf"(?:{_SIGNED}\s*)?{_N}(?!\d|\s*(?:%|weeks|months|days|years|hours|mm\b|cm\b|mg))"
_NAMED = re.compile(
    r"\b(?P<name>[A-Z][A-Za-z]*[A-Z][A-Za-z]*(?:-?\d+)?)\)?\s*,?\s*"
    r"(?:(?:total|score|scale|index|test|questionnaire|of|is|was|must be|rating|:)\s*){0,4}"
    + _BOUND
    + _OR_MORE
    + _OR_LESS
)
_DIGIT = re.compile("[0-9]")
_PAIN = gated(r"\bpain\b")
_ON_SCALE = re.compile(r"\b(?:vas|nrs|visual analog\w*|numeric\w*|scale|scored?|rating|rated)\b")
_PAIN_BOUND = re.compile(
    r"\b(?:scored?|rating|rated|intensity|level|scale|vas|nrs|pain)\b[^.;\d<>\u2264\u2265]{0,40}?"
    + _BOUND
    + _OR_MORE
    + _OR_LESS
)
_LONG = re.compile(r"\b0\s*(?:-|to|\u2013)\s*100\b|\b100[- ]?(?:mm|point)|\bmm\b")
_SHORT = re.compile(
    r"\b0\s*(?:-|to|\u2013)\s*10\b|\bnrs\b|\bnumeric|/\s*10\b|\b(?:10|ten)[- ]point"
)
"""Scales whose end is known; a word for a pain says nothing of a number on any other."""
_TEN = 10.0
_TOLD_PAIN = re.compile(
    r"\b(\d{1,2})(?:\s*-\s*\d{1,2})?\s*(?:/|out of)\s*10\b"
    r"|\bpain (?:score|level)\D{0,8}(\d{1,2})\b"
)
_STRENGTHS = (
    (r"\bmoderately severe\b[^.;]{0,20}\bpain|\bpain is moderately severe", 5.0, 8.0),
    (r"\b(?:severe|excruciating|intense|unbearable|worst)\b[^.;]{0,30}\bpain|\bpain (?:is|was)"
     r" (?:severe|excruciating|intense)", 7.0, 10.0),
    (r"\bmoderate\b[^.;]{0,20}\bpain|\bpain (?:is|was) moderate\b", 4.0, 7.0),
    (r"\bmild\b[^.;]{0,20}\bpain|\bpain (?:is|was) mild\b", 1.0, 4.0),
)  # fmt: skip
_DOWN = ("<", "l", "b", "u", "\u2264")
_STRICT = frozenset(
    (">", "<", "greater than", "more than", "less than", "lower than", "higher than", "above",
     "below", "over", "under")
)  # fmt: skip
_MOST = 9
_SCORE = "score"


class _Bound(NamedTuple):
    number: float
    below: bool
    strict: bool

    def holds(self, value: float) -> bool:
        if value == self.number:
            return not self.strict
        return value < self.number if self.below else value > self.number


def judge_scales(case: Case) -> Decision | None:
    """A score the note gives."""
    return _judge_pain(case) or _judge_named(case)


def _judge_named(case: Case) -> Decision | None:
    if _DIGIT.search(case.statement.text) is None:
        return None
    for match in _found(case.statement.text):
        name = match["name"]
        if name.lower() not in case.view.lowered:
            continue
        bound = _bound(match)
        told = re.search(
            rf"\b{re.escape(name)}\b[\s)]*(?:(?:total|score|index|of|was|is|at)\b|[:=\s])*"
            r"(\d+(?:\.\d+)?)(?!\s*%|\d)", case.view.note.text, re.IGNORECASE,
        )  # fmt: skip
        if bound is not None and told is not None:
            place = _place(case.view, told.start(), told.end())
            return _decision(case, place, holds=bound.holds(float(told.group(1))))
    return None


@lru_cache(maxsize=20_000)
def _found(text: str) -> tuple[re.Match[str], ...]:
    return tuple(match for match in _NAMED.finditer(text) if not _is_analyte(match["name"]))


def _is_analyte(name: str) -> bool:
    """Whether a name is one of a value with a unit or a usual range, which is read elsewhere."""
    found = analyte_names().find_texts(criterion_words(name.lower()))
    analytes = [phrase.value.analyte for phrase in found]
    return any(each.unit != _SCORE and (each.unit or each.high) for each in analytes)


def _judge_pain(case: Case) -> Decision | None:
    lowered = case.statement.lowered
    if not _PAIN.search(lowered) or "pain" not in case.view.lowered:
        return None
    match = _PAIN_BOUND.search(lowered) if _ON_SCALE.search(lowered) else None
    bound = None if match is None else _bound(match, exact=True)
    if match is None or bound is None:
        return None
    long = _LONG.search(lowered) is not None or bound.number > _TEN
    told = _told_pain(case.view)
    if told is None:
        return None
    low, high, place = told
    if low != high and not (long or match["top"] or _SHORT.search(lowered)):
        return None
    scale = _TEN if long else 1.0
    ends = {bound.holds(low * scale), bound.holds(high * scale)}
    return _decision(case, place, holds=ends.pop()) if len(ends) == 1 else None


def _told_pain(view: NoteView) -> tuple[float, float, Sighting] | None:
    for sentence in view.body:
        match = _TOLD_PAIN.search(sentence.text.lower()) if "pain" in sentence.text else None
        if match is not None:
            value = float(match.group(1) or match.group(2))
            start, end = sentence.start + match.start(), sentence.start + match.end()
            return value, value, Sighting(sentence.number, start, end, "has")
    for pattern, low, high in _STRENGTHS:
        for place in view.sightings(pattern):
            if place.standing == "has":
                return low, high, place
    return None


def _bound(match: re.Match[str], *, exact: bool = False) -> _Bound | None:
    sign, number = match["sign"] or "", float(match["number"])
    if match["more"] or match["less"]:
        return _Bound(number, below=bool(match["less"]), strict=False)
    if sign in ("", "of"):
        least = exact and sign and match["top"]
        return _Bound(number, below=False, strict=False) if least else None
    below = sign.startswith(_DOWN) or sign == "=<"
    return _Bound(number, below=below, strict=sign in _STRICT)


def _place(view: NoteView, start: int, end: int) -> Sighting:
    return Sighting(view.note.sentence_at(start).number, start, end, "has")


def _decision(case: Case, place: Sighting, *, holds: bool) -> Decision | None:
    if holds and len(case.statement.contents) > _MOST * 2:
        return None
    words = case.view.note.text[place.start : place.end]
    verdict = Verdict.MET if holds else Verdict.NOT_MET
    return Decision("score", verdict, f"The note gives {words!r}.", (place,))
