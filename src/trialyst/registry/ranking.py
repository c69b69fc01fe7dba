"""Ranking that the index cannot do alone: how relevance falls with distance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

from trialyst.ctgov.distance import distance_km
from trialyst.ctgov.query import Circle, GeoDecay, TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.registry.geo import point_of

__all__ = ["decay_factor", "decayed_by_distance"]

Item = TypeVar("Item")


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


def decayed_by_distance(scored: Sequence[tuple[float, Item, Any]], query: TrialQuery) -> list[Item]:
    """Order items by score times decay; each comes with its decoded study."""
    assert query.circle
    circle = query.circle

    def rank(row: tuple[float, Item, Any]) -> float:
        return row[0] * decay_factor(_nearest_km(row[2], circle), query.geo_decay)

    return [item for _, item, _ in sorted(scored, key=rank, reverse=True)]


def _nearest_km(study: Any, circle: Circle) -> float:
    points = map(point_of, values_at(study, pieces()["LocationGeoPoint"]))
    centre = (circle.latitude, circle.longitude)
    return min((distance_km(point, centre) for point in points if point), default=math.inf)
