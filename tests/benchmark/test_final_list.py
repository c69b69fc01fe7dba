"""The final list beside the search, on lists made by hand."""

from __future__ import annotations

import pytest

from trialyst.benchmark.final_list import compare_lists

QRELS = {"t": {"a": 2, "b": 1, "c": 0}, "u": {"d": 2, "e": 0}}


def test_a_better_list_gains() -> None:
    found = compare_lists(
        QRELS, {"t": ["c", "b", "a"], "u": ["e", "d"]}, {"t": ["a", "c", "b"], "u": ["d", "e"]}
    )
    assert found["search"]["pairs"] == 0.0
    assert found["match"]["pairs"] == 1.0
    assert found["gain"]["ndcg_cut_10"]["mean"] > 0
    assert found["gain"]["ndcg_cut_10"]["low"] > 0
    assert found["match"]["excluded_rank"] == 1.0
    assert found["gain"]["pairs"]["topics"] == 1


def test_the_same_list_gains_nothing() -> None:
    runs = {"t": ["x", "a", "b", "c"], "u": ["d"]}
    found = compare_lists(QRELS, runs, runs)
    gains = [each["mean"] for each in found["gain"].values()]
    assert gains == [0.0, 0.0, 0.0, 0.0]
    assert found["match"]["ndcg_cut_10"] == pytest.approx(1.0)


def test_what_was_not_found_stands_last() -> None:
    found = compare_lists(QRELS, {"t": ["b"], "u": ["d"]}, {"t": ["a"], "u": ["d"]})
    assert (found["search"]["pairs"], found["match"]["pairs"]) == (0.0, 1.0)
