"""Names like one that nothing knows: which was probably meant, and whether that is clear.

Pure: whoever asks brings the known words with the number of studies that hold them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import How, Kind
from trialyst.vocabulary.slips import LONGER, SPACE, Likeness, beginnings, slip_cost

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "LONGEST",
    "Correction",
    "Suggestion",
    "choose",
    "correct_word",
    "costs_of_slips",
    "differ_in_spaces",
    "nearest_names",
    "possible_beginnings",
    "similar_names",
    "spellings",
]

SHORTEST = 4
"""Shorter texts are like too many names."""
LONGEST = 100
"""Longer texts are no names."""
MOST_SLIPS = 2.0
"""A name that takes more is another name."""
AT_MOST = 5
"""Names offered."""
FREQUENCY = 0.4
"""What a tenfold number of studies is worth, in slips."""
UNLISTED = 0.5
"""What a word costs that no vocabulary lists: records have slips of the pen too."""
AHEAD = 0.5
"""By how much the likeliest name must lead."""
SLIPS_PER_LETTER = 0.17
"""How many slips are few for the length of a name."""
UNLIKELY_PER_LETTER = 0.06
"""How unlikely the best may be for that: more slips need more studies."""
FEWEST_STUDIES = 2
"""A name in fewer studies may be a slip itself."""
SHORTEST_CLEAR = 5
"""Letters of the shortest name that is clearly a slip of another."""
SHORTEST_UNLISTED = 7
"""Letters of the shortest that is one of a word which no vocabulary lists."""
BESIDE = 1.0
"""Slips of a name that stands in records: with more it may be another name."""
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
_NUMBER = re.compile(r"[0-9]+|[ivx]+")
_SHORT = 2
"""Words of so few letters tell names apart, as numbers do: hepatitis B, type III."""
_SHORT_IN_CODE = 3
"""Beside digits also these: CSF-2."""
_OPPOSITES = (
    frozenset({"hypo", "hyper"}),
    frozenset({"intra", "inter"}),
    frozenset({"supra", "infra"}),
    frozenset({"macro", "micro"}),
    frozenset({"endo", "exo"}),
    frozenset({"mono", "poly"}),
    frozenset({"ante", "anti"}),
)
"""Beginnings of words that are like each other and mean the opposite, or another thing."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A known name, what it costs to come from it to what was written, and who holds it."""

    text: str
    cost: float
    count: int = 0
    """Studies of the registry that hold it."""
    concept: str | None = None
    """The id of what it means; None for words that the vocabulary does not list."""

    @property
    def unlikeliness(self) -> float:
        """The less, the likelier that it was meant."""
        listed = 0.0 if self.concept else UNLISTED
        return self.cost + listed - FREQUENCY * log10(1 + self.count)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a name that nothing knows was probably meant to be."""

    asked: str
    best: Suggestion | None = None
    clear: bool = False
    """Whether the best may be used in its place; otherwise it is only offered."""
    others: tuple[Suggestion, ...] = ()
    held: int = 0
    """Studies that hold it as it was asked."""
    beside: bool = False
    """Whether the few studies that hold it have a slip, clearly of the best: both are meant."""


def similar_names(
    vocabulary: Vocabulary, text: str, *, kinds: Collection[Kind]
) -> tuple[Suggestion, ...]:
    """Give the vocabulary's names most like a text, one a concept, the likest first."""
    written = spellings(text)
    if not written:
        return ()
    lengths = range(len(min(written, key=len)) - LONGER, len(max(written, key=len)) + LONGER + 1)
    known = (
        key
        for beginning in possible_beginnings(written)
        for key in vocabulary.keys_starting(beginning, lengths)
    )
    costs = costs_of_slips(written, known)
    read = ((cost, vocabulary.look_up(key, kinds=kinds)) for key, cost in costs.items())
    matches = [(cost, meant.matches[0]) for cost, meant in read if meant]
    # A slip in an English name may look like the name in another language.
    matches.sort(key=lambda each: (each[1].how is How.TRANSLATED, each[0]))
    found: dict[str, Suggestion] = {}
    for cost, match in matches:
        name = Suggestion(match.name, cost, concept=match.concept.id)
        found.setdefault(match.concept.id, name)
    return tuple(sorted(found.values(), key=lambda each: each.cost))


def nearest_names(vocabulary: Vocabulary, text: str, *, kind: Kind) -> tuple[str, ...]:
    """Give the few names of a kind most like a text, the likest first."""
    return tuple(each.text for each in similar_names(vocabulary, text, kinds=(kind,))[:AT_MOST])


