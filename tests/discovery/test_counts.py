from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.contracts.contracts import check
from tests.discovery.asking import Tools
from trialyst.ctgov.query import TrialQuery
from trialyst.discovery.counts import BREAKDOWNS
from trialyst.discovery.facets import to_advanced
from trialyst.errors import InvalidInput
from trialyst.registry import RegistrySource

ENUMERATED = ("Phase", "OverallStatus", "LeadSponsorClass", "StdAge", "Sex", "HasResults")


class EnumeratedOnly(RegistrySource):
    """A source that counts closed lists of values only, as the live one does."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.is_remote = True

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        if piece not in ENUMERATED:
            raise InvalidInput(f"No facet {piece}", invalid_input=piece)
        return await super().count_by(query, piece)


def count(tools: Tools, **arguments: Any) -> dict[str, Any]:
    answer = tools.wire("count_trials", **arguments)
    check("count_trials", answer)
    return answer


def test_the_count_is_the_total_of_the_search(starter: Tools) -> None:
    found = starter.wire("search_trials", condition="asthma", phase="PHASE2")
    counted = count(starter, condition="asthma", phase="PHASE2")
    assert counted["total_count"] == found["pagination"]["total_count"] > 0
    assert counted["breakdowns"] == {}


def test_nothing_to_look_for_counts_everything(starter: Tools) -> None:
    answer = count(starter)
    assert answer["total_count"] == answer["provenance"]["records"]


@pytest.mark.parametrize("by", ["status", "sponsor_class", "start_year"])
def test_single_values_and_none_add_up_to_the_total(starter: Tools, by: str) -> None:
    answer = count(starter, condition="asthma", by=by)
    breakdown = answer["breakdowns"][by]
    numbers = sum(breakdown["counts"].values()) + breakdown["without_value"]
    assert numbers == answer["total_count"]


@pytest.mark.parametrize("phase", ["PHASE2", "NA"])
def test_a_number_of_a_breakdown_is_what_the_filter_finds(starter: Tools, phase: str) -> None:
    by_phase = count(starter, condition="asthma", by="phase")["breakdowns"]["phase"]["counts"]
    assert by_phase[phase] == count(starter, condition="asthma", phase=phase)["total_count"]


def test_facets_leave_the_trials_that_were_counted(starter: Tools) -> None:
    answer = count(starter, condition="asthma", by=["condition", "intervention"])
    for name, breakdown in answer["breakdowns"].items():
        assert breakdown["counts"], name
        for value, number in list(breakdown["counts"].items())[:6]:
            chosen = to_advanced({name: [value]})
            assert count(starter, condition="asthma", advanced=chosen)["total_count"] == number


def test_countries_count_trials_and_not_sites(starter: Tools) -> None:
    by_country = count(starter, condition="asthma", by="country")["breakdowns"]["country"]
    found = starter.wire("search_trials", condition="asthma", page_size=200)
    in_germany = [
        item["id"]
        for item in found["items"]
        if starter.wire("get_trial_locations", nct_id=item["id"], country="Germany")["items"]
    ]
    assert by_country["counts"]["Germany"] == len(in_germany) > 0


def test_several_breakdowns_come_in_one_answer(starter: Tools) -> None:
    answer = count(starter, condition="asthma", by=list(BREAKDOWNS))
    assert list(answer["breakdowns"]) == list(BREAKDOWNS)
    notes = " ".join(answer["provenance"]["notes"])
    assert "once for each of its values of phase, country" in notes


def test_years_stand_in_order(starter: Tools) -> None:
    years = list(count(starter, by="start year")["breakdowns"]["start_year"]["counts"])
    assert years == sorted(years)
    assert all(len(year) == 4 for year in years)


def test_an_unknown_breakdown_names_the_nearest(starter: Tools) -> None:
    error = starter.error("count_trials", by="sponsor")
    assert "Did you mean sponsor_class?" in error["recovery_hint"]


@pytest.mark.parametrize("by", ["country", "start_year"])
def test_a_source_of_closed_lists_says_what_it_can_count(
    starter_source: RegistrySource, by: str
) -> None:
    tools = Tools(EnumeratedOnly(starter_source.registry, name="live"))
    error = tools.error("count_trials", condition="asthma", by=["phase", by])
    assert error["code"] == "INVALID_INPUT"
    assert error["message"] == f"The live source cannot count by {by}"
    able = error["recovery_hint"].removeprefix("Count by ").split(" here")[0]
    assert list(count(tools, condition="asthma", by=able)["breakdowns"]) == able.split(", ")


def test_breakdowns_make_rows(starter: Tools) -> None:
    answer = starter.ask("count_trials", condition="asthma", by="phase")
    row = answer.to_dicts()[0]
    assert set(row) == {"by", "value", "count"}
    assert starter.ask("count_trials", condition="asthma").to_dicts() == [
        {"total_count": answer["total_count"]}
    ]
