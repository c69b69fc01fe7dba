"""Ranking that the index cannot do alone: how relevance falls with distance."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

import msgspec

from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.query import GeoDecay, TrialQuery
from trialyst.registry.geo import point_of

__all__ = ["decay_factor", "decayed_by_distance"]

Item = TypeVar("Item")
# A study may have hundreds of sites: to find their points takes a fraction of decoding them. Only
# sites have the key, and in a text its quotes would be escaped.
_POINT = re.compile(rb'"geoPoint"\s*:\s*(\{[^{}]*\})')


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


def decayed_by_distance(
    scored: Sequence[tuple[float, Item, bytes]], query: TrialQuery
) -> list[Item]:
    """Order items by score times decay; each comes with its study as JSON."""
    assert query.circle
    nearest_km = _distances_from((query.circle.latitude, query.circle.longitude))

    def rank(row: tuple[float, Item, bytes]) -> float:
        return row[0] * decay_factor(nearest_km(row[2]), query.geo_decay)

    return [item for _, item, _ in sorted(scored, key=rank, reverse=True)]


def _distances_from(centre: Point) -> Callable[[bytes], float]:
    """Give the function that tells how far the nearest site of a study is, infinite if unknown."""

    # Sites have the point of their city, so that few points serve many studies.
    @cache
    def away(written: bytes) -> float:
        point = point_of(msgspec.json.decode(written))
        return distance_km(centre, point) if point else math.inf

    def nearest_km(study: bytes) -> float:
        return min(map(away, set(_POINT.findall(study))), default=math.inf)

    return nearest_km
