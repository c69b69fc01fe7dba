"""Names of conditions, drugs and procedures in a sentence, from the vocabulary and the shorthand.

The shorthand of clinics is ours and wins over the vocabulary, which reads abbreviations as gene
symbols and the like. What is too general to tell anything is left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable
from trialyst.folding import fold_phrase
from trialyst.matching.patient import ConceptRef, FactKind
from trialyst.matching.reading.progression import find_progression
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trialyst.matching.reading.passage import Passage
    from trialyst.vocabulary import Concept, Mention, Vocabulary

__all__ = ["Spotted", "Spotter", "left_out"]

_KINDS = frozenset((Kind.CONDITION, Kind.DRUG, Kind.OTHER))
_SHORT = 3
_TREES = (
    ("E04", FactKind.PROCEDURE),
    ("E06", FactKind.PROCEDURE),
    ("E07.695", FactKind.PROCEDURE),
    ("E07.305", FactKind.PROCEDURE),
    ("E01.370.350", FactKind.PROCEDURE),
    ("E01.370.388", FactKind.PROCEDURE),
    ("E02", FactKind.THERAPY),
    ("F01.145.126", FactKind.SYMPTOM),
    ("F01.470.132", FactKind.SYMPTOM),
)
_SIGNS = "C23.888"
_ORGAN = re.compile(
    r"\b(?:brain|cerebral|liver|hepatic|lung|pulmonary|bone|osseous|pleural|nodal|lymph node"
    r"|adrenal|peritoneal|skin|spinal|leptomeningeal|ovarian|splenic)\b",
    re.IGNORECASE,
)
_ORGANS = re.compile(
    rf"\b({_ORGAN.pattern}(?:\s*,\s*{_ORGAN.pattern})*,?\s+(?:and|or)\s+)(?=(?:{_ORGAN.pattern})\s+"
    r"(?:metasta|mets\b))",
    re.IGNORECASE,
)
_ADJECTIVES = {
    "cerebral": "brain",
    "hepatic": "liver",
    "pulmonary": "lung",
    "osseous": "bone",
    "nodal": "lymph node",
}
_HEPATITIS = re.compile(r"\bhepatitis\s+[AB]\s*(?:,\s*)?(?:and|or|/|&|,)\s*(C)\b", re.IGNORECASE)
_OF_PLACE = re.compile(
    r"\s+(?:of|in|involving|to)\s+(?:the\s+|his\s+|her\s+)?(?:(?:left|right|both|upper|lower|distal|proximal|bilateral)\s+)*"
    r"([a-z]+(?:\s[a-z]+)?)",
    re.IGNORECASE,
)
_TYPE = re.compile(r",\s*type\b", re.IGNORECASE)
_MEASURED = re.compile(
    r"^(?!.*(?:Monoclonal|gonist|Blocker|Inhibitor|Conjugate|Modulator|Drug))"
    r".*\b(?:Antibod(?:y|ies)|Antigens?|Receptors?)\b"
)
"""Names of substances that a laboratory looks for and nobody takes."""
_GROWTH = re.compile(
    r"\b(?:cancer|carcinoma|adenocarcinoma|tumou?r|neoplasm|malignancy|sarcoma|lymphoma|melanoma|infection|mass|nodule|abscess)\b",
    re.I,
)


_WORDS = frozenset("AS ALL ADD HE ART CAP CAT SI AD MS HA PA RT DES MM".split())
"""Abbreviations that are words too, in a note all in capitals."""
_NO_FIGURE = r"\b(?!\s*[-+]?\s*[0-9])"
_CANCER = re.compile(
    rf"(?<![\w-])([a-z]{{3,}}(?:[-\s][a-z]{{3,}})?)\s+ca{_NO_FIGURE}", re.IGNORECASE
)
_CANCER_OF = re.compile(
    rf"\bca\.?\s+of\s+(?:the\s+)?([a-z]{{3,}}(?:\s[a-z]{{3,}})?){_NO_FIGURE}", re.IGNORECASE
)
_COUNTED = re.compile(r"(?:\d|pack)\s*$", re.IGNORECASE)


class Spotted(NamedTuple):
    """A name at a place of the note."""

    kind: FactKind
    concept: ConceptRef
    start: int
    end: int
    measured: bool = False
    """Whether it is a substance that a laboratory measures, and perhaps no drug here."""


class _Short(NamedTuple):
    kind: FactKind
    name: str
    written: str | None


@cache
def _shorthand() -> PhraseTable[_Short]:
    entries = []
    for line in read_lines("shorthand.txt"):
        kind, name, written = (part.strip() for part in line.split("|"))
        for text in (*(part.strip() for part in written.split(",")), name):
            exact = text if len(text) <= _SHORT else None
            entries.append((text, _Short(FactKind(kind), name, exact)))
    return PhraseTable(entries)


@cache
def _parents() -> dict[str, tuple[str, ...]]:
    """Give what the names of our own are kinds of."""
    parents = {}
    for line in read_lines("parents.txt"):
        name, _, listed = line.partition(":")
        parents[name.strip()] = tuple(part.strip() for part in listed.split(";"))
    return parents


@cache
def left_out() -> dict[str, frozenset[str]]:
    lists = {}
    for line in read_lines("ignored.txt"):
        kind, _, names = line.partition(":")
        lists[kind] = frozenset(name.strip() for name in names.split(","))
    return lists


class Spotter:
    """Finds names with one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._resolved: dict[str, ConceptRef] = {}
        self._composed: dict[str, ConceptRef | None] = {}
        self._kinds: dict[str, FactKind | None] = {}
        self._references: dict[str, ConceptRef] = {}

    def spot(self, passage: Passage) -> list[Spotted]:
        """Find the names in a sentence, in its order, none overlapping."""
        short = list(self._short(passage))
        taken = [(each.start, each.end) for each in short]
        named = list(self._named(passage, taken))
        longer = [
            each
            for each in short
            if not any(
                other.start <= each.start
                and each.end <= other.end
                and _length(other) > _length(each)
                for other in named
            )
        ]
        kept = _without_overlaps(
            each for each in (*longer, *named, *self._joined(passage)) if each.start >= passage.body
        )
        return [self._placed(passage, each) for each in kept if not _means_else(passage, each)]

    def _joined(self, passage: Passage) -> Iterator[Spotted]:
        """Find names that share a word with another: "liver and lung metastases"."""
        for match in _ORGANS.finditer(passage.text):
            for organ in _ORGAN.finditer(match.group(1)):
                name = f"{_ADJECTIVES.get(organ.group().lower(), organ.group().lower())} metastases"
                start = passage.start + match.start(1) + organ.start()
                yield Spotted(
                    FactKind.CONDITION, self.concept(name), start, start + len(organ.group())
                )
        if "ca" in passage.vocabulary:
            yield from self._cancers(passage)
        for match in _HEPATITIS.finditer(passage.text):
            start = passage.start + match.start(1)
            yield Spotted(FactKind.CONDITION, self.concept("hepatitis C"), start, start + 1)

    def _cancers(self, passage: Passage) -> Iterator[Spotted]:
        """Find "ovarian ca", where the vocabulary knows such a cancer: alone it is calcium."""
        for match in _CANCER.finditer(passage.text):
            words = match.group(1).split()
            for first in range(len(words)):
                organ = " ".join(words[first:])
                if (concept := self._compose(f"{organ} cancer".lower())) is not None:
                    start = passage.start + match.end(1) - len(organ)
                    yield Spotted(FactKind.CONDITION, concept, start, passage.start + match.end())
                    break
        for match in _CANCER_OF.finditer(passage.text):
            words = match.group(1).split()
            for count in range(len(words), 0, -1):
                organ = " ".join(words[:count])
                if (concept := self._compose(f"{organ} cancer".lower())) is not None:
                    start, end = passage.start + match.start(), match.start(1) + len(organ)
                    yield Spotted(FactKind.CONDITION, concept, start, passage.start + end)
                    break

    def concept(self, name: str) -> ConceptRef:
        """Give the concept of a name, of our own making if the vocabulary has none."""
        found = self._resolved.get(name)
        if found is None:
            resolution = self.vocabulary.resolve(name, kinds=_KINDS)
            concept = resolution.concept
            if concept is not None and resolution.matches[0].how.exact:
                found = self._reference(concept)
            else:
                found = self._own_concept(name)
            self._resolved[name] = found
        return found

    def _own_concept(self, name: str) -> ConceptRef:
        trees: tuple[str, ...] = ()
        for parent in _parents().get(name, ("neoplasm metastasis",) * name.endswith("metastases")):
            trees += self.concept(parent).trees
        return ConceptRef(f"term:{fold_phrase(name)}", name.capitalize(), trees)

    def _short(self, passage: Passage) -> Iterator[Spotted]:
        for phrase in _shorthand().find(passage.words):
            start = passage.words[phrase.first].start
            end = passage.words[phrase.last - 1].end
            written = phrase.value.written
            if written is None or _is_abbreviation(passage, written, start, end):
                yield Spotted(phrase.value.kind, self.concept(phrase.value.name), start, end)

    def _named(self, passage: Passage, taken: list[tuple[int, int]]) -> Iterator[Spotted]:
        ignored = left_out()
        for mention in self._mentions(passage.text):
            start, end = mention.start + passage.start, mention.end + passage.start
            written = passage.quote(start, end)
            if written in ignored["word"] or _is_number(written):
                continue
            concept = mention.concept
            kind = self._kind(concept)
            if kind is None or concept.preferred in ignored["concept"]:
                continue
            if any(first <= start and end <= last for first, last in taken):
                continue
            if mention.ambiguous and len(written) <= _SHORT:
                continue
            measured = concept.preferred in ignored["substance"]
            yield Spotted(kind, self._mentioned(mention), start, end, measured)

    def _mentions(self, text: str) -> Iterator[Mention]:
        """Find names; one that runs over a comma is two things of a list, save a type."""
        for mention in self.vocabulary.find(text, kinds=_KINDS):
            written = text[mention.start : mention.end]
            if "," not in written or _TYPE.search(written):
                yield mention
                continue
            at = mention.start
            for piece in written.split(","):
                for part in self.vocabulary.find(piece, kinds=_KINDS):
                    yield replace(part, start=part.start + at, end=part.end + at)
                at += len(piece) + 1

    def _placed(self, passage: Passage, spotted: Spotted) -> Spotted:
        """Read "adenocarcinoma of the lung" as one name where the vocabulary knows it so."""
        written = passage.quote(spotted.start, spotted.end)
        if spotted.kind is not FactKind.CONDITION or not _GROWTH.search(written):
            return spotted
        match = _OF_PLACE.match(passage.text, spotted.end - passage.start)
        if match is None:
            return spotted
        words = match.group(1).split()
        for count in range(len(words), 0, -1):
            place = " ".join(words[:count])
            concept = self._compose(f"{place} {written}")
            if concept is not None:
                end = spotted.end + match.start(1) - match.start() + len(place)
                return spotted._replace(concept=concept, end=end)
        return spotted

    def _compose(self, name: str) -> ConceptRef | None:
        if name not in self._composed:
            if len(self._composed) > 10_000:
                self._composed.clear()
            resolution = self.vocabulary.resolve(name, kinds=(Kind.CONDITION,))
            concept = resolution.concept
            exact = concept is not None and resolution.matches[0].how.exact
            self._composed[name] = self._reference(concept) if exact and concept else None
        return self._composed[name]

    def _kind(self, concept: Concept) -> FactKind | None:
        if concept.id not in self._kinds:
            self._kinds[concept.id] = _kind(concept)
        return self._kinds[concept.id]

    def _reference(self, concept: Concept) -> ConceptRef:
        found = self._references.get(concept.id)
        if found is None:
            found = ConceptRef(concept.id, concept.preferred, concept.trees)
            self._references[concept.id] = found
        return found

    def _mentioned(self, mention: Mention) -> ConceptRef:
        found = self._reference(mention.concept)
        if not mention.ambiguous:
            return found
        others = tuple(match.concept.id for match in mention.matches[1:])
        return ConceptRef(found.id, found.name, found.trees, others)


