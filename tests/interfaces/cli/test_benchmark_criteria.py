"""The command `benchmark criteria`: figures as a table and as one JSON value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmark.rows import row, write
from tests.interfaces.cli.conftest import Run


@pytest.fixture
def annotated(tmp_path: Path) -> str:
    rows = [
        row(),
        row(criterion_type="exclusion", criterion_text="Diabetes", expert_sentences="[1]",
            expert_eligibility="not excluded", gpt4_eligibility="not enough information"),
    ]  # fmt: skip
    return str(write(tmp_path / "annotated.jsonl", rows))


def test_verdicts_are_measured_beside_gpt4(trialyst: Run, annotated: str) -> None:
    ended = trialyst("benchmark", "criteria", "--data", annotated)
    assert ended.code == 0
    accuracy = ended.out.splitlines()[1].split()
    assert accuracy == ["Accuracy", "2", "1.000", "1.000-1.000", "0.500", "1.000"]


def test_json_has_the_agreed_keys(trialyst: Run, annotated: str) -> None:
    value = trialyst("benchmark", "criteria", "--data", annotated, "--json").value
    assert {
        "n", "accuracy", "f1_macro", "f1_met_not_met", "cohens_kappa", "disqualifying_recall",
        "per_class", "confusion_matrix", "evidence", "intervals", "baselines", "senses", "seconds",
        "cost_usd",
    } <= set(value)  # fmt: skip
    assert set(value["baselines"]) == {"majority", "gpt4"}
    assert set(value["senses"]) == {"statement", "eligibility"}
    assert {"precision", "recall", "f1", "jaccard"} <= set(value["evidence"])


def test_a_judge_that_is_none_is_wrong_input(trialyst: Run, annotated: str) -> None:
    ended = trialyst("benchmark", "criteria", "--data", annotated, "--judge", "oracle")
    assert ended.code == 2
    assert "oracle" in ended.err


def test_a_missing_file_is_wrong_input(trialyst: Run, tmp_path: Path) -> None:
    ended = trialyst("benchmark", "criteria", "--data", str(tmp_path / "none.jsonl"))
    assert ended.code == 2
    assert "There is no file" in ended.err
