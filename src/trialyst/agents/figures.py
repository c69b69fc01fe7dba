"""Figures as bytes of SVG or PNG: the style of all charts, and the same values the same bytes.

Text in SVG stays text, so that it can be read aloud and searched.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal

from trialyst.agents.plain_svg import to_plain_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["WIDTH", "Form", "draw_axes", "draw_figure", "fit_label", "footed"]

Form = Literal["svg", "png"]

WIDTH = 7.2
"""Inches: the text width of a page."""
LONGEST_LABEL = 70
_DPI = 160
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "trialyst",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    # A dollar sign in a name is no formula.
    "text.parse_math": False,
}
# The style is one for the process, and matplotlib is not made for two threads.
_DRAWING = threading.Lock()


_foot: ContextVar[str] = ContextVar("foot", default="")
"""What stands below the figures drawn now: their source and its day."""


@contextmanager
def footed(text: str) -> Iterator[None]:
    """Put a line below every figure that is drawn inside."""
    token = _foot.set(text)
    try:
        yield
    finally:
        _foot.reset(token)


def draw_figure(
    paint: Callable[[Figure], None], *, width: float, height: float, form: Form
) -> bytes:
    """Draw whatever `paint` puts on a figure, in the style of all charts."""
    from matplotlib.figure import Figure

    with _drawing():
        figure = Figure(figsize=(width, height), layout="constrained")
        paint(figure)
        if foot := _foot.get():
            figure.supxlabel(foot, x=0.01, ha="left", fontsize=7, color="#666666")
        written = io.BytesIO()
        nobody = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        figure.savefig(written, format=form, dpi=_DPI, metadata=nobody)
    data = written.getvalue()
    return to_plain_svg(data) if form == "svg" else data


@contextmanager
def _drawing() -> Iterator[None]:
    import matplotlib

    with _DRAWING, matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        # A name in a script the font lacks is drawn as boxes in PNG, and as itself in SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def fit_label(text: str, longest: int = LONGEST_LABEL) -> str:
    """Give a text that fits a chart: on one line, without what XML forbids, cut where too long."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def draw_axes(
    paint: Callable[[Axes], None], *, height: float, form: Form, width: float = WIDTH
) -> bytes:
    """Draw whatever `paint` puts on one pair of axes."""
    return draw_figure(
        lambda figure: paint(figure.subplots()), width=width, height=height, form=form
    )
