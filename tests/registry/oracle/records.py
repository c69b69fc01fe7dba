"""A study as the naive evaluator sees it: the values of each piece, looked up in the record.

Knows the study structure and the folding of words, and nothing of the registry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from trialyst.essie.pieces import Piece, pieces
from trialyst.folding import fold

__all__ = ["Record", "counted", "folded_text", "searchable_pieces"]

Study = Mapping[str, Any]

# Counts whose name is not the plural of the list they count.
_COUNTS_OF_OTHER_NAMES = {
    "NumNCTAliases": "NCTIdAlias",
    "NumSecondaryIds": "SecondaryIdInfo",
    "NumOutcomeAnalyses": "OutcomeAnalysis",
    "NumRetractionsForRef": "Retraction",
}
_TOTALS = {
    "NumOutcomes": ("PrimaryOutcome", "SecondaryOutcome", "OtherOutcome"),
    "NumEvents": ("SeriousEvent", "OtherEvent"),
    "NumRetractionsAllRefs": ("Retraction",),
    "NumCollaboratorsPlusLead": ("Collaborator", "LeadSponsor"),
}


@cache
def searchable_pieces() -> tuple[Piece, ...]:
    """Give the pieces the oracle judges; a country's code comes from a table of the engine's."""
    return tuple(piece for piece in pieces().values() if piece.name != "LocationCountryCode")


class Record:
    """A decoded study with its values and folded texts, each worked out once."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._values: dict[str, list[Any]] = {}
        self._folded: dict[tuple[str, ...], str] = {}
        self._names: frozenset[str] | None = None
        self._locations: list[Record] | None = None

    def names(self) -> frozenset[str]:
        """Give the names of the pieces that have a value, for making queries."""
        if self._names is None:
            present = set(_paths(self.study, ()))
            self._names = frozenset(
                piece.name
                for piece in searchable_pieces()
                if piece.path in present or (piece.indexed_only and self._read(piece))
            )
        return self._names

    def values(self, piece: Piece) -> list[Any]:
        """Give every value of a piece, lists flattened; no value is an empty list."""
        found = self._values.get(piece.name)
        if found is None:
            found = self._values[piece.name] = self._read(piece)
        return found

    def _read(self, piece: Piece) -> list[Any]:
        if not piece.indexed_only:
            return list(_leaves(self.study, piece.path))
        if piece.name.endswith("Year"):
            date = pieces()[piece.name.removesuffix("Year") + "Date"]
            return [int(value[:4]) for value in self.values(date)]
        if piece.name == "NumUniqueLocationCountries":
            return [len(set(self.values(pieces()["LocationCountry"])))]
        if piece.name in _TOTALS:
            return [sum(sum(self.sizes(pieces()[part])) for part in _TOTALS[piece.name])]
        return self.sizes(counted(piece))

    def sizes(self, piece: Piece) -> list[int]:
        """Give the length of a list: one number, or one for each list item that may hold it."""
        owner = _enclosing_list(piece)
        if owner is None:
            return [_length(self.study, piece.path)]
        inner = piece.path[len(owner.path) :]
        return [_length(item, inner) for item in self.values(owner)]

    def folded(self, names: tuple[str, ...]) -> str:
        """Give the folded words of text pieces, like `| one value | another value |`."""
        text = self._folded.get(names)
        if text is None:
            values = [value for name in names for value in self.values(pieces()[name])]
            text = self._folded[names] = folded_text(values)
        return text

    def locations(self) -> list[Record]:
        """Give each location as a record that holds nothing else."""
        if self._locations is None:
            self._locations = [_alone(site) for site in self.values(pieces()["Location"])]
        return self._locations


def folded_text(values: Sequence[Any]) -> str:
    """Write the folded words of some values with a bar around each value."""
    return "|" + "".join(f" {' '.join(fold(str(value)))} |" for value in values)


def _leaves(node: Any, keys: tuple[str, ...]) -> Iterator[Any]:
    if isinstance(node, list):
        for item in node:
            yield from _leaves(item, keys)
    elif keys:
        if isinstance(node, Mapping) and keys[0] in node:
            yield from _leaves(node[keys[0]], keys[1:])
    elif node is not None and node != "":
        yield node


def _length(node: Any, keys: tuple[str, ...]) -> int:
    """Count the items of the list at a path, or the one thing that is no list."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    if isinstance(node, list):
        return len(node)
    return int(isinstance(node, Mapping))


def _paths(node: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(node, list):
        for item in node:
            yield from _paths(item, path)
    elif node is not None and node != "":
        yield path
        if isinstance(node, Mapping):
            for key, value in node.items():
                yield from _paths(value, (*path, key))


def _alone(site: Study) -> Record:
    return Record({"protocolSection": {"contactsLocationsModule": {"locations": [site]}}})


def _enclosing_list(piece: Piece) -> Piece | None:
    parent = pieces()[piece.parent] if piece.parent else None
    while parent and not parent.is_list:
        parent = pieces()[parent.parent] if parent.parent else None
    return parent


@cache
def counted(piece: Piece) -> Piece:
    """Give the list a `Num*` piece counts."""
    name = _COUNTS_OF_OTHER_NAMES.get(piece.name, piece.name.removeprefix("Num"))
    for ending, singular in (("", ""), ("ies", "y"), ("es", ""), ("s", "")):
        found = pieces().get(name.removesuffix(ending) + singular)
        if found and found.is_list and name.endswith(ending):
            return found
    raise LookupError(piece.name)
