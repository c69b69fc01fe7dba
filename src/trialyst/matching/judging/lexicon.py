"""The word lists of judging: kinds of criteria, words of one meaning, and unnamed conditions.

Each list is a file under `data`; patterns are compiled when first used. Words are remembered with
what they mean, so that a word costs one look-up after its first time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from trialyst.eligibility.tables import read_lines
from trialyst.folding import fold
from trialyst.matching.judging.gates import GatedPattern, Gates, gated

__all__ = [
    "Syndrome",
    "compiled",
    "find_kinds",
    "find_syndromes",
    "meaning",
    "prepare_lexicon",
]

_WORD = re.compile(r"[a-z0-9]+(?:[-'][a-z0-9]+)*")
_REMEMBERED = 100_000
_ENDINGS = (
    "ization ation ating ated ical ious ity ive ion ing ous ies ial ed al ic ia es y e".split()
)
_SHORT = 3
"""Letters of a word by which patterns are found."""
_LONG = 6
"""Letters of the words of a pattern by which a text is known to be worth a search."""
_TOO_COMMON = frozenset("the of for in to with or and by on at be".split())
_LEADING = re.compile(r"^(?:\\b)?\\w(?:\+|(\{[0-9]),(\}))")
"""Any letters before an ending: the fewest are enough to search for, and much faster."""


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
    def named(self) -> re.Pattern[str]:
        """How a criterion in lower case names it."""
        return compiled(self.wording)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first asked for: most conditions never are."""
    return re.compile(pattern)


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


def find_kinds(lowered: str) -> frozenset[str]:
    """Say what a criterion in lower case speaks of, as the kinds of `criterion_kinds.txt`.

    >>> sorted(find_kinds("history of asthma"))
    ['history', 'lungs']
    """
    found = set(chain.from_iterable(map(_word_kinds, _WORD.findall(lowered))))
    phrases = _phrases()
    for at in _phrase_gates().opened(lowered):
        kind, alternatives = phrases[at]
        if kind not in found and any(each.search(lowered) for each in alternatives):
            found.add(kind)
    return frozenset(found)


def find_syndromes(lowered: str) -> tuple[Syndrome, ...]:
    """Give the conditions of `syndromes.txt` that a criterion in lower case names."""
    syndromes = _syndromes()
    candidates = [syndromes[at] for at in _syndrome_gates().opened(lowered)]
    return tuple([syndrome for syndrome in candidates if syndrome.named.search(lowered)])


@cache
def _phrases() -> tuple[tuple[str, tuple[GatedPattern, ...]], ...]:
    """Give the alternatives of each phrase: most need a word of their own that is not there."""
    return tuple(
        (kind, tuple(map(gated, _alternatives(pattern)))) for kind, pattern in _kinds().phrases
    )


@cache
def _phrase_gates() -> Gates:
    return Gates([list(_beginnings(*_alternatives(pattern))) for _, pattern in _kinds().phrases])


@cache
def _syndrome_gates() -> Gates:
    return Gates([list(_beginnings(syndrome.wording)) for syndrome in _syndromes()])


def _beginnings(*patterns: str) -> Iterator[str]:
    """Give with what words begin that patterns look for; the empty one if with anything."""
    for pattern in patterns:
        plain = re.sub(r"\\.|\(\?[:!=<]|[a-z][?*]|[?*+{}0-9]", " ", pattern)
        words = [word for word in re.findall(r"[a-z]{2,}", plain) if word not in _TOO_COMMON]
        yield from (word[:_LONG] for word in words)
        if not words:
            yield ""


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
    for line in read_lines("criterion_kinds.txt", package="trialyst.matching"):
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
def _word_kinds(word: str) -> frozenset[str]:
    """Give the kinds a word tells by itself."""
    words = _kinds().words
    beginnings = {piece[:_SHORT] for piece in re.split(r"[-']", word)}
    if compiled(_any_ending()).search(word):
        beginnings.add("")
    return frozenset(
        kind
        for beginning in beginnings
        for kind, pattern in words.get(beginning, ())
        if compiled(pattern).search(word)
    )


@cache
def _any_ending() -> str:
    """Give one pattern for all that are not known by how a word begins, to pass most words by."""
    return "|".join(pattern for _, pattern in _kinds().words[""])


def prepare_lexicon() -> None:
    """Compile every pattern now rather than when it is first needed."""
    kinds = _kinds()
    for _, pattern in chain.from_iterable(kinds.words.values()):
        compiled(pattern)
    _phrases()
    _phrase_gates()
    _syndrome_gates()
    for syndrome in _syndromes():
        compiled(syndrome.wording)
        for pattern, _ in syndrome.findings:
            compiled(pattern)
    meaning("")
    _word_kinds("")


@cache
def _syndromes() -> tuple[Syndrome, ...]:
    found = []
    for line in read_lines("syndromes.txt", package="trialyst.matching"):
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
def _generic() -> frozenset[str]:
    return frozenset(
        token
        for line in read_lines("generic_words.txt", package="trialyst.matching")
        for token in fold(line)
    )


@cache
def _synonyms() -> dict[str, str]:
    meanings: dict[str, str] = {}
    for line in read_lines("synonyms.txt", package="trialyst.matching"):
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
