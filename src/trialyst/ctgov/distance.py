"""Distances on the earth."""

from __future__ import annotations

import math

__all__ = ["EARTH_RADIUS_KM", "Point", "distance_km"]

EARTH_RADIUS_KM = 6371.0088

Point = tuple[float, float]
"""Latitude and longitude in degrees."""


def distance_km(a: Point, b: Point) -> float:
    """Give the great-circle distance of two points.

    >>> round(distance_km((42.36, -71.06), (40.71, -74.01)))
    306
    """
    lat_a, lon_a, lat_b, lon_b = map(math.radians, (*a, *b))
    half = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    )
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, half)))
