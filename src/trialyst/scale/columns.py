"""Tables on disk: Parquet for results, Parquet or CSV for input. Needs the extra `cohort`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trialyst.errors import InvalidInput
from trialyst.hints import Command, Hint

__all__ = ["encode_table", "need_parquet", "read_columns", "read_table"]


def need_parquet() -> Any:
    """Give pyarrow, or say how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as problem:
        raise InvalidInput(
            "Parquet needs the library pyarrow, which is not installed",
            hint=Hint("To get it, {install}.", install=Command("pip install 'trialyst[cohort]'")),
        ) from problem
    return pyarrow


def encode_table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> bytes:
    """Give rows as a Parquet file of one group; equal rows give equal bytes.

    Args:
        columns: by name, the type: `string`, `int32`, `double`, `bool` or `list<string>`.
    """
    arrow = need_parquet()
    listed = {
        name: arrow.array([row.get(name) for row in rows], type=_type_of(arrow, kind))
        for name, kind in columns.items()
    }
    written = io.BytesIO()
    arrow.parquet.write_table(arrow.table(listed), written, compression="zstd")
    return written.getvalue()


def _type_of(arrow: Any, kind: str) -> Any:
    if kind == "list<string>":
        return arrow.list_(arrow.string())
    return arrow.type_for_alias(kind)


def read_columns(data: bytes | Path) -> list[dict[str, Any]]:
    """Give the rows of a Parquet file."""
    arrow = need_parquet()
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    rows: list[dict[str, Any]] = arrow.parquet.read_table(source).to_pylist()
    return rows


def read_table(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table by lower-case column names."""
    if path.suffix.lower() == ".parquet":
        arrow = need_parquet()
        with arrow.parquet.ParquetFile(path) as opened:
            for batch in opened.iter_batches():
                for row in batch.to_pylist():
                    yield {name.lower(): value for name, value in row.items()}
        return
    with path.open(newline="", encoding="utf-8-sig") as stream:
        first = stream.readline()
        stream.seek(0)
        dialect = "excel-tab" if first.count("\t") > first.count(",") else "excel"
        for found in csv.DictReader(stream, dialect=dialect):
            yield {(name or "").lower(): value for name, value in found.items()}
