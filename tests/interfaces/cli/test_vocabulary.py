from __future__ import annotations

import pytest

from tests.interfaces.cli.conftest import Run

pytestmark = pytest.mark.slow


def test_a_lay_name_is_resolved(trialyst: Run) -> None:
    ended = trialyst("vocabulary", "resolve", "heart attack")
    assert ended.code == 0
    assert "Myocardial Infarction" in ended.out


def test_json_gives_the_concept_with_its_names(trialyst: Run) -> None:
    value = trialyst("vocabulary", "resolve", "MK-3475", "--json").value
    assert value["matches"][0]["concept"]["kind"] == "drug"
    assert "pembrolizumab" in value["matches"][0]["concept"]["names"]


def test_an_unknown_name_is_an_empty_answer(trialyst: Run) -> None:
    ended = trialyst("vocabulary", "resolve", "zzyzx")
    assert (ended.code, ended.out) == (0, "")
    assert trialyst("vocabulary", "resolve", "zzyzx", "--json").value["matches"] == []
