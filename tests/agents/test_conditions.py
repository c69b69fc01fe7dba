from __future__ import annotations

import pytest

from trialyst.agents.conditions import ConditionNames
from trialyst.annotation import ConditionAnnotation
from trialyst.ctgov.parse_readable import ReadableTexts
from trialyst.registry.trial_reader import open_annotator
from trialyst.repurposing import RepurposingClient


@pytest.fixture(scope="module")
def names(starter_client: RepurposingClient) -> ConditionNames:
    return ConditionNames(starter_client.vocabulary)


def annotated(names: ConditionNames, *conditions: str) -> ConditionAnnotation:
    texts = ReadableTexts(conditions=conditions)
    return open_annotator(names.vocabulary).annotate_conditions(texts)


def test_names_of_one_condition_are_one(names: ConditionNames) -> None:
    texts = ("NSCLC", "Non-small Cell Lung Cancer", "Carcinoma, Non-Small-Cell Lung")
    assert len(names.read_all(annotated(names, *texts))) == 1


@pytest.mark.parametrize("text", ["Neoplasms", "xyzzyplugh", ""])
def test_whole_fields_and_unknown_words_are_no_condition(names: ConditionNames, text: str) -> None:
    assert names.read(text) is None


def test_a_sign_counts_only_where_nothing_else_is_named(names: ConditionNames) -> None:
    assert [each.name for each in names.read_all(annotated(names, "Fatigue", "Asthma"))] == [
        "Asthma"
    ]
    assert [each.name for each in names.read_all(annotated(names, "Fatigue"))] == ["Fatigue"]
