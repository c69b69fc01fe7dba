from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.geo import (
    check_circle,
    parse_circle,
    parse_geo_decay,
    render_circle,
    render_geo_decay,
)
from trialyst.ctgov.query import KM_PER_MILE, Circle, GeoDecay
from trialyst.errors import InvalidInput

CIRCLES = st.builds(Circle, st.floats(-90, 90), st.floats(-180, 180), st.floats(1, 805))
DECAYS = st.builds(
    GeoDecay,
    st.sampled_from(["gauss", "exp", "linear"]),
    st.floats(0.001, 1e20),
    st.floats(0, 1e4),
    st.floats(0.001, 0.999),
)


@given(CIRCLES)
def test_a_circle_comes_back_exactly(circle: Circle) -> None:
    assert parse_circle("filter.geo", render_circle(circle)) == circle


@given(DECAYS)
def test_a_decay_comes_back_exactly(decay: GeoDecay) -> None:
    assert parse_geo_decay(render_geo_decay(decay)) == decay


@pytest.mark.parametrize(
    ("text", "km"),
    [("50km", 50.0), ("50mi", 50 * KM_PER_MILE), ("50", 50 * KM_PER_MILE), ("1.5km", 1.5)],
)
def test_a_radius_is_in_kilometres_or_else_miles(text: str, km: float) -> None:
    assert parse_circle("filter.geo", f"distance(1,-2.5,{text})") == Circle(1.0, -2.5, km)


@pytest.mark.parametrize(
    "text",
    ["distance(1, 2, 50mi)", "distance(1,2)", "distance[1,2,50mi]", "50mi", "distance(1,2,-5km)"],
)
def test_a_malformed_circle_is_refused(text: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse_circle("filter.geo", text)

    assert caught.value.message == f"filter.geo has incorrect format for value {text}"


@pytest.mark.parametrize(
    "text",
    ["distance(91,2,50mi)", "distance(1,181,50mi)", "distance(1,2,0mi)", "distance(1,2,501mi)"],
)
def test_a_circle_off_the_globe_or_of_impossible_size_is_refused(text: str) -> None:
    with pytest.raises(BadParameter, match=r"Invalid value in parameter `filter\.geo`"):
        parse_circle("filter.geo", text)


@pytest.mark.parametrize("circle", [Circle(float("nan"), 0, 5), Circle(0, 0, float("inf"))])
def test_a_circle_without_numbers_is_refused(circle: Circle) -> None:
    with pytest.raises(InvalidInput, match="cannot be searched"):
        check_circle(circle)


@pytest.mark.parametrize(
    "text",
    ["func:exp", "func:cubic,scale:1mi,offset:0mi,decay:0.5", "func:exp,scale:1,offset:0,decay:1"],
)
def test_a_malformed_decay_is_refused(text: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse_geo_decay(text)

    assert caught.value.message == f"geoDecay has incorrect format for value {text}"


@pytest.mark.parametrize("text", ["scale:0mi,offset:0mi,decay:0.5", "scale:1mi,offset:0mi,decay:1"])
def test_a_decay_that_cannot_be_computed_is_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="Invalid value in parameter `geoDecay`"):
        parse_geo_decay(f"func:exp,{text}")
