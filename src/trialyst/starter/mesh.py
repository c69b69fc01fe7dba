"""MeSH headings of the starter records: terms by id and everything above them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from trialyst.starter.tables import read_rows

__all__ = ["Heading", "browse_module", "headings"]


class Heading(NamedTuple):
    """A MeSH heading with its broader headings."""

    id: str
    term: str
    parents: tuple[str, ...]


@cache
def headings() -> Mapping[str, Heading]:
    """Give every heading by id."""
    return {row[0]: Heading(row[0], row[1], tuple(row[2].split())) for row in read_rows("mesh.txt")}


@cache
def _above(mesh_id: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for parent in headings()[mesh_id].parents:
        found[parent] = None
        found.update(dict.fromkeys(_above(parent)))
    return tuple(found)


def browse_module(mesh_ids: Iterable[str]) -> dict[str, Any] | None:
    """Give meshes and their ancestors as the registry lists them; None without headings."""
    own = tuple(mesh_id for mesh_id in dict.fromkeys(mesh_ids) if mesh_id)
    if not own:
        return None
    terms = _terms()
    above = _above_all(own)
    module: dict[str, Any] = {"meshes": [{"id": i, "term": terms[i]} for i in own]}
    if above:
        module["ancestors"] = [{"id": i, "term": terms[i]} for i in above]
    return module


@cache
def _terms() -> Mapping[str, str]:
    return {mesh_id: heading.term for mesh_id, heading in headings().items()}


@cache
def _above_all(own: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(a for mesh_id in own for a in _above(mesh_id) if a not in own))
