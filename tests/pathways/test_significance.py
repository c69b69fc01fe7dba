"""Chances computed here are those of SciPy."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, hypergeom

from trialyst.pathways.significance import adjust_p_values, log_tail


@given(st.data(), st.integers(1, 30_000))
def test_a_tail_is_that_of_the_hypergeometric_distribution(data: st.DataObject, all_: int) -> None:
    drawn, marked = (data.draw(st.integers(1, min(all_, 800))) for _ in range(2))
    overlap = data.draw(st.integers(0, min(drawn, marked)))
    expected = hypergeom.logsf(overlap - 1, all_, marked, drawn)
    found = log_tail(overlap, drawn=drawn, marked=marked, population=all_)
    assert math.isclose(found, min(0.0, expected), rel_tol=1e-6, abs_tol=1e-7)


@given(st.lists(st.floats(1e-300, 1.0), min_size=1, max_size=60))
def test_values_are_adjusted_as_benjamini_and_hochberg_do(values: list[float]) -> None:
    expected = false_discovery_control(values, method="bh")
    for found, wanted in zip(adjust_p_values(values), expected, strict=True):
        assert math.isclose(found, wanted, rel_tol=1e-9)
