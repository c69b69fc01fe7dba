"""How a sentence speaks of a thing in it: denied, possible, past, of a relative, or only if.

The rules are phrases with a direction and a reach (`data/context.txt`). A phrase works on what
follows or precedes it until a stop or a mark that ends a clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable, split_words
from trialyst.matching.patient import Assertion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.eligibility.words import Phrase, Word

__all__ = ["Context", "Effect", "read_context", "to_assertion"]


class Effect(StrEnum):
    """What a phrase does to the things in its reach."""

    NEGATED = "negated"
    POSSIBLE = "possible"
    HISTORICAL = "historical"
    HYPOTHETICAL = "hypothetical"
    FAMILY = "family"


class _Reach(NamedTuple):
    """A part of a text and what holds of the things in it; `cue` is where the phrase stands."""

    effect: Effect
    start: int
    end: int
    cue: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Context:
    """The reaches in a text."""

    reaches: tuple[_Reach, ...]

    def effects(self, start: int, end: int) -> frozenset[Effect]:
        """Give what holds of the thing at a place; phrases within the thing do not count."""
        return frozenset(
            reach.effect
            for reach in self.reaches
            if reach.start <= start and end <= reach.end and not _within(reach.cue, start, end)
        )

    def assertion(self, start: int, end: int) -> tuple[Assertion, bool]:
        """Give the assertion of the thing at a place, and whether it is denied."""
        return to_assertion(self.effects(start, end))


def to_assertion(effects: frozenset[Effect]) -> tuple[Assertion, bool]:
    """Weigh effects that hold together: a relative's, then denied, if, possible, past."""
    negated = Effect.NEGATED in effects
    for effect, assertion in _ORDER.items():
        if effect in effects:
            return assertion, negated
    return Assertion.PRESENT, False


_ORDER = {
    Effect.FAMILY: Assertion.FAMILY,
    Effect.NEGATED: Assertion.ABSENT,
    Effect.HYPOTHETICAL: Assertion.HYPOTHETICAL,
    Effect.POSSIBLE: Assertion.POSSIBLE,
    Effect.HISTORICAL: Assertion.HISTORICAL,
}

_AUXILIARIES = ("is", "was", "are", "were", "does", "did", "do", "has", "have", "had", "could")
_NEAR = 6
"""Words a near phrase reaches over."""
_COMMA = re.compile(r"(?<!\\),")
_AFTERWARDS = frozenset(
    "and or in on at by for since x so today bilaterally throughout currently then with per to "
    "this last now during also ( ) . , ; but".split()
)

_MARKS = frozenset(";.!?-)")
_FINITE = frozenset("is are was were has have had with showed shows reveals revealed".split())
_REPORT = 4
"""Words among which a relative's verb of telling is looked for."""
_REPORTING = frozenset(
    "reports report reported states state stated says say said notes noticed noted denies brought "
    "describes described called thinks believes feels felt complains mentions explains told".split()
)
_VERBS = frozenset(
    "has had received started developed develops reports reported remains remained admits endorses "
    "endorsed that".split()
)


@cache
def _tables() -> dict[Effect, PhraseTable[frozenset[str]]]:
    roles: dict[Effect, dict[str, set[str]]] = {effect: {} for effect in Effect}
    for line in read_lines("context.txt", package="trialyst.matching"):
        head, _, listed = line.partition(":")
        which, role = head.split()
        names: list[str] = []
        for piece in _COMMA.split(listed):
            # What follows an escaped comma belongs to it.
            names.append(piece.replace("\\,", ",").strip())
        for effect in (
            Effect if which == "all" or role == "all" else (Effect(_effect(which, role)),)
        ):
            for name in filter(None, names):
                kind = "stop" if which == "stop" else role
                for spelled in _spellings(name, role):
                    roles[effect].setdefault(spelled, set()).add(kind)
    return {
        effect: PhraseTable((name, frozenset(kinds)) for name, kinds in named.items())
        for effect, named in roles.items()
    }


def _spellings(name: str, role: str) -> Iterator[str]:
    """Give a phrase, and of "not improve" what is said of it: "does not improve", "didn't"."""
    yield name
    if role == "apart" and name.startswith("not "):
        for verb in _AUXILIARIES:
            yield f"{verb} {name}"
            yield f"{verb}n't {name.removeprefix('not ')}"


def _effect(which: str, role: str) -> str:
    return role if which == "stop" else which


