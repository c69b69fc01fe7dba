"""Biomarkers with status, variant and value: `EGFR exon 19 deletion`, `HER2+`, `PD-L1 50 %`."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.numbers import find_figure
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable
from trialyst.matching.context import Effect
from trialyst.matching.patient import Assertion, ConceptRef, FactKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.eligibility.quantity import Quantity
    from trialyst.eligibility.words import Phrase, Word
    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage

__all__ = ["MARKER", "may_hold_biomarkers", "read_biomarkers"]

MARKER = "marker:"
"""What the ids of biomarkers begin with."""
_DENIED = re.compile(
    r"\b(?:no|not|without|denies|absence of|lack of|negative for|nor|never)\b", re.I
)
_VARIANT = re.compile(
    r"\b(exon\s*[0-9]{1,2}(?:\s*(?:deletion|insertion|skipping|mutation|del|ins))?(?:\s+mutation)?"
    r"|(?:p\.)?[A-Z][0-9]{2,4}(?:[A-Z](?:/[A-Z])?|\*|del|fs\*?[0-9]*)|F508del"
    r"|c\.[0-9]+[-+_0-9]*[A-Z>delinsup]+"
    r"|ITD|TKD|V600|G12[A-Z]?|e[234]/e?[234]|\u03b5[234]/\u03b5?[234]|1-69 deletion)\b"
)
_BEFORE_VALUE = re.compile(
    r"[\s:=(]*(?:(?:is|was|of|score|TPS|CPS|tumou?r proportion|combined positive|expression|level"
    r"|index|tumor|at)[\s:=(]*)*",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(r"[,;.]|\band\b|\bbut\b|\bwhile\b|\bwith\b")
_TRIPLE = re.compile(r"\btriple[-\s]+negative\b", re.IGNORECASE)
_AROUND = 45
_HAS_IT = ("mutated", "rearranged", "amplified", "positive")


class _Marker(NamedTuple):
    """A marker: its concept, and whether its name alone, without a status, tells nothing."""

    concept: ConceptRef
    needs_status: bool
    written: str | None


@cache
def _states(place: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give the states and their patterns, of words after or before a marker's name."""
    lines = (
        line.split(" | ", 2)
        for line in read_lines("marker_states.txt", package="trialyst.matching")
    )
    return tuple(
        (state, re.compile(pattern, re.IGNORECASE))
        for state, where, pattern in lines
        if where == place
    )


@cache
def _markers() -> PhraseTable[_Marker]:
    entries: list[tuple[str, _Marker]] = []
    for line in read_lines("biomarkers.txt", package="trialyst.matching"):
        name, _, others = line.partition(":")
        key, _, symbol = name.strip().partition(" ")
        concept = ConceptRef(f"{MARKER}{key}", symbol or key)
        for text in (symbol or key, *filter(None, (part.strip() for part in others.split(",")))):
            strict = text.startswith('"')
            plain = text.strip('"')
            entries.append(
                (plain, _Marker(concept, strict or len(plain) < 5, plain if strict else None))
            )
    return PhraseTable(entries)


def may_hold_biomarkers(words: tuple[str, ...]) -> bool:
    """Say whether a text may name a biomarker, by its words in lower case."""
    return "triple" in words or next(_markers().find_texts(words), None) is not None


def read_biomarkers(passage: Passage) -> Iterator[Fact]:
    """Find biomarkers and what is said of each."""
    words = passage.words
    found = [phrase for phrase in _markers().find(words) if _is_as_written(passage, words, phrase)]
    for number, phrase in enumerate(found):
        following = found[number + 1].first if number + 1 < len(found) else len(words)
        previous = found[number - 1].last if number else 0
        fact = _read(passage, phrase, following=following, previous=previous)
        if fact is not None:
            yield fact
    for match in _TRIPLE.finditer(passage.text):
        yield from _triple_negative(passage, match)


def _is_as_written(passage: Passage, words: Sequence[Word], phrase: Phrase[_Marker]) -> bool:
    written = phrase.value.written
    quoted = passage.quote(words[phrase.first].start, words[phrase.last - 1].end)
    return written is None or quoted == written


