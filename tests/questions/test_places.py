"""Places of a question: several as alternatives, circles with statuses, and names among words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.registry.invented import FIRST, opened, site, study
from trialyst.ctgov.query import TrialQuery
from trialyst.questions.clauses import Clause, combine
from trialyst.questions.places import is_known_place, read_locations, read_near
from trialyst.registry import RegistrySource

BOSTON = (42.36, -71.06)
MASSACHUSETTS = {"state": "Massachusetts", "country": "United States"}


def _study(number: int, status: str, *sites: dict[str, Any]) -> dict[str, Any]:
    return study(
        number, status={"overallStatus": status}, contactsLocations={"locations": list(sites)}
    )


STUDIES = [
    _study(FIRST, "RECRUITING", site("Boston", point=BOSTON, status="RECRUITING", **MASSACHUSETTS)),
    _study(
        FIRST + 1,
        "RECRUITING",
        site("Boston", point=BOSTON, status="COMPLETED", **MASSACHUSETTS),
        site("Lyon", country="France", status="RECRUITING"),
    ),
    _study(FIRST + 2, "RECRUITING", site("Boston", point=BOSTON, **MASSACHUSETTS)),
    _study(FIRST + 3, "RECRUITING", site("Boston", status="RECRUITING", **MASSACHUSETTS)),
    _study(FIRST + 4, "RECRUITING", site("Boston", status="WITHDRAWN", **MASSACHUSETTS)),
    _study(FIRST + 5, "UNKNOWN", site("Boston", status="COMPLETED", **MASSACHUSETTS)),
    _study(FIRST + 6, "RECRUITING", site("Lyon", country="France")),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    with opened(tmp_path_factory.mktemp("statuses"), *STUDIES) as registry:
        yield RegistrySource(registry)


def found(source: RegistrySource, *parts: TrialQuery) -> set[int]:
    return {n - FIRST + 1 for n in source.registry.match_numbers(combine(parts))}


def near(source: RegistrySource, text: str, *statuses: str) -> Clause:
    return asyncio.run(read_near(source, text, within=None, statuses=statuses))


def located(source: RegistrySource, *texts: str, statuses: tuple[str, ...] = ()) -> Clause:
    return asyncio.run(read_locations(source, texts, statuses=statuses))


def test_near_alone_asks_for_no_status(source: RegistrySource) -> None:
    assert found(source, near(source, "Boston").part) == {1, 2, 3, 4, 5, 6}


def test_near_with_a_status_asks_it_of_a_site_there(source: RegistrySource) -> None:
    recruiting = TrialQuery(statuses=("RECRUITING",))
    clause = near(source, "Boston", "RECRUITING")
    assert found(source, clause.part, recruiting) == {1, 3, 4}
    assert "asked of a site there" in (clause.reading.note or "")


def test_a_status_that_sites_do_not_have_is_asked_of_the_trial(source: RegistrySource) -> None:
    either = ("RECRUITING", "UNKNOWN")
    clause = near(source, "Boston", *either)
    assert found(source, clause.part, TrialQuery(statuses=either)) == {1, 3, 4, 6}


def test_a_location_that_says_near_is_read_as_near(source: RegistrySource) -> None:
    clause = located(source, "near Boston", statuses=("RECRUITING",))
    assert clause.part == near(source, "Boston", "RECRUITING").part
    assert clause.reading.kind == "area"


def test_places_are_alternatives(source: RegistrySource) -> None:
    clause = located(source, "Lyon", "near Boston")
    assert found(source, clause.part) == {1, 2, 3, 4, 5, 6, 7}
    assert clause.reading.name is not None
    assert clause.reading.name.startswith("Lyon, France or Boston, Massachusetts, United States")


def test_two_circles_must_both_hold(source: RegistrySource) -> None:
    parts = (near(source, "Boston").part, located(source, "near Lyon").part)
    assert found(source, *parts) == {2}


def test_what_is_not_known_is_not_called_known(source: RegistrySource) -> None:
    assert not located(source, "Mayo Clinic").reading.known
    assert located(source, "Bostn").reading.corrected == "Boston, Massachusetts, United States"


@pytest.mark.parametrize(
    "text",
    [
        *("Boston", "boston", "Boston, MA", "US", "Germany", "new york", "Europe", "Reading"),
        *("Polsce", "Niemczech", "Stanach Zjednoczonych", "Niederlanden", "Japão", "Frankrijk"),
    ],
)
def test_a_place_is_recognised_among_words(text: str) -> None:
    assert is_known_place(text)


@pytest.mark.parametrize(
    "text",
    ["us", "in", "MI", "CIS", "ill", "reading", "nice", "guinea", "adults", "men", "remission"],
)
def test_a_word_that_is_also_a_place_is_not_taken_for_one(text: str) -> None:
    assert not is_known_place(text)
