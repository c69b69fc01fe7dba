"""`get_results`: everything that is posted, once, in tables of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.discovery.asking import Tools
from tests.registry.invented import FIRST, study
from trialyst.discovery.result_tables import RESULT_SECTIONS

GROUPS = [
    {"id": "OG000", "title": "Drug", "description": "10 mg"},
    {"id": "OG001", "title": "Placebo"},
]
ID = "NCT90000001"


def value(group: str, number: int) -> dict[str, Any]:
    return {"groupId": group, "value": str(number), "spread": "1.5"}


def outcome(kind: str, title: str, *, rows: int = 1, analyses: int = 0) -> dict[str, Any]:
    classes = [
        {
            "title": f"Week {week}",
            "categories": [{"measurements": [value("OG000", week), value("OG001", 100 + week)]}],
        }
        for week in range(rows)
    ]
    return {
        "type": kind,
        "title": title,
        "timeFrame": "12 weeks",
        "paramType": "MEAN",
        "unitOfMeasure": "points",
        "reportingStatus": "POSTED",
        "groups": GROUPS,
        "denoms": [{"units": "Participants", "counts": [{"groupId": "OG000", "value": "40"}]}],
        "classes": classes,
        "analyses": [
            {
                "groupIds": ["OG000", "OG001"],
                "statisticalMethod": "ANCOVA",
                "pValue": "<0.001",
                "paramType": "Mean Difference",
                "paramValue": str(number),
                "ciPctValue": "95",
                "ciLowerLimit": "-2.1",
                "ciUpperLimit": "-0.4",
            }
            for number in range(analyses)
        ],
    }


def event(number: int) -> dict[str, Any]:
    stats = [{"groupId": "EG000", "numAffected": number, "numAtRisk": 40}]
    return {"term": f"Event {number}", "organSystem": "Skin", "stats": stats}


RESULTS: dict[str, Any] = {
    "participantFlowModule": {
        "recruitmentDetails": "In spring.",
        "groups": [{"id": "FG000", "title": "Drug"}],
        "periods": [
            {
                "title": "Treatment",
                "milestones": [
                    {"type": "STARTED", "achievements": [{"groupId": "FG000", "numSubjects": "41"}]}
                ],
                "dropWithdraws": [
                    {"type": "Death", "reasons": [{"groupId": "FG000", "numSubjects": "1"}]}
                ],
            }
        ],
    },
    "baselineCharacteristicsModule": {
        "groups": [{"id": "BG000", "title": "Drug"}],
        "denoms": [{"units": "Participants", "counts": [{"groupId": "BG000", "value": "40"}]}],
        "measures": [
            {
                "title": "Age",
                "paramType": "MEAN",
                "classes": [{"categories": [{"measurements": [value("BG000", 61)]}]}],
            }
        ],
    },
    "outcomeMeasuresModule": {
        "outcomeMeasures": [
            outcome("PRIMARY", "Pain", analyses=8),
            outcome("SECONDARY", "Sleep", rows=45),
            outcome("POST_HOC", "Mood"),
        ]
    },
    "adverseEventsModule": {
        "timeFrame": "1 year",
        "frequencyThreshold": "5",
        "eventGroups": [{"id": "EG000", "title": "Drug", "deathsNumAffected": 1}],
        "seriousEvents": [event(number) for number in range(3)],
        "otherEvents": [event(number) for number in range(70)],
    },
    "moreInfoModule": {"limitationsAndCaveats": {"description": "Stopped early."}},
}


@pytest.fixture
def tools(invented: Callable[..., Tools]) -> Tools:
    posted = {**study(FIRST), "resultsSection": RESULTS, "hasResults": True}
    return invented(posted, study(FIRST + 1))


def pages(tools: Tools, **arguments: Any) -> list[dict[str, Any]]:
    page = tools.wire("get_results", nct_id=ID, **arguments)
    found = [page]
    while page["pagination"]["cursor"]:
        page = tools.wire("get_results", cursor=page["pagination"]["cursor"])
        found.append(page)
    for each in found:
        check("get_results", each)
        assert nulls(each) == []
    return found


def tables(tools: Tools, **arguments: Any) -> list[dict[str, Any]]:
    return [item for page in pages(tools, **arguments) for item in page["items"]]


def test_contents_count_what_all_pages_hold(tools: Tools) -> None:
    first, *_ = found = pages(tools)
    assert first["contents"] == {
        "participants": 1,
        "baseline": 1,
        "primary_outcomes": 1,
        "secondary_outcomes": 1,
        "other_outcomes": 1,
        "serious_events": 3,
        "other_events": 70,
    }
    items = [item for page in found for item in page["items"]]
    assert len(items) == first["pagination"]["total_count"]
    assert len(found) > 1
    assert [
        name for name in RESULT_SECTIONS if name in {item["section"] for item in items}
    ] == list(RESULT_SECTIONS)
    assert first["limitations"] == "Stopped early."


def test_the_flow_tells_milestones_and_why_people_left(tools: Tools) -> None:
    (flow,) = tables(tools, sections="participants")
    assert flow["recruitment"] == "In spring."
    assert flow["milestones"] == [{"title": "STARTED", "counts": {"FG000": "41"}}]
    assert flow["not_completed"] == [{"title": "Death", "counts": {"FG000": "1"}}]


def test_an_outcome_has_arms_values_and_effects(tools: Tools) -> None:
    first, second = tables(tools, sections="primary_outcomes")
    assert (first["part"], second["part"], first["parts"]) == (1, 2, 2)
    assert first["groups"][0] == {
        "id": "OG000",
        "title": "Drug",
        "description": "10 mg",
        "analyzed": "40",
    }
    assert first["values"][0] == {
        "group": "OG000",
        "category": "Week 0",
        "value": "0",
        "spread": "1.5",
    }
    effects = [*first["analyses"], *second["analyses"]]
    assert [each["estimate"] for each in effects] == [str(number) for number in range(8)]
    assert effects[0] == {
        "groups": ["OG000", "OG001"],
        "method": "ANCOVA",
        "p_value": "<0.001",
        "estimate_type": "Mean Difference",
        "estimate": "0",
        "ci_percent": "95",
        "ci_lower": "-2.1",
        "ci_upper": "-0.4",
    }


def test_parts_of_a_long_outcome_hold_every_value_once(tools: Tools) -> None:
    parts = tables(tools, sections="secondary_outcomes")
    values = [each for part in parts for each in part["values"]]
    assert len(parts) == parts[0]["parts"] == 3
    assert len(values) == len({(each["group"], each["category"]) for each in values}) == 90
    assert "groups" in parts[0]
    assert "groups" not in parts[1]


def test_events_come_with_their_counts(tools: Tools) -> None:
    found = tables(tools, sections="events")
    terms = [each for table in found for each in table["events"]]
    assert len(terms) == 73
    assert terms[2] == {
        "term": "Event 2",
        "organ_system": "Skin",
        "counts": {"EG000": {"affected": 2, "at_risk": 40}},
    }
    assert found[0]["groups"] == [{"id": "EG000", "title": "Drug", "deaths": 1}]


def test_a_name_for_several_sections_gives_them_all(tools: Tools) -> None:
    sections = {item["section"] for item in tables(tools, sections="outcomes")}
    assert sections == {"primary_outcomes", "secondary_outcomes", "other_outcomes"}


def test_a_trial_without_results_is_an_answer_that_says_so(tools: Tools) -> None:
    answer = tools.wire("get_results", nct_id="NCT90000002")
    check("get_results", answer)
    assert (answer["has_results"], answer["items"]) == (False, [])
    assert "No results are posted for NCT:90000002." in " ".join(answer["provenance"]["notes"])
    assert answer["next"]


def test_results_that_the_record_does_not_hold_are_not_denied(
    invented: Callable[..., Tools],
) -> None:
    answer = invented({**study(FIRST), "hasResults": True}).wire("get_results", nct_id=ID)
    assert answer["has_results"] is True
    assert "does not hold them" in " ".join(answer["provenance"]["notes"])
