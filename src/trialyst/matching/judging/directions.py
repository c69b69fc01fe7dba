"""Results that a criterion asks for by a word: `elevated TSH`, `normal creatinine`, `low albumin`.

They are read against the values of the note, with the usual range, and against its own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trialyst.eligibility.analytes import (
    LIVER_TESTS,
    Analyte,
    analyte_names,
    find_panels,
    get_analyte,
    to_common_unit,
)
from trialyst.eligibility.words import find_places
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.demands import criterion_words
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Assertion, Fact

__all__ = ["judge_directions"]

_WORDS = {
    "elevated": "high", "increased": "high", "raised": "high", "high": "high", "higher": "high",
    "elevation of": "high", "decreased": "low", "reduced": "low", "low": "low", "lower": "low",
    "suppressed": "low", "subnormal": "low", "normal": "normal", "abnormal": "abnormal",
    "positive": "positive", "negative": "negative", "undetectable": "negative",
}  # fmt: skip
_DIRECTED = gated(rf"\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b")
_BEFORE = re.compile(
    rf"\b({'|'.join(sorted(_WORDS, key=len, reverse=True))})\s+"
    r"(?:(?:levels?|values?|concentrations?|of|serum|plasma|blood|urine|fasting|total|free|or|and"
    r"|baseline|beta|human)[\s-]+){0,6}$"
)
_BEHIND = re.compile(
    r"\s*(?:levels?|values?|concentrations?|tests?|counts?)?\s*(?:is|are|was|were|must be|being"
    rf"|:|\()?\s*({'|'.join(sorted(_WORDS, key=len, reverse=True))})\b(?!\s+(?:blood|pressure))"
)
_COMPARED = re.compile(
    r"[<>\u2264\u2265=]|\b(?:than|least|times|grade|between)\b|[0-9]\s*(?:x|%|m|u|g)"
)
"""A bound or a time, which is read elsewhere."""
_OR = re.compile(r"\bor\b|/")
_TIED = re.compile(r"\b(?:history|previous|prior|past|after|off|risk|despite|change|response)\b")
_MOST = 6
"""Words of content beyond which a criterion asks for more than results."""
_ANY = ("abnormal", "positive")
_HARMLESS_LOW = frozenset(
    "creatinine bun urea ast alt alp ggt ldh bilirubin ck amylase lipase inr pt ptt esr crp".split()
)
"""What is not called low, however small."""


class _Asked(NamedTuple):
    concept: str
    direction: str
    at: int


def judge_directions(case: Case) -> Decision | None:
    """Results asked for by a word, where the note gives a value or a word for them."""
    statement = case.statement
    if not _DIRECTED.search(statement.lowered) or _COMPARED.search(statement.lowered):
        return None
    asked = _asked(statement.lowered)
    if not asked or statement.denies or len(statement.contents) > _MOST + len(asked):
        return None
    if case.exclusion and _TIED.search(statement.lowered):
        return None
    told = [found for each in asked if (found := _told(each, case.view)) is not None]
    complete = len(told) == len(asked)
    if not told and len({each.at for each in asked}) < len(asked):
        told = _told_of_panel(asked[0].direction, case.view)
        complete = bool(told)
    held = [place for holds, place in told if holds]
    broken = [place for holds, place in told if not holds]
    either = case.exclusion or _is_either(statement.lowered, asked)
    if held and (either or (complete and not broken)):
        return _decision(case, Verdict.MET, held)
    if broken and ((complete and not held) or not either):
        return _decision(case, Verdict.NOT_MET, broken)
    return None


def _is_either(lowered: str, asked: Sequence[_Asked]) -> bool:
    """Whether one of the results is enough: one of a panel that is high makes the panel high."""
    if _OR.search(lowered, asked[0].at, asked[-1].at):
        return True
    return len(asked) > 1 and len({each.at for each in asked}) == 1 and asked[0].direction == "high"


@lru_cache(maxsize=20_000)
def _asked(lowered: str) -> tuple[_Asked, ...]:
    phrases = list(analyte_names().find_texts(criterion_words(lowered)))
    places = find_places(lowered) if phrases else []
    named = [
        (places[each.first][0], places[each.last - 1][1], (each.value.analyte,)) for each in phrases
    ]
    return tuple(_directed(lowered, [*named, *find_panels(lowered)]))


def _directed(
    lowered: str, named: Sequence[tuple[int, int, tuple[Analyte, ...]]]
) -> Iterator[_Asked]:
    for start, end, analytes in named:
        word = _BEFORE.search(lowered, max(0, start - 48), start) or _BEHIND.match(lowered, end)
        if word is not None:
            for analyte in analytes:
                yield _Asked(analyte.concept.id, _WORDS[word.group(1)], start)


def _told(asked: _Asked, view: NoteView) -> tuple[bool, Sighting] | None:
    facts = [fact for fact in view.measured(asked.concept) if _direction(asked.concept, fact)]
    truths = {_agrees(asked.direction, _direction(asked.concept, fact)) for fact in facts}
    if len(truths) != 1:
        return None
    last = facts[-1]
    return truths.pop(), Sighting(last.sentence, last.start, last.end, "has")


def _told_of_panel(wanted: str, view: NoteView) -> list[tuple[bool, Sighting]]:
    """Give what the note says of the tests of the liver together, in words."""
    told = []
    for word, direction in _WORDS.items():
        pattern = (
            rf"\b{word}\s+{LIVER_TESTS[2:]}|{LIVER_TESTS}\s+(?:(?:was|were|are|is)\s+)?{word}\b"
        )
        for place in view.sightings(pattern):
            if place.standing == "has":
                told.append((_agrees(wanted, direction), place))
    return told if len({holds for holds, _ in told}) == 1 else []


def _direction(concept: str, fact: Fact) -> str:
    """Say whether a fact is high, low or normal; nothing where that is open."""
    if fact.assertion is not Assertion.PRESENT:
        return ""
    if fact.status in ("high", "low", "normal", "positive", "negative", "abnormal"):
        return fact.status
    analyte = get_analyte(concept)
    value = None if analyte is None or fact.value is None else to_common_unit(fact.value, analyte)
    if analyte is None or value is None or analyte.low is None or analyte.high is None:
        return ""
    if value.comparator.startswith(">") and value.number >= analyte.high:
        return "high"
    if value.comparator not in ("=", "~"):
        return ""
    if value.number < analyte.low:
        return "normal" if analyte.id in _HARMLESS_LOW else "low"
    return "high" if value.number > analyte.high else "normal"


def _agrees(wanted: str, told: str) -> bool:
    if wanted in _ANY:
        return told not in ("normal", "negative")
    if wanted == "negative":
        return told in ("normal", "negative", "low")
    return wanted == told or (wanted == "normal" and told == "negative")


def _decision(case: Case, verdict: Verdict, places: list[Sighting]) -> Decision:
    words = case.view.note.text[places[0].start : places[0].end]
    return Decision("result", verdict, f"The note gives {words!r}.", tuple(places))
