"""What each pathway tool takes besides its first argument, by the names every interface uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

__all__ = ["EnrichArguments", "PageArguments"]

Genes = str | int | Sequence[str | int]
"""Genes as a list, as JSON in a string, or separated by commas."""


class PageArguments(TypedDict, total=False):
    """What `search_pathways` and `get_pathways_for_gene` take."""

    organism: str | None
    """A scientific name; all organisms if not given."""
    slim: bool | str | None
    """Only id, title, organism and score; true if not given."""
    page_size: int | str | None
    """1 to 100, default 50."""
    cursor: str | None
    """`pagination.cursor` of the previous page; belongs to the same query."""


class EnrichArguments(TypedDict, total=False):
    """What `enrich_pathways` takes."""

    organism: str | None
    """A scientific name; `Homo sapiens` if not given."""
    background: Genes | None
    """The genes that could have been found; all genes of the organism's pathways if not given."""
    page_size: int | str | None
    """1 to 100, default 50."""
    cursor: str | None
    """`pagination.cursor` of the previous page; belongs to the same question."""
