"""Extraction is measured in the three forms of labelled files, by overlap within a field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmark.rows import write
from tests.interfaces.cli.conftest import Ended, trialyst

__all__ = ["trialyst"]

Run = Callable[..., Ended]
TEXT = "Patients with asthma treated with metformin"


def chia(*marked: tuple[str, int, int]) -> dict[str, Any]:
    entities = [{"type": kind, "spans": [[start, end]]} for kind, start, end in marked]
    return {"nct_id": "NCT00000001", "section": "inclusion", "text": TEXT, "entities": entities}


def measure(trialyst: Run, path: Path) -> Any:
    ended = trialyst("benchmark", "extraction", "--data", str(path), "--json")
    assert ended.code == 0, ended.out
    return ended.value


@pytest.mark.slow
def test_json_has_the_agreed_keys(trialyst: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [chia(("Condition", 14, 20), ("Drug", 34, 43))])
    value = measure(trialyst, path)
    assert {"n", "precision", "recall", "f1", "per_field"} <= set(value)
    assert (value["n"], value["precision"], value["recall"], value["f1"]) == (2, 1, 1, 1)
    assert "metformin" not in trialyst("benchmark", "extraction", "--data", str(path)).out


def test_overlap_is_enough_and_another_field_is_not(trialyst: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [chia(("Condition", 0, 16), ("Condition", 34, 43))])
    fields = measure(trialyst, path)["per_field"]
    assert (fields["condition"]["n"], fields["condition"]["recall"]) == (2, 0.5)
    assert fields["treatment"]["precision"] == 0


def test_places_of_the_parser_count_from_one(trialyst: Run, tmp_path: Path) -> None:
    spans = [{"start": 21, "end": 22, "type": "cancer"}, {"start": 15, "end": 16, "type": "cancer"}]
    path = write(tmp_path / "a.jsonl", [{"text": TEXT, "spans": spans}])
    held = measure(trialyst, path)["per_field"]["condition"]
    assert (held["n"], held["recall"]) == (2, 0.5)


def test_context_is_measured_where_the_sentence_holds_the_concept(
    trialyst: Run, tmp_path: Path
) -> None:
    def item(concept: str, negation: str) -> dict[str, str]:
        sentence = "No fever, but a rash"
        others = {"temporality": "Recent", "experiencer": "Patient"}
        return {"concept": concept, "sentence": sentence, "negation": negation, **others}

    rows = [item("fever", "Negated"), item("rash", "Negated"), item("cough", "Negated")]
    held = measure(trialyst, write(tmp_path / "a.jsonl", rows))["per_field"]["negation"]
    assert (held["n"], held["told"], held["recall"], held["precision"]) == (2, 1, 0.5, 1)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"a": 1}], "in no form"),
        ([], "in no form"),
        ([chia(), {"text": "x"}], "Line 2 of a.jsonl is not a row of the form chia"),
    ],
)
def test_another_form_is_refused(
    trialyst: Run, tmp_path: Path, rows: list[dict[str, Any]], told: str
) -> None:
    path = write(tmp_path / "a.jsonl", rows)
    ended = trialyst("benchmark", "extraction", "--data", str(path), "--json")
    assert ended.code == 2
    assert told in ended.value["error"]["message"]


@pytest.mark.slow
def test_the_real_files_give_the_figures_of_the_guide(trialyst: Run, data_dir: Path) -> None:
    parsed = measure(trialyst, data_dir / "criterion_entities" / "fb_medical_ner_test.jsonl.gz")
    assert parsed["f1"] >= 0.72
    told = measure(trialyst, data_dir / "negation_context" / "negex_context_120.jsonl.gz")
    assert told["per_field"]["negation"]["f1"] >= 0.96
