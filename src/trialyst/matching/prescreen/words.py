"""The words of a note that tell trials apart: weighed by how rare they are in trial records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources
from math import log

from trialyst.eligibility.reading.note import Note
from trialyst.eligibility.reading.scope import read_scope
from trialyst.vocabulary.spotting import tokenize

__all__ = ["is_listed", "key_words", "rarity"]

UNLISTED = 7.0
"""The rarity of a word that the list does not hold: fewer than one record in a thousand has it."""
COMMON = 1.5
"""A word less rare than this stands in every fourth record or more, and tells nothing."""

# Words of notes, not of trials; they would otherwise find whatever speaks of visits to a clinic.
_OF_NOTES = frozenset(
    "come came complain present history medical examination physical sign vital normal show reveal "
    "report time last recent recently use used take taken office clinic emergency department "
    "brought year old man woman male female boy girl patient mg dl blood per status post note due "
    "start started worse a an and as at by for from in into of on or the to with without is was "
    "are were be been has had have he she his her him who that this it not no which there their "
    "they day month week ago after before also found showed".split()
)
_LEFT_OUT = frozenset({"negated", "family"})


def key_words(note: Note) -> Mapping[str, float]:
    """Give the words that hold of the patient with their weights, the weightiest first."""
    counts: Counter[str] = Counter()
    for sentence in note.sentences:
        scope = read_scope(sentence.text)
        for token in tokenize(sentence.text):
            word = token.folded
            if len(word) < 2 or word.isdigit() or word in _OF_NOTES or rarity(word) < COMMON:
                continue
            if scope.effects(token.start, token.end).isdisjoint(_LEFT_OUT):
                counts[word] += 1
    weights = {word: rarity(word) * (1 + log(count)) for word, count in counts.items()}
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0])))


def rarity(word: str) -> float:
    """Give how rare a folded word is: the logarithm of one in how many records holds it."""
    return _rarities().get(word, UNLISTED)


def is_listed(word: str) -> bool:
    """Whether trial records use a word; names of people, for one, are not listed."""
    return word in _rarities()


@cache
def _rarities() -> Mapping[str, float]:
    listed = resources.files("trialyst.matching.prescreen").joinpath("data", "rarities.txt")
    table: dict[str, float] = {}
    for line in listed.read_text("utf-8").splitlines():
        if line and line[0] != "#":
            tenths, _, words = line.partition(" ")
            table.update(dict.fromkeys(words.split(), int(tenths) / 10))
    return table
