"""Posted results and fields, as tables and as sheets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interfaces.cli.conftest import Run, rows
from trialyst.discovery import Answer
from trialyst.interfaces.cli.layout import Screen
from trialyst.interfaces.cli.results import RESULTS

POSTED = "NCT90000007"

OUTCOME: dict[str, Any] = {
    "section": "primary_outcomes",
    "number": 1,
    "title": "Change",
    "unit": "mm",
    "groups": [{"id": "OG000", "title": "Drug"}, {"id": "OG001", "title": "Placebo"}],
    "values": [
        {"group": "OG000", "value": "1.5", "spread": "0.2"},
        {"group": "OG001", "value": "2.5", "lower_limit": "2", "upper_limit": "3"},
    ],
    "analyses": [
        {"groups": ["OG000", "OG001"], "method": "ANCOVA", "p_value": "<0.001", "estimate": "-1"}
    ],
}
LATER_PART: dict[str, Any] = {
    "section": "primary_outcomes",
    "number": 1,
    "part": 2,
    "parts": 2,
    "values": [{"group": "OG001", "category": "Week 8", "value": "7"}],
}
EVENTS: dict[str, Any] = {
    "section": "serious_events",
    "first": 1,
    "groups": [
        {"id": "EG000", "title": "Drug", "serious": 3, "serious_at_risk": 50},
        {"id": "EG001", "title": "Drug"},
    ],
    "events": [{"term": "Rash", "counts": {"EG000": {"affected": 2, "at_risk": 50}}}],
}


def shown(*items: dict[str, Any]) -> str:
    return RESULTS.text(Answer({"id": "NCT:90000007", "items": list(items)}, items), Screen())


def sheet(*items: dict[str, Any]) -> list[dict[str, str]]:
    return rows(RESULTS.csv(Answer({"id": "NCT:90000007", "items": list(items)}, items)))


def test_a_measure_has_a_column_a_group_and_its_analyses() -> None:
    title, heads, values, _, analyses, *rest = shown(OUTCOME).splitlines()
    assert title == "Primary outcomes 1: Change (mm)"
    assert heads.split() == ["Drug", "Placebo"]
    assert "1.5 ± 0.2" in values
    assert "2.5 (2 to 3)" in values
    assert analyses == "Primary outcomes 1, analyses"
    assert "Drug vs Placebo" in rest[-1]
    assert "<0.001" in rest[-1]


def test_a_later_part_is_of_the_groups_of_the_first() -> None:
    assert [row["group"] for row in sheet(OUTCOME, LATER_PART)][-1] == "Placebo"
    assert "part 2 of 2" in shown(OUTCOME, LATER_PART)


def test_groups_of_one_title_stay_apart() -> None:
    assert "Drug (EG000)" in shown(EVENTS)


def test_events_are_told_of_how_many() -> None:
    found = {row["row"]: (row["value"], row["at_risk"]) for row in sheet(EVENTS)}
    assert found == {"Any serious event": ("3", "50"), "Rash": ("2", "50")}
    assert "2/50" in shown(EVENTS)


@pytest.mark.slow
@pytest.mark.usefixtures("starter")
def test_a_sheet_has_every_number_of_the_results(trialyst: Run) -> None:
    items = trialyst("results", POSTED, "-n", "50", "--json").value["items"]
    found = rows(trialyst("results", POSTED, "-n", "50", "-f", "csv").out)
    values = [each for item in items for each in item.get("values", ())]
    effects = [each for item in items for each in item.get("analyses", ())]
    told = [row for row in found if row["kind"] == "value"]
    assert [row["value"] for row in told] == [each.get("value", "") for each in values]
    assert len([row for row in found if row["kind"] == "analysis"]) == len(effects)
    assert values


@pytest.mark.slow
@pytest.mark.usefixtures("starter")
def test_nothing_posted_is_told(trialyst: Run) -> None:
    ended = trialyst("results", "NCT90000001")
    assert (ended.code, ended.out) == (0, "")
    assert "No results are posted" in ended.err


@pytest.mark.slow
@pytest.mark.usefixtures("starter")
def test_values_of_a_field_come_with_counts(trialyst: Run) -> None:
    answer = trialyst("fields", "--field", "Phase", "--json").value
    ended = trialyst("fields", "--field", "Phase")
    assert ended.out.splitlines()[0].split() == ["Value", "Label", "Count"]
    assert len(ended.out.splitlines()) == 1 + len(answer["items"])
    assert f"Among 2,000 trials, {answer['without_value']:,} of them" in ended.err
    (first, *_) = rows(trialyst("fields", "--field", "Phase", "-f", "csv").out)
    assert int(first["count"]) == answer["items"][0]["count"]


@pytest.mark.slow
@pytest.mark.usefixtures("starter")
@pytest.mark.parametrize(
    ("given", "heads"),
    [
        (("enrollment",), ["Name", "Kind", "Type", "Meaning", "Example", "Codes"]),
        (("--field", "ConditionSearch"), ["Name", "Weight", "Synonyms", "Meaning"]),
    ],
    ids=str,
)
def test_fields_and_the_pieces_of_an_area_have_columns_of_their_own(
    trialyst: Run, given: tuple[str, ...], heads: list[str]
) -> None:
    assert trialyst("fields", *given).out.splitlines()[0].split() == heads
