"""Enumerated values: found by the names they go by, and ruled out where that is quicker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.registry.invented import FIRST, asked, found, opened, study, titled
from trialyst.ids import NctId
from trialyst.registry import Registry, remove_records

WORDS = "study in words"
STATUSES = ("COMPLETED", "COMPLETED", "RECRUITING", "UNKNOWN", "TERMINATED", "COMPLETED")


def with_status(position: int, status: Any) -> dict[str, Any]:
    return titled(FIRST + position, WORDS, status={"overallStatus": status})


def by_hand(statuses: list[Any], wanted: tuple[str, ...]) -> set[int]:
    stated = [status if isinstance(status, list) else [status] for status in statuses]
    return {position for position, held in enumerate(stated, 1) if set(wanted) & set(held)}


ODD: dict[str, list[Any]] = {
    "one status each": [],
    "a study with two": [["WITHDRAWN", "COMPLETED"]],
    "a study with none": [None],
    "a study with two and one with none": [["COMPLETED", "WITHDRAWN"], None],
    "a status that is no text and one twice": [7, ["COMPLETED", "UNKNOWN"]],
    "a status nobody knows": ["PONDERING"],
}


@pytest.fixture(params=ODD)
def statuses(request: pytest.FixtureRequest) -> list[Any]:
    return [*STATUSES, *ODD[request.param]]


@pytest.fixture
def registry(statuses: list[Any], tmp_path: Path) -> Iterator[Registry]:
    registry = opened(tmp_path, *(with_status(n, status) for n, status in enumerate(statuses)))
    yield registry
    registry.close()


def test_any_statuses_are_found_as_by_hand(registry: Registry, statuses: list[Any]) -> None:
    known = sorted({"WITHDRAWN", "SUSPENDED", *STATUSES})
    for size in (1, 2, 3, len(known)):
        for wanted in combinations(known, size):
            expected = by_hand(statuses, wanted)
            listed = ",".join(wanted)
            advanced = f"AREA[OverallStatus]({' OR '.join(wanted)})"
            assert found(registry, filter_overallStatus=listed) == expected
            assert found(registry, filter_advanced=advanced) == expected
            # Among what several words find, the other statuses are ruled out instead.
            assert found(registry, filter_overallStatus=listed, query_titles=WORDS) == expected
            assert found(registry, filter_advanced=advanced, query_titles=WORDS) == expected
            assert found(registry, filter_advanced=f"NOT {advanced}") == (
                set(range(1, len(statuses) + 1)) - expected
            )


def test_removed_studies_do_not_come_back(tmp_path: Path) -> None:
    opened(tmp_path, *(with_status(n, status) for n, status in enumerate(STATUSES))).close()
    remove_records([NctId(FIRST)], tmp_path)
    registry = Registry.open(tmp_path)
    assert found(registry, filter_overallStatus="COMPLETED,RECRUITING") == {2, 3, 6}
    assert registry.count(asked(filter_overallStatus="COMPLETED,RECRUITING,UNKNOWN")) == 4
    registry.close()


@pytest.mark.parametrize("words", [{}, {"query_titles": WORDS}], ids=["alone", "with words"])
def test_any_phases_are_found_as_by_hand(tmp_path: Path, words: dict[str, str]) -> None:
    held: list[Any] = [["PHASE1"], ["PHASE1", "PHASE2"], ["PHASE2", "PHASE3"], ["NA"], [], None, 3]
    held += ["PHASE4", ["PHASE9"], ["PHASE3", "PHASE3"]]
    registry = opened(
        tmp_path,
        *(titled(FIRST + n, WORDS, design={"phases": phases}) for n, phases in enumerate(held)),
    )
    known = ("PHASE1", "PHASE2", "PHASE3", "PHASE4", "NA", "EARLY_PHASE1")
    for size in (1, 2, 3):
        for wanted in combinations(known, size):
            expected = by_hand(held, wanted)
            advanced = f"AREA[Phase]({' OR '.join(wanted)})"
            assert found(registry, filter_advanced=advanced, **words) == expected
    both = "AREA[Phase](PHASE2 OR PHASE3) AND AREA[Phase](PHASE1 OR PHASE4)"
    assert found(registry, filter_advanced=both, **words) == {2}
    registry.close()


def test_a_value_the_enumeration_does_not_know_is_found_and_counted(tmp_path: Path) -> None:
    arms = {"interventions": [{"type": "MOOD_MUSIC", "name": "x"}]}
    other = {"interventions": [{"type": "DRUG", "name": "y"}]}
    registry = opened(
        tmp_path, study(FIRST, armsInterventions=arms), study(FIRST + 1, armsInterventions=other)
    )
    assert found(registry, query_intr="mood music") == {1}
    assert found(registry, query_term="MOOD_MUSIC") == {1}
    assert found(registry, query_intr="music") == set()
    assert registry.count_by(asked(), "InterventionType") == {"DRUG": 1, "MOOD_MUSIC": 1}
    registry.close()
