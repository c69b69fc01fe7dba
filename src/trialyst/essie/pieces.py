"""The study structure: every piece with its path, type and flags.

Owns the facts of `data/pieces.txt`. Knows nothing of records or of how they are indexed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

__all__ = ["Kind", "Piece", "find_piece", "pieces", "read_data_lines", "roots"]


class Kind(StrEnum):
    """How the values of a piece compare."""

    TEXT = "text"
    ENUM = "enum"
    BOOLEAN = "boolean"
    NUMBER = "number"
    DATE = "date"
    AGE = "age"
    GEO = "geo"
    STRUCT = "struct"


_KIND_OF_TYPE = {
    "text": Kind.TEXT,
    "markup": Kind.TEXT,
    "keyword": Kind.TEXT,
    "boolean": Kind.BOOLEAN,
    "integer": Kind.NUMBER,
    "long": Kind.NUMBER,
    "number": Kind.NUMBER,
    "short": Kind.NUMBER,
    "PartialDate": Kind.DATE,
    "NormalizedDate": Kind.DATE,
    "DateTimeMinutes": Kind.DATE,
    "NormalizedTime": Kind.AGE,
    "GeoPoint": Kind.GEO,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One node of the study structure; `path` is the JSON keys from the root."""

    name: str
    path: tuple[str, ...]
    type: str
    kind: Kind
    is_list: bool = False
    """The JSON value at `path` is an array."""
    list_depth: int = 0
    """How many arrays lie on the path, its own included."""
    synonyms: bool = False
    nested: bool = False
    indexed_only: bool = False
    max_chars: int | None = None
    alt_names: tuple[str, ...] = ()
    source_type: str = "TEXT"
    parent: str | None = None

    def __hash__(self) -> int:
        # Its name tells it from all others; every search hashes whole areas.
        return hash(self.name)

    @property
    def dotted_path(self) -> str:
        return ".".join(self.path)

    @property
    def is_leaf(self) -> bool:
        return self.kind is not Kind.STRUCT

    @property
    def in_location(self) -> bool:
        """Whether the piece belongs to the nested Location document."""
        return "locations" in self.path and self.name != "Location"


def read_data_lines(name: str) -> Iterator[str]:
    """Yield the lines of a data file of this package, without comments and blanks."""
    text = resources.files("trialyst.essie").joinpath("data", name).read_text("utf-8")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


@cache
def pieces() -> Mapping[str, Piece]:
    """Give every piece by its canonical name, parents before children."""
    table: dict[str, Piece] = {}
    stack: list[Piece] = []
    for line in read_data_lines("pieces.txt"):
        depth = len(line) - len(line.lstrip(" "))
        del stack[depth:]
        piece = _parse_line(line.split(), stack[-1] if stack else None)
        stack.append(piece)
        table[piece.name] = piece
    return table


def _parse_line(words: list[str], parent: Piece | None) -> Piece:
    key, name, *rest = words
    is_list = key.endswith("[]")
    flags = {word for word in rest if word in {"enum", "syn", "indexed", "nested"}}
    options = dict(word.split("=", 1) for word in rest if "=" in word)
    types = [word for word in rest if "=" not in word and word not in flags]
    type_name = types[0] if types else name
    kind = Kind.ENUM if "enum" in flags else _KIND_OF_TYPE.get(type_name, Kind.STRUCT)
    return Piece(
        name=name,
        path=(*(parent.path if parent else ()), key.removesuffix("[]")),
        type=type_name,
        kind=kind,
        is_list=is_list,
        list_depth=(parent.list_depth if parent else 0) + is_list,
        synonyms="syn" in flags,
        nested="nested" in flags,
        indexed_only="indexed" in flags,
        max_chars=int(options["max"]) if "max" in options else None,
        alt_names=tuple(options["alt"].split("|")) if "alt" in options else (),
        source_type=options.get("source", _source_type(type_name, kind)).replace("_", " "),
        parent=parent.name if parent else None,
    )


def _source_type(type_name: str, kind: Kind) -> str:
    if kind is Kind.STRUCT:
        return "STRUCT"
    by_type = {"markup": "MARKUP", "short": "DERIVED"}
    by_kind = {Kind.BOOLEAN: "BOOLEAN", Kind.DATE: "DATE"}
    return by_type.get(type_name) or by_kind.get(kind, "TEXT")


@cache
def roots() -> tuple[Piece, ...]:
    """Give the top-level pieces in record order."""
    return tuple(piece for piece in pieces().values() if piece.parent is None)


@cache
def _by_folded_name() -> Mapping[str, Piece]:
    table = {piece.dotted_path.casefold(): piece for piece in pieces().values()}
    for piece in pieces().values():
        for alt in piece.alt_names:
            table[alt.casefold()] = piece
    for piece in pieces().values():
        table[piece.name.casefold()] = piece
    return table


def find_piece(name: str) -> Piece | None:
    """Find a piece by name, alternate name or dotted path, in any case.

    >>> find_piece("nct-id").name, find_piece("protocolSection.designModule.phases").name
    ('NCTId', 'Phase')
    """
    return _by_folded_name().get(name.strip().replace("[]", "").casefold())
