"""A dossier laid out: sections of sentences, tables and charts, whatever they are written as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trialyst.agents.figures import Form
from trialyst.agents.sentences import Sentence

__all__ = ["Block", "Document", "Grid", "Listing", "Picture", "Section"]


@dataclass(frozen=True, slots=True)
class Listing:
    """Sentences one below the other."""

    sentences: Sequence[Sentence]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `heads` None for names and values."""

    heads: Sequence[str] | None
    rows: Sequence[Sequence[str]]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart, and the same in text for where no picture can stand."""

    title: str
    draw: Callable[[Form], bytes]
    text: str
    caption: str = ""
    """Where the numbers come from, and of when."""


Block = Listing | Grid | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document under its heading."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """All there is to write."""

    title: str
    subtitle: str
    warnings: Sequence[str]
    """What a reader must see first."""
    sections: Sequence[Section]
    synthetic: bool
    """Ids of invented records lead nowhere and are no links."""
