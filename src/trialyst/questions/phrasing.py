"""What the wording of a question asks for besides its names: phases, statuses, ages, dates, places.

Pure text to arguments: "recruiting phase 3 trials in Germany" asks for a status, a phase and a
place. Only wordings that can hardly mean anything else are taken; the rest stays words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

__all__ = ["FILLER", "Wish", "find_wishes"]

_QUESTION_WORDS = """
    a about after am among an and any anybody anyone anything are as at available be been before
    being between by can could currently did do does doing during exist existing exists fetch find
    finding following for from get getting give given go going got had has have having he hello
    help her hi him his how i if in into investigate investigated investigates investigating is it
    its know let like list look looked looking many may me might more most much must my need needs
    no now of on one ones or our out over please recent recently same search see seek seeking she
    should show so some suffer suffering suffers tell test tested testing tests than thank thanks
    that the their them there these they thing things this those to too treat treated treating
    treats tried try trying two under up us use used uses using very via want wanted wants was we
    were what what's when where whether which who whom whose why will with would you your
"""
_REGISTRY_WORDS = """
    clinical clinicaltrials diagnosed drug drugs eligible enroll enrolling enrollment gov
    individuals interventional latest medication medications medicine medicines new open option
    options participant participants patient patients people person persons registered registry
    research someone studies study subject subjects therapies therapy treatment treatments trial
    trials
"""
FILLER = frozenset(f"{_QUESTION_WORDS} {_REGISTRY_WORDS}".split())
"""Words that say that something is asked, or that trials are, and not which."""

_TRIALS = r"(?:clinical\s+)?(?:trials?|stud(?:y|ies))"
_NUMERAL = r"(?:[0-4]|i{1,3}|iv)[ab]?"
_STATUS_WORDS: Mapping[str, tuple[str, str]] = {
    "NOT_YET_RECRUITING": (r"not\s+yet\s+(?:recruiting|enrolling)", r"upcoming|planned"),
    "ACTIVE_NOT_RECRUITING": (r"active,?\s+(?:but\s+)?not\s+recruiting", r"(?!)"),
    "RECRUITING": (
        r"(?:(?:currently|actively|now|still)\s+)?(?:recruiting|enrolling|accepting\s+patients)",
        r"open",
    ),
    "COMPLETED": (r"(?!)", r"completed|finished"),
    "TERMINATED": (r"(?!)", r"terminated|(?:stopped|discontinued)(?:\s+early)?"),
    "SUSPENDED": (r"(?!)", r"suspended|paused"),
    "WITHDRAWN": (r"(?!)", r"withdrawn"),
    "RECRUITING OR NOT_YET_RECRUITING OR ACTIVE_NOT_RECRUITING OR ENROLLING_BY_INVITATION": (
        r"(?!)",
        r"ongoing|on-going|running|current|active",
    ),
}
"""Of each status the words that always mean it, and those that mean it of a trial or study."""
_SEXES = {
    "FEMALE": r"women|females?|girls|woman|lady|ladies",
    "MALE": r"(?<!trans)men|males?|boys|man|gentlem[ae]n",
}
_UNIT = r"(years?|yrs?|months?|weeks?|days?)"
_AGES = (
    rf"(\d{{1,3}})[\s-]*{_UNIT}[\s-]*(?:olds?|of[\s-]*age)",
    rf"aged?\s+(\d{{1,3}})(?:\s+{_UNIT})?",
    r"(\d{1,3})[\s-]*(y/?o)",
)
"""Wordings of a person's age: the number, and the unit, which is years where it is not told."""
_PLACE_BEHIND = re.compile(r"(?<![\w-])(in|at|near|around|close\s+to)\s+(?:the\s+)?", re.IGNORECASE)
_DATE = r"((?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?)"


@dataclass(frozen=True, slots=True)
class Wish:
    """A part of a question that asks for an argument, and where it stands."""

    argument: str
    value: str
    start: int
    end: int


def find_wishes(text: str, *, is_place: Callable[[str], bool]) -> list[Wish]:
    """Give what a question asks for by its wording, first in the text first, none overlapping.

    >>> [(w.argument, w.value) for w in find_wishes("phase 2/3 asthma", is_place=lambda _: False)]
    [('phase', 'PHASE2/PHASE3')]
    """
    found: list[Wish] = []
    for wish in _candidates(text, is_place):
        if not any(wish.start < other.end and other.start < wish.end for other in found):
            found.append(wish)
    return sorted(found, key=lambda wish: wish.start)


