"""Rows of a labelled file: JSON lines, plain or compressed, each with the number of its line."""

from __future__ import annotations

import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from trialyst.errors import InvalidInput

__all__ = ["open_text", "read_rows"]

_UNREADABLE = (OSError, EOFError, UnicodeDecodeError, lzma.LZMAError, zlib.error)


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a file with their line numbers; blank lines are passed over.

    Raises:
        InvalidInput: there is no such file, it cannot be read to its end, or a line is no object.
    """
    if not path.is_file():
        raise InvalidInput(
            f"There is no file {str(path)!r}",
            hint="Give the path of a file of JSON lines, plain or .gz, .xz.",
            invalid_input=str(path),
        )
    try:
        with open_text(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _object(line, number, path)
    except _UNREADABLE as error:
        raise InvalidInput(
            f"{path.name} cannot be read: {error}",
            hint="Check that the file is whole.",
            invalid_input=str(path),
        ) from None


def open_text(path: Path) -> IO[str]:
    """Open a text file for reading, unpacking .gz and .xz."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _object(line: str, number: int, path: Path) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise InvalidInput(
            f"Line {number} of {path.name} is not a JSON object",
            hint="Give one object a line.",
            invalid_input=line.strip()[:80],
        )
    return row
