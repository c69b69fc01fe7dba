"""Result sections exist where they are announced, and their counts add up."""

from __future__ import annotations

from typing import Any

import pytest

Study = dict[str, Any]


@pytest.fixture
def reported(studies: list[Study]) -> list[Study]:
    return [study for study in studies if study["hasResults"]]


def _numbers(rows: list[dict[str, Any]], key: str) -> list[int]:
    return [int(row[key]) for row in rows]


def _milestones(study: Study) -> dict[str, list[int]]:
    period = study["resultsSection"]["participantFlowModule"]["periods"][0]
    return {m["type"]: _numbers(m["achievements"], "numSubjects") for m in period["milestones"]}


def test_results_stand_exactly_where_announced(studies: list[Study]) -> None:
    for study in studies:
        announced = "resultsFirstPostDateStruct" in study["protocolSection"]["statusModule"]
        assert ("resultsSection" in study) == study["hasResults"] == announced


def test_many_studies_have_results(reported: list[Study]) -> None:
    assert len(reported) >= 150


def test_those_who_started_completed_or_did_not(reported: list[Study]) -> None:
    for study in reported:
        flow = _milestones(study)
        gone = zip(flow["COMPLETED"], flow["NOT COMPLETED"], strict=True)
        assert flow["STARTED"] == [done + lost for done, lost in gone]


def test_reasons_add_up_to_those_who_left(reported: list[Study]) -> None:
    for study in reported:
        period = study["resultsSection"]["participantFlowModule"]["periods"][0]
        columns = [_numbers(r["reasons"], "numSubjects") for r in period.get("dropWithdraws", [])]
        left = [sum(column) for column in zip(*columns, strict=True)]
        assert (left or [0] * len(_milestones(study)["STARTED"])) == _milestones(study)[
            "NOT COMPLETED"
        ]


def test_enrollment_is_the_number_who_started(reported: list[Study]) -> None:
    for study in reported:
        info = study["protocolSection"]["designModule"].get("enrollmentInfo")
        assert info is None or info["count"] == sum(_milestones(study)["STARTED"])


def test_baseline_counts_add_up(reported: list[Study]) -> None:
    for study in reported:
        module = study["resultsSection"]["baselineCharacteristicsModule"]
        counts = _numbers(module["denoms"][0]["counts"], "value")
        if len(counts) > 1:
            assert sum(counts[:-1]) == counts[-1]
        sexes = module["measures"][1]["classes"][0]["categories"]
        columns = zip(*(_numbers(c["measurements"], "value") for c in sexes), strict=True)
        assert [sum(column) for column in columns] == counts


def test_outcome_counts_stay_within_the_groups(reported: list[Study]) -> None:
    for study in reported:
        for measure in study["resultsSection"]["outcomeMeasuresModule"]["outcomeMeasures"]:
            sizes = _numbers(measure["denoms"][0]["counts"], "value")
            assert sizes == _milestones(study)["STARTED"]
            if measure["paramType"] == "COUNT_OF_PARTICIPANTS":
                rows = measure["classes"][0]["categories"][0]["measurements"]
                values = _numbers(rows, "value")
                assert all(v <= size for v, size in zip(values, sizes, strict=True))


def test_reported_outcomes_are_the_planned_ones(reported: list[Study]) -> None:
    for study in reported:
        planned = study["protocolSection"]["outcomesModule"]
        titles = [
            m["title"] for m in study["resultsSection"]["outcomeMeasuresModule"]["outcomeMeasures"]
        ]
        both = [*planned["primaryOutcomes"], *planned.get("secondaryOutcomes", [])]
        assert titles == [outcome["measure"] for outcome in both]


def test_affected_people_cover_their_events(reported: list[Study]) -> None:
    for study in reported:
        module = study["resultsSection"]["adverseEventsModule"]
        for index, group in enumerate(module["eventGroups"]):
            for kind in ("serious", "other"):
                counts = [event["stats"][index]["numAffected"] for event in module[f"{kind}Events"]]
                affected = group[f"{kind}NumAffected"]
                assert max(counts) <= affected <= min(sum(counts), group[f"{kind}NumAtRisk"])
