from __future__ import annotations

import pytest

from trialyst.matching.judging.extents import find_extents


@pytest.mark.parametrize(
    ("criterion", "of", "wanted"),
    [
        ("stage iiib or iv melanoma", "stage", ("3b", "4")),
        ("stages ii-iv disease", "stage", ("2", "3", "4")),
        ("stage 1 to 3", "stage", ("1", "2", "3")),
        ("fibrosis stage f2 or f3", "score:fibrosis", ("2", "3")),
        ("f1-f3 fibrosis", "score:fibrosis", ("1", "2", "3")),
        ("ckd stage 3 or 4", "score:ckd_stage", ("3", "4")),
        ("stage 3b-4 ckd", "score:ckd_stage", ("3b", "4")),
        ("extensive-stage disease", "extent", ("extensive stage",)),
    ],
)
def test_stages_of_criteria_are_read(criterion: str, of: str, wanted: tuple[str, ...]) -> None:
    (asked,) = find_extents(criterion)
    assert (asked.of, asked.wanted) == (of, wanted)


def test_a_criterion_without_a_stage_asks_for_none() -> None:
    assert find_extents("type 2 diabetes on metformin") == ()
