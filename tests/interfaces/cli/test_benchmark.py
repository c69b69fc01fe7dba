"""The group `benchmark`: figures as a table and as one JSON value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.cli.conftest import Run


@pytest.fixture
def labelled(tmp_path: Path) -> str:
    path = tmp_path / "labelled.jsonl"
    path.write_text(
        '{"why_stopped": "Slow accrual", "stop_category": "enrollment"}\n'
        '{"why_stopped": "No safety concerns; low enrolment", "stop_category": "enrollment"}\n',
        "utf-8",
    )
    return str(path)


def test_stop_reasons_are_measured_beside_the_keyword_table(trialyst: Run, labelled: str) -> None:
    ended = trialyst("benchmark", "stop-reasons", "--data", labelled)
    assert ended.code == 0
    assert ended.out.splitlines()[1].split() == ["Accuracy", "2", "1.000", "1.000-1.000", "0.500"]


def test_json_has_the_agreed_keys(trialyst: Run, labelled: str) -> None:
    value = trialyst("benchmark", "stop-reasons", "--data", labelled, "--json").value
    assert {"n", "accuracy", "accuracy_lenient", "f1_macro", "per_category"} <= set(value)
    assert value["baselines"]["seed_keywords"]["accuracy"] == 0.5


def test_a_file_without_labels_is_wrong_input(trialyst: Run, tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_text('{"why_stopped": "x"}\n', "utf-8")
    ended = trialyst("benchmark", "stop-reasons", "--data", str(path), "--json")
    assert ended.code == 2
    assert "no column 'stop_category'" in ended.value["error"]["message"]


def test_the_group_alone_shows_its_commands(trialyst: Run) -> None:
    ended = trialyst("benchmark")
    assert ended.code == 2
    assert "stop-reasons" in ended.err


def test_real_texts_give_the_figures_of_the_guide(trialyst: Run, data_dir: Path) -> None:
    path = data_dir / "stop_reasons" / "stop_category_hand_labelled.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name} among the real records")
    value = trialyst("benchmark", "stop-reasons", "--data", str(path), "--json").value
    assert value["n"] == 125
    assert value["accuracy"] >= 0.88
    assert value["f1_macro"] >= 0.87
    assert value["baselines"]["seed_keywords"]["accuracy"] == pytest.approx(0.68, abs=0.005)


def test_retrieval_needs_something_to_measure_on(trialyst: Run) -> None:
    ended = trialyst("benchmark", "retrieval", "--json")
    assert ended.code == 2
    assert "--topics with --qrels" in ended.value["error"]["recovery_hint"]


def test_retrieval_of_lay_queries_has_the_agreed_keys(trialyst: Run, tmp_path: Path) -> None:
    queries, trials = tmp_path / "queries.jsonl", tmp_path / "trials.jsonl"
    queries.write_text('{"query": "serious asthma", "judgments": {"NCT00000102": 1}}\n', "utf-8")
    trials.write_text('{"nct_id": "NCT00000102", "brief_title": "Severe Asthma"}\n', "utf-8")
    asked = ("--queries", str(queries), "--trials", str(trials))
    value = trialyst("benchmark", "retrieval", *asked, "--json").value
    figures = {"ndcg_cut_5", "ndcg_cut_10", "P_10", "recip_rank"}
    assert {"topics", *figures, "recall_500", "recall_1000", "per_topic", "seconds"} <= set(value)
    assert set(value["judged_only"]) == figures
    assert value["recip_rank"] == 1.0
    assert "Recall@1000" in trialyst("benchmark", "retrieval", *asked).out
