from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.errors import InvalidInput, UnresolvedEntity
from trialyst.pathways import PathwayId


@pytest.mark.parametrize(
    "text",
    [
        "WP554",
        " wp554 ",
        "WP:WP554",
        "WP:554",
        "wikipathways:WP554",
        "WP554_r139872",
        "https://www.wikipathways.org/instance/WP554",
        "https://classic.wikipathways.org/index.php/Pathway:WP554",
        "www.wikipathways.org/pathways/WP554.html?query=ace",
        "https://www.wikipathways.org/pathways/WP554/",
        "https://identifiers.org/wikipathways:WP554",
        "http://identifiers.org/wikipathways/WP554",
        "https://bioregistry.io/wikipathways:WP554",
    ],
)
def test_every_spelling_is_one_id(text: str) -> None:
    assert PathwayId.parse(text) == PathwayId(554)


@pytest.mark.parametrize("text", ["WP:ABC", "WP", "WP0", "WP12345678", "WP:"])
def test_what_looks_like_an_id_but_is_none_is_invalid(text: str) -> None:
    with pytest.raises(InvalidInput) as told:
        PathwayId.parse(text)
    assert told.value.code == "INVALID_INPUT"
    assert told.value.invalid_input == text


def test_following_the_hint_of_an_invalid_id_leads_to_one() -> None:
    with pytest.raises(InvalidInput) as told:
        PathwayId.parse("WP:ABC")
    assert "WP:WP554" in str(told.value.hint)
    assert PathwayId.parse("WP:WP554").number == 554


@pytest.mark.parametrize("text", ["glycolysis", "", "NCT00461032", "WPRE element"])
def test_free_text_names_the_search_tool(text: str) -> None:
    with pytest.raises(UnresolvedEntity, match="not a WikiPathways id") as told:
        PathwayId.parse(text)
    assert "search_pathways" in str(told.value.hint)


@given(st.integers(1, 9_999_999))
def test_an_id_reads_itself_back(number: int) -> None:
    made = PathwayId(number)
    assert PathwayId.parse(str(made)) == PathwayId.parse(made.curie) == made
