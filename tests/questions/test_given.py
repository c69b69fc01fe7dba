"""What a caller gave, under the names and in the types that a tool declares."""

from __future__ import annotations

from typing import Any

import pytest

from trialyst.errors import InvalidInput
from trialyst.questions.given import read_given
from trialyst.repurposing.arguments import DrugTrialsArguments, LandscapeArguments


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"drug": "x", "max_results": "5"}, {"drug": "x", "max_results": 5}),
        ({"drug": "x", "max_results": 5.0}, {"drug": "x", "max_results": 5}),
        ({"drug": "x", "slim": "no"}, {"drug": "x", "slim": False}),
        ({"drug": "x", "slim": 1}, {"drug": "x", "slim": True}),
        ({"drug": "x", "condition": "", "cursor": None, "date_before": "None"}, {"drug": "x"}),
        ({"intervention": "x", "limit": 3}, {"drug": "x", "page_size": 3}),
        ({"treatment": "x", "disease": "y"}, {"drug": "x", "condition": "y"}),
        ({"drug": "x", "phase_filter": ["PHASE2"]}, {"drug": "x", "phase_filter": ["PHASE2"]}),
    ],
    ids=str,
)
def test_values_come_in_the_declared_types(given: dict[str, Any], read: dict[str, Any]) -> None:
    assert read_given(DrugTrialsArguments, given) == read


@pytest.mark.parametrize(
    ("given", "blamed"),
    [
        ({"max_results": "many"}, "max_results"),
        ({"max_results": 0}, "max_results"),
        ({"max_results": True}, "max_results"),
        ({"page_size": 201}, "page_size"),
        ({"slim": "perhaps"}, "slim"),
        ({"drug": "x", "treatment": "y"}, "drug"),
        ({"colour": "red"}, "colour"),
    ],
    ids=str,
)
def test_what_is_not_of_its_type_is_refused_by_its_name(given: dict[str, Any], blamed: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_given(DrugTrialsArguments, given)
    assert blamed in refused.value.message
    assert refused.value.hint


def test_bounds_are_told_with_the_refusal() -> None:
    with pytest.raises(InvalidInput, match="from 1 to 200"):
        read_given(LandscapeArguments, {"condition": "x", "page_size": 0})
