from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.contracts import check
from tests.discovery.asking import Tools
from tests.registry.invented import FIRST, opened, site, study
from trialyst.ctgov.query import TrialQuery
from trialyst.discovery.arguments import SearchArguments
from trialyst.registry import RegistrySource

BOSTON, WORCESTER, AUSTIN = (42.36, -71.06), (42.26, -71.80), (30.27, -97.74)


def ids(answer: dict[str, Any]) -> list[str]:
    return [item["id"] for item in answer["items"]]


def total(tools: Tools, **arguments: Any) -> int:
    found: int = tools.wire("search_trials", page_size=1, **arguments)["pagination"]["total_count"]
    return found


def placed(number: int, *points: tuple[float, float]) -> dict[str, Any]:
    sites = [site(f"City {index}", point=point) for index, point in enumerate(points)]
    return study(number, contactsLocations={"locations": sites})


@pytest.mark.parametrize(
    ("spoken", "code"),
    [
        ({"phase": "Phase 2"}, {"phase": "PHASE2"}),
        ({"phase": 2}, {"phase": "PHASE2"}),
        ({"phase": '["PHASE2","PHASE3"]'}, {"phase": ["PHASE2", "PHASE3"]}),
        ({"phase": "Phase 1/Phase 2"}, {"phase": "PHASE1/PHASE2"}),
        ({"phase": "not applicable"}, {"phase": "NA"}),
        ({"status": "Active, not recruiting"}, {"status": "ACTIVE_NOT_RECRUITING"}),
        ({"status": "recruiting,completed"}, {"status": ["RECRUITING", "COMPLETED"]}),
        ({"sex": "women", "condition": "asthma"}, {"sex": "FEMALE", "condition": "asthma"}),
        ({"age": "63 years"}, {"age": 63}),
    ],
    ids=str,
)
def test_labels_and_codes_find_the_same(
    starter: Tools, spoken: dict[str, Any], code: dict[str, Any]
) -> None:
    found = starter.wire("search_trials", **spoken)
    assert found["items"]
    assert ids(found) == ids(starter.wire("search_trials", **code))


def test_sort_puts_the_newest_first(starter: Tools) -> None:
    found = starter.wire("search_trials", condition="asthma", sort="StudyFirstPostDate:desc")
    trials = starter.wire("get_trial", nct_id=ids(found)[:20], sections="dates")
    posted = [trial["dates"]["first_posted"]["date"] for trial in trials["items"]]
    assert posted == sorted(posted, reverse=True)


def test_advanced_is_essie_and_joins_the_filters(starter: Tools) -> None:
    both = total(starter, condition="asthma", advanced="AREA[Phase]PHASE2")
    assert both == total(starter, condition="asthma", phase="PHASE2") > 0


@pytest.mark.parametrize(
    ("essie", "column"), [("asthma AND )", 8), ("(asthma", 8), ("AREA[Fase]PHASE2", 1)]
)
def test_wrong_essie_comes_back_with_column_and_caret(
    starter: Tools, essie: str, column: int
) -> None:
    error = starter.error("search_trials", advanced=essie)
    assert error["recovery_hint"].startswith(f"Column {column}:")
    assert error["message"].endswith(f"{essie}\n{' ' * (column - 1)}^")


def test_operators_in_a_query_are_words(starter: Tools) -> None:
    assert total(starter, query="NOT AREA[Phase]PHASE4") == 0


def test_slim_gives_four_keys(starter: Tools) -> None:
    slim = starter.wire("search_trials", condition="asthma", slim=True)
    assert {key for item in slim["items"] for key in item} == {"id", "title", "phase", "status"}
    assert ids(slim) == ids(starter.wire("search_trials", condition="asthma"))


def test_date_before_includes_the_day_itself(invented: Callable[..., Tools]) -> None:
    def posted(number: int, day: str) -> dict[str, Any]:
        return study(number, status={"studyFirstPostDateStruct": {"date": day}})

    days = ("2020-05-31", "2020-06-01", "2021-01-01")
    tools = invented(*(posted(FIRST + index, day) for index, day in enumerate(days)))
    assert total(tools, date_before="2020-05-31") == 1
    assert total(tools, date_before="2020-06-01") == 2
    assert total(tools, date_before="2020") == 2
    assert total(tools, date_before="2021-01") == 3


