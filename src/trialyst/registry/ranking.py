"""Ranking that the index cannot do alone: how relevance falls with distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TypeVar

import msgspec

from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.query import GeoDecay, TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.registry.geo import point_of
from trialyst.registry.slices import slice_of

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
    piece = pieces()["LocationGeoPoint"]
    cut = slice_of(frozenset({piece.name})).cut
    # Sites have the point of their city, so that few points serve many studies.
    away = lru_cache(maxsize=None)(partial(distance_km, centre))

    def nearest_km(study: bytes) -> float:
        points = map(point_of, values_at(msgspec.json.decode(cut(study)), piece))
        return min((away(point) for point in points if point), default=math.inf)

    return nearest_km
