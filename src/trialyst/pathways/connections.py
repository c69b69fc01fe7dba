"""Interactions of a GPML file: who acts on whom, and how."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping

from trialyst.pathways.graphics import number, read_look
from trialyst.pathways.pathway import (
    Anchor,
    Arrow,
    End,
    EndKind,
    Interaction,
    Line,
    Point,
    Xref,
)

__all__ = ["read_arrow", "read_interaction", "read_line"]

_ARROWS = {
    "arrow": Arrow.DIRECTED,
    "line": Arrow.UNDIRECTED,
    "tbar": Arrow.INHIBITION,
    "mim-necessary-stimulation": Arrow.STIMULATION,
    "mim-covalent-bond": Arrow.BINDING,
    "mim-transcription-translation": Arrow.TRANSCRIPTION_TRANSLATION,
    # PathVisio writes the heads that GenMAPP drew for receptors and ligands as these.
    "receptor": Arrow.BINDING,
    "receptorround": Arrow.BINDING,
    "receptorsquare": Arrow.BINDING,
    "ligandround": Arrow.BINDING,
    "ligandsquare": Arrow.BINDING,
} | {arrow.value.lower(): arrow for arrow in Arrow}


def read_arrow(text: str | None) -> Arrow:
    """Give what a head stands for; no head is UNDIRECTED, an unknown one OTHER.

    >>> read_arrow("mim-catalysis"), read_arrow("TBar").value, read_arrow(None).value
    (<Arrow.CATALYSIS: 'Catalysis'>, 'Inhibition', 'Undirected')
    """
    if not text:
        return Arrow.UNDIRECTED
    lowered = text.strip().lower()
    return _ARROWS.get(lowered) or _ARROWS.get(lowered.removeprefix("mim-")) or Arrow.OTHER


def read_interaction(
    element: ET.Element,
    *,
    id: str,
    kinds: Mapping[str, EndKind],
    xrefs: tuple[Xref, ...],
    remarks: Callable[[ET.Element], tuple[tuple[str, ...], tuple[str, ...]]],
) -> Interaction:
    """Make an interaction of an element; `kinds` tells what each id of the file stands for."""
    drawn = list(element.iter("Point"))
    points = _points(drawn)
    ends = [_end(point, kinds) for point in (drawn[:1] + drawn[-1:])] or [_NOWHERE, _NOWHERE]
    first, last = ends[0], ends[-1]
    first_arrow, last_arrow = (points[0].arrow, points[-1].arrow) if points else _NO_ARROWS
    if last_arrow is Arrow.UNDIRECTED and first_arrow is not Arrow.UNDIRECTED:
        first, last, first_arrow, last_arrow = last, first, last_arrow, first_arrow
    references, comments = remarks(element)
    return Interaction(
        id=id,
        source=first,
        target=last,
        type=last_arrow,
        back=None if first_arrow is Arrow.UNDIRECTED else first_arrow,
        xrefs=xrefs,
        references=references,
        comments=comments,
        anchors=tuple(
            Anchor(anchor.get("elementId", ""), number(anchor.get("position"), 0.5))
            for anchor in element.iter("Anchor")
        ),
        points=points,
        connector=_connector(element),
        look=read_look(element),
    )


def read_line(element: ET.Element) -> Line:
    """Make a line of the drawing of an element."""
    return Line(_points(element.iter("Point")), _connector(element), read_look(element))


_NOWHERE = End(None, None)
_NO_ARROWS = (Arrow.UNDIRECTED, Arrow.UNDIRECTED)


def _points(drawn: Iterable[ET.Element]) -> tuple[Point, ...]:
    return tuple(
        Point(number(point.get("x")), number(point.get("y")), read_arrow(point.get("arrowHead")))
        for point in drawn
    )


def _end(point: ET.Element, kinds: Mapping[str, EndKind]) -> End:
    ref = point.get("elementRef")
    return End(ref, kinds.get(ref)) if ref else _NOWHERE


def _connector(element: ET.Element) -> str | None:
    graphics = element.find("Graphics")
    return None if graphics is None else graphics.get("connectorType")