def read_context(text: str, offset: int = 0, *, words: list[Word] | None = None) -> Context:
    """Read how a sentence speaks of the things in it; places are counted from `offset`.

    >>> sentence = "No fever, but a possible rash"
    >>> context = read_context(sentence)
    >>> context.assertion(3, 8), context.assertion(25, 29)
    ((<Assertion.ABSENT: 'absent'>, True), (<Assertion.POSSIBLE: 'possible'>, False))
    """
    words = split_words(text, offset) if words is None else words
    ends = _clause_ends(words)
    reaches: list[_Reach] = []
    for effect, table in _tables().items():
        found = [
            phrase
            for phrase in table.find(words)
            if phrase.value != {"apart"}
            and not (effect is Effect.FAMILY and _only_reports(phrase, words))
        ]
        if any(phrase.value != {"stop"} for phrase in found):
            reaches.extend(_reaches(effect, found, words, ends))
    return Context(tuple(reaches))


def _only_reports(phrase: Phrase[frozenset[str]], words: Sequence[Word]) -> bool:
    """Say whether a relative only tells of the patient: "her daughter has noticed"."""
    following = {word.text for word in words[phrase.last : phrase.last + _REPORT]}
    before = words[phrase.first - 1].text if phrase.first else ""
    return before == "per" or not following.isdisjoint(_REPORTING)


def _reaches(
    effect: Effect, found: list[Phrase[frozenset[str]]], words: Sequence[Word], ends: list[int]
) -> list[_Reach]:
    stops = [phrase for phrase in found if "stop" in phrase.value]
    reaches = []
    for phrase in found:
        cue = (words[phrase.first].start, words[phrase.last - 1].end)
        if not phrase.value.isdisjoint(("forward", "near")):
            last = _end_forward(phrase, stops, words, ends)
            if last > phrase.last:
                reaches.append(_Reach(effect, words[phrase.last].start, words[last - 1].end, cue))
        closing = "closing" in phrase.value and _closes(words, phrase.last)
        if closing or "backward" in phrase.value:
            first = _start_backward(phrase, stops, ends)
            if "backward" not in phrase.value:
                first = max(first, _after_verb(words, phrase.first))
            if first < phrase.first:
                reaches.append(_Reach(effect, words[first].start, words[phrase.first - 1].end, cue))
    return reaches


def _end_forward(
    phrase: Phrase[frozenset[str]],
    stops: list[Phrase[frozenset[str]]],
    words: Sequence[Word],
    ends: list[int],
) -> int:
    # A verb right behind the phrase is denied with it: "has not received" stops at no word.
    limits = [
        stop.first
        for stop in stops
        if stop.first > phrase.last or (stop.first == phrase.last and not _is_verb(words, stop))
    ]
    limits += [end for end in ends if end >= phrase.last]
    limits += [at for at in range(phrase.last, len(words)) if words[at].text == ":"][:1]
    if "near" in phrase.value:
        commas = (at for at in range(phrase.last, len(words)) if words[at].text == ",")
        limits += [phrase.last + _NEAR, next(commas, len(words))]
    return min([*limits, len(words)])


def _is_verb(words: Sequence[Word], stop: Phrase[frozenset[str]]) -> bool:
    return stop.last - stop.first == 1 and words[stop.first].text in _VERBS


def _start_backward(
    phrase: Phrase[frozenset[str]], stops: list[Phrase[frozenset[str]]], ends: list[int]
) -> int:
    limits = [stop.last for stop in stops if stop.last <= phrase.first]
    limits += [end + 1 for end in ends if end < phrase.first]
    return max([*limits, 0])


def _after_verb(words: Sequence[Word], end: int) -> int:
    """Give where the words begin that a closing word can be said of: behind the last verb."""
    verbs = (at + 1 for at in range(end - 1, -1, -1) if words[at].text in _FINITE)
    return next(verbs, 0)


def _closes(words: Sequence[Word], after: int) -> bool:
    return after >= len(words) or words[after].text in _AFTERWARDS


def _clause_ends(words: Sequence[Word]) -> list[int]:
    """Give the marks that end a clause."""
    return [at for at, word in enumerate(words) if word.text in _MARKS and _ends(words, at)]


def _ends(words: Sequence[Word], at: int) -> bool:
    """Say whether a mark ends a clause: a full stop within a number or a name does not."""
    word = words[at]
    following = words[at + 1].start if at + 1 < len(words) else -1
    if word.text == "-":
        return following > word.end and at > 0 and words[at - 1].end < word.start
    if word.text == ")":
        return at > 1 and words[at - 1].text.isdigit() and words[at - 2].text != "("
    return word.text == ";" or following != word.end


def _within(cue: tuple[int, int], start: int, end: int) -> bool:
    return start <= cue[0] and cue[1] <= end
