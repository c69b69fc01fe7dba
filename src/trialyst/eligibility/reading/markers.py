"""Biomarkers with state and variant: `EGFR exon 19 deletion`, `HER2+`, `ALK and ROS1 negative`.

A state binds to the marker beside it, in the same item; names joined by "and" share one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.chart import Assertion, MarkerEntry, Problem
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import Phrase, PhraseTable, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.reading.passage import Passage

__all__ = [
    "FoundMarker",
    "MarkerName",
    "find_markers",
    "marker_names",
    "marker_title",
    "read_markers",
]

_VARIANT = re.compile(
    r"\b(exon\s*[0-9]{1,2}(?:\s*(?:deletion|insertion|skipping|mutation|del|ins))?(?:\s+mutation)?"
    r"|(?:p\.)?[A-Z][0-9]{2,4}(?:[A-Z](?:/[A-Z])?|\*|del|fs\*?[0-9]*)|F508del"
    r"|c\.[0-9]+[-+_0-9]*[A-Z>delinsup]+|t\([0-9;]+\)"
    r"|ITD|TKD|V600|G12[A-Z]?|e[234]/e?[234]|\u03b5[234]/\u03b5?[234]|1-69 deletion)"
    r"(?![\w])"
)
_NEXT_VARIANT = re.compile(
    rf"\s*(?:,|/|,?\s(?:or|and|and/or))\s*{_VARIANT.pattern}(?:\s+mutations?)?"
)
_JOINING = frozenset(("and", ",", "/", "or", "&", "-", "(", ")"))
_ENDS = frozenset((",", ";", ".", "and", "but", "while", "with", "or", "who", "(", ")", "on"))
_TRIPLE = ("triple", "-", "negative"), ("triple", "negative")
_AFTER, _BEFORE = 7, 4
_TARGETED = 5
_JOINING = frozenset(("or", "and", "/", "+"))
_DRUGS = ("inhibitor", "antibod", "blocker", "antagonist", "agonist")
"""Words behind and before a name among which its state is looked for."""
_ABSENT = frozenset(("negative", "wild type"))
_SIGNS = frozenset(("<", "<=", ">", ">="))
_SHOWN = {"positive": True, "negative": False}
_PERCENT = re.compile(
    r"[\s:=(]*(?:(?:TPS|CPS|score|of|is|was|expression|at)[\s:=(]*)*([<>\u2265\u2264]?\s*=?)\s*([0-9]{1,3}(?:\.[0-9]+)?)\s*(%?)"
)


class MarkerName(NamedTuple):
    """A name of a marker; `written` is the only spelling that counts, where case tells."""

    key: str
    written: str | None
    shows: str


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """A marker at `text[start:end]`, its state where one is told."""

    key: str
    start: int
    end: int
    name_end: int
    state: str = ""
    variant: str = ""
    shows: str = ""
    value: Quantity | None = None


@cache
def marker_names() -> PhraseTable[MarkerName]:
    """Give every name of a marker, to find in a text."""
    entries = []
    for line in read_lines("markers.txt"):
        key, name, others, *shows = (part.strip() for part in line.split("|"))
        for text in (name, *filter(None, (part.strip() for part in others.split(";")))):
            plain = text.strip('"')
            written = plain if text.startswith('"') else None
            entries.append((plain, MarkerName(key, written, "".join(shows))))
    # A spelling that counts as written is tried before the same in any case.
    return PhraseTable(sorted(entries, key=lambda entry: entry[1].written is None))


@cache
def _titles() -> dict[str, str]:
    lines = (line.split("|") for line in read_lines("markers.txt"))
    return {key.strip(): name.strip() for key, name, *_ in lines}


def marker_title(key: str) -> str:
    """Give the name to show of a marker, its key if it is not known."""
    return _titles().get(key, key)


@cache
def _states(place: str) -> PhraseTable[str]:
    lines = (
        [part.strip() for part in line.split("|", 2)] for line in read_lines("marker_states.txt")
    )
    return PhraseTable(
        (phrase.strip(), state)
        for state, where, phrases in lines
        if where == place
        for phrase in phrases.split(";")
    )


def find_markers(text: str, words: Sequence[Word]) -> list[FoundMarker]:
    """Find the markers of a text and the state of each."""
    phrases = [
        phrase
        for phrase in marker_names().find(words)
        if (
            phrase.value.written is None
            or text[words[phrase.first].start : words[phrase.last - 1].end] == phrase.value.written
        )
        and not _names_drug(words, phrase.last)
    ]
    found = [*_triple_negative(words)]
    for number, phrase in enumerate(phrases):
        following = phrases[number + 1].first if number + 1 < len(phrases) else len(words)
        previous = phrases[number - 1].last if number else 0
        found += _variants(text, _read(text, words, phrase, (previous, following)))
    return _share(words, sorted(found, key=lambda marker: marker.start))


def _names_drug(words: Sequence[Word], after: int) -> bool:
    """Whether a marker is the target of drugs: "BRAF inhibitor", "BRAF or MEK inhibitor"."""
    following = [word.text for word in words[after : after + _TARGETED] if word.text != "-"]
    if following and following[0] in _JOINING:
        following = following[2:]
    return bool(following) and following[0].startswith(_DRUGS)


def _triple_negative(words: Sequence[Word]) -> Iterator[FoundMarker]:
    for at, word in enumerate(words):
        if word.text == "triple":
            for pattern in _TRIPLE:
                if tuple(each.text for each in words[at : at + len(pattern)]) == pattern:
                    end = words[at + len(pattern) - 1].end
                    for key in ("ER", "PR", "HER2"):
                        yield FoundMarker(key, word.start, end, end, "negative")


def _read(
    text: str, words: Sequence[Word], phrase: Phrase[MarkerName], around: tuple[int, int]
) -> FoundMarker:
    start, end = words[phrase.first].start, words[phrase.last - 1].end
    last = _item_end(words, phrase.last, min(around[1], phrase.last + _AFTER))
    first = _item_start(words, phrase.first, max(around[0], phrase.first - _BEFORE))
    state, close = _state_after(text, words, phrase.last, last)
    if not state:
        told = [each.value for each in _states("before").find(words[first : phrase.first])]
        state = told[-1] if told else _by_spelling(text[start:end])
    after = text[end : words[last - 1].end if last > phrase.last else end]
    variant = _VARIANT.search(after)
    if variant is not None:
        close = max(close, end + variant.end())
    else:
        variant = _VARIANT.search(text[max(0, start - 14) : start])
    if variant is not None and not state and "/" not in variant.group(1):
        state = "mutated"
    return FoundMarker(
        phrase.value.key,
        start,
        max(end, close),
        end,
        state,
        "" if variant is None else variant.group(1),
        phrase.value.shows,
        _value_after(text, end),
    )


def _variants(text: str, marker: FoundMarker) -> Iterator[FoundMarker]:
    """Give a marker once for each variant named behind it: "BRAF V600E or V600K"."""
    yield marker
    further = _NEXT_VARIANT.match(text, marker.end) if marker.variant else None
    while further is not None:
        start, end = further.start(1), further.end()
        yield replace(marker, start=start, end=end, name_end=end, variant=further.group(1))
        further = _NEXT_VARIANT.match(text, end)


def _value_after(text: str, end: int) -> Quantity | None:
    amount = _PERCENT.match(text, end)
    if amount is None or not amount.group(3):
        return None
    sign = amount.group(1).replace(" ", "").replace("\u2265", ">=").replace("\u2264", "<=")
    return Quantity(float(amount.group(2)), "%", sign if sign in _SIGNS else "=")


def _item_end(words: Sequence[Word], start: int, last: int) -> int:
    """Give where the words end that tell of a marker; a parenthesis right behind it counts in."""
    for at in range(start, last):
        if words[at].text in _ENDS and not (at == start and words[at].text == "("):
            return at
    return last


def _item_start(words: Sequence[Word], end: int, first: int) -> int:
    for at in range(end - 1, first - 1, -1):
        if words[at].text in _ENDS:
            return at + 1
    return first


def _state_after(text: str, words: Sequence[Word], start: int, last: int) -> tuple[str, int]:
    """Give the state told behind a name, and where its words end."""
    found = [(phrase.value, phrase.last) for phrase in _states("after").find(words[start:last])]
    if start < len(words) and words[start].text in ("-", "\u2212") and not found:
        ending = (
            start + 1 >= len(words)
            or words[start + 1].text in ",;./)"
            or (words[start + 1].start > words[start].end)
        )
        if ending and words[start].start == words[start - 1].end:
            return "negative", words[start].end
    if not found:
        amount = _PERCENT.match(text, words[start - 1].end)
        if amount is not None and amount.group(3):
            low = float(amount.group(2)) < 1 or "<" in amount.group(1)
            return ("negative" if low else "positive"), amount.end()
        return "", 0
    absent = next((each for each in found if each[0] in _ABSENT), None)
    state, close = absent if absent is not None and absent[1] <= found[0][1] + 3 else found[0]
    return state, words[start + close - 1].end


def _by_spelling(name: str) -> str:
    """Read names that hold their state: dMMR, pMMR, MSI-H, MSS."""
    plain = name.lower()
    if plain in ("mss", "pmmr", "microsatellite stable", "msi-l", "msi-low"):
        return "negative"
    if plain in ("dmmr", "msi-h", "msi-high", "microsatellite instability-high", "tmb-h"):
        return "positive"
    return "mutated" if plain.startswith(("gbrca", "germline brca")) else ""


def _share(words: Sequence[Word], found: list[FoundMarker]) -> list[FoundMarker]:
    """Read "ALK and ROS1 were negative": names joined by nothing but "and" share the word."""
    shared = list(found)
    for at in range(len(shared) - 2, -1, -1):
        one, other = shared[at], shared[at + 1]
        if one.state or not other.state or one.name_end > other.start:
            continue
        between = {
            word.text for word in words if word.start >= one.name_end and word.end <= other.start
        }
        if between and between <= _JOINING and ("," not in between or len(between) > 1):
            shared[at] = replace(one, state=other.state)
    return shared


def read_markers(passage: Passage, lexicon: Lexicon) -> Iterator[MarkerEntry | Problem]:
    """Give the markers whose state is told, and the infections that tests show or deny."""
    for marker in passage.markers:
        effects = passage.effects(marker.start, marker.name_end)
        state = marker.state
        if not state and "negated" in effects:
            state = "negative"
        if not state:
            continue
        if "negated" in effects and state not in _ABSENT and _denied(passage, marker):
            state = "negative"
        assertion = Assertion.ABSENT if state in _ABSENT else Assertion.PRESENT
        for effect in ("hypothetical", "family"):
            assertion = Assertion(effect) if effect in effects else assertion
        fields = passage.entry(
            marker.start, marker.end, assertion=assertion, negated=state in _ABSENT
        )
        yield MarkerEntry(
            **fields, name=marker.key, state=state, variant=marker.variant, value=marker.value
        )
        if marker.shows and state in _SHOWN:
            yield Problem(**fields, what=lexicon.term(marker.shows))


def _denied(passage: Passage, marker: FoundMarker) -> bool:
    """Whether a denial stands before the marker: "no EGFR mutation"."""
    return any(
        reach.effect == "negated" and reach.forward
        for reach in passage.scope.at(marker.start, marker.name_end)
    )