def test_near_finds_trials_with_a_site_in_the_circle(invented: Callable[..., Tools]) -> None:
    tools = invented(
        placed(FIRST, BOSTON), placed(FIRST + 1, WORCESTER, AUSTIN), placed(FIRST + 2, AUSTIN)
    )
    near = tools.wire("search_trials", near="Boston, MA")
    assert set(ids(near)) == {"NCT:90000001", "NCT:90000002"}
    assert total(tools, near="42.36,-71.06", within=30) == 1
    assert total(tools, near=[42.36, -71.06], within="50 mi") == 2
    assert "Boston, Massachusetts, United States" in near["understood"]["near"]["name"]


def test_an_unknown_place_names_the_nearest(starter: Tools) -> None:
    error = starter.error("search_trials", near="Bostn")
    assert error["code"] == "INVALID_INPUT"
    assert "Boston" in error["recovery_hint"]


@pytest.mark.parametrize("within", [0, 806, "9999 km"])
def test_a_radius_outside_the_range_is_refused(starter: Tools, within: Any) -> None:
    assert starter.error("search_trials", near="Boston", within=within)["code"] == "INVALID_INPUT"


def test_sex_and_age_keep_trials_that_state_nothing(invented: Callable[..., Tools]) -> None:
    tools = invented(
        study(FIRST, eligibility={"sex": "ALL"}),
        study(FIRST + 1, eligibility={"sex": "FEMALE", "minimumAge": "18 Years"}),
        study(FIRST + 2, eligibility={"sex": "MALE", "maximumAge": "75 Years"}),
    )
    assert set(ids(tools.wire("search_trials", sex="f"))) == {"NCT:90000001", "NCT:90000002"}
    assert set(ids(tools.wire("search_trials", sex="M", age=80))) == {"NCT:90000001"}
    assert total(tools, age=75) == 3


def test_a_cursor_belongs_to_its_query(starter: Tools) -> None:
    first = starter.wire("search_trials", condition="asthma", page_size=5)
    cursor = first["pagination"]["cursor"]
    other = starter.error("search_trials", condition="eczema", page_size=5, cursor=cursor)
    assert (other["code"], other["invalid_input"]) == ("INVALID_INPUT", cursor)
    more = starter.error("search_trials", condition="asthma", sex="f", cursor=cursor)
    assert more["code"] == "INVALID_INPUT"


def test_a_damaged_cursor_is_invalid(starter: Tools) -> None:
    cursor = starter.wire("search_trials", condition="asthma", page_size=5)["pagination"]["cursor"]
    for damaged in (cursor[:-4], cursor[4:], "x" + cursor, "%%%"):
        error = starter.error("search_trials", condition="asthma", cursor=damaged)
        assert error["code"] == "INVALID_INPUT"


def test_starter_answers_say_that_they_are_synthetic(starter: Tools) -> None:
    found = starter.wire("search_trials", condition="asthma", page_size=3)
    assert found["provenance"]["synthetic"] is True
    assert all(item["title"].startswith("[SYNTHETIC]") for item in found["items"])


def test_old_data_is_told_on_every_answer(starter_source: RegistrySource) -> None:
    later = Tools(starter_source, today=datetime(2027, 3, 1, tzinfo=UTC))
    for tool, arguments in (
        ("search_trials", {"condition": "asthma"}),
        ("get_trial", {"nct_id": "NCT90000001"}),
        ("get_trial_locations", {"nct_id": "NCT90000001"}),
        ("count_trials", {}),
        ("compare_trials", {"nct_ids": ["NCT90000001", "NCT90000002"]}),
    ):
        notes = later.wire(tool, **arguments)["provenance"]["notes"]
        assert any("days old" in note for note in notes), tool


