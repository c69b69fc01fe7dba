"""The tools of the model agent: the seed's shapes, caps and mapping, as corrected."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.discovery.starting import open_starter
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput, NotFound
from trialyst.essie.render import render
from trialyst.matching import tools as search_tools
from trialyst.matching.tools import SearchTools
from trialyst.registry import RegistrySource


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    yield from open_starter(tmp_path_factory.getbasetemp() / "home")


@pytest.fixture(scope="module")
def tools(source: RegistrySource) -> SearchTools:
    return SearchTools(source)


def _search(tools: SearchTools, **arguments: Any) -> dict[str, Any]:
    return asyncio.run(tools.search_trials(**arguments))


def _query(source: RegistrySource, **arguments: Any) -> TrialQuery:
    return asyncio.run(search_tools.to_query(source, **arguments))


def test_an_answer_has_the_shape_of_the_seed(tools: SearchTools) -> None:
    answer = _search(tools, condition="asthma", page_size=5)
    assert list(answer) == ["count", "total_available", "trials"]
    assert answer["count"] == len(answer["trials"]) == 5 <= answer["total_available"]
    known = {"nct_id", "brief_title", "phase", "conditions", "interventions"}
    assert all(
        set(trial) <= known | {"status", "sponsor", "enrollment"} for trial in answer["trials"]
    )


def test_lists_are_cut_short(tools: SearchTools) -> None:
    trials = _search(tools, condition="cancer", status=["COMPLETED"])["trials"]
    assert max(len(trial["conditions"]) for trial in trials) <= 3
    assert max(len(trial["interventions"]) for trial in trials) <= 4


def test_recruiting_interventional_trials_are_the_default(
    tools: SearchTools, source: RegistrySource
) -> None:
    query = _query(source, condition="asthma")
    assert query.statuses == ("RECRUITING",)
    assert [render(node) for node in query.filters] == ['AREA[StudyType]"INTERVENTIONAL"']
    assert {trial["status"] for trial in _search(tools, condition="asthma")["trials"]} == {
        "RECRUITING"
    }


@pytest.mark.parametrize(("asked", "given"), [(500, 100), (0, 1), (7, 7), (None, 50)])
def test_pages_are_capped_not_refused(
    source: RegistrySource, asked: int | None, given: int
) -> None:
    assert _query(source, condition="asthma", page_size=asked).page_size == given


def test_a_sex_keeps_trials_open_to_all(source: RegistrySource) -> None:
    written = [render(node) for node in _query(source, condition="asthma", sex="FEMALE").filters]
    assert 'AREA[Sex]("FEMALE" OR "ALL")' in written
    assert not any(
        "Sex" in render(node) for node in _query(source, condition="a", sex="ALL").filters
    )


def test_ages_keep_trials_that_state_no_bound(source: RegistrySource) -> None:
    filters = _query(source, condition="asthma", min_age="18 Years", max_age=65).filters
    low, high = (render(node) for node in filters[1:])
    assert low.startswith("AREA[MinimumAge]MISSING OR ")
    assert high.startswith("AREA[MaximumAge]MISSING OR AREA[MaximumAge]RANGE[65 Years, MAX]")


def test_eligibility_words_look_at_the_criteria(tools: SearchTools) -> None:
    anywhere = _search(tools, eligibility_keywords="informed consent", status="RECRUITING")
    assert anywhere["total_available"] > 0


@pytest.mark.parametrize("phase", ["PHASE2,PHASE3", ["PHASE2", "PHASE3"], ["Phase 2", "3"]])
def test_phases_come_as_a_list_or_a_text(source: RegistrySource, phase: Any) -> None:
    assert 'AREA[Phase]("PHASE2" OR "PHASE3")' in [
        render(node) for node in _query(source, condition="asthma", phase=phase).filters
    ]


def test_details_hold_what_decides(tools: SearchTools) -> None:
    nct_id = _search(tools, condition="asthma", page_size=1)["trials"][0]["nct_id"]
    details, summary = asyncio.run(tools.execute("get_trial_details", {"nct_id": nct_id}))
    assert details["nct_id"] == nct_id
    assert len(details["eligibility_criteria"].split()) > 10
    assert details["sex"] in {"ALL", "FEMALE", "MALE"}
    assert nct_id in summary


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("delete_trials", {}),
        ("search_trials", {}),
        ("search_trials", {"condition": "asthma", "color": "red"}),
        ("search_trials", {"condition": "asthma", "phase": "PHASE9"}),
        ("search_trials", {"condition": "asthma", "min_age": "old"}),
        ("get_trial_details", {"nct_id": "asthma"}),
    ],
    ids=str,
)
def test_wrong_calls_are_refused(tools: SearchTools, name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        asyncio.run(tools.execute(name, arguments))


def test_an_absent_trial_is_not_found(tools: SearchTools) -> None:
    with pytest.raises(NotFound):
        asyncio.run(tools.get_trial_details("NCT99999999"))
