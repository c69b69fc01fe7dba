"""Shares and their intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from trialyst.repurposing.backtest.tally import wilson_interval

counts = st.integers(1, 5_000_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_the_interval_is_that_of_wilson(count: tuple[int, int]) -> None:
    part, whole = count
    expected = binomtest(part, whole).proportion_ci(method="wilson")
    assert wilson_interval(part, whole) == pytest.approx((expected.low, expected.high), abs=1e-9)
