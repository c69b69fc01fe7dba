"""What a note tells of conditions, treatments and stages, found by the words of a criterion.

The names are worked out from the note's side, few things as it tells, so that a criterion costs a
look-up a word. A name leads to the facts that speak for or against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.matching.judging.kin import (
    Name,
    Relation,
    names_of_absent,
    names_of_held,
    names_of_written,
)
from trialyst.matching.patient import Assertion, ConceptRef, Fact, FactKind
from trialyst.matching.reading.biomarkers import read_biomarkers
from trialyst.matching.reading.grades import read_classes, read_performance, read_stages
from trialyst.matching.reading.habits import read_habits
from trialyst.matching.reading.measured import read_measured
from trialyst.matching.reading.spotting import Spotter
from trialyst.matching.reading.things import read_things
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.spotting import Token, split_folded, tokenize

if TYPE_CHECKING:
    from trialyst.matching.reading.passage import Passage
    from trialyst.vocabulary import Mention, Vocabulary

__all__ = ["Chart", "Hit", "Link", "criterion_tokens", "find_conditions", "read_chart"]

_REMEMBERED = 20_000
_ABBREVIATION = 3
_FEW = 64
_THINGS = frozenset((FactKind.CONDITION, FactKind.SYMPTOM, FactKind.THERAPY, FactKind.PROCEDURE))
_MASS = re.compile(r"\b(?:mass|nodule|lesion|opacity)", re.IGNORECASE)
"""What may be a tumor, and may not."""
_NEAR = 90
_DIAGNOSIS = "E01"
_METASTASIS = "MESH:D009362"
_ORGANS = {
    "brain": r"brain|cerebral|cranial|head",
    "liver": r"liver|hepatic",
    "lung": r"lung|pulmonary|chest",
    "bone": r"bone|osseous|skelet",
    "leptomeningeal": r"mening|brain",
    "peritoneal": r"peritone|abdom",
}


class Link(NamedTuple):
    """A fact and how what the criterion names stands to it."""

    fact: Fact
    relation: Relation


class Hit(NamedTuple):
    """A name in a criterion, at a place of its text, and the facts it leads to."""

    start: int
    end: int
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The facts of a note by the names that speak of them."""

    facts: tuple[Fact, ...]
    names: dict[str, dict[Name, list[Link]]]
    """By the first word of a name."""
    _found: dict[str, tuple[Hit, ...]] = field(default_factory=dict, compare=False)
    """What the last criteria name: several rules ask for it in turn."""

    def find(self, text: str) -> tuple[Hit, ...]:
        """Find the names in a criterion that speak of what the note tells, the longest first."""
        found = self._found.get(text)
        if found is None:
            if len(self._found) >= _FEW:
                self._found.clear()
            found = self._found[text] = tuple(self._find(text))
        return found

    def _find(self, text: str) -> Iterator[Hit]:
        words = _folded(text)
        if self.names.keys().isdisjoint(words):
            return
        after = 0
        for at, word in enumerate(words):
            known = self.names.get(word)
            name = () if known is None or at < after else _longest(known, words, at)
            if known is None or not name:
                continue
            links, tokens = tuple(known[name]), criterion_tokens(text)
            start, end = tokens[at].start, tokens[at + len(name) - 1].end
            if _is_meant(name, links, written=text[start:end]):
                after = at + len(name)
                yield Hit(start, end, links)

    def of(self, *kinds: FactKind) -> Iterator[Fact]:
        """Give the facts of some kinds."""
        return (fact for fact in self.facts if fact.kind in kinds)


@lru_cache(maxsize=_REMEMBERED)
def _folded(text: str) -> tuple[str, ...]:
    return tuple(split_folded(text))


@lru_cache(maxsize=_REMEMBERED)
def criterion_tokens(text: str) -> tuple[Token, ...]:
    """Give the folded words of a criterion with their places."""
    return tuple(tokenize(text))


def _longest(known: Iterable[Name], words: Name, at: int) -> Name:
    best: Name = ()
    for name in known:
        if len(name) > len(best) and words[at : at + len(name)] == name:
            best = name
    return best


