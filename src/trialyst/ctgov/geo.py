"""Circles and the decay of relevance with distance, as the v2 API writes them."""

from __future__ import annotations

import re
from decimal import Decimal

from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.query import KM_PER_MILE, Circle, GeoDecay
from trialyst.errors import InvalidInput

__all__ = ["check_circle", "parse_circle", "parse_geo_decay", "render_circle", "render_geo_decay"]

MAX_KM = 805.0
"""About 500 miles, the largest circle the API documents; the smallest is 1 km or 1 mile."""

_DECIMAL = r"[0-9]+(?:\.[0-9]+)?"
_CIRCLE = re.compile(rf"distance\((-?{_DECIMAL}),(-?{_DECIMAL}),({_DECIMAL})(km|mi)?\)")
_LENGTH = rf"({_DECIMAL})(km|mi)"
_DECAY = re.compile(rf"func:(gauss|exp|linear),scale:{_LENGTH},offset:{_LENGTH},decay:({_DECIMAL})")


def parse_circle(name: str, text: str) -> Circle:
    """Read `distance(lat,lon,radius)` of a parameter; without a unit the radius is in miles.

    >>> parse_circle("filter.geo", "distance(42.36,-71.06,100km)")
    Circle(latitude=42.36, longitude=-71.06, km=100.0)
    """
    shape = _CIRCLE.fullmatch(text.strip())
    if not shape:
        raise BadParameter(
            f"{name} has incorrect format for value {text}",
            hint="Write distance(lat,lon,50mi) without spaces.",
            invalid_input=text,
        )
    latitude, longitude, radius, unit = shape.groups()
    circle = Circle(float(latitude), float(longitude), _to_km(radius, unit or "mi"))
    try:
        check_circle(circle)
    except InvalidInput as error:
        raise BadParameter.of_value(name, text, hint=error.hint) from error
    return circle


def check_circle(circle: Circle) -> None:
    """Raise InvalidInput for a point off the globe or a radius the API does not take."""
    on_globe = abs(circle.latitude) <= 90 and abs(circle.longitude) <= 180
    if not (on_globe and 1 <= circle.km <= MAX_KM):
        raise InvalidInput(
            f"{circle.km:g} km around {circle.latitude:g},{circle.longitude:g} cannot be searched",
            hint="Latitude is -90 to 90, longitude -180 to 180, radius 1 to 500 mi or 805 km.",
            invalid_input=f"{circle.latitude:g},{circle.longitude:g},{circle.km:g}km",
        )


def render_circle(circle: Circle) -> str:
    """Write a circle as `filter.geo` takes it."""
    numbers = map(_render_decimal, (circle.latitude, circle.longitude, circle.km))
    return f"distance({','.join(numbers)}km)"


def parse_geo_decay(text: str) -> GeoDecay:
    """Read the `geoDecay` parameter.

    >>> parse_geo_decay("func:exp,scale:300mi,offset:0mi,decay:0.5") == GeoDecay()
    True
    """
    shape = _DECAY.fullmatch(text.strip())
    if not shape:
        raise BadParameter(
            f"geoDecay has incorrect format for value {text}",
            hint="Write func:exp,scale:300mi,offset:0mi,decay:0.5 with func gauss, exp or linear.",
            invalid_input=text,
        )
    function, scale, scale_unit, offset, offset_unit, decay = shape.groups()
    found = GeoDecay(function, _to_km(scale, scale_unit), _to_km(offset, offset_unit), float(decay))
    if not (found.scale_km > 0 and 0 < found.decay < 1):
        raise BadParameter.of_value(
            "geoDecay", text, hint="The scale is above 0, the decay between 0 and 1."
        )
    return found


def render_geo_decay(decay: GeoDecay) -> str:
    """Write a decay as `geoDecay` takes it."""
    scale, offset = _render_decimal(decay.scale_km), _render_decimal(decay.offset_km)
    return (
        f"func:{decay.function},scale:{scale}km,offset:{offset}km,"
        f"decay:{_render_decimal(decay.decay)}"
    )


def _to_km(number: str, unit: str) -> float:
    return float(number) * (KM_PER_MILE if unit == "mi" else 1.0)


def _render_decimal(number: float) -> str:
    # The API's pattern has no exponent, and the shortest repr gives the same float back.
    return format(Decimal(repr(number)), "f")
