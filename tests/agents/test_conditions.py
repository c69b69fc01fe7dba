from __future__ import annotations

import pytest

from trialyst.agents.conditions import ConditionNames
from trialyst.repurposing import RepurposingClient


@pytest.fixture(scope="module")
def names(starter_client: RepurposingClient) -> ConditionNames:
    return ConditionNames(starter_client.vocabulary)


def test_names_of_one_condition_are_one(names: ConditionNames) -> None:
    found = names.read_all(
        ["NSCLC", "Non-small Cell Lung Cancer", "Carcinoma, Non-Small-Cell Lung"]
    )
    assert len(found) == 1


@pytest.mark.parametrize("text", ["Neoplasms", "xyzzyplugh", ""])
def test_whole_fields_and_unknown_words_are_no_condition(names: ConditionNames, text: str) -> None:
    assert names.read(text) is None


def test_a_sign_counts_only_where_nothing_else_is_named(names: ConditionNames) -> None:
    assert [each.name for each in names.read_all(["Fatigue", "Asthma"])] == ["Asthma"]
    assert [each.name for each in names.read_all(["Fatigue"])] == ["Fatigue"]
