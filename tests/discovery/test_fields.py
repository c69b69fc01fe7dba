"""`explore_fields`: names, meanings and values that lead to expressions which work."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discovery.asking import Tools
from trialyst.essie.areas import areas
from trialyst.essie.meanings import meanings
from trialyst.essie.pieces import pieces

LEAVES = [piece.name for piece in pieces().values() if piece.is_leaf]


def listed(tools: Tools, **arguments: Any) -> list[dict[str, Any]]:
    page = tools.wire("explore_fields", **arguments, page_size=200)
    items = list(page["items"])
    while page["pagination"]["cursor"]:
        page = tools.wire("explore_fields", cursor=page["pagination"]["cursor"])
        items += page["items"]
    assert len(items) == page["pagination"]["total_count"]
    return items


def test_every_area_and_piece_has_a_meaning_and_nothing_else_has() -> None:
    assert set(meanings()) == {*areas(), *LEAVES}
    assert all(meaning.endswith(".") for meaning in meanings().values())


def test_every_area_and_piece_is_listed_once(starter: Tools) -> None:
    assert [item["name"] for item in listed(starter)] == [*areas(), *LEAVES]


def test_every_example_can_be_searched(starter: Tools) -> None:
    for item in listed(starter):
        answer = starter.wire("count_trials", advanced=item["example"])
        assert answer.get("success", True), item


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("masking", "DesignMasking"),
        ("eligibility criteria", "EligibilityCriteria"),
        ("primary completion", "PrimaryCompletionDate"),
        ("kind of sponsor", "LeadSponsorClass"),
        ("p-value", "OutcomeAnalysisPValue"),
    ],
)
def test_words_find_names_and_meanings(starter: Tools, query: str, first: str) -> None:
    found = [item["name"] for item in starter.wire("explore_fields", query=query)["items"]]
    assert first in found[:3]


def test_an_area_lists_its_pieces_with_their_weights(starter: Tools) -> None:
    items = listed(starter, field="conditionsearch")
    expected = {
        (piece.name, part.weight, part.synonyms)
        for part in areas()["ConditionSearch"].parts
        for piece in part.pieces
    }
    assert {(item["name"], item["weight"], item["synonyms"]) for item in items} == expected
    weights = [item["weight"] for item in items]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize(
    "field", ["Phase", "OverallStatus", "Sex", "HasResults", "LocationCountry"]
)
@pytest.mark.parametrize("within", [{}, {"condition": "asthma"}, {"advanced": "AREA[Sex]FEMALE"}])
def test_counts_are_those_of_the_search(starter: Tools, field: str, within: dict[str, str]) -> None:
    answer = starter.wire("explore_fields", field=field, **within)
    total = starter.wire("count_trials", **within)["total_count"]
    assert answer["trial_count"] == total
    for item in answer["items"][:4]:
        own = within.get("advanced")
        asked = f'AREA[{field}]"{item["value"]}"'
        advanced = f"({own}) AND {asked}" if own else asked
        counted = starter.wire("count_trials", **{**within, "advanced": advanced})["total_count"]
        assert counted == item["count"], item


def test_a_value_nobody_has_is_listed_with_none(starter: Tools) -> None:
    items = starter.wire("explore_fields", field="OverallStatus", condition="asthma")["items"]
    assert len(items) == 14
    assert any(item["count"] == 0 for item in items)
    assert all(item["label"] for item in items)


def test_days_are_counted_by_year(starter: Tools) -> None:
    items = listed(starter, field="StartDate")
    assert all(len(item["value"]) == 4 for item in items)
    one = items[0]
    counted = starter.wire("count_trials", advanced=f"AREA[StartDate]{one['value']}")
    assert counted["total_count"] == one["count"]


def test_free_text_is_counted_and_filtered_by_words(starter: Tools) -> None:
    items = listed(starter, field="LocationCity", query="bos")
    assert "Boston" in [item["value"] for item in items]
    assert all("bos" in item["value"].lower() for item in items)


def test_an_unknown_field_leads_to_the_right_one(starter: Tools) -> None:
    error = starter.error("explore_fields", field="Phaze")
    assert error["code"] == "INVALID_INPUT"
    assert "Did you mean Phase?" in error["recovery_hint"]
    assert "explore_fields" in error["recovery_hint"]
