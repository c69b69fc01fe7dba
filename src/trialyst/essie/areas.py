"""The 19 search areas: which pieces each one searches, and with which weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from trialyst.essie.pieces import Piece, pieces, read_data_lines

__all__ = ["Area", "Part", "areas", "find_area", "find_param"]


@dataclass(frozen=True, slots=True)
class Part:
    """Pieces of an area that share a weight; `synonyms` allows Concept expansion there."""

    weight: float
    pieces: tuple[Piece, ...]
    synonyms: bool


@dataclass(frozen=True, slots=True)
class Area:
    """A named, weighted set of pieces."""

    name: str
    parts: tuple[Part, ...]
    param: str | None = None
    """The suffix after `query.` that searches this area."""
    label: str | None = None
    """How the service names the area in its error texts."""

    def __hash__(self) -> int:
        return hash(self.name)


@cache
def areas() -> Mapping[str, Area]:
    """Give every search area by name, in the service's order."""
    table: dict[str, Area] = {}
    head: tuple[str, str | None, str | None] | None = None
    parts: list[Part] = []
    for line in [*read_data_lines("areas.txt"), "."]:
        if line.startswith(" "):
            parts.append(_parse_part(line.split()))
            continue
        if head:
            table[head[0]] = Area(head[0], tuple(parts), head[1], head[2])
        names, _, label = line.partition(" | ")
        name, _, param = names.partition(" ")
        head, parts = (name, param or None, label or None), []
    return table


def _parse_part(words: list[str]) -> Part:
    weight, *names = words
    synonyms = names[0] == "syn"
    table = pieces()
    return Part(float(weight), tuple(table[name] for name in names[synonyms:]), synonyms)


def find_area(name: str) -> Area | None:
    """Find a search area by name, in any case."""
    return _by_folded_name().get(name.strip().casefold())


@cache
def _by_folded_name() -> Mapping[str, Area]:
    return {name.casefold(): area for name, area in areas().items()}


def find_param(param: str) -> Area | None:
    """Find the area a `query.*` parameter searches, by the suffix.

    >>> find_param("cond").name
    'ConditionSearch'
    """
    return _by_param().get(param)


@cache
def _by_param() -> Mapping[str, Area]:
    return {area.param: area for area in areas().values() if area.param}