def _candidates(text: str, is_place: Callable[[str], bool]) -> Iterator[Wish]:
    yield from _phases(text)
    yield from _statuses(text)
    yield from _people(text)
    yield from _dates(text)
    yield from _places(text, is_place)


def _matches(pattern: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE)


def _phases(text: str) -> Iterator[Wish]:
    listed = rf"phases?[\s-]*({_NUMERAL}(?:\s*(?:/|,|or|and|to|-|\+)\s*(?:phase\s*)?{_NUMERAL})*)"
    for found in _matches(rf"(early\s+)?{listed}(\s*\+|\s+(?:or|and)\s+(?:later|above))?", text):
        numerals = re.findall(_NUMERAL, found[2], re.IGNORECASE)
        if found[1]:
            value = "EARLY_PHASE1"
        elif found[3]:
            value = f"{_phase(numerals[0]).removeprefix('PHASE')}+"
        else:
            joint = "/" if "/" in found[2] else " OR "
            value = joint.join(dict.fromkeys(map(_phase, numerals)))
        yield Wish("phase", value, *found.span())


def _phase(numeral: str) -> str:
    roman = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}
    bare = numeral.lower().rstrip("ab")
    return f"PHASE{roman.get(bare, bare)}" if bare != "0" else "EARLY_PHASE1"


def _statuses(text: str) -> Iterator[Wish]:
    for status, (always, of_trials) in _STATUS_WORDS.items():
        for found in _matches(always, text):
            yield Wish("status", status, *found.span())
        between = r"(?:\s+[\w-]+){0,3}?\s+"
        for found in _matches(rf"({of_trials})(?={between}{_TRIALS}\b)", text):
            yield Wish("status", status, *found.span(1))
        for found in _matches(
            rf"{_TRIALS}\s+(?:that\s+(?:are|were|have\s+been)\s+|were\s+)"
            rf"({of_trials})",
            text,
        ):
            yield Wish("status", status, *found.span(1))
    for found in _matches(
        r"(?:with|that\s+have|having)\s+(?:posted\s+)?results(?:\s+posted)?", text
    ):
        yield Wish("has_results", "true", *found.span())


def _people(text: str) -> Iterator[Wish]:
    for pattern in _AGES:
        for found in _matches(pattern, text):
            unit = found[2] or "years"
            unit = "years" if unit.lower().startswith("y") else unit
            yield Wish("age", f"{found[1]} {unit}", *found.span())
    for sex, words in _SEXES.items():
        other = next(each for name, each in _SEXES.items() if name != sex)
        if not any(_matches(other, text)):
            for found in _matches(words, text):
                yield Wish("sex", sex, *found.span())
    for found in _matches(r"healthy\s+(?:volunteers?|subjects?|participants?|people)", text):
        yield Wish("healthy_volunteers", "true", *found.span())


def _dates(text: str) -> Iterator[Wish]:
    for found in _matches(
        rf"(?:start(?:ed|ing)|begun|beginning)\s+(?:since|after|from)\s+{_DATE}", text
    ):
        yield Wish("start_from", found[1], *found.span())
    for found in _matches(rf"(?:start(?:ed|ing)|begun|beginning)\s+before\s+{_DATE}", text):
        yield Wish("start_to", found[1], *found.span())
    for found in _matches(rf"(?:posted|registered)\s+(?:since|after|from)\s+{_DATE}", text):
        yield Wish("posted_from", found[1], *found.span())
    for found in _matches(rf"(?:since|after)\s+{_DATE}", text):
        yield Wish("start_from", found[1], *found.span())


def _places(text: str, is_place: Callable[[str], bool]) -> Iterator[Wish]:
    """Yield the longest known place behind each `in` or `near`."""
    for found in _PLACE_BEHIND.finditer(text):
        words = list(re.finditer(r"[\w.'’-]+,?", text[found.end() :]))[:5]
        for last in range(len(words), 0, -1):
            end = found.end() + words[last - 1].end()
            name = text[found.end() : end].rstrip(",. ")
            if name and is_place(name):
                near = found[1].lower() not in ("in", "at")
                wish = "near" if near else "location"
                yield Wish(wish, name, found.start(), found.end() + len(name))
                break
