"""Which names of a concept stand for it in a search: certain, distinct, and as many as fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote

from trialyst.folding import fold, phrase_variants
from trialyst.vocabulary.doses import strip_dose

if TYPE_CHECKING:
    from trialyst.vocabulary.concept import Concept

__all__ = [
    "SHORTEST",
    "Part",
    "codes_of",
    "distinct_names",
    "drug_spellings",
    "fitting_names",
    "names_with",
    "spellings_of",
    "usable_names",
]

_CODE = re.compile(r"[A-Z]{2,5}[- ]?[0-9]{3,}")
SHORTEST = 4
"""Shorter names mean too many things in a record to stand for a concept: MI, RA, PD."""
ROOM = {"drug": 1_800, "class": 3_600, "condition": 800, "term": 1_800}
"""Characters of an address that the names of a term may take; the live service allows 7,000, and
conditions are looked for in five places."""


@dataclass(frozen=True)
class Part:
    """Something that must be found: any of its names will do."""

    names: tuple[str, ...]
    asked: str
    """What the user wrote for it."""

    @cached_property
    def phrases(self) -> tuple[tuple[str, str], ...]:
        """Every folded spelling with the name it spells, those of the user's own words first."""
        own = set(spellings_of(self.asked))
        found = {
            spelling: name for name in self.names for spelling in spellings_of(name) if spelling
        }
        return tuple(sorted(found.items(), key=lambda item: item[0] not in own))

    @cached_property
    def own(self) -> frozenset[str]:
        """The folded spellings of what the user wrote."""
        return frozenset(spellings_of(self.asked))


def usable_names(concept: Concept) -> tuple[str, ...]:
    """Give the names that may stand for a concept in a search, none of which contains another."""
    return distinct_names(name for name in concept.synonyms if len(name) >= SHORTEST)


def codes_of(concept: Concept) -> tuple[str, ...]:
    """Give the codes under which a drug was developed; early trials have no other name."""
    return tuple(filter(_CODE.fullmatch, usable_names(concept)))


def names_with(written: str, concept: Concept) -> tuple[str, ...]:
    """Give the names of a concept, first the one that was written: it must not be left out."""
    usable = usable_names(concept)
    if not usable or len(written) < SHORTEST:
        return usable or (written,)
    return distinct_names((written, *usable))


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """Drop a name of which every spelling contains a kept one: it finds nothing more."""
    listed = list(dict.fromkeys(names))
    kept: dict[str, tuple[str, ...]] = {}
    for name in sorted(listed, key=lambda each: len(fold(each))):
        spellings = spellings_of(name)
        shorter = [f" {phrase} " for known in kept.values() for phrase in known]
        if spellings and not all(
            any(phrase in f" {spelling} " for phrase in shorter) for spelling in spellings
        ):
            kept[name] = spellings
    return tuple(name for name in listed if name in kept)


def spellings_of(name: str) -> tuple[str, ...]:
    return tuple(" ".join(tokens) for tokens in phrase_variants(name) if tokens)


def fitting_names(names: Sequence[str], kind: str, parts: int = 1) -> tuple[tuple[str, ...], int]:
    """Give the first names that fit into an address, and how many do not."""
    room = ROOM[kind] // parts
    kept: list[str] = []
    for name in names:
        room -= len(quote(f'"{name}" OR '))
        if room < 0 and kept:
            break
        kept.append(name)
    return tuple(kept), len(names) - len(kept)


def drug_spellings(text: str) -> Iterator[str]:
    """Give the text, without its dose, and with its words joined: `sema glutide`."""
    yield text
    bare = strip_dose(text)
    if bare and bare != text:
        yield bare
    words = text.split()
    if 1 < len(words) <= 4:
        yield "".join(words)
        yield from (
            " ".join([*words[:at], words[at] + words[at + 1], *words[at + 2 :]])
            for at in range(len(words) - 1)
            if len(words) > 2
        )
