"""The word lists of judging: kinds of criteria, words of one meaning, and unnamed conditions.

Each list is a file under `data`; patterns are compiled when first used. Words are remembered with
what they mean, so that a word costs one look-up after its first time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.judging.gates import GatedPattern
from trialyst.matching.reading.tables import read_lines

__all__ = [
    "Syndrome",
    "compiled",
    "find_kinds",
    "find_syndromes",
    "meaning",
    "prepare_lexicon",
    "split_lexical",
]

_WORD = re.compile(r"[a-z0-9]+(?:[-'][a-z0-9]+)*")
_REMEMBERED = 100_000
_ENDINGS = (
    "ization ation ating ated ical ious ity ive ion ing ous ies ial ed al ic ia es y e".split()
)
_SHORT = 3
_LONG = 6
"""Letters of a word by which patterns are found."""
_LEADING = re.compile(r"^(?:\\b)?\\w(?:\+|(\{[0-9]),(\}))")
"""Any letters before an ending: the fewest are enough to search for, and much faster."""
_TOO_COMMON = frozenset("the of for in to with or and by on at be".split())


@dataclass(frozen=True, slots=True)
class Syndrome:
    """A condition, how criteria name it, and the findings by which a note may show it."""

    name: str
    family: bool
    """Several conditions, none of which the findings prove."""
    general: bool
    """Holds of a criterion only if it asks for nothing more."""
    whole: bool
    """The wording says it all: who shows it has what the criterion means, degree and all."""
    wording: str
    """A pattern over criteria in lower case."""
    findings: tuple[tuple[str, bool], ...]
    """Patterns over the lower-cased note; the flag marks one that nearly proves the condition."""

    @property
    def named(self) -> GatedPattern:
        """How a criterion in lower case names it."""
        return _gate(self.wording)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first asked for: most conditions never are."""
    return re.compile(pattern)


@cache
def _gate(pattern: str) -> GatedPattern:
    return GatedPattern(compiled(pattern))


@lru_cache(maxsize=_REMEMBERED)
def meaning(word: str) -> str | None:
    """Give the word that stands for all words of a folded word's meaning, None if it is generic.

    >>> meaning("renal"), meaning("patient")
    ('kidney', None)
    """
    if len(word) < 2 or word.isdigit() or word in _generic():
        return None
    synonyms = _synonyms()
    stem = _stem(word)
    return synonyms.get(word) or synonyms.get(stem) or stem


def split_lexical(lowered: str) -> frozenset[str]:
    """Give the words of a criterion in lower case that its kinds and conditions are known by."""
    return frozenset(_WORD.findall(lowered))


def find_kinds(lowered: str, words: Iterable[str]) -> frozenset[str]:
    """Say what a criterion in lower case speaks of, as the kinds of `criterion_kinds.txt`.

    >>> sorted(find_kinds("history of asthma", ["history", "of", "asthma"]))
    ['history', 'lungs']
    """
    told = [_word_kinds(word) for word in words]
    found = set().union(*[kinds for kinds, _ in told])
    phrases = _kinds().phrases
    for at in _phrases_of_any_word().union(*[places for _, places in told]):
        kind, pattern = phrases[at]
        if kind not in found:
            for gate in _phrase_gates(pattern):
                if gate.search(lowered):
                    found.add(kind)
                    break
    return frozenset(found)


def find_syndromes(lowered: str, words: Iterable[str]) -> tuple[Syndrome, ...]:
    """Give the conditions of `syndromes.txt` that a criterion in lower case names."""
    candidates = frozenset[int]().union(*map(_word_syndromes, words))
    gates = _syndrome_gates()
    named = [at for at in candidates if gates[at].search(lowered)]
    return tuple([_syndromes()[at] for at in sorted(named)])


@cache
def _phrase_gates(pattern: str) -> tuple[GatedPattern, ...]:
    """Give the alternatives of a phrase: most need a word of their own that is not there."""
    return tuple(map(_gate, _alternatives(pattern)))


@cache
def _syndrome_gates() -> tuple[GatedPattern, ...]:
    return tuple(syndrome.named for syndrome in _syndromes())


_WordPatterns = list[tuple[str, str]]


class _Kinds(NamedTuple):
    words: dict[str, _WordPatterns]
    """Patterns of one word by its first letters; under the empty string those of any word."""
    phrases: tuple[tuple[str, str], ...]


@cache
def _kinds() -> _Kinds:
    """Sort the patterns into those of one word, whose answers are remembered, and the others."""
    words: dict[str, _WordPatterns] = defaultdict(list)
    phrases = []
    for line in read_lines("criterion_kinds.txt"):
        kind, _, listed = line.partition(": ")
        of_phrase: list[str] = []
        for pattern in _alternatives(listed):
            if re.search(r"[ ^/<\[]|\\d", pattern):
                of_phrase.append(pattern)
            else:
                begins = re.match(r"\\b([a-z]{3})(?![?*])", pattern)
                words[begins.group(1) if begins else ""].append(
                    (kind, _LEADING.sub(r"\\w\1\2", pattern))
                )
        if of_phrase:
            phrases.append((kind, "|".join(of_phrase)))
    return _Kinds(words, tuple(phrases))


