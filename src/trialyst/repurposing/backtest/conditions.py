"""Conditions as the MeSH terms of records name them, and what stands above and beside each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["Conditions"]

_KINDS = (Kind.CONDITION, Kind.OTHER)
"""MeSH files pregnancy and other states under neither drugs nor diseases."""


class Conditions:
    """Reads MeSH terms with a vocabulary; a condition is known by one key, whatever its name."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._keys: dict[str, str] = {}
        self._concepts: dict[str, Concept] = {}

    def read(self, term: str) -> str:
        """Give the key of a MeSH term: its concept, or its folded words where nothing knows it."""
        key = self._keys.get(term)
        if key is None:
            found = self._vocabulary.resolve(term, kinds=_KINDS)
            if found.exact:
                concept = found.matches[0].concept
                key = concept.id
                self._concepts[key] = concept
            else:
                key = fold_phrase(term)
            self._keys[term] = key
        return key

    def above(self, key: str) -> frozenset[str]:
        """Give the keys of every broader condition, as MeSH has them."""
        concept = self._concepts.get(key)
        if concept is None:
            return frozenset()
        return frozenset(each.id for each in self._vocabulary.broader(concept))

    def families(self, key: str) -> frozenset[str]:
        """Give what conditions directly below the same ones have in common."""
        concept = self._concepts.get(key)
        trees = concept.trees if concept else ()
        return frozenset(tree.rpartition(".")[0] for tree in trees if "." in tree)
