"""How relevance falls with distance, and the query that tells how much of it is left."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.query import Circle, GeoDecay
from trialyst.registry.phrases import Queries
from trialyst.registry.schema import SITE

if TYPE_CHECKING:
    import tantivy

__all__ = ["Nearness", "build_nearness", "decay_factor"]


def decay_factor(km: float, decay: GeoDecay) -> float:
    """Give the factor in 0..1 by which relevance falls at a distance.

    >>> decay_factor(100, GeoDecay("linear", scale_km=100, decay=0.5))
    0.5
    """
    beyond = max(0.0, km - decay.offset_km)
    if decay.function == "linear":
        reach = decay.scale_km / (1.0 - decay.decay) if decay.decay < 1 else math.inf
        return max(0.0, (reach - beyond) / reach) if reach < math.inf else 1.0
    if not decay.decay > 0:
        return 1.0 if beyond == 0 else 0.0
    if decay.function == "gauss":
        return math.exp(math.log(decay.decay) * (beyond / decay.scale_km) ** 2)
    return math.exp(math.log(decay.decay) * beyond / decay.scale_km)


class Nearness(NamedTuple):
    """Which factor the nearest point of a study leaves of its relevance."""

    query: tantivy.Query
    """Matches studies with a point inside the circle; the score is the rank of their factor."""
    factors: tuple[float, ...]
    """By rank; the first is that of the edge, for studies the query does not match."""


def build_nearness(
    make: Queries, distances: Mapping[int, float], circle: Circle, decay: GeoDecay
) -> Nearness:
    """Rank the points of a circle by their factor, given how far each is."""
    edge = decay_factor(circle.km, decay)
    points: defaultdict[float, list[int]] = defaultdict(list)
    for point, km in distances.items():
        points[decay_factor(km, decay)].append(point)
    points.pop(edge, None)
    factors = (edge, *sorted(points))
    rings = [
        make.constant(make.terms(SITE, points[factor]), rank)
        for rank, factor in enumerate(factors)
        if rank
    ]
    return Nearness(make.highest_of(rings), factors)