def correct_word(word: str, known: Mapping[str, int]) -> Correction:
    """Say what a word was probably meant to be, of known ones with how often each is held.

    >>> correct_word("glycolisis", {"glycolysis": 5, "glycogen": 8}).best.text
    'glycolysis'
    """
    written = spellings(word)
    costs = costs_of_slips(written, known)
    return choose(word, (Suggestion(each, costs[each], known[each], each) for each in costs))


def spellings(text: str) -> tuple[str, ...]:
    """Give the forms of a text in which known names are compared with it.

    What was not meant as a plural may look like one, and the other way round.

    >>> spellings("diabetis")
    ('diabetis', 'diabeti')
    """
    folded = fold_phrase(text)
    if not SHORTEST <= len(folded) <= LONGEST or not re.search(r"[a-z]{3}", folded):
        return ()
    written = " ".join(_WORD.findall(text.lower()))
    singular = re.sub(r"(?<=\w{4})s\b", "", folded)
    return tuple(dict.fromkeys((folded, written, singular)))


def possible_beginnings(written: Sequence[str]) -> tuple[str, ...]:
    """Give the beginnings of the names that slips may have made into one of these spellings."""
    return tuple(dict.fromkeys(each for spelling in written for each in beginnings(spelling)))


def costs_of_slips(written: Sequence[str], known: Iterable[str]) -> dict[str, float]:
    """Give those of the known names that slips may have made into what was written."""
    names = set(known)
    found: dict[str, float] = {}
    for each in written:
        for name in filter(Likeness(each), names):
            cost = slip_cost(each, name, limit=found.get(name, MOST_SLIPS))
            if cost <= MOST_SLIPS and _is_told_alike(written[0], name):
                found[name] = cost
    return found


def differ_in_spaces(one: str, other: str) -> bool:
    """Whether two folded texts are the same but for spaces."""
    return one.replace(" ", "") == other.replace(" ", "")


def _is_told_alike(written: str, name: str) -> bool:
    """Whether nothing that tells names apart is different: numbers, short words, opposites."""
    if differ_in_spaces(written, name):
        return True
    return _telling_words(written) == _telling_words(name) and not any(
        _beginnings_of(written, pair) ^ _beginnings_of(name, pair) == pair for pair in _OPPOSITES
    )


def _telling_words(text: str) -> list[str]:
    words = text.split()
    short = _SHORT_IN_CODE if any(map(str.isdigit, words)) else _SHORT
    return sorted(word for word in words if len(word) <= short or _NUMBER.fullmatch(word))


def _beginnings_of(text: str, pair: frozenset[str]) -> set[str]:
    return {each for each in pair for word in text.split() if word.startswith(each)}


def choose(asked: str, suggestions: Iterable[Suggestion], *, usable: bool = True) -> Correction:
    """Rank the suggestions, and say whether the best was clearly meant.

    Args:
        usable: whether a correction may be used at all; a name found in a record is its own.
    """
    ranked = list(_distinct(sorted(suggestions, key=lambda each: each.unlikeliness)))
    if not ranked:
        return Correction(asked)
    best, *others = ranked
    ahead = not others or others[0].unlikeliness - best.unlikeliness >= AHEAD
    clear = ahead and best.count >= FEWEST_STUDIES and _are_few(best, asked)
    beside = clear and not usable and best.concept is not None and best.cost <= BESIDE
    return Correction(asked, best, clear and usable, tuple(others[: AT_MOST - 1]), beside=beside)


def _are_few(best: Suggestion, asked: str) -> bool:
    """Whether its slips are few for the length of what was written and the studies it has."""
    letters = len(fold_phrase(asked))
    return (
        letters >= (SHORTEST_CLEAR if best.concept else SHORTEST_UNLISTED)
        and best.cost <= SLIPS_PER_LETTER * letters
        and best.unlikeliness <= UNLIKELY_PER_LETTER * letters
    )


def _distinct(ranked: Iterable[Suggestion]) -> Iterator[Suggestion]:
    """Leave out other names of the same thing, and slips that stand in the records themselves."""
    kept: list[Suggestion] = []
    for each in ranked:
        if not any(_is_same(each, other) for other in kept):
            kept.append(each)
            yield each


def _is_same(one: Suggestion, likelier: Suggestion) -> bool:
    if one.concept is not None:
        return one.concept == likelier.concept
    key, other = fold_phrase(one.text), fold_phrase(likelier.text)
    return key == other or slip_cost(key, other, limit=SPACE * 2) <= SPACE * 2