def _kind(concept: Concept) -> FactKind | None:
    if concept.kind is Kind.CONDITION:
        signs = concept.trees and all(tree.startswith(_SIGNS) for tree in concept.trees)
        return FactKind.SYMPTOM if signs else FactKind.CONDITION
    if concept.kind is Kind.DRUG:
        return None if _MEASURED.search(concept.preferred) else FactKind.THERAPY
    for tree, kind in _TREES:
        if any(each.startswith(tree) for each in concept.trees):
            return kind
    return None


def _is_abbreviation(passage: Passage, written: str, start: int, end: int) -> bool:
    """Say whether a short name stands as written and is no part of another, as PD of PD-L1."""
    if passage.quote(start, end) != written:
        return False
    if written in _WORDS and not any(letter.islower() for letter in passage.text):
        return False
    before, after = passage.quote(start - 2, start), passage.quote(end, end + 2)
    joined = after[:1] == "-" and (after[1:].isupper() or after[1:].isdigit())
    return not joined and not (before[-1:] == "-" and before[:1].isalnum())


def _is_number(written: str) -> bool:
    """Say whether a name is hardly more than a number, as "A 10" at the head of a note."""
    letters = sum(letter.isalpha() for letter in written)
    return letters < 2 or (" " in written and written.split()[-1].isdigit() and letters <= 3)


def _length(spotted: Spotted) -> int:
    return spotted.end - spotted.start


def _without_overlaps(found: Iterable[Spotted]) -> list[Spotted]:
    kept: list[Spotted] = []
    for each in sorted(found, key=lambda spotted: (spotted.start, -spotted.end)):
        if kept and each.start < kept[-1].end:
            if _length(each) > _length(kept[-1]):
                kept[-1] = each
            continue
        kept.append(each)
    return kept


def _means_else(passage: Passage, spotted: Spotted) -> bool:
    """Whether an abbreviation is none of a disease here: "PD on letrozole", "smokes 1 PPD"."""
    written = passage.quote(spotted.start, spotted.end)
    if written == "PD":
        return find_progression(passage, spotted.end) is not None
    before = passage.text[: spotted.start - passage.start]
    return written.upper() == "PPD" and _COUNTED.search(before) is not None
