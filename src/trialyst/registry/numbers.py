"""The number of every study by its address in the index, kept beside it.

The engine opens a column of every segment for each question that asks it for numbers, which takes
as long as a selective search itself.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.errors import RegistryError
from trialyst.registry.index import Searcher, all_addresses, open_index
from trialyst.registry.schema import NUMBER

if TYPE_CHECKING:
    import tantivy

__all__ = ["Numbers", "write_numbers"]

_UNSIGNED = "I"


class Numbers:
    """The numbers of the studies of one index."""

    def __init__(self, path: Path) -> None:
        try:
            values = array(_UNSIGNED, path.read_bytes())
        except (OSError, ValueError) as problem:
            raise RegistryError(f"The numbers in {str(path)!r} cannot be read: {problem}") from None
        if sys.byteorder == "big":
            values.byteswap()
        count = values[0] if values else 0
        ends = [count + 1]
        for size in values[1 : count + 1]:
            ends.append(ends[-1] + size)
        self._segments = [values[ends[at] : ends[at + 1]] for at in range(count)]

    def at(self, addresses: Sequence[tantivy.DocAddress]) -> list[int]:
        """Give the numbers of the studies at these addresses."""
        segments = self._segments
        return [segments[address.segment_ord][address.doc] for address in addresses]


def write_numbers(index: Path, target: Path) -> None:
    """Write the file for an index: how many segments there are, their sizes, then the numbers."""
    import tantivy

    searcher = Searcher(open_index(index))
    addresses = all_addresses(searcher, tantivy.Query.all_query())
    segments: list[array[int]] = []
    for address, number in zip(addresses, searcher.column(NUMBER, addresses), strict=True):
        while len(segments) <= address.segment_ord:
            segments.append(array(_UNSIGNED))
        segment = segments[address.segment_ord]
        # Places of deleted documents stay empty, and addresses may come in any order.
        segment.extend([0] * (address.doc + 1 - len(segment)))
        segment[address.doc] = int(number or 0)
    written = array(_UNSIGNED, [len(segments), *map(len, segments)])
    for segment in segments:
        written.extend(segment)
    if sys.byteorder == "big":
        written.byteswap()
    target.write_bytes(written.tobytes())
