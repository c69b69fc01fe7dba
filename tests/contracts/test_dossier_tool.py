"""The dossier keeps its contract, and is text that cites."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.contracts.contracts import TOLD, check, nulls
from tests.discovery.asking import Tools

PAIR = {"drug": "metformin", "condition": "asthma"}
WRONG: list[dict[str, Any]] = [
    {"drug": "metformin"},
    {"condition": "asthma"},
    {**PAIR, "date_before": "soon"},
    {**PAIR, "point_in_time": True},
    {**PAIR, "point_in_time": "perhaps", "date_before": "2020"},
    {"drug": ["metformin"], "condition": "asthma"},
    {"drug": " ", "condition": "asthma"},
]


@pytest.mark.slow
def test_the_answer_keeps_its_contract(starter: Tools) -> None:
    check("write_dossier#arguments", PAIR)
    answer = starter.wire("write_dossier", **PAIR)
    check("write_dossier", answer)
    assert set(answer) == {*PAIR, "grade", "text", "failures", *TOLD}
    assert nulls(answer) == []


@pytest.mark.slow
def test_the_text_cites_and_says_that_records_are_invented(starter: Tools) -> None:
    answer = starter.wire("write_dossier", **PAIR)
    assert re.search(r"NCT\d{8}", answer["text"])
    assert "SYNTHETIC" in answer["text"]
    assert answer["failures"] == []


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_cannot_be_asked_is_one_envelope(starter: Tools, wrong: dict[str, Any]) -> None:
    failed = starter.wire("write_dossier", **wrong)
    check("error", failed)
    assert failed["error"]["code"] == "INVALID_INPUT"
