"""Bars and funnels as SVG, drawn here: a page must open anywhere, without a script or a font."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

__all__ = ["Bar", "draw_bars", "draw_funnel"]

_WIDTH = 760
_ROW = 26
_LABEL = 330
_LONGEST = 52
_COLOURS = ("#2b6cb0", "#a0bfe0", "#c53030")


class Bar(NamedTuple):
    """A name and its amounts, drawn one behind the other."""

    label: str
    amounts: tuple[float, ...]
    told: str
    """What stands behind the bar."""


def draw_bars(bars: Sequence[Bar], *, title: str) -> str:
    """Give horizontal bars, the longest as wide as there is room."""
    most = max((sum(bar.amounts) for bar in bars), default=0) or 1
    room = _WIDTH - _LABEL - 90
    drawn = []
    for place, bar in enumerate(bars):
        top, left = place * _ROW, float(_LABEL)
        drawn.append(_text(_LABEL - 8, top + 17, _cut(bar.label), anchor="end"))
        for amount, colour in zip(bar.amounts, _COLOURS, strict=False):
            width = room * amount / most
            drawn.append(_rect(left, top + 4, width, colour))
            left += width
        drawn.append(_text(left + 6, top + 17, bar.told))
    return _svg(drawn, len(bars) * _ROW, title)


def draw_funnel(steps: Sequence[Bar], *, title: str) -> str:
    """Give steps one below the other, each as wide as what is left, in the middle."""
    most = max((sum(step.amounts) for step in steps), default=0) or 1
    room = _WIDTH - _LABEL - 110
    middle = _LABEL + room / 2
    drawn = []
    for place, step in enumerate(steps):
        top = place * _ROW
        left = middle - room * sum(step.amounts) / most / 2
        drawn.append(_text(_LABEL - 8, top + 17, _cut(step.label), anchor="end"))
        for amount, colour in zip(step.amounts, _COLOURS, strict=False):
            width = room * amount / most
            drawn.append(_rect(left, top + 2, width, colour))
            left += width
        drawn.append(_text(_LABEL + room + 10, top + 17, step.told))
    return _svg(drawn, len(steps) * _ROW, title)


def _svg(drawn: Sequence[str], height: int, title: str) -> str:
    named = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{named}" '
        f'viewBox="0 0 {_WIDTH} {max(height, _ROW)}" width="{_WIDTH}" '
        f'font-family="sans-serif" font-size="12"><title>{named}</title>{"".join(drawn)}</svg>'
    )


def _rect(left: float, top: float, width: float, colour: str) -> str:
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(width, 0.0):.1f}" height="{_ROW - 8}" '
        f'fill="{colour}"/>'
    )


def _text(left: float, top: float, words: str, *, anchor: str = "start") -> str:
    return f'<text x="{left:.1f}" y="{top}" text-anchor="{anchor}">{escape(words)}</text>'


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
