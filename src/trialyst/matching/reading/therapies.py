"""Treatments: whether a drug is taken now, was taken or is planned, in which line, at what dose."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable
from trialyst.matching.context import Effect
from trialyst.matching.reading.progression import find_progression

if TYPE_CHECKING:
    from trialyst.matching.reading.passage import Passage

__all__ = ["Cue", "find_cues", "read_dose", "read_line", "therapy_status"]

_COMMA = re.compile(r"(?<!\\),")
_DOSE = re.compile(
    r"\s*(?:at\s+)?([0-9][0-9.,/]*\s*(?:mg|mcg|ug|\u00b5g|g|units?|IU|mL|mEq|puffs?|%|tablets?|Gy|cGy)"
    r"(?:/(?:kg|m2|day|d|h|hr|min|dose|week))*(?:\s+(?:once|twice|three times|daily|weekly|monthly"
    r"|BID|TID|QID|QD|QHS|PRN|nightly|every\s+\w+|per\s+\w+|a\s+(?:day|week)))*)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"\b(?:(first|second|third|fourth|fifth)|([1-9])(?:st|nd|rd|th)|([1-5])L)(?:[-\s]*line)\b"
    r"|\b([1-5])L(?=\s+(?:therapy|treatment|setting|regimen))",
    re.IGNORECASE,
)
_AGO = re.compile(r"\bago\b|\bin\b|\b(?:19|20)[0-9]{2}\b|earlier|previously|last", re.IGNORECASE)
_PROGRESSIVE = "pd"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}


class Cue(NamedTuple):
    """A phrase that tells the state of treatments, at a place."""

    state: str
    direction: str
    start: int
    end: int


@cache
def _cues() -> PhraseTable[tuple[tuple[str, str], ...]]:
    told: dict[str, list[tuple[str, str]]] = {}
    for line in read_lines("therapy.txt", package="trialyst.matching"):
        head, _, listed = line.partition(":")
        state, direction = head.split()
        for name in (part.replace("\\,", ",").strip() for part in _COMMA.split(listed)):
            told.setdefault(name, []).append((state, direction))
    return PhraseTable((name, tuple(roles)) for name, roles in told.items())


def find_cues(passage: Passage) -> list[Cue]:
    """Find the phrases of a sentence that tell the state of treatments."""
    words = passage.words
    cues = [
        Cue(state, direction, words[phrase.first].start, words[phrase.last - 1].end)
        for phrase in _cues().find(words)
        for state, direction in phrase.value
    ]
    if _PROGRESSIVE not in passage.vocabulary:
        return cues
    ends = ((word, find_progression(passage, word.end)) for word in words)
    cues += [
        Cue("prior", "forward", word.start, end)
        for word, end in ends
        if word.text == _PROGRESSIVE and end is not None
    ]
    # Behind the "on" of "PD on", which says less than the whole.
    return sorted(cues, key=lambda cue: cue.end)


def therapy_status(passage: Passage, cues: list[Cue], start: int, end: int) -> str:
    """Say whether a treatment is current, prior, planned or refused, empty if nothing tells."""
    stops = [cue.end for cue in cues if cue.state == "stop" and cue.end <= start]
    begin = max(stops, default=passage.start)
    behind = [
        cue.state
        for cue in cues
        if cue.direction == "backward" and cue.start >= end and _near(passage, end, cue.start)
    ]
    ended = [state for state in behind if state != "current"]
    if ended:
        return ended[0]
    before = [
        cue.state
        for cue in cues
        if cue.direction in ("forward", "near")
        and begin <= cue.start
        and cue.end <= start
        and (cue.direction == "forward" or _next(passage, cue.end, start))
    ]
    state = (before or behind or [""])[-1 if before else 0]
    if state == "treated":
        state = "prior" if _AGO.search(passage.when(start, end)) else "current"
    return state or _by_section(passage, passage.effects(start, end))


def _next(passage: Passage, start: int, end: int) -> bool:
    between = passage.quote(start, end)
    return "," not in between and len(between.split()) < 4


def _near(passage: Passage, start: int, end: int) -> bool:
    between = passage.quote(start, end)
    return len(between) < 60 and ";" not in between and " and then " not in between


def _by_section(passage: Passage, effects: frozenset[Effect]) -> str:
    if passage.section is Section.MEDICATION:
        return "current"
    if Effect.HISTORICAL in effects and passage.section is not Section.PAST:
        return "prior"
    if passage.section is Section.PLAN:
        return "planned"
    return ""


def read_dose(passage: Passage, end: int) -> str:
    """Give the dose that follows a drug's name, as written."""
    match = _DOSE.match(passage.text, end - passage.start)
    return "" if match is None else match.group(1).strip()


def read_line(passage: Passage) -> int | None:
    """Give the line of treatment a sentence names, if it names one."""
    found = {
        _ORDINALS.get((match.group(1) or "").lower())
        or int(match.group(2) or match.group(3) or match.group(4))
        for match in _LINE.finditer(passage.text)
    }
    return found.pop() if len(found) == 1 else None
