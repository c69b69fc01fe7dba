"""Counting the values of one piece over many studies, each kind in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from trialyst.essie.pieces import Kind, Piece

__all__ = ["FieldType", "FieldValues", "Longest", "Tally", "field_type", "start_tally"]

TOP_VALUES = 250
"""The live service lists no more."""

_DATE_FORMATS = {4: "yyyy", 7: "yyyy-MM", 10: "yyyy-MM-dd", 16: "yyyy-MM-dd'T'HH:mm"}


class FieldType(StrEnum):
    """What kind of statistics a leaf field has."""

    ENUM = "ENUM"
    STRING = "STRING"
    DATE = "DATE"
    INTEGER = "INTEGER"
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"


_BY_KIND = {
    Kind.ENUM: FieldType.ENUM,
    Kind.TEXT: FieldType.STRING,
    Kind.AGE: FieldType.STRING,
    Kind.DATE: FieldType.DATE,
    Kind.NUMBER: FieldType.INTEGER,
    Kind.BOOLEAN: FieldType.BOOLEAN,
}


def field_type(piece: Piece) -> FieldType | None:
    """Say how a piece is counted; None for structs and points, which are not.

    >>> from trialyst.essie.pieces import find_piece
    >>> field_type(find_piece("Phase")).value, field_type(find_piece("LocationGeoPoint"))
    ('ENUM', None)
    """
    return _BY_KIND.get(piece.kind)


@dataclass(frozen=True, slots=True)
class Longest:
    """The longest text of a piece and the study it stands in."""

    number: int
    value: str


@dataclass(frozen=True, slots=True)
class FieldValues:
    """Statistics of one leaf piece; the attributes that its type does not have are None."""

    piece: Piece
    type: FieldType
    missing: int
    """Studies without any value."""
    unique: int | None = None
    top: tuple[tuple[str, int], ...] = ()
    """Values with the number of studies that have them, the most frequent first."""
    longest: Longest | None = None
    low: Any = None
    high: Any = None
    average: float | None = None
    formats: tuple[str, ...] = ()
    flags: Mapping[bool, int] | None = None

    @classmethod
    def of_counts(cls, piece: Piece, counts: Mapping[str, int], *, missing: int) -> FieldValues:
        """Give the statistics of an enumerated or yes-no piece from studies per value."""
        if piece.kind is Kind.BOOLEAN:
            flags = {flag: counts.get(str(flag).lower(), 0) for flag in (False, True)}
            return cls(piece, FieldType.BOOLEAN, missing, flags=flags)
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        top = tuple(ranked[:TOP_VALUES])
        return cls(piece, FieldType.ENUM, missing, unique=len(ranked), top=top)


class Tally(Protocol):
    """A count under way; only studies that have values are added."""

    def add(self, number: int, values: Sequence[Any]) -> None: ...

    def result(self, studies: int) -> FieldValues: ...


def start_tally(piece: Piece) -> Tally:
    """Give an empty count for a piece of texts, dates or numbers."""
    return _Ranking(piece) if field_type(piece) is FieldType.STRING else _Span(piece)


@dataclass(slots=True)
class _Ranking:
    """Counts texts by hash; keeps a text itself only when it may become one of the top values.

    That is the first ones seen, and any that is seen twice: long texts are nearly all unique.
    """

    piece: Piece
    present: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    longest: Longest | None = None

    def add(self, number: int, values: Sequence[Any]) -> None:
        self.present += 1
        for text in dict.fromkeys(map(str, values)):
            key = hash(text)
            seen = self.counts.get(key, 0)
            self.counts[key] = seen + 1
            if seen == 1 or len(self.texts) < TOP_VALUES:
                self.texts[key] = text
            if self.longest is None or len(text) > len(self.longest.value):
                self.longest = Longest(number, text)

    def result(self, studies: int) -> FieldValues:
        ranked = sorted(self.texts.items(), key=lambda item: (-self.counts[item[0]], item[1]))
        return FieldValues(
            self.piece,
            FieldType.STRING,
            studies - self.present,
            unique=len(self.counts),
            top=tuple((text, self.counts[key]) for key, text in ranked[:TOP_VALUES]),
            longest=self.longest,
        )


@dataclass(slots=True)
class _Span:
    """Lowest and highest date or number; dates compare as text."""

    piece: Piece
    present: int = 0
    low: Any = None
    high: Any = None
    total: float = 0
    count: int = 0
    formats: set[str] = field(default_factory=set)

    def add(self, number: int, values: Sequence[Any]) -> None:
        wanted = str if self.piece.kind is Kind.DATE else (int, float)
        known: list[Any] = [v for v in values if isinstance(v, wanted) and not isinstance(v, bool)]
        if not known:
            return
        self.present += 1
        self.low = min(known) if self.low is None else min(self.low, *known)
        self.high = max(known) if self.high is None else max(self.high, *known)
        self.count += len(known)
        if self.piece.kind is Kind.DATE:
            self.formats.update(_DATE_FORMATS.get(len(value), "other") for value in known)
        else:
            self.total += sum(known)

    def result(self, studies: int) -> FieldValues:
        numeric = self.piece.kind is Kind.NUMBER
        return FieldValues(
            self.piece,
            FieldType.INTEGER if numeric else FieldType.DATE,
            studies - self.present,
            low=self.low,
            high=self.high,
            average=self.total / self.count if numeric and self.count else None,
            formats=tuple(sorted(self.formats)),
        )
