from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trialyst.starter.draw import Draw, Weighted


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(-50, 50), st.integers(0, 50))
def test_between_stays_within_its_bounds(seed: int, number: int, low: int, width: int) -> None:
    assert low <= Draw(seed, number).between(low, low + width) <= low + width


@given(st.integers(0, 10**6), st.lists(st.integers(), unique=True), st.integers(0, 20))
def test_some_gives_different_values(seed: int, values: list[int], count: int) -> None:
    taken = Draw(seed, 1).some(values, count)
    assert len(set(taken)) == len(taken) == min(count, len(values))
    assert set(taken) <= set(values)


@given(st.integers(0, 10**6))
def test_weighted_never_gives_what_weighs_nothing(seed: int) -> None:
    assert Draw(seed, 7).weighted(Weighted({"never": 0.0, "always": 1.0})) == "always"
