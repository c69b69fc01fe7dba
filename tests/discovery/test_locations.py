from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.discovery.asking import Tools
from tests.registry.invented import FIRST, site, study

US = {"country": "United States"}
MA = {**US, "state": "Massachusetts"}
SITES = [
    site("Austin", **US, state="Texas", status="RECRUITING", point=(30.27, -97.74)),
    site("Boston", **MA, status="COMPLETED", facility="Near", point=(42.36, -71.06)),
    site("Worcester", **MA, status="RECRUITING", point=(42.26, -71.80)),
    site("Boston", **MA, status="RECRUITING", facility="No point"),
    site("Berlin", country="Germany", status="RECRUITING"),
    site("Nowhereville", **MA, status="RECRUITING"),
    site("Seoul", country="Korea, Republic of", status="NOT_YET_RECRUITING", point=(37.57, 126.98)),
]
NCT_ID = "NCT90000001"


@pytest.fixture
def tools(invented: Callable[..., Tools]) -> Tools:
    return invented(study(FIRST, contactsLocations={"locations": SITES}), study(FIRST + 1))


def locations(tools: Tools, **arguments: Any) -> dict[str, Any]:
    answer = tools.wire("get_trial_locations", nct_id=NCT_ID, **arguments)
    check("get_trial_locations", answer)
    assert nulls(answer) == []
    return answer


def cities(answer: dict[str, Any]) -> list[str]:
    return [item["city"] for item in answer["items"]]


def test_every_site_is_given_in_the_records_order(tools: Tools) -> None:
    answer = locations(tools)
    assert answer["id"] == "NCT:90000001"
    assert cities(answer) == [each["city"] for each in SITES]
    assert answer["pagination"]["total_count"] == len(SITES)
    assert "nearest_recruiting" not in answer


def test_near_puts_the_nearest_first_with_distances(tools: Tools) -> None:
    answer = locations(tools, near="Boston, MA")
    distances = [item["distance_km"] for item in answer["items"] if "distance_km" in item]
    assert distances == sorted(distances)
    assert distances[0] < 5
    assert cities(answer)[-1] == "Nowhereville"
    assert answer["pagination"]["total_count"] == len(SITES)


def test_within_keeps_the_sites_in_the_circle_and_says_which_are_unknown(tools: Tools) -> None:
    answer = locations(tools, near="42.36,-71.06", within=100)
    assert cities(answer) == ["Boston", "Boston", "Worcester"]
    assert "Sites without a known point, left out: 1." in " ".join(answer["provenance"]["notes"])


def test_a_site_without_a_point_has_its_citys_marked_approximate(tools: Tools) -> None:
    answer = locations(tools, near="Boston, MA", within=50)
    by_facility = {item["facility"]: item for item in answer["items"]}
    assert by_facility["No point"]["approximate"] is True
    assert "approximate" not in by_facility["Near"]
    berlin = next(item for item in locations(tools, near="Berlin")["items"])
    assert (berlin["city"], berlin["approximate"]) == ("Berlin", True)


def test_the_nearest_recruiting_site_is_named_even_outside_the_circle(tools: Tools) -> None:
    answer = locations(tools, near="30.27,-97.74", within=1, status="COMPLETED")
    assert answer["items"] == []
    assert answer["nearest_recruiting"]["city"] == "Austin"
    assert locations(tools, near="Boston, MA")["nearest_recruiting"]["facility"] == "No point"


@pytest.mark.parametrize("country", ["United States", "usa", "US", "united states of america"])
def test_countries_are_read_in_common_spellings(tools: Tools, country: str) -> None:
    assert set(cities(locations(tools, country=country))) == {
        "Austin",
        "Boston",
        "Worcester",
        "Nowhereville",
    }


def test_a_variant_of_a_country_is_the_country(tools: Tools) -> None:
    assert cities(locations(tools, country="South Korea")) == ["Seoul"]


def test_a_country_without_sites_is_an_empty_page(tools: Tools) -> None:
    answer = locations(tools, country="France")
    assert answer["items"] == []
    assert answer["pagination"] == {"cursor": None, "total_count": 0, "page_size": 50}


def test_an_unknown_country_names_the_nearest(tools: Tools) -> None:
    error = tools.error("get_trial_locations", nct_id=NCT_ID, country="Grmany")
    assert "Did you mean Germany?" in error["recovery_hint"]


@pytest.mark.parametrize(
    ("status", "number"),
    [("Recruiting", 5), ("completed", 1), ("Not yet recruiting, Completed", 2)],
)
def test_sites_are_filtered_by_their_own_status(tools: Tools, status: str, number: int) -> None:
    assert locations(tools, status=status)["pagination"]["total_count"] == number


def test_a_status_no_site_can_have_is_refused(tools: Tools) -> None:
    error = tools.error("get_trial_locations", nct_id=NCT_ID, status="UNKNOWN")
    assert error["code"] == "INVALID_INPUT"
    assert "RECRUITING" in error["recovery_hint"]


def test_pages_hold_every_site_once(tools: Tools) -> None:
    seen, cursor = [], None
    while True:
        page = locations(tools, near="Boston, MA", page_size=3, cursor=cursor)
        seen += [(item["city"], item.get("facility")) for item in page["items"]]
        cursor = page["pagination"]["cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == len(SITES)


def test_a_cursor_belongs_to_its_question(tools: Tools) -> None:
    cursor = locations(tools, page_size=3)["pagination"]["cursor"]
    for changed in ({"country": "Germany"}, {"near": "Boston"}, {"status": "RECRUITING"}):
        error = tools.error("get_trial_locations", nct_id=NCT_ID, cursor=cursor, **changed)
        assert (error["code"], error["invalid_input"]) == ("INVALID_INPUT", cursor)
    damaged = tools.error("get_trial_locations", nct_id=NCT_ID, cursor=cursor[:-3])
    assert damaged["code"] == "INVALID_INPUT"


@pytest.mark.parametrize("page_size", [0, 201])
def test_page_size_has_the_bounds_of_search(tools: Tools, page_size: int) -> None:
    error = tools.error("get_trial_locations", nct_id=NCT_ID, page_size=page_size)
    assert error["code"] == "INVALID_INPUT"


def test_a_trial_without_sites_says_so(tools: Tools) -> None:
    answer = tools.wire("get_trial_locations", nct_id="NCT90000002", near="Boston")
    assert answer["items"] == []
    assert "The record lists no sites." in answer["provenance"]["notes"]


def test_within_needs_a_place(tools: Tools) -> None:
    error = tools.error("get_trial_locations", nct_id=NCT_ID, within=10)
    assert "near" in error["recovery_hint"]


def test_a_city_only_the_records_know_is_a_place(invented: Callable[..., Tools]) -> None:
    known = site("Quellmoor", country="Germany", point=(53.5, 9.9))
    unplaced = site("Quellmoor", country="Germany", facility="Clinic")
    tools = invented(
        study(FIRST, contactsLocations={"locations": [known]}),
        study(FIRST + 1, contactsLocations={"locations": [unplaced]}),
    )
    found = tools.wire("search_trials", near="Quellmoor, Germany", within=10)
    assert "NCT:90000001" in [item["id"] for item in found["items"]]
    (clinic,) = tools.wire("get_trial_locations", nct_id="NCT90000002", near="53.5,9.9")["items"]
    assert (clinic["approximate"], clinic["distance_km"]) == (True, 0.0)
