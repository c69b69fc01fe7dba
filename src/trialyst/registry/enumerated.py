"""The values of enumerated pieces that an index holds, and the names they go by.

An enumeration may grow after this version was made: a value it does not know is found by its code.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trialyst.essie.enums import enums
from trialyst.essie.pieces import Piece
from trialyst.folding import fold_phrase
from trialyst.registry.index import Searcher
from trialyst.registry.phrases import Queries
from trialyst.registry.remembered import Remembered
from trialyst.registry.schema import FILTERED, SEPARATOR, whole_field

if TYPE_CHECKING:
    import tantivy

__all__ = ["EnumeratedValues"]


class _Held(NamedTuple):
    values: tuple[str, ...]
    by_name: Mapping[str, list[str]]
    """Values by code and labels as written."""
    by_folded_name: Mapping[str, list[str]]


class EnumeratedValues:
    """Looks values up in one index, each piece once."""

    def __init__(self, searcher: Searcher, make: Queries) -> None:
        self._searcher = searcher
        self._make = make
        self._held: dict[str, _Held] = {}
        self._ruling_out: Remembered[tuple[str, frozenset[str]], tantivy.Query] = Remembered(256)

    def values(self, piece: Piece) -> tuple[str, ...]:
        """Give every value of a piece, some perhaps of deleted documents only."""
        return self._of(piece).values

    def by_folded_name(self, piece: Piece) -> Mapping[str, list[str]]:
        """Give the values that go by each name, folded."""
        return self._of(piece).by_folded_name

    def written(self, piece: Piece, name: str) -> list[str]:
        """Give the values whose code or label is written so."""
        return self._of(piece).by_name.get(name, [])

    def any_of(self, name: str, values: Collection[str], *, narrowed: bool) -> tantivy.Query:
        """Match any of some values of a piece.

        Args:
            narrowed: texts of the query leave few studies. What these have is ruled out, each
                alone; to walk through all studies that have a value takes longer.
        """
        if not narrowed or len(values) < 2 or name not in FILTERED:
            return self._make.terms(name, values)
        asked = (name, frozenset(values))
        known = self._ruling_out.get(asked)
        return known or self._ruling_out.keep(asked, self._rule_out(*asked))

    def _rule_out(self, name: str, values: frozenset[str]) -> tantivy.Query:
        field = whole_field(name)
        others = [
            held for held in self._searcher.terms(field) if values.isdisjoint(held.split(SEPARATOR))
        ]
        return self._make.none_of(*(self._make.term(field, held) for held in others))

    def _of(self, piece: Piece) -> _Held:
        held = self._held.get(piece.name)
        if held is None:
            held = self._held[piece.name] = _read(self._searcher, piece)
        return held


def _read(searcher: Searcher, piece: Piece) -> _Held:
    values = searcher.terms(piece.name)
    by_name: dict[str, list[str]] = {}
    by_folded_name: dict[str, list[str]] = {}
    labels = {v.value: (v.label, *v.exceptions.values()) for v in enums()[piece.type].values}
    for value in values:
        names = {value, *labels.get(value, ())}
        for name in names:
            by_name.setdefault(name, []).append(value)
        for folded in {fold_phrase(name) for name in names}:
            by_folded_name.setdefault(folded, []).append(value)
    return _Held(values, by_name, by_folded_name)
