"""Files that a command writes beside its answer: a sheet as CSV, a chart as PNG or SVG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.output import note

if TYPE_CHECKING:
    from trialyst.agents.figures import Form
    from trialyst.discovery import Answer
    from trialyst.interfaces.cli.views import View

__all__ = ["check_place", "saving"]

_FORMS: dict[str, Form] = {".png": "png", ".svg": "svg"}


def saving(
    tool: str, view: View, *, csv: str | None, plot: str | None
) -> Callable[[Answer], None] | None:
    """Give what writes the files, or None; what cannot be written is refused before the asking."""
    sheet = check_place(csv) if csv and csv != "-" else None
    chart = check_place(plot) if plot else None
    if chart and chart.suffix.lower() not in _FORMS:
        raise InvalidInput(
            f"A chart cannot be written as {chart.name!r}",
            hint="Give a file that ends in .png or .svg.",
            invalid_input=plot,
        )
    if not (sheet or chart):
        return None

    def save(answer: Answer) -> None:
        if sheet:
            sheet.write_bytes(view.csv(answer).encode("utf-8"))
            note(f"Wrote {sheet}.")
        if chart:
            from trialyst.interfaces.cli.plots import draw

            chart.write_bytes(draw(tool, answer, form=_FORMS[chart.suffix.lower()]))
            note(f"Wrote {chart}.")

    return save


def check_place(name: str) -> Path:
    """Give the path of a file that a command may write, or raise InvalidInput."""
    path = Path(name).expanduser()
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InvalidInput(
            f"{name!r} is no file that can be written",
            hint="Name a file in a directory that exists.",
            invalid_input=name,
        )
    return path
