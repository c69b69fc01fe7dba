"""Points, rectangles and the ways of lines: straight, in elbows and curved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from trialyst.pathways.pathway import Box

__all__ = [
    "Spot",
    "bounds",
    "clip",
    "line_path",
    "padded",
    "route",
    "shorten",
    "spot_along",
    "write_number",
]


class Spot(NamedTuple):
    """A point of the drawing."""

    x: float
    y: float


def write_number(value: float) -> str:
    """Write a length with one digit after the point, if any.

    >>> write_number(3.0), write_number(2.25), write_number(-0.01)
    ('3', '2.2', '0')
    """
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def bounds(boxes: Iterable[Box]) -> Box | None:
    """Give the rectangle around some rectangles; None around nothing."""
    known = list(boxes)
    if not known:
        return None
    left = min(box.x - box.width / 2 for box in known)
    right = max(box.x + box.width / 2 for box in known)
    top = min(box.y - box.height / 2 for box in known)
    bottom = max(box.y + box.height / 2 for box in known)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def padded(box: Box, by: float) -> Box:
    """Give a rectangle that is larger on all sides."""
    return Box(box.x, box.y, box.width + 2 * by, box.height + 2 * by)


def clip(box: Box, towards: Spot) -> Spot:
    """Give where the line from a rectangle's centre to a point leaves the rectangle."""
    dx, dy = towards.x - box.x, towards.y - box.y
    shares = [
        half / abs(step)
        for half, step in ((box.width / 2, dx), (box.height / 2, dy))
        if abs(step) > 1e-9
    ]
    share = min([1.0, *shares])
    return Spot(box.x + dx * share, box.y + dy * share)


def route(
    points: Sequence[Spot], connector: str | None, *, first: Box | None, last: Box | None
) -> list[Spot]:
    """Give the corners of a line; an elbow leaves and enters a thing by the side it touches."""
    if connector not in {"Elbow", "Curved"} or len(points) < 2:
        return list(points)
    start, *between, end = points
    sideways = _leaves_sideways(start, first, points[1])
    ends_sideways = _leaves_sideways(end, last, points[-2])
    if not between and sideways == ends_sideways:
        between = [Spot((start.x + end.x) / 2, (start.y + end.y) / 2)]
    corners = [start]
    for point in [*between, end]:
        at = corners[-1]
        corners.append(Spot(point.x, at.y) if sideways else Spot(at.x, point.y))
        sideways = not sideways
    corners.append(end)
    bends = [a for a, b in pairwise(corners) if math.dist(a, b) > 1e-6]
    return [*(bends or [start]), end]


def _leaves_sideways(point: Spot, box: Box | None, next_point: Spot) -> bool:
    if box is None or not box.width or not box.height:
        return abs(next_point.x - point.x) >= abs(next_point.y - point.y)
    across = abs(point.x - box.x) / box.width
    along = abs(point.y - box.y) / box.height
    return across >= along


def line_path(corners: Sequence[Spot], *, curved: bool = False) -> str:
    """Write the way of a line for SVG."""
    start, *rest = corners
    parts = [f"M{_pair(start)}"]
    if not curved or len(corners) < 3:
        return " ".join([*parts, *(f"L{_pair(spot)}" for spot in rest)])
    for at, after in pairwise(rest):
        middle = after if after is rest[-1] else Spot((at.x + after.x) / 2, (at.y + after.y) / 2)
        parts.append(f"Q{_pair(at)} {_pair(middle)}")
    return " ".join(parts)


def spot_along(corners: Sequence[Spot], share: float) -> Spot:
    """Give the point at a share of the length of a line."""
    lengths = [math.dist(a, b) for a, b in pairwise(corners)]
    left = max(0.0, min(1.0, share)) * sum(lengths)
    for (a, b), length in zip(pairwise(corners), lengths, strict=True):
        if left <= length and length:
            part = left / length
            return Spot(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
        left -= length
    return corners[-1]


def shorten(corners: Sequence[Spot], by: float) -> list[Spot]:
    """End a line earlier, to leave room for its head."""
    *others, before, end = corners
    length = math.dist(before, end)
    if length <= by or not length:
        return list(corners)
    part = (length - by) / length
    tip = Spot(before.x + (end.x - before.x) * part, before.y + (end.y - before.y) * part)
    return [*others, before, tip]


def _pair(spot: Spot) -> str:
    return f"{write_number(spot.x)},{write_number(spot.y)}"
