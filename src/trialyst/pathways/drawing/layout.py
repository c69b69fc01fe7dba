"""Places for a pathway that has none: layers from causes to effects, the same every time.

What no interaction touches stands in rows below. Nodes that a file places stay where they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from trialyst.pathways.drawing.geometry import bounds
from trialyst.pathways.pathway import Box, EndKind, Interaction, Node, Pathway

__all__ = ["lay_out"]

_HEIGHT = 24.0
_GAP = 26.0
_ROW = 66.0
_PER_ROW = 9
_SWEEPS = 4


def lay_out(pathway: Pathway) -> Pathway:
    """Give every node a place; those that have one keep it."""
    missing = [node for node in pathway.nodes if node.box is None]
    if not missing:
        return pathway
    placed = bounds(node.box for node in pathway.nodes if node.box)
    if placed is None:
        boxes = _layered(pathway)
    else:
        top = placed.y + placed.height / 2 + _ROW
        boxes = dict(_rows(_chunks(missing), left=placed.x - placed.width / 2, top=top))
    nodes = tuple(replace(node, box=node.box or boxes[node.id]) for node in pathway.nodes)
    return replace(pathway, nodes=nodes)


def _layered(pathway: Pathway) -> dict[str, Box]:
    nodes = {node.id: node for node in pathway.nodes}
    after = _effects(pathway, nodes)
    touched = set(after) | {target for targets in after.values() for target in targets}
    beside = _beside(pathway, after)
    layers = _layers([id for id in nodes if id in touched and id not in beside], after)
    layers = [_with_helpers(layer, beside) for layer in _ordered(layers, after)]
    rows = [row for layer in layers for row in _chunks([nodes[id] for id in layer])]
    rows += _chunks([node for id, node in nodes.items() if id not in touched])
    widest = max(map(_row_width, rows), default=0.0)
    return dict(_rows(rows, left=0.0, top=0.0, width=widest))


def _effects(pathway: Pathway, nodes: Mapping[str, Node]) -> dict[str, list[str]]:
    """Say what each node acts on; what acts on an interaction acts on that one's target."""
    lines = {anchor.id: line for line in pathway.interactions for anchor in line.anchors}
    members = {group.id: group.members for group in pathway.groups}

    def reach(line: Interaction, end_of: str, depth: int = 0) -> Iterator[str]:
        end = line.target if end_of == "target" else line.source
        if end.kind is EndKind.ANCHOR and end.ref in lines and depth < len(lines):
            yield from reach(lines[end.ref], end_of, depth + 1)
        for id in (end.ref, *members.get(end.ref or "", ())):
            if id is not None and id in nodes:
                yield id

    after: defaultdict[str, list[str]] = defaultdict(list)
    for line in pathway.interactions:
        for source in reach(line, "source"):
            after[source] += [
                target
                for target in reach(line, "target")
                if target not in after[source] and target != source
            ]
    return dict(after)


def _beside(pathway: Pathway, after: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Give the nodes that only act on interactions, such as enzymes, with a product of one."""
    acting = {line.source.ref for line in pathway.interactions if line.target.kind is EndKind.NODE}
    acted_on = {target for targets in after.values() for target in targets}
    helping = {line.source.ref for line in pathway.interactions} - acting
    return {
        id: targets[0]
        for id, targets in after.items()
        if targets and id in helping and id not in acted_on
    }


def _with_helpers(layer: Sequence[str], beside: Mapping[str, str]) -> list[str]:
    """Put what acts on the making of something on both sides of its row."""
    helpers = [id for id, product in beside.items() if product in layer]
    half = len(helpers) // 2
    return [*helpers[:half], *layer, *helpers[half:]]


def _layers(ids: Sequence[str], after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Put each node below all that act on it; a loop is cut where it closes."""
    forward = _without_loops(ids, after)
    depth = dict.fromkeys(ids, 0)
    for id in _topological(ids, forward):
        for target in forward[id]:
            depth[target] = max(depth[target], depth[id] + 1)
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for id in ids:
        layers[depth[id]].append(id)
    return [layers[at] for at in sorted(layers)]


def _without_loops(ids: Sequence[str], after: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    kept: dict[str, list[str]] = {id: [] for id in ids}
    done: set[str] = set()
    for root in ids:
        open_ids = {root: None} if root not in done else {}
        stack = [(id, iter(after.get(id, ()))) for id in open_ids]
        while stack:
            id, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                stack.pop()
                open_ids.pop(id)
                done.add(id)
            elif target not in open_ids:
                kept[id].append(target)
                if target not in done:
                    open_ids[target] = None
                    stack.append((target, iter(after.get(target, ()))))
    return kept


def _topological(ids: Sequence[str], after: Mapping[str, Sequence[str]]) -> Iterator[str]:
    waiting = dict.fromkeys(ids, 0)
    for targets in after.values():
        for target in targets:
            waiting[target] += 1
    ready = [id for id in ids if not waiting[id]]
    for id in ready:
        yield id
        for target in after[id]:
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)


def _ordered(layers: list[list[str]], after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Bring what acts on each other near each other, by a few sweeps down and up."""
    before: defaultdict[str, list[str]] = defaultdict(list)
    known = {id for row in layers for id in row}
    for source in (id for id in after if id in known):
        for target in after[source]:
            before[target].append(source)
    for sweep in range(_SWEEPS):
        neighbours = before if sweep % 2 == 0 else after
        place = {id: at / max(len(row) - 1, 1) for row in layers for at, id in enumerate(row)}
        layers = [sorted(row, key=lambda id: _mean(id, neighbours, place)) for row in layers]
    return layers


def _mean(id: str, neighbours: Mapping[str, Sequence[str]], place: Mapping[str, float]) -> float:
    near = [place[each] for each in neighbours.get(id, ())]
    return sum(near) / len(near) if near else place[id]


def _chunks(nodes: Sequence[Node]) -> list[Sequence[Node]]:
    rows = -(-len(nodes) // _PER_ROW)
    if not rows:
        return []
    size = -(-len(nodes) // rows)
    return [nodes[at : at + size] for at in range(0, len(nodes), size)]


def _rows(
    rows: Iterable[Sequence[Node]], *, left: float, top: float, width: float | None = None
) -> Iterator[tuple[str, Box]]:
    for at, row in enumerate(rows):
        # Every other row stands a little aside, so that lines do not run through what is between.
        aside = _GAP if at % 2 else 0.0
        x = left + aside + (0.0 if width is None else (width - _row_width(row)) / 2)
        for node in row:
            own = _width(node)
            yield node.id, Box(x + own / 2, top + at * _ROW, own, _HEIGHT)
            x += own + _GAP


def _row_width(row: Sequence[Node]) -> float:
    return sum(map(_width, row)) + _GAP * max(len(row) - 1, 0)


def _width(node: Node) -> float:
    return min(max(64.0, 16.0 + 6.5 * len(node.label)), 150.0)
