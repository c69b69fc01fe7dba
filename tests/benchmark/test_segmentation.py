"""Criteria that people took out of eligibility texts are sought among ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmark.rows import row, write
from tests.interfaces.cli.conftest import Ended, trialyst

__all__ = ["trialyst"]

Run = Callable[..., Ended]
TRIAL = {
    "nct_id": "NCT00000001",
    "inclusion_criteria": "\n\n Asthma or \n\n Adults: \n\n * over 18 \n\n * under 65",
    "exclusion_criteria": ": \n\n 1. Gout.",
}


def measure(trialyst: Run, *arguments: str) -> Any:
    ended = trialyst("benchmark", "segmentation", *arguments, "--json")
    assert ended.code == 0, ended.out
    return ended.value


def of_texts(trialyst: Run, tmp_path: Path, *texts: str, kind: str = "inclusion") -> Any:
    rows = [row(criterion_text=text, criterion_type=kind) for text in texts]
    data = write(tmp_path / "a.jsonl", rows)
    trials = write(tmp_path / "t.jsonl", [{"patient_id": "p", "trial": TRIAL}])
    return measure(trialyst, "--data", str(data), "--trials", str(trials))


def test_whole_criteria_are_found(trialyst: Run, tmp_path: Path) -> None:
    value = of_texts(trialyst, tmp_path, "asthma", "Over  18.", "Asthma or adults")
    assert (value["n"], value["found"]) == (3, 2)
    assert [each["criterion"] for each in value["missed"]] == ["Asthma or adults"]


def test_the_kind_must_be_the_same(trialyst: Run, tmp_path: Path) -> None:
    assert of_texts(trialyst, tmp_path, "Gout", kind="exclusion")["share"] == 1
    assert of_texts(trialyst, tmp_path, "Gout", kind="inclusion")["share"] == 0


def test_lines_of_a_text_are_criteria(trialyst: Run, tmp_path: Path) -> None:
    text = {"nct_id": "NCT00000001", "section": "exclusion", "text": "BMI < 28 \ngout\n \nAsthma"}
    value = measure(trialyst, "--data", str(write(tmp_path / "a.jsonl", [text])))
    assert (value["n"], value["share"], value["records"]) == (3, 1, 1)


def test_annotations_without_their_trials_are_refused(trialyst: Run, tmp_path: Path) -> None:
    data = str(write(tmp_path / "a.jsonl", [row()]))
    ended = trialyst("benchmark", "segmentation", "--data", data, "--json")
    assert ended.code == 2
    assert "--trials" in ended.value["error"]["recovery_hint"]
    other = str(write(tmp_path / "t.jsonl", [{"trial": TRIAL | {"nct_id": "NCT00000002"}}]))
    ended = trialyst("benchmark", "segmentation", "--data", data, "--trials", other, "--json")
    assert ended.code == 2
    assert "no criterion whose eligibility text is known" in ended.value["error"]["message"]


def test_of_the_real_annotations_95_percent_are_found_whole(trialyst: Run, data_dir: Path) -> None:
    folder = data_dir / "criterion_annotations"
    data, trials = "trialgpt_criterion_annotations.jsonl.gz", "patient_trial_pairs.jsonl.gz"
    value = measure(trialyst, "--data", str(folder / data), "--trials", str(folder / trials))
    assert value["n"] == 507
    assert value["share"] >= 0.95
