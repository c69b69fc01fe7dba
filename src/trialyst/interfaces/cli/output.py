"""How commands speak: data on standard output, everything else on standard error.

On a terminal tables are drawn by rich; in a pipe they are plain aligned text. Rich is imported
only for a terminal, because it costs more than a search.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel

    from trialyst.ctgov.source import Provenance

__all__ = [
    "note",
    "show_json",
    "show_pairs",
    "show_table",
    "show_text",
    "to_values",
    "warn_if_synthetic",
]

GAP = "  "


def show_json(value: object) -> None:
    """Print one JSON value."""
    show_text(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def to_values(model: BaseModel) -> dict[str, Any]:
    """Give a model as plain values, absent ones left out."""
    return model.model_dump(mode="json", exclude_none=True)


def show_text(text: str) -> None:
    """Print text; a reader that has gone away, as in `| head`, ends the command quietly."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def note(text: str) -> None:
    """Tell the person something that is no part of the answer."""
    sys.stderr.write(text + "\n")


def warn_if_synthetic(provenance: Provenance) -> None:
    """Tell the person when the records are invented, and how to get real ones."""
    if provenance.synthetic:
        note(
            "These records are synthetic, made up for trying things out. "
            "Fetch real ones with `trialyst registry sync`."
        )


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under column names."""
    if sys.stdout.isatty():
        _draw_table(columns, rows)
    else:
        show_text("\n".join(_align([columns, *rows])))


def show_pairs(pairs: Mapping[str, Any]) -> None:
    """Print names and values, one pair a line; absent values are left out."""
    present = {name: _as_text(value) for name, value in pairs.items() if value not in (None, "")}
    width = max(map(len, present), default=0) + len(GAP)
    indent = "\n" + " " * width
    show_text(
        "\n".join(
            f"{name}:".ljust(width) + text.replace("\n", indent) for name, text in present.items()
        )
    )


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def _align(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield GAP.join(cells).rstrip()


def _draw_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold", no_wrap=name == columns[0])
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=shutil.get_terminal_size().columns).print(table)