def test_relevance_is_asked_for(starter: Tools) -> None:
    class Watched(RegistrySource):
        asked: TrialQuery

        async def search_outlines(self, query: TrialQuery, cursor: str | None = None) -> Any:
            self.asked = query
            return await super().search_outlines(query, cursor)

    assert isinstance(starter.source, RegistrySource)
    watched = Watched(starter.source.registry)
    Tools(watched).ask("search_trials", query="asthma")
    assert [key.piece for key in watched.asked.sort] == ["@relevance"]
    assert watched.asked.page_size == 50


ARGUMENTS = sorted(SearchArguments.__annotations__)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 300),
    st.floats(),
    st.text(max_size=12),
    st.lists(st.text(max_size=5) | st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
    st.sampled_from(["PHASE2", "Recruiting", "Boston", "63", "2020", "asthma", "AND", '["x"', "@"]),
)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    """A few studies for very many questions."""
    studies = [study(FIRST + number, conditions={"conditions": ["asthma"]}) for number in range(3)]
    registry = opened(tmp_path_factory.mktemp("few"), *studies)
    yield Tools(RegistrySource(registry))
    registry.close()


@settings(max_examples=150)
@given(arguments=st.dictionaries(st.sampled_from(ARGUMENTS), ODD, max_size=4))
def test_whatever_is_asked_is_answered_or_refused(few: Tools, arguments: dict[str, Any]) -> None:
    answer = few.wire("search_trials", **arguments)
    check("error" if "error" in answer else "search_trials", answer)
    refused = answer.get("error", {"code": "INVALID_INPUT"})["code"]
    assert refused in ("INVALID_INPUT", "UNRESOLVED_ENTITY")


def test_what_date_before_leaves_out_is_told(starter: Tools) -> None:
    answer = starter.wire("search_trials", condition="asthma", date_before="2024")
    assert answer["understood"]["posted_to"] == {
        "asked": "2024",
        "name": "until 2024-12-31",
        "given_as": "date_before",
        "note": "Trials that state no such date are left out.",
    }


def test_a_cursor_alone_continues_its_search(starter: Tools) -> None:
    arguments = {"condition": "asthma", "status": ["COMPLETED", "RECRUITING"], "fields": "acronym"}
    whole = starter.wire("search_trials", **arguments, page_size=20)
    first = starter.wire("search_trials", **arguments, page_size=10)
    second = starter.wire("search_trials", cursor=first["pagination"]["cursor"], page_size=10)
    assert [*ids(first), *ids(second)] == ids(whole)
    assert second["understood"] == first["understood"]


def test_fields_are_added_to_the_agreed_ones(starter: Tools) -> None:
    item = starter.wire("search_trials", condition="asthma", fields="enrollment, start date")[
        "items"
    ][0]
    trial = starter.wire("get_trial", nct_id=item["id"], sections="dates,protocol")
    assert item["start_date"] == trial["dates"]["start"]["date"]
    assert item["enrollment"] == trial["protocol"]["enrollment"]["count"]


def test_the_value_sorted_by_is_shown(starter: Tools) -> None:
    found = starter.wire("search_trials", condition="asthma", sort="EnrollmentCount:desc")["items"]
    sizes = [item["sorted_by"].get("EnrollmentCount", -1) for item in found]
    assert sizes == sorted(sizes, reverse=True)


def test_summaries_end_with_a_sentence_or_say_that_they_go_on(starter: Tools) -> None:
    for item in starter.wire("search_trials", condition="asthma")["items"]:
        assert item["brief_summary"].endswith((".", "[...]"))


def test_fifty_items_stay_under_eight_thousand_tokens(starter: Tools) -> None:
    for near in ({}, {"near": "Boston", "within": 800}):
        found = starter.wire("search_trials", status="COMPLETED", **near)
        assert len(found["items"]) == 50
        assert len(json.dumps(found)) / 4 < 8_000


def test_next_calls_can_be_made_as_they_stand(starter: Tools) -> None:
    for arguments in ({"condition": "asthma"}, {"condition": "asthma", "phase": "EARLY_PHASE1"}):
        calls = starter.wire("search_trials", **arguments, page_size=5)["next"]
        assert 0 < len(calls) <= 3
        for call in calls:
            assert "error" not in starter.wire(call["tool"], **call["arguments"]), call
