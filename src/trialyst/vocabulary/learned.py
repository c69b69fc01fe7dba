"""Names learned from the records themselves, kept apart from the shipped ones.

Holds and stores them; `NameCollector` decides what is learned.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.table import Place, Table, replace_file, table_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["LearnedName", "LearnedNames"]


@dataclass(frozen=True, slots=True)
class LearnedName:
    """A name, the concept it stands for, and the evidence: studies and the first date."""

    name: str
    target: str
    preferred: str
    kind: str
    count: int
    first_seen: str


class LearnedNames:
    """Learned names, looked up by folded name or by concept."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @classmethod
    def build(cls, names: Iterable[LearnedName]) -> LearnedNames:
        """Hold names in memory; the same names in any order give the same bytes."""
        ordered = sorted(names, key=lambda item: (item.target, -item.count, item.name))
        lines = ["\t".join(map(str, astuple(item))) for item in ordered]
        return cls(Table(table_bytes(lines, _keys(ordered))))

    @classmethod
    def load(cls, path: Path) -> LearnedNames:
        """Map a file that `save` wrote.

        Raises:
            DamagedTable: the file is not whole.
            FileNotFoundError: there is none.
        """
        return cls(Table.open(path))

    def save(self, path: Path) -> None:
        """Write the names, whole or not at all."""
        replace_file(path, bytes(self.table.data))

    def __len__(self) -> int:
        return self.table.lines

    def __iter__(self) -> Iterator[LearnedName]:
        return map(self._read, range(self.table.lines))

    def lookup(self, key: str, *, before: str | None = None) -> list[LearnedName]:
        """Give what a folded name stands for, if it was seen by that date."""
        return self._at(key, before)

    def names_of(self, concept_id: str, *, before: str | None = None) -> list[LearnedName]:
        """Give the learned names of a concept, the most frequent first."""
        return self._at(f"#{concept_id}", before)

    def _at(self, key: str, before: str | None) -> list[LearnedName]:
        found = [self._read(place.line) for place in self.table.places(key)]
        return [item for item in found if before is None or item.first_seen <= before]

    def _read(self, line: int) -> LearnedName:
        name, target, preferred, kind, count, first_seen = self.table.line(line).split("\t")
        return LearnedName(name, target, preferred, kind, int(count), first_seen)


def _keys(names: list[LearnedName]) -> Iterator[tuple[str, Place]]:
    preferred: set[str] = set()
    for line, item in enumerate(names):
        yield fold_phrase(item.name), Place(line, 0)
        yield f"#{item.target}", Place(line, 0)
        if item.target.startswith("LEARNED:") and item.target not in preferred:
            # The shipped names do not know this intervention, so its own name must lead here too.
            preferred.add(item.target)
            yield fold_phrase(item.preferred), Place(line, 0)