def _is_meant(name: Name, links: Iterable[Link], *, written: str) -> bool:
    """Whether a name means a thing: `MS` is a disease and `as` is not one.

    Of other diseases an abbreviation may stand for something else.
    """
    if len(name) > 1 or len(name[0]) > _ABBREVIATION:
        return True
    return written.isupper() and any(
        link.relation is Relation.SAME or link.fact.kind is FactKind.THERAPY for link in links
    )


def read_chart(passages: Iterable[Passage], vocabulary: Vocabulary) -> Chart:
    """Read the things and stages of a note, and index the names that speak of them."""
    spotter = _spotter(vocabulary)
    facts: list[Fact] = []
    said: dict[int, str] = {}
    for passage in passages:
        facts += _read(passage, spotter)
        said[passage.sentence.number] = passage.text.lower()
    names: dict[str, dict[Name, list[Link]]] = {}
    for fact in facts:
        if fact.kind in _THINGS and not _MASS.search(fact.text) and not _is_test(fact):
            for name, relation in _names(fact, facts, said[fact.sentence], vocabulary):
                names.setdefault(name[0], {}).setdefault(name, []).append(Link(fact, relation))
    return Chart(tuple(facts), names)


def _read(passage: Passage, spotter: Spotter) -> Iterator[Fact]:
    values = [
        fact
        for read in (read_measured, read_performance, read_biomarkers)
        for fact in read(passage)
    ]
    yield from read_stages(passage)
    yield from read_classes(passage)
    yield from read_habits(passage)
    measured = [(fact.start, fact.end) for fact in values]
    yield from read_things(passage, spotter.spot(passage), measured)


def _is_test(fact: Fact) -> bool:
    """Whether a procedure only looks, such as a biopsy: that it was done decides nothing."""
    trees = () if fact.concept is None else fact.concept.trees
    return bool(trees) and all(tree.startswith(_DIAGNOSIS) for tree in trees)


def _names(
    fact: Fact, facts: Sequence[Fact], said: str, vocabulary: Vocabulary
) -> Iterator[tuple[Name, Relation]]:
    if fact.concept is None or fact.assertion is Assertion.FAMILY:
        return
    if fact.assertion is Assertion.ABSENT:
        yield from names_of_absent(fact.concept, vocabulary)
        if fact.concept.id == _METASTASIS:
            yield from _metastases(facts, said, vocabulary)
        return
    rivals = fact.holds and fact.kind is FactKind.CONDITION
    known = names_of_held(fact.concept, vocabulary)
    if fact.kind is FactKind.CONDITION:
        known += names_of_written(_around(fact, said), vocabulary)
    for name, relation in known:
        if relation is not Relation.RIVAL or rivals:
            yield name, relation


def _around(fact: Fact, said: str) -> str:
    """Give the words of a sentence about a fact."""
    at = max(said.find(fact.text.lower()), 0)
    return said[max(0, at - _NEAR) : at + len(fact.text) + _NEAR]


def _metastases(
    facts: Sequence[Fact], said: str, vocabulary: Vocabulary
) -> Iterator[tuple[Name, Relation]]:
    """Give the metastases that are denied: of the organ looked at, or all if there are none."""
    spread = any(other.holds and "metastas" in other.name.lower() for other in facts)
    for organ, words in _ORGANS.items():
        if not spread or re.search(words, said):
            concept = ConceptRef(f"term:{organ} metastasis", f"{organ} metastases")
            for name, _ in names_of_absent(concept, vocabulary):
                yield name, Relation.NARROWER


@lru_cache(maxsize=_REMEMBERED)
def find_conditions(text: str, vocabulary: Vocabulary) -> tuple[Mention, ...]:
    """Find the conditions that a criterion names, known to the note or not."""
    return tuple(vocabulary.find(text, kinds=(Kind.CONDITION,)))


@lru_cache(maxsize=4)
def _spotter(vocabulary: Vocabulary) -> Spotter:
    return Spotter(vocabulary)
