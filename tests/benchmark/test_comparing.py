"""Runs are compared on the same rows only, and a report shows what the runs say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.benchmark.rows import row
from tests.interfaces.cli.conftest import Ended, trialyst
from trialyst.benchmark.annotations import parse_annotations
from trialyst.benchmark.comparing import compare_runs
from trialyst.benchmark.judges import Judged
from trialyst.benchmark.outcome import render_audit_table, to_metrics, to_results
from trialyst.benchmark.runs import LoadedRun, RunFiles, RunStore, load_run
from trialyst.benchmark.sampling import Phase0Sample
from trialyst.errors import InvalidInput, NotFound
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict

__all__ = ["trialyst"]

MET, NOT_MET = Verdict.MET, Verdict.NOT_MET
Run = Callable[..., Ended]


def a_run(folder: Path, name: str, said: Sequence[Verdict], *, first: int = 0) -> Path:
    """Write a finished run over made-up rows whose experts all say MET."""
    listed = [
        row(annotation_id=first + place, patient_id=f"p{place % 5}", criterion_text=f"A {place}")
        for place in range(len(said))
    ]
    pairs = parse_annotations(enumerate(listed, 1), name="rows").rows
    sample = Phase0Sample(pairs)
    judged = [
        Judged(
            CriterionResult(
                pair.criterion, pair.kind, verdict, 0.8, Applicability.APPLIES, (0,), (), "a | b"
            )
        )
        for pair, verdict in zip(pairs, said, strict=True)
    ]
    store = RunStore(folder, name)
    store.begin({}, fresh=False)
    what = (name, name, sample, judged)
    costs = {"cost_usd": 0.0}
    store.finish(RunFiles(to_results(*what), to_metrics(*what), costs, render_audit_table(*what)))
    store.close()
    return store.path


def loaded(tmp_path: Path, name: str, said: Sequence[Verdict]) -> LoadedRun:
    return load_run(a_run(tmp_path, name, said))


def test_a_run_is_no_better_than_itself(tmp_path: Path) -> None:
    one = loaded(tmp_path, "one", [MET, NOT_MET] * 5)
    found = compare_runs(one, one, resamples=50)
    assert found["mcnemar"]["p_value"] == 1.0
    assert found["differences"]["accuracy"]["interval"] == (0.0, 0.0)


def test_mcnemar_is_exact(tmp_path: Path) -> None:
    worse = loaded(tmp_path, "worse", [NOT_MET] * 6 + [MET] * 4)
    better = loaded(tmp_path, "better", [MET] * 9 + [NOT_MET])
    found = compare_runs(worse, better, resamples=50)["mcnemar"]
    assert (found["only_first_right"], found["only_second_right"]) == (1, 6)
    assert found["p_value"] == pytest.approx(2 * (1 + 7) / 2**7)


def test_a_difference_speaks_for_the_second_run(tmp_path: Path) -> None:
    worse = loaded(tmp_path, "worse", [NOT_MET] * 10)
    better = loaded(tmp_path, "better", [MET] * 10)
    apart = compare_runs(worse, better, resamples=50)["differences"]["accuracy"]
    assert (apart["difference"], apart["interval"], apart["second_better"]) == (1, (1, 1), 1)


def test_the_figures_are_those_of_the_runs(tmp_path: Path) -> None:
    one = loaded(tmp_path, "one", [MET, NOT_MET, MET, MET, Verdict.UNKNOWN])
    (figures, _) = compare_runs(one, one, resamples=5)["runs"]
    for name in ("accuracy", "f1_macro", "disqualifying_recall"):
        assert figures[name] == pytest.approx(one.metrics[name])
    assert figures["evidence_f1"] == pytest.approx(one.metrics["evidence"]["f1"])


def test_the_same_seed_gives_the_same_intervals(tmp_path: Path) -> None:
    one = loaded(tmp_path, "one", [MET, NOT_MET] * 5)
    two = loaded(tmp_path, "two", [MET, MET, NOT_MET, MET, NOT_MET] * 2)
    assert compare_runs(one, two, resamples=50) == compare_runs(one, two, resamples=50)


def test_runs_on_different_rows_are_refused(tmp_path: Path) -> None:
    one = loaded(tmp_path, "one", [MET] * 5)
    with pytest.raises(InvalidInput, match="different rows: 5 and 4, 4 of them the same"):
        compare_runs(one, loaded(tmp_path, "two", [MET] * 4))
    moved = load_run(a_run(tmp_path, "three", [MET] * 5, first=3))
    with pytest.raises(InvalidInput, match="different rows"):
        compare_runs(one, moved)


def test_a_run_that_was_not_finished_is_not_compared(tmp_path: Path) -> None:
    path = a_run(tmp_path, "one", [MET] * 5)
    (path / "progress.jsonl").touch()
    with pytest.raises(NotFound, match="was not finished"):
        load_run(path)
    with pytest.raises(NotFound, match="does not exist"):
        load_run(tmp_path / "none")


def test_a_damaged_run_is_told(tmp_path: Path) -> None:
    path = a_run(tmp_path, "one", [MET] * 5)
    (path / "results.json").write_text('{"model": "x", "results": [{}]}', "utf-8")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_run(path)


def test_cells_of_the_audit_table_stay_in_their_columns(tmp_path: Path) -> None:
    table = (a_run(tmp_path, "one", [MET] * 3) / "audit_table.md").read_text("utf-8")
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {13}


@pytest.mark.slow
def test_the_commands_compare_and_report(trialyst: Run, tmp_path: Path) -> None:
    one = a_run(tmp_path, "google:some-long-model<b>", [MET, NOT_MET] * 5)
    two = a_run(tmp_path, "two", [MET] * 10)
    value = trialyst("benchmark", "compare", str(one), str(two), "--json").value
    assert value["n"] == 10
    assert "McNemar p = 0.0625" in trialyst("benchmark", "compare", str(one), str(two)).err
    out = tmp_path / "report"
    ended = trialyst("benchmark", "report", str(one), str(two), "--out", str(out), "--json")
    files = [Path(name).name for name in json.loads(ended.out)["files"]]
    assert files == ["report.html", "confusion.png", "classes.png", "calibration.png"]
    page = (out / "report.html").read_text("utf-8")
    assert page.count("<svg") == 3
    assert "<b>" not in page
    assert "src=" not in page
    assert all((out / name).read_bytes()[:4] == b"\x89PNG" for name in files[1:])
