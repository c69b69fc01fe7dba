"""Trees made without text."""

from __future__ import annotations

import pytest

from trialyst.errors import InvalidInput
from trialyst.essie import ast, build
from trialyst.essie.render import render


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (build.words("heart attack"), "heart attack"),
        (build.phrase("heart attack"), '"heart attack"'),
        (build.all_of(build.words("a"), build.everything()), "a AND ALL"),
        (build.any_of(build.words("a"), build.phrase("b")), 'a OR "b"'),
        (build.negate(build.words("a")), "NOT a"),
        (build.area("Condition", build.words("a b")), "AREA[Condition]a b"),
        (build.matching("Sex", "ALL"), 'AREA[Sex]"ALL"'),
        (build.one_of("Phase", "PHASE2", "PHASE3"), 'AREA[Phase]("PHASE2" OR "PHASE3")'),
        (build.between("EnrollmentCount", 10, 20), "AREA[EnrollmentCount]RANGE[10, 20]"),
        (build.between("StartDate", high="2020"), "AREA[StartDate]RANGE[MIN, 2020]"),
        (build.size_between("Phase", 2), "AREA[Phase:size]RANGE[2, MAX]"),
        (build.missing("Phase"), "AREA[Phase]MISSING"),
        (
            build.near(42.36, -71.06, radius=50),
            "AREA[LocationGeoPoint]DISTANCE[42.36, -71.06, 50 mi]",
        ),
        (build.same_location(build.words("a")), "SEARCH[Location]a"),
    ],
)
def test_builders_write_this_text(tree: ast.Node, text: str) -> None:
    assert render(tree) == text


def test_groups_of_one_kind_merge() -> None:
    a, b, c = map(build.words, "abc")
    assert build.any_of(a, build.any_of(b, c)) == ast.Or((a, b, c))


def test_a_group_of_one_is_the_one() -> None:
    assert build.all_of(build.words("a")) == build.words("a")


def test_a_group_of_none_is_refused() -> None:
    with pytest.raises(InvalidInput):
        build.any_of()
