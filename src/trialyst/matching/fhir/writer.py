"""Writes a record as a note, one sentence a resource, and keeps what each sentence states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.reading.note import Note, Sentence
from trialyst.matching.patient import ConceptRef, Fact, FactKind
from trialyst.matching.reading.spotting import left_out
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.matching.fhir.bundle import Code
    from trialyst.matching.reading.spotting import Spotter
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["RecordWriter", "Stated"]

_ORGAN = r"(?:the )?(?:left |right |both )?(\w+(?: \w+)?)"
_REWORDED = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (rf"(?:primary )?malignant (?:neoplasm|tumou?r) of {_ORGAN}", "{} cancer"),
        (rf"(?:secondary|metastatic) malignant neoplasm (?:of|to) {_ORGAN}", "{} metastases"),
        (rf"metasta(?:tic|sis)(?: to|\s+in)? {_ORGAN}", "{} metastases"),
    )
)
_NAMED = frozenset((Kind.CONDITION, Kind.DRUG, Kind.OTHER))


class Stated:
    """A fact in the making: its words are somewhere in the sentence."""

    __slots__ = ("fields", "kind", "words")

    def __init__(self, kind: FactKind, words: str, **fields: Any) -> None:
        self.kind = kind
        self.words = words
        self.fields = fields


class RecordWriter:
    """A note under writing."""

    def __init__(self, spotter: Spotter) -> None:
        self._spotter = spotter
        self._sentences: list[Sentence] = []
        self._pieces: list[str] = []
        self._length = 0
        self.facts: list[Fact] = []

    @property
    def vocabulary(self) -> Vocabulary:
        """The names in use."""
        return self._spotter.vocabulary

    def add(self, text: str, stated: Sequence[Stated], *, section: Section = Section.NONE) -> None:
        """Write a sentence; each fact is placed on its words, or on the sentence."""
        number, start = len(self._sentences), self._length
        end = start + len(text)
        self._sentences.append(Sentence(number, start, end, text, section))
        self._pieces.append(text)
        self._length = end + 1
        for each in stated:
            at = text.find(each.words) if each.words else -1
            begin = start + max(at, 0)
            stop = begin + len(each.words) if at >= 0 else end
            quoted = text[begin - start : stop - start]
            self.facts.append(Fact(each.kind, quoted, number, begin, stop, **each.fields))

    def note(self) -> Note:
        """Give the note as written so far."""
        return Note("\n".join(self._pieces), tuple(self._sentences))

    def concept(self, words: str, codes: Sequence[Code], *, kinds: frozenset[Kind]) -> ConceptRef:
        """Give the concept of a code: the vocabulary's, or the code itself under the nearest."""
        for pattern, name in _REWORDED:
            if match := pattern.fullmatch(words):
                return self._spotter.concept(name.format(match.group(1).lower()))
        resolution = self.vocabulary.resolve(words, kinds=kinds)
        concept = resolution.concept
        if concept is not None and resolution.matches[0].how.exact:
            return _reference(concept)
        near = concept if concept is not None else self._mentioned(words, kinds)
        identity = str(codes[0]) if codes else f"term:{words.lower()}"
        if near is None:
            return ConceptRef(identity, words)
        return ConceptRef(identity, words, near.trees, (near.id,))

    def ingredients(self, words: str, codes: Sequence[Code]) -> list[ConceptRef]:
        """Give the drugs a product's name holds, the product itself if none is known."""
        found = self.vocabulary.find(words, kinds=(Kind.DRUG,))
        drugs = {
            mention.concept.id: _reference(mention.concept)
            for mention in found
            if mention.concept.preferred not in left_out()["concept"]
        }
        if drugs:
            return list(drugs.values())
        return [self.concept(words, codes, kinds=_NAMED)]

    def _mentioned(self, words: str, kinds: frozenset[Kind]) -> Concept | None:
        found = self.vocabulary.find(words, kinds=kinds)
        clear = [mention for mention in found if not mention.ambiguous and mention.concept.trees]
        longest = max(clear, key=lambda mention: mention.end - mention.start, default=None)
        return None if longest is None else longest.concept


def _reference(concept: Concept) -> ConceptRef:
    return ConceptRef(concept.id, concept.preferred, concept.trees)
