"""Samples are balanced as asked, the same every time, and hold nothing twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmark.rows import row
from trialyst.benchmark.annotations import CriterionAnnotation, parse_annotations
from trialyst.benchmark.config import Balance
from trialyst.benchmark.sampling import filter_by_keywords, stratified_sample, take_all
from trialyst.errors import InvalidInput
from trialyst.matching.judging.result import Verdict

LABELS = {
    Verdict.MET: "included",
    Verdict.NOT_MET: "not included",
    Verdict.UNKNOWN: "not enough information",
}


def rows(met: int, not_met: int, unknown: int) -> tuple[CriterionAnnotation, ...]:
    counts = zip(LABELS.values(), (met, not_met, unknown), strict=True)
    listed = [
        row(criterion_text=f"{label} {place}", expert_eligibility=label)
        for label, count in counts
        for place in range(count)
    ]
    return parse_annotations(enumerate(listed, 1), name="rows").rows


def drawn(
    held: tuple[CriterionAnnotation, ...], n: int, balance: Balance, seed: int = 42
) -> dict[str, int]:
    sample = stratified_sample(held, n_pairs=n, seed=seed, balance=balance)
    return dict(Counter(pair.verdict.value for pair in sample.pairs))


def test_proportional_follows_the_rows() -> None:
    assert drawn(rows(20, 60, 20), 10, "proportional") == {"MET": 2, "NOT_MET": 6, "UNKNOWN": 2}


def test_equal_gives_each_verdict_the_same() -> None:
    assert drawn(rows(20, 60, 20), 9, "equal") == {"MET": 3, "NOT_MET": 3, "UNKNOWN": 3}


def test_shares_are_followed() -> None:
    shares = {Verdict.MET: 0.5, Verdict.UNKNOWN: 0.5}
    assert drawn(rows(20, 60, 20), 10, shares) == {"MET": 5, "UNKNOWN": 5}


def test_others_stand_in_for_rows_there_are_too_few_of() -> None:
    sample = stratified_sample(rows(1, 60, 20), n_pairs=9, seed=1, balance="equal")
    assert len(sample.pairs) == 9
    assert sample.notes == ("Only 1 of 3 pairs labelled MET exist.",)


def test_more_than_there_are_is_told() -> None:
    sample = stratified_sample(rows(1, 1, 1), n_pairs=20, seed=1)
    assert sample.notes[-1] == "The sample has 3 of 20 pairs: there are no more."


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    held = rows(30, 60, 30)
    first, again = (stratified_sample(held, n_pairs=20, seed=42).pairs for _ in range(2))
    assert first == again
    assert stratified_sample(held, n_pairs=20, seed=43).pairs != first


def test_a_pair_that_stands_twice_is_drawn_once() -> None:
    (one,) = rows(1, 0, 0)
    sample = stratified_sample((one, one, *rows(1, 0, 0)), n_pairs=5, seed=1)
    assert sample.pairs == (one,)


@given(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).filter(any),
    st.integers(1, 40),
    st.integers(),
    st.sampled_from(["equal", "proportional"]),
)
def test_a_sample_has_as_many_as_it_can_and_none_twice(
    counts: tuple[int, int, int], n: int, seed: int, balance: Balance
) -> None:
    held = rows(*counts)
    pairs = stratified_sample(held, n_pairs=n, seed=seed, balance=balance).pairs
    assert len(pairs) == min(n, len(held))
    assert len({pair.criterion for pair in pairs}) == len(pairs)


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(InvalidInput, match="The sample is empty"):
        stratified_sample(rows(0, 3, 0), n_pairs=5, seed=1, balance={Verdict.MET: 1.0})
    with pytest.raises(InvalidInput, match="The sample is empty"):
        take_all(())


def test_keywords_are_whole_words_in_note_title_or_criterion() -> None:
    held = rows(1, 1, 0)
    assert len(filter_by_keywords(held, ["ASTHMA"])) == 2
    assert len(filter_by_keywords(held, ["included 0", "nothing"])) == 2
    with pytest.raises(InvalidInput, match="none of 2 rows holds asth"):
        filter_by_keywords(held, ["asth"])


def test_the_real_file_is_balanced(data_dir: Path) -> None:
    from trialyst.benchmark.annotations import load_annotations_from_file

    path = data_dir / "criterion_annotations" / "trialgpt_criterion_annotations.jsonl.gz"
    held = load_annotations_from_file(path).rows
    assert drawn(held, 21, "equal") == {"MET": 7, "NOT_MET": 7, "UNKNOWN": 7}
