"""Points of records, and the boxes that hold all points within a distance."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from trialyst.ctgov.distance import EARTH_RADIUS_KM, Point
from trialyst.registry.keys import hash_key
from trialyst.registry.schema import Grain

__all__ = ["Box", "boxes_around", "parse_point_term", "point_id", "point_of", "point_term"]

Box = tuple[float, float, float, float]
"""South, north, west, east in degrees."""


def point_of(value: Any) -> Point | None:
    """Read a geo point of a record; None when it is not a place on earth.

    >>> point_of({"lat": 42, "lon": -71.06})
    (42.0, -71.06)
    """
    if type(value) is not dict:
        return None
    lat: Any = value.get("lat")
    lon: Any = value.get("lon")
    if type(lat) not in (int, float) or type(lon) not in (int, float):
        return None
    return (float(lat), float(lon)) if abs(lat) <= 90 and abs(lon) <= 180 else None


def point_term(point: Point) -> str:
    """Write a point as the term that stands for it in the index.

    >>> point_term((42.0, -71.06))
    '42.0 -71.06'
    """
    return f"{point[0]!r} {point[1]!r}"


@lru_cache(20_000)
def point_id(term: str) -> int:
    """Give the id by which studies hold a point, from its term."""
    return hash_key(f"{Grain.POINT.value} {term}")


def parse_point_term(term: str) -> Point:
    """Read a point back from its term, exactly.

    >>> parse_point_term("42.0 -71.06")
    (42.0, -71.06)
    """
    latitude, longitude = term.split()
    return float(latitude), float(longitude)


def boxes_around(centre: Point, km: float) -> list[Box]:
    """Give boxes that hold every point within a distance, two where they cross 180 degrees."""
    latitude, longitude = centre
    angle = km / EARTH_RADIUS_KM
    # A hair wider than the circle: rounding must never lose a point.
    height = math.degrees(angle) * 1.000001 + 1e-9
    south, north = latitude - height, latitude + height
    if south <= -90 or north >= 90:
        return [(max(south, -90.0), min(north, 90.0), -180.0, 180.0)]
    ratio = math.sin(angle) / math.cos(math.radians(latitude))
    width = math.degrees(math.asin(min(1.0, ratio))) * 1.000001 + 1e-9
    west, east = longitude - width, longitude + width
    if west < -180:
        return [(south, north, -180.0, east), (south, north, west + 360, 180.0)]
    if east > 180:
        return [(south, north, west, 180.0), (south, north, -180.0, east - 360)]
    return [(south, north, west, east)]
