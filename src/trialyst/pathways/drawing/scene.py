"""Where everything of a pathway is: boxes of nodes, groups and states, and the ways of lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trialyst.pathways.drawing.geometry import Spot, bounds, clip, padded, route, spot_along
from trialyst.pathways.pathway import (
    Arrow,
    Box,
    Drawing,
    End,
    Interaction,
    Pathway,
    Point,
    State,
)

__all__ = ["Scene", "Way", "build_scene"]

_STATE = 15.0
_GROUP_PAD = 7.0
_LOOP = 18.0


@dataclass(frozen=True, slots=True)
class Way:
    """The corners of an interaction, in the order drawn, and the heads at its ends."""

    interaction: Interaction
    corners: tuple[Spot, ...]
    first: Arrow
    last: Arrow

    @property
    def curved(self) -> bool:
        """Whether the corners are rounded off."""
        return self.interaction.connector == "Curved"


@dataclass(frozen=True, slots=True)
class Scene:
    """A pathway with a place for everything."""

    pathway: Pathway
    boxes: dict[str, Box]
    """Of nodes, groups, states and labels, by id."""
    ways: tuple[Way, ...]
    spots: dict[str, Spot]
    """Of the anchors that something touches, by id."""
    extent: Box
    undrawn: int
    """Interactions with an end that has no place."""


def build_scene(pathway: Pathway) -> Scene:
    """Work out where everything is; every node must have a box."""
    boxes = dict(_boxes(pathway))
    drawing = pathway.drawing or Drawing(0.0, 0.0)
    ways, spots = _Ways(pathway, boxes).build()
    corners = [Box(spot.x, spot.y, 0.0, 0.0) for way in ways for spot in way.corners]
    corners += [Box(point.x, point.y, 0.0, 0.0) for line in drawing.lines for point in line.points]
    labels = [label.box for label in drawing.labels]
    extent = bounds([*boxes.values(), *labels, *corners]) or Box(0.0, 0.0, 0.0, 0.0)
    touched = {end.ref for each in pathway.interactions for end in (each.source, each.target)}
    return Scene(
        pathway=pathway,
        boxes=boxes,
        ways=ways,
        spots={id: spot for id, spot in spots.items() if id in touched},
        extent=extent,
        undrawn=len(pathway.interactions) - len(ways),
    )


def _boxes(pathway: Pathway) -> Iterator[tuple[str, Box]]:
    drawing = pathway.drawing or Drawing(0.0, 0.0)
    known = {label.id: label.box for label in drawing.labels if label.id}
    known |= {node.id: node.box for node in pathway.nodes if node.box}
    for state in pathway.states:
        if state.node in known:
            known[state.id] = _state_box(state, known[state.node])
    groups = {group.id: group.members for group in pathway.groups}

    def members(id: str, seen: frozenset[str]) -> Iterator[Box]:
        for member in groups.get(id, ()):
            if member in groups and member not in seen:
                yield from members(member, seen | {member})
            elif member in known and member not in groups:
                yield known[member]

    around = ((id, bounds(members(id, frozenset({id})))) for id in groups)
    yield from known.items()
    yield from ((id, padded(box, _GROUP_PAD)) for id, box in around if box)


def _state_box(state: State, on: Box) -> Box:
    width = max(_STATE, 5.0 + 5.5 * len(state.label))
    x, y = state.offset
    return Box(on.x + x * on.width / 2, on.y + y * on.height / 2, width, _STATE)


class _Ways:
    """Finds the ways of lines, some of which end on others."""

    def __init__(self, pathway: Pathway, boxes: dict[str, Box]) -> None:
        self._pathway = pathway
        self._boxes = boxes
        self._spots: dict[str, Spot] = {}

    def build(self) -> tuple[tuple[Way, ...], dict[str, Spot]]:
        found: dict[int, Way] = {}
        waiting = dict(enumerate(self._pathway.interactions))
        # A line on an anchor has its place when the line below has; each turn places some.
        while placed := {at: way for at, each in waiting.items() if (way := self._way(each))}:
            found |= placed
            waiting = {at: each for at, each in waiting.items() if at not in placed}
        return tuple(found[at] for at in sorted(found)), self._spots

    def _way(self, interaction: Interaction) -> Way | None:
        points = interaction.points if len(interaction.points) > 1 else self._between(interaction)
        if points is None:
            return None
        first, last = self._touched(interaction)
        spots = [Spot(point.x, point.y) for point in points]
        corners = route(spots, interaction.connector, first=first, last=last)
        for anchor in interaction.anchors:
            self._spots[anchor.id] = spot_along(corners, anchor.position)
        return Way(interaction, tuple(corners), points[0].arrow, points[-1].arrow)

    def _touched(self, interaction: Interaction) -> tuple[Box | None, Box | None]:
        """Give what the line as drawn begins and ends at; it may run from target to source."""
        ends = (interaction.source, interaction.target)
        boxes = [self._boxes.get(end.ref or "") for end in ends]
        drawn = interaction.points
        turned = (
            len(drawn) > 1
            and drawn[-1].arrow is Arrow.UNDIRECTED
            and drawn[0].arrow is not Arrow.UNDIRECTED
        )
        return (boxes[1], boxes[0]) if turned else (boxes[0], boxes[1])

    def _between(self, interaction: Interaction) -> tuple[Point, ...] | None:
        """Draw a line between two things for which the file gives none."""
        source, target = self._middle(interaction.source), self._middle(interaction.target)
        if source is None or target is None:
            return None
        back = interaction.back or Arrow.UNDIRECTED
        box = self._boxes.get(interaction.source.ref or "")
        if box and interaction.source == interaction.target:
            return _loop(box, back, interaction.type)
        start = self._border(interaction.source, target, source)
        end = self._border(interaction.target, source, target)
        return Point(*start, arrow=back), Point(*end, arrow=interaction.type)

    def _middle(self, end: End) -> Spot | None:
        box = self._boxes.get(end.ref or "")
        return Spot(box.x, box.y) if box else self._spots.get(end.ref or "")

    def _border(self, end: End, towards: Spot, middle: Spot) -> Spot:
        box = self._boxes.get(end.ref or "")
        return (
            clip(replace(box, width=box.width + 4, height=box.height + 4), towards)
            if box
            else (middle)
        )


def _loop(box: Box, first: Arrow, last: Arrow) -> tuple[Point, ...]:
    """Draw what acts on itself as a line out of its side and back."""
    side, out = box.x + box.width / 2, box.x + box.width / 2 + _LOOP
    above, below = box.y - box.height / 4, box.y + box.height / 4
    return Point(side, above, first), Point(out, above), Point(out, below), Point(side, below, last)