def _read(
    passage: Passage, phrase: Phrase[_Marker], *, following: int, previous: int
) -> Fact | None:
    words, marker = passage.words, phrase.value
    start, end = words[phrase.first].start, words[phrase.last - 1].end
    after = _text_after(passage, phrase, following)
    before = _text_before(passage, phrase, previous)
    value = _value(passage, end, after)
    status, close = _status(after, before)
    shared = _shared_status(passage, phrase, following) if not status and value is None else ""
    variant = _VARIANT.search(after) or _VARIANT.search(before[-14:])
    status = status or shared
    if not status and value is None and variant is None:
        return None
    effects = passage.effects(start, end)
    if (
        status in _HAS_IT
        and Effect.NEGATED in effects
        and _DENIED.search(passage.quote(passage.start, start))
    ):
        status = "negative"
    stop = end if value is not None or not close else end + close
    if value is not None:
        stop = value[1]
    return passage.fact(
        FactKind.BIOMARKER,
        start,
        max(stop, end),
        concept=marker.concept,
        status=status or ("mutated" if variant is not None and "/" not in variant.group(1) else ""),
        detail="" if variant is None else variant.group(1),
        value=None if value is None else value[0],
        **_assertion(status, effects),
    )


def _assertion(status: str, effects: frozenset[Effect]) -> dict[str, Assertion | bool]:
    absent = status in ("negative", "wild type")
    if Effect.FAMILY in effects:
        return {"assertion": Assertion.FAMILY, "negated": absent}
    if Effect.HYPOTHETICAL in effects:
        return {"assertion": Assertion.HYPOTHETICAL, "negated": False}
    return {"assertion": Assertion.ABSENT if absent else Assertion.PRESENT, "negated": absent}


def _text_after(passage: Passage, phrase: Phrase[_Marker], following: int) -> str:
    end = passage.words[phrase.last - 1].end
    limit = passage.words[following].start if following < len(passage.words) else end + _AROUND
    text = passage.quote(end, min(limit, end + _AROUND))
    stop = _NAME_ENDS.search(text)
    return text if stop is None else text[: stop.start()]


def _text_before(passage: Passage, phrase: Phrase[_Marker], previous: int) -> str:
    start = passage.words[phrase.first].start
    limit = passage.words[previous].start if previous else passage.start
    text = passage.quote(max(limit, start - _AROUND), start)
    return re.split(r"[,;.]|\band\b|\bbut\b", text)[-1]


def _status(after: str, before: str) -> tuple[str, int]:
    """Give the status, and how far behind the name its word ends."""
    found = [
        (match.start(), match.end(), name)
        for name, pattern in _states("after")
        if (match := pattern.search(after)) is not None
    ]
    if found:
        place, close, name = min(found)
        exact = [each for each in found if each[0] <= place + 2]
        negative = next((each for each in exact if each[2] in ("wild type", "negative")), None)
        chosen = negative or (place, close, name)
        return chosen[2], chosen[1]
    told = (name for name, pattern in _states("before") if pattern.search(before))
    return next(told, ""), 0


def _shared_status(passage: Passage, phrase: Phrase[_Marker], following: int) -> str:
    """Read "ALK and ROS1 were negative": names joined by nothing but "and" share the word."""
    words = passage.words
    joined = {word.text for word in words[phrase.last : following]}
    if following >= len(words) or not joined or joined - {"and", ",", "/", "or"}:
        return ""
    tail = passage.quote(words[following].end, words[following].end + _AROUND)
    return _status(re.split(r"[;.]", tail)[0], "")[0]


def _value(passage: Passage, end: int, after: str) -> tuple[Quantity, int] | None:
    match = _BEFORE_VALUE.match(after)
    offset = end - passage.start + (match.end() if match else 0)
    figure = find_figure(passage.text, offset)
    if figure is None or figure.quantity.unit not in ("%", "mut/Mb"):
        return None
    return figure.quantity, figure.end + passage.start


def _triple_negative(passage: Passage, match: re.Match[str]) -> Iterator[Fact]:
    start, end = match.start() + passage.start, match.end() + passage.start
    family = Effect.FAMILY in passage.effects(start, end)
    for key, name in (
        ("ER", "Estrogen receptor"),
        ("PR", "Progesterone receptor"),
        ("HER2", "HER2"),
    ):
        yield passage.fact(
            FactKind.BIOMARKER,
            start,
            end,
            concept=ConceptRef(f"{MARKER}{key}", name),
            status="negative",
            assertion=Assertion.FAMILY if family else Assertion.ABSENT,
            negated=True,
        )
