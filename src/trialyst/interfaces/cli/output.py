"""How commands speak: data on standard output, everything else on standard error.

On a terminal text fits its width and may be bold; in a pipe it is plain, and as wide as it needs.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.layout import GAP, Screen, Table, render_table

if TYPE_CHECKING:
    from pydantic import BaseModel

    from trialyst.ctgov.source import Provenance

__all__ = [
    "is_output_full",
    "lose_output",
    "note",
    "screen",
    "show_exactly",
    "show_json",
    "show_pairs",
    "show_table",
    "show_text",
    "to_values",
    "warn_if_synthetic",
]


def show_json(value: object) -> None:
    """Print one JSON value."""
    show_text(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def to_values(model: BaseModel) -> dict[str, Any]:
    """Give a model as plain values, absent ones left out."""
    return model.model_dump(mode="json", exclude_none=True)


def show_text(text: str) -> None:
    """Print text; a reader that has gone away, as in `| head`, ends the command quietly."""
    show_exactly(text + "\n")


def show_exactly(text: str) -> None:
    """Print text that ends its own lines."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        raise typer.Exit(lose_output(error)) from None


def is_output_full() -> bool:
    """Say whether it is standard output that has no room, and not where things are kept."""
    descriptor = sys.stdout.fileno()
    found = os.fstat(descriptor)
    if stat.S_ISCHR(found.st_mode):
        # Neither a terminal nor what takes everything is ever full.
        nowhere = found.st_rdev == Path(os.devnull).stat().st_rdev
        return not nowhere and not os.isatty(descriptor)
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return False


def lose_output(error: OSError) -> int:
    """Say that standard output takes no more, and give the exit code."""
    # What is still to be written would fail again, and end in a traceback.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    note(f"Error: The answer cannot be written: {error.strerror}")
    note("Hint: Send standard output to a place that may be written and has room.")
    return InvalidInput.exit_code


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


def screen() -> Screen:
    """Say what standard output is written for."""
    if not sys.stdout.isatty():
        return Screen()
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return Screen(shutil.get_terminal_size().columns, colours=not plain)


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under column names."""
    show_text(render_table(Table(columns, rows), screen()))


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
