"""Rules about events: how many in a time (`two or more falls in the past year`), and how bad.

A number in the note counts where it stands before the same words; a count of a longer time bounds
that of a shorter one from above, and the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.judging.apart import is_idle
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import criterion_tokens
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.lexicon import meaning
from trialyst.matching.judging.periods import COUNT, find_times, read_count
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["judge_events", "judge_toxicity"]

_APART = (
    r"(?:for|of|an?|the|with|and|to|in|or|s?he|ha[sd]|have|was|were|months?|years?|days?"
    rf"|{COUNT})\b"
)
_NOUN = (
    rf"(?P<noun>(?:(?!{_APART})[a-z][a-z-]*\s+){{0,3}}?(?:exacerbations?|crises|crisis|attacks?"
    r"|episodes?|relapses?|flares?(?:-ups?)?|hospitali[sz]ations?|admissions?|seizures?|migraines?"
    r"|headaches?|falls?|infections?|bleeds?|bleeding events?|hemorrhages|transfusions?|events?"
    r"|recurrences?|microha?emorrhages?|utis?|strokes?))\b"
)
_SIGN = (
    r"at least|>=|\u2265|>|more than|a minimum of|<=|\u2264|<|less than|fewer than|no more than"
    r"|up to|at most"
)
_ASKED = gated(
    rf"(?:(?P<sign>{_SIGN})\s*)?\b(?P<number>{COUNT})\s+(?P<more>or more\s+|or fewer\s+)?{_NOUN}"
)
_TOLD = re.compile(
    rf"\b(?P<number>{COUNT})\s+{_NOUN}",
    re.IGNORECASE,
)
_MORE = frozenset({"at least", ">=", "\u2265", "a minimum of", ">", "more than"})
_STRICT = frozenset({">", "more than", "<", "less than", "fewer than"})
_LONGEST = 12
_GENERIC = frozenset(fold("the a an any of documented severe moderate acute separate such"))
_GRADE = gated(
    r"\bgrades?\s*(>=|\u2265|>)?\s*([1-5])(?:\s*(?:or|to|-|\u2013|/|and|,)\s*([1-5]))?"
    r"(\s*or (?:higher|greater|more|above)|\+)?"
)
_IMMUNE = re.compile(
    r"\bimmune[- ]?(?:related|mediated)|\bimmune (?=\w+itis)|\birae|\bcheckpoint|\bautoimmune",
    re.IGNORECASE,
)


class _Asked(NamedTuple):
    low: float
    high: float
    words: frozenset[str]
    days: float | None
    places: tuple[tuple[int, int], ...]
    """Where the criterion speaks of number and time."""


class _Told(NamedTuple):
    number: float
    days: float | None
    place: Sighting


def judge_events(case: Case) -> Decision | None:
    """Counted events that the note counts too."""
    asked = _read(case.statement.lowered)
    if asked is None or len(case.statement.contents) > _LONGEST:
        return None
    for told in _told(asked.words, case.view):
        met = _compare(asked, told)
        if met is not None and _says_all(case, asked, told):
            verdict = Verdict.MET if met else Verdict.NOT_MET
            words = case.view.note.text[told.place.start : told.place.end]
            return Decision("events", verdict, f"The note counts {words!r}.", (told.place,))
    return None


def _says_all(case: Case, asked: _Asked, told: _Told) -> bool:
    """Whether the sentence has every word of the criterion but those of number and time."""
    sentence = case.view.note.sentence(told.place.sentence)
    said = set() if sentence is None else set(fold(sentence.text))
    return all(
        token.folded in said
        or token.folded in asked.words
        or is_idle(token.folded)
        or any(start <= token.start < end for start, end in asked.places)
        for token in criterion_tokens(case.statement.text)
    )


@lru_cache(maxsize=20_000)
def _read(lowered: str) -> _Asked | None:
    match = _ASKED.search(lowered)
    if match is None or match.group("number") in ("a", "an", "no", "none"):
        return None
    words = _words(match.group("noun"))
    if not words:
        return None
    sign, number = match.group("sign") or "", read_count(match.group("number"))
    times = find_times(lowered)
    within = next((time.days for time in times if time.within), None)
    places = (match.span(), *((time.start, time.end) for time in times))
    fewer = (sign and sign not in _MORE) or (match.group("more") or "").startswith("or fewer")
    step = 1 if sign in _STRICT else 0
    if fewer:
        return _Asked(0, number - step, words, within, places)
    return _Asked(number + step, float("inf"), words, within, places)


def _words(noun: str) -> frozenset[str]:
    return frozenset(word for word in fold(noun) if word not in _GENERIC)


def _told(words: frozenset[str], view: NoteView) -> Iterator[_Told]:
    for sentence in view.body:
        lowered = sentence.text.lower()
        for match in _TOLD.finditer(lowered):
            said = _words(match.group("noun"))
            # "Exacerbations of asthma" of an asthmatic are exacerbations.
            if not words & said or not (words <= said or _last(words, said)):
                continue
            times = [time.days for time in find_times(lowered) if time.within]
            start, end = sentence.start + match.start("number"), sentence.start + match.end()
            place = Sighting(sentence.number, start, end, "has")
            yield _Told(read_count(match.group("number")), times[0] if times else None, place)


def _last(words: frozenset[str], said: frozenset[str]) -> bool:
    return said <= words and all(meaning(word) is None or word in said for word in words)


def _compare(asked: _Asked, told: _Told) -> bool | None:
    """Compare counts; those of other times only bound each other."""
    inside = asked.days is None or (told.days is not None and told.days <= asked.days)
    around = told.days is None or asked.days is None or told.days >= asked.days
    if told.days is None and asked.days is not None:
        inside = around = False
    if asked.high == float("inf"):
        if told.number >= asked.low and inside:
            return True
        return False if told.number < asked.low and around else None
    if told.number <= asked.high and around:
        return True
    return False if told.number > asked.high and inside else None


def judge_toxicity(case: Case) -> Decision | None:
    """Immune-related adverse events of a grade that the note gives."""
    lowered = case.statement.lowered
    grade = _GRADE.search(lowered)
    if grade is None or not (case.exclusion and _IMMUNE.search(lowered)) or case.statement.denies:
        return None
    low, high = _grades(grade)
    for sentence in case.view.body:
        for match in _GRADE.finditer(sentence.text.lower()):
            around = sentence.text[max(0, match.start() - 60) : match.end() + 40]
            number = float(match.group(2))
            if not _IMMUNE.search(around) or not low <= number <= high:
                continue
            start, end = sentence.start + match.start(), sentence.start + match.end()
            place = Sighting(sentence.number, start, end, "has")
            reason = f"The note tells of an event of {match.group().strip()}."
            return Decision("adverse", Verdict.MET, reason, (place,))
    return None


def _grades(match: re.Match[str]) -> tuple[float, float]:
    low = float(match.group(2)) + (match.group(1) == ">")
    if match.group(1) or match.group(4):
        return low, 5.0
    return low, float(match.group(3) or low)
