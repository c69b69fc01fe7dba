from __future__ import annotations

import json
from typing import Any

import pytest

from trialyst.registry.slices import slice_of


def cut(study: Any, *names: str) -> Any:
    return json.loads(slice_of(frozenset(names)).cut(json.dumps(study).encode()))


def test_other_pieces_are_left_out() -> None:
    study = {"protocolSection": {"designModule": {"phases": ["NA"], "studyType": "X"}}, "other": 1}
    assert cut(study, "Phase") == {"protocolSection": {"designModule": {"phases": ["NA"]}}}


def test_values_come_out_as_they_went_in() -> None:
    raw = b'{"protocolSection":{"designModule":{"enrollmentInfo":{"count":1.50e2}}}}'
    assert slice_of(frozenset({"EnrollmentCount"})).cut(raw) == raw


def test_nothing_chosen_is_an_empty_study() -> None:
    assert cut({"hasResults": True}) == {}


@pytest.mark.parametrize("odd", [None, "text", 5, ["text"], [None]])
def test_a_value_where_a_struct_belongs_brings_nothing(odd: Any) -> None:
    found = cut({"protocolSection": {"designModule": odd}}, "Phase")
    flat = json.dumps(found)
    assert "text" not in flat
    assert "null" not in flat


def test_text_outside_ascii_is_kept() -> None:
    study = {"protocolSection": {"conditionsModule": {"conditions": ["Sjögren’s 病"]}}}
    assert cut(study, "Condition") == study