@lru_cache(maxsize=_REMEMBERED)
def _word_kinds(word: str) -> tuple[frozenset[str], frozenset[int]]:
    """Give the kinds a word tells by itself, and the phrases it may be a part of."""
    words = _kinds().words
    beginnings = {piece[:_SHORT] for piece in re.split(r"[-']", word)}
    if compiled(_any_ending()).search(word):
        beginnings.add("")
    kinds = frozenset(
        kind
        for beginning in beginnings
        for kind, pattern in words.get(beginning, ())
        if compiled(pattern).search(word)
    )
    return kinds, _places(word, _phrases_by_beginning())


@cache
def _any_ending() -> str:
    """Give one pattern for all that are not known by how a word begins, to pass most words by."""
    return "|".join(pattern for _, pattern in _kinds().words[""])


def prepare_lexicon() -> None:
    """Compile every pattern now rather than when it is first needed."""
    kinds = _kinds()
    for _, pattern in chain.from_iterable(kinds.words.values()):
        compiled(pattern)
    for _, pattern in kinds.phrases:
        for gate in _phrase_gates(pattern):
            gate.search("")
    for syndrome in _syndromes():
        syndrome.named.search("")
        for pattern, _ in syndrome.findings:
            compiled(pattern)
    meaning("")
    _word_kinds("")
    _word_syndromes("")


@cache
def _phrases_by_beginning() -> dict[str, frozenset[int]]:
    return _by_beginning([pattern for _, pattern in _kinds().phrases])


@cache
def _phrases_of_any_word() -> frozenset[int]:
    """Give the phrases that hold an alternative without a word to know it by, such as `<`."""
    return frozenset(
        at
        for at, (_, pattern) in enumerate(_kinds().phrases)
        if not all(_literals(alternative) for alternative in _alternatives(pattern))
    )


@cache
def _syndromes() -> tuple[Syndrome, ...]:
    found = []
    for line in read_lines("syndromes.txt"):
        name, named, listed = (part.strip() for part in line.split(" :: "))
        findings = (finding.strip() for finding in listed.split(" ;; "))
        patterns = ((item.removeprefix("+"), item[0] == "+") for item in findings)
        found.append(
            Syndrome(
                name=name.lstrip("~=!"),
                family=name[0] == "~",
                general=name[0] == "=",
                whole=name[0] == "!",
                wording=named,
                findings=tuple(patterns),
            )
        )
    return tuple(found)


@cache
def _syndromes_by_beginning() -> dict[str, frozenset[int]]:
    return _by_beginning([syndrome.wording for syndrome in _syndromes()])


@lru_cache(maxsize=_REMEMBERED)
def _word_syndromes(word: str) -> frozenset[int]:
    return _places(word, _syndromes_by_beginning())


def _by_beginning(patterns: Sequence[str]) -> dict[str, frozenset[int]]:
    """Index patterns by the first letters of every word in them: one of these must be there."""
    index: dict[str, set[int]] = defaultdict(set)
    for at, pattern in enumerate(patterns):
        for literal in _literals(pattern):
            index[literal[:_LONG]].add(at)
    return {beginning: frozenset(places) for beginning, places in index.items()}


def _literals(pattern: str) -> list[str]:
    plain = re.sub(r"\\.|\(\?[:!=<]|[a-z][?*]|[?*+{}0-9]", " ", pattern)
    return [word for word in re.findall(r"[a-z]{2,}", plain) if word not in _TOO_COMMON]


def _places(word: str, index: dict[str, frozenset[int]]) -> frozenset[int]:
    found: set[int] = set()
    for piece in re.split(r"[-']", word):
        for length in range(2, min(len(piece), _LONG) + 1):
            found |= index.get(piece[:length], frozenset())
    return frozenset(found)


@cache
def _generic() -> frozenset[str]:
    return frozenset(token for line in read_lines("generic_words.txt") for token in fold(line))


@cache
def _synonyms() -> dict[str, str]:
    meanings: dict[str, str] = {}
    for line in read_lines("synonyms.txt"):
        first, *_ = words = line.split()
        for word in words:
            for token in fold(word):
                meanings.setdefault(token, first)
                meanings.setdefault(_stem(token), first)
    return meanings


def _stem(word: str) -> str:
    if len(word) > 5:
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 4:
                return word[: -len(ending)]
    return word


def _alternatives(pattern: str) -> list[str]:
    """Cut a pattern at the bars that stand outside of parentheses and brackets."""
    pieces, depth, start, at = [], 0, 0, 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "\\":
            at += 1
        elif letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif letter == "|" and depth == 0:
            pieces.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*pieces, pattern[start:]]
