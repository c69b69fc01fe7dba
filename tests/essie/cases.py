"""The line fixtures of the query language."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FIXTURES = Path(__file__).parent.parent / "fixtures" / "essie"


class Invalid(NamedTuple):
    """A text, the column of its fault from 1, and how the message begins."""

    column: int
    text: str
    message: str


def read_roundtrips() -> list[str]:
    """Give the texts that are their own canonical form."""
    return (FIXTURES / "roundtrip.txt").read_text("utf-8").splitlines()


def read_documented() -> list[str]:
    """Give expressions as the documentation and clients in use write them."""
    return (FIXTURES / "documented.txt").read_text("utf-8").splitlines()


def read_pairs() -> list[tuple[str, str]]:
    """Give texts with their canonical forms; blank lines part them."""
    blocks = (FIXTURES / "pairs.txt").read_text("utf-8").rstrip("\n").split("\n\n")
    return list(zip(blocks[::2], blocks[1::2], strict=True))


def read_invalid() -> list[Invalid]:
    """Give the texts that are refused, tab-separated from column and message."""
    lines = (FIXTURES / "invalid.txt").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return [Invalid(int(column), text, message) for column, text, message in rows]
