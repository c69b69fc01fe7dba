"""Names by which criteria may speak of what a note tells: its own, wider, narrower and rival ones.

MeSH trees and drug classes tell what is a kind of what; `data/kinds.txt` adds what they lack.
Names are folded words; each concept's are worked out once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from trialyst.eligibility.tables import read_lines
from trialyst.folding import fold, fold_phrase
from trialyst.matching.patient import ConceptRef
from trialyst.vocabulary.classes import DrugClass, all_classes, classes_of, drug_class
from trialyst.vocabulary.concept import Concept, Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Name", "Relation", "names_of_absent", "names_of_held", "names_of_written"]

Name = tuple[str, ...]
_REMEMBERED = 20_000
_MOST_NARROWER = 400
_FEW_NARROWER = 40
_TOP = 1
"""Dots in the tree number of the widest concept that still says something."""
_TOO_WIDE = frozenset({"Vascular Diseases", "Central Nervous System Diseases", "Gastroenteritis"})
"""What criteria mean less by than MeSH does."""
_TUMORS = "Neoplasms"
_TOPS = frozenset(
    (
        _TUMORS, "Mental Disorders", "Eye Diseases", "Nervous System Diseases",
        "Respiratory Tract Diseases", "Endocrine System Diseases",
    )
)  # fmt: skip
"""The widest concepts by which criteria speak of patients."""
_BENIGN = re.compile(
    r"adenoma|lipoma|leiomyoma|fibroma|hemangioma|nev(?:us|i)|papilloma|polyp|cyst|benign|osteoma"
    r"|meningioma|acrochordon|keratosis|hamartoma|mole\b",
    re.IGNORECASE,
)
_NO_TUMOR = ("C04.182", "C04.445", "C04.588.614.550", "C04.700", "C04.730", "C04.834")
"""Cysts, hamartomas, syndromes about tumors and what may become one."""
_SPREAD = ("C04.697", "C23.550.727")
_PROCESS = "C23"
_CHEMICAL = "D"
_CHEMICAL_TOP = 3
_BIOLOGIC = re.compile(r"(?:mab|cept)\b", re.IGNORECASE)
_BIOLOGICS = ("biologic", "biological", "biologic therapy", "biological therapy", "biologic drug")
_BLOCKS = re.compile(r"\b(?:inhibitor|antagonist|blocker|antibody)\b")


class Relation(StrEnum):
    """How what a criterion names stands to what the note tells."""

    SAME = "same"
    WIDER = "wider"
    NARROWER = "narrower"
    RIVAL = "rival"


@dataclass(frozen=True, slots=True)
class _Kinds:
    wider: dict[str, tuple[str, ...]]
    rivals: dict[str, tuple[str, ...]]
    also: dict[str, tuple[str, ...]]
    written: tuple[tuple[re.Pattern[str], str], ...]


Named = tuple[tuple[Name, Relation], ...]


@lru_cache(maxsize=_REMEMBERED)
def names_of_held(concept: ConceptRef, vocabulary: Vocabulary) -> Named:
    """Give the names that hold of who has a thing, the rivals' that do not, and its kinds'."""
    found: dict[Name, Relation] = {}
    known = vocabulary.get(concept.id)
    _add(found, _own_names(concept, known), Relation.SAME)
    above = [*_wider(known, vocabulary), *_parents(concept, vocabulary)]
    for each in above:
        _add(found, _spellings(each), Relation.WIDER)
    for group in _classes(concept, known):
        _add(found, _class_names(group), Relation.WIDER)
    if _BIOLOGIC.search(concept.name):
        _add(found, _BIOLOGICS, Relation.WIDER)
    for each in _rivals([concept.name, *(up.preferred for up in above)], vocabulary):
        _add(found, _spellings(each), Relation.RIVAL)
    narrower = vocabulary.narrower(known) if known is not None else ()
    if len(narrower) <= _FEW_NARROWER:
        for each in narrower:
            _add(found, each.names, Relation.NARROWER)
    return tuple(found.items())


@lru_cache(maxsize=_REMEMBERED)
def names_of_absent(concept: ConceptRef, vocabulary: Vocabulary) -> Named:
    """Give the names of what nobody has who does not have a thing."""
    found: dict[Name, Relation] = {}
    known = vocabulary.get(concept.id)
    _add(found, _own_names(concept, known), Relation.SAME)
    narrower = vocabulary.narrower(known) if known is not None else ()
    # An infarct that a scan of the head does not show says nothing of the heart.
    process = known is not None and all(tree.startswith(_PROCESS) for tree in known.trees)
    if len(narrower) <= _MOST_NARROWER and not process:
        for each in narrower:
            _add(found, each.names, Relation.NARROWER)
    group = _as_class(concept, known)
    if group is not None:
        _add(found, _class_names(group), Relation.SAME)
        for other in all_classes():
            if group.name in other.wider:
                _add(found, _class_names(other), Relation.NARROWER)
        _add(found, group.members, Relation.NARROWER)
    return tuple(found.items())


def names_of_written(text: str, vocabulary: Vocabulary) -> Named:
    """Give more names for who has what is so written, as "squamous cell carcinoma of the lung"."""
    found: dict[Name, Relation] = {}
    for pattern, name in _kinds().written:
        if pattern.search(text):
            concept = vocabulary.resolve(name).concept
            if concept is not None:
                meant = ConceptRef(concept.id, concept.preferred, concept.trees)
                found = dict(names_of_held(meant, vocabulary)) | found
    return tuple(found.items())


def _add(found: dict[Name, Relation], names: Iterable[str], relation: Relation) -> None:
    for name in names:
        folded = tuple(fold(name))
        if folded and not (len(folded) == 1 and len(folded[0]) < 2):
            found.setdefault(folded, relation)


def _own_names(concept: ConceptRef, known: Concept | None) -> Iterator[str]:
    yield concept.name
    yield from _also(concept.name)
    if known is not None:
        yield from _spellings(known)


def _spellings(concept: Concept) -> Iterator[str]:
    for name in concept.names:
        yield name
        yield from _also(name)


def _also(name: str) -> Iterator[str]:
    folded = fold_phrase(name)
    yield from _shorthand().get(folded, ())
    yield from _kinds().also.get(folded, ())


def _wider(known: Concept | None, vocabulary: Vocabulary) -> Iterator[Concept]:
    if known is None:
        return
    for each in vocabulary.broader(known):
        least = _CHEMICAL_TOP if each.trees[0].startswith(_CHEMICAL) else _TOP
        if each.preferred in _TOPS:
            meant = each.preferred != _TUMORS or not _is_benign(known)
        else:
            meant = each.preferred not in _TOO_WIDE
            meant = meant and all(tree.count(".") >= least for tree in each.trees)
        if meant:
            yield each


def _is_benign(known: Concept) -> bool:
    if _BENIGN.search(known.preferred):
        return True
    tumors = [tree for tree in known.trees if tree.startswith("C04")]
    return all(tree.startswith(_NO_TUMOR) for tree in tumors)


def _parents(concept: ConceptRef, vocabulary: Vocabulary) -> Iterator[Concept]:
    """Give the parents that `kinds.txt` tells, and those by the trees of names of our own."""
    names = _kinds().wider.get(fold_phrase(concept.name), ())
    for name in names:
        found = vocabulary.resolve(name).concept
        if found is not None:
            yield found
            yield from _wider(found, vocabulary)
    if concept.id.startswith("term:") and concept.trees:
        # The trees of a name of our own are those of what it is a kind of; a metastasis in an
        # organ is no tumor of that organ.
        spread = [tree for tree in concept.trees if tree.startswith(_SPREAD)]
        below = tuple(f"{tree}.0" for tree in spread or concept.trees)
        names = (concept.name,)
        own = Concept(concept.id, Kind.CONDITION, names, names, ("own",), below)
        yield from _wider(own, vocabulary)


def _rivals(names: list[str], vocabulary: Vocabulary) -> Iterator[Concept]:
    for name in names:
        for rival in _kinds().rivals.get(fold_phrase(name), ()):
            found = vocabulary.resolve(rival).concept
            if found is not None:
                yield found
                yield from vocabulary.narrower(found)


def _classes(concept: ConceptRef, known: Concept | None) -> Iterator[DrugClass]:
    names = [concept.name, *(known.names if known is not None else ())]
    parts = [part for name in names[:1] for part in name.split("/")] if "/" in names[0] else []
    yield from classes_of(*names, *parts)
    group = _as_class(concept, known)
    if group is not None:
        yield group
        listed = {each.name: each for each in all_classes()}
        yield from (listed[name] for name in group.wider if name in listed)


def _as_class(concept: ConceptRef, known: Concept | None) -> DrugClass | None:
    names = [concept.name, *(known.names if known is not None else ())]
    return next((found for name in names if (found := drug_class(name))), None)


def _class_names(group: DrugClass) -> Iterator[str]:
    for name in (group.name, *group.aliases, *group.headings):
        yield name
        yield from _also(name)
        if _BLOCKS.search(name):
            for word in ("inhibitor", "antagonist", "blocker", "antibody"):
                yield _BLOCKS.sub(word, name)
            yield "anti-" + _BLOCKS.sub("", name).strip()
            yield "anti-" + _BLOCKS.sub("antibody", name)


@cache
def _shorthand() -> dict[str, tuple[str, ...]]:
    of_kinds = {
        fold_phrase(said): name for name, listed in _kinds().also.items() for said in listed
    }
    spelt: defaultdict[str, list[str]] = defaultdict(list)
    for line in read_lines("shorthand.txt"):
        _, name, written = (part.strip() for part in line.split("|"))
        key = fold_phrase(name)
        # A kind of a thing that has names of its own is not the thing.
        spelt[key] += [
            part.strip()
            for part in written.split(",")
            if of_kinds.get(fold_phrase(part), key) == key
        ]
    return {name: tuple(written) for name, written in spelt.items()}


@cache
def _kinds() -> _Kinds:
    wider: defaultdict[str, list[str]] = defaultdict(list)
    rivals: defaultdict[str, list[str]] = defaultdict(list)
    also: defaultdict[str, list[str]] = defaultdict(list)
    written: list[tuple[re.Pattern[str], str]] = []
    for line in read_lines("kinds.txt"):
        name, sign, listed = re.split(r" (><|<-|<) ", line, maxsplit=1)
        if sign == "><":
            rivals[fold_phrase(name)].append(listed.strip())
            rivals[fold_phrase(listed)].append(name.strip())
        elif name.startswith("~"):
            written.append((re.compile(name[1:].strip(), re.IGNORECASE), listed.strip()))
        elif sign == "<-":
            also[fold_phrase(name)] += [part.strip() for part in listed.split(";")]
        else:
            wider[fold_phrase(name)].append(listed.strip())
    return _Kinds(_settled(wider), _settled(rivals), _settled(also), tuple(written))


def _settled(table: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(listed) for name, listed in table.items()}
