"""Runs are kept as they go: whole, private, byte-equal, and gone on with after any end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from tests.matching.judges import ASTHMA, COUNT, Agreeable, run_match
from trialyst.eligibility.chart import Chart
from trialyst.errors import InvalidInput
from trialyst.llm import parse_model_name
from trialyst.matching.facade import Matching
from trialyst.matching.judging.result import CriterionResult, Statement, Verdict
from trialyst.matching.pipeline import RunOptions
from trialyst.matching.report import MatchReport
from trialyst.matching.runs import COSTS, NOTE, REPORT, RESULTS, SEARCH, RunDirectory
from trialyst.vocabulary import Vocabulary

FILES = {"config.json", SEARCH, RESULTS, REPORT, "sentences.json", COSTS}


def keep(matching: Matching, directory: Path, **options: Any) -> MatchReport:
    runs = RunOptions(directory, **options.pop("runs", {}))
    return run_match(matching, options.pop("note", ASTHMA), runs=runs, **options)


def only_run(directory: Path) -> Path:
    (run,) = directory.iterdir()
    return run


def contents(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if path.name != COSTS}


STOPPED_AT = 15


@dataclass(slots=True)
class Stopping(Agreeable):
    """Cancels its own run at the given question, as Ctrl-C does."""

    at: int = STOPPED_AT
    stopped_in: str = ""
    """The trial that it was asked about then."""

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        if self.asked == self.at:
            self.stopped_in = statements[0].trial
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)
        return await Agreeable.judge(self, patient, statements)


@dataclass(slots=True)
class Placed(Agreeable):
    """Asks models at some addresses, or would."""

    adapters: tuple[Any, ...] = ()


def found_before(run: Path, trial: str) -> set[str]:
    """Give the trials that a search found before one: each was judged when that one was not."""
    found = [each["nct_id"] for each in json.loads((run / SEARCH).read_bytes())["candidates"]]
    return set(found[: found.index(trial)])


def test_a_run_keeps_its_trace(small: Matching, tmp_path: Path) -> None:
    report = keep(small, tmp_path)
    run = only_run(tmp_path)
    assert report.run_directory == str(run)
    assert {path.name for path in run.iterdir()} == FILES
    assert len((run / RESULTS).read_bytes().splitlines()) == COUNT
    assert json.loads((run / REPORT).read_bytes())["counts"] == report.counts


def test_a_run_is_for_its_owner_alone(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path / "runs", candidates=2)
    run = only_run(tmp_path / "runs")
    assert {run.stat().st_mode & 0o777, run.parent.stat().st_mode & 0o777} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in run.iterdir()} == {0o600}


def test_a_directory_open_to_others_is_closed(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, candidates=2)
    only_run(tmp_path).chmod(0o755)
    keep(small, tmp_path, candidates=2)
    assert only_run(tmp_path).stat().st_mode & 0o777 == 0o700


def test_runs_of_two_services_are_two_runs(
    small: Matching, shipped: Vocabulary, tmp_path: Path
) -> None:
    for address in ("https://one.test/api/v2", "https://two.test/api/v2"):
        matching = Matching(small._source, vocabulary=lambda: shipped, sent_to=address)
        keep(matching, tmp_path, candidates=1)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_note_is_kept_only_where_asked(small: Matching, tmp_path: Path) -> None:
    note = "A 40-year-old woman has asthma. Her neighbour Zebulon is a carpenter."
    keep(small, tmp_path / "a", note=note, candidates=3)
    assert all(b"ebulon" not in content for content in contents(only_run(tmp_path / "a")).values())
    keep(small, tmp_path / "b", note=note, candidates=3, runs={"keep_note": True})
    assert (only_run(tmp_path / "b") / NOTE).read_text() == note


def test_cited_sentences_are_kept(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, candidates=5)
    kept = json.loads((only_run(tmp_path) / "sentences.json").read_bytes())
    assert kept["0"] == "A 40-year-old woman has asthma."
    assert "2" not in kept


def test_equal_runs_are_byte_equal_but_for_the_costs(small: Matching, tmp_path: Path) -> None:
    for name in ("a", "b"):
        keep(small, tmp_path / name)
    first, second = (only_run(tmp_path / name) for name in ("a", "b"))
    assert first.name == second.name
    assert contents(first) == contents(second)


def test_times_stand_in_the_costs_alone(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, judge=Agreeable())
    run = only_run(tmp_path)
    costs = json.loads((run / COSTS).read_bytes())
    assert len(costs["judging_seconds"]) == COUNT
    assert costs["searches"][0]["latency_ms"] > 0
    assert all(b"latency" not in content for content in contents(run).values())


def test_other_inputs_are_another_run(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, candidates=2)
    keep(small, tmp_path, candidates=3)
    keep(small, tmp_path, candidates=2, judge=Agreeable())
    keep(small, tmp_path, candidates=2, note="A man with asthma.")
    assert len(list(tmp_path.iterdir())) == 4


def test_a_cancelled_run_leaves_a_report_and_goes_on_to_the_same_result(
    small: Matching, tmp_path: Path
) -> None:
    whole = keep(small, tmp_path / "whole", judge=Agreeable())
    stopping = Stopping()
    with pytest.raises(asyncio.CancelledError):
        keep(small, tmp_path / "cut", judge=stopping)
    run = only_run(tmp_path / "cut")
    partial = json.loads((run / REPORT).read_bytes())
    assert partial["interrupted"]
    reported = {each["nct_id"] for each in partial["trials"]}
    assert reported == found_before(run, stopping.stopped_in)
    judge = Agreeable()
    resumed = keep(small, tmp_path / "cut", judge=judge, runs={"resume": True})
    assert judge.asked == COUNT - 1 - STOPPED_AT
    assert resumed.to_dicts() == whole.to_dicts()
    assert contents(run) == contents(only_run(tmp_path / "whole"))
    assert len(json.loads((run / COSTS).read_bytes())["judging_seconds"]) == COUNT


def test_a_line_cut_off_by_a_crash_is_judged_again(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, judge=Agreeable())
    run = only_run(tmp_path)
    before = contents(run)
    file = run / RESULTS
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:20]) + lines[20][:50])
    judge = Agreeable()
    keep(small, tmp_path, judge=judge, runs={"resume": True})
    assert 0 < judge.asked <= COUNT - 20
    assert contents(run) == before


def test_a_finished_run_is_not_judged_again(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, judge=Agreeable())
    judge = Agreeable()
    report = keep(small, tmp_path, judge=judge, runs={"resume": True})
    assert judge.asked == 0
    assert len(report.trials) == COUNT


@dataclass(slots=True)
class Forgetful(Agreeable):
    """Gives no verdict on some criteria while its budget is small, and counts what it is asked."""

    budget: int = 10
    statements: int = 0

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        told = []
        for result in await Agreeable.judge(self, patient, statements):
            self.statements += 1
            spent = self.statements > self.budget
            told.append(
                replace(result, verdict=Verdict.UNKNOWN, confidence=0.0, reasoning="Spent.")
                if spent
                else replace(result, cost_usd=0.01)
            )
        return told


def test_criteria_without_a_verdict_are_judged_on_resume_and_no_others(
    small: Matching, tmp_path: Path
) -> None:
    def rich() -> Forgetful:
        return Forgetful(name="forgetful", budget=1_000)

    whole_judge = rich()
    whole = keep(small, tmp_path / "whole", judge=whole_judge)
    cut = keep(small, tmp_path / "cut", judge=Forgetful(name="forgetful"))
    assert any("Spent" in note for note in cut.provenance.notes)
    judge = rich()
    resumed = keep(small, tmp_path / "cut", judge=judge, runs={"resume": True})
    assert judge.statements == whole_judge.statements - 10
    assert resumed.to_dicts() == whole.to_dicts()
    assert resumed.costs == whole.costs
    assert keep(small, tmp_path / "cut", judge=judge, runs={"resume": True}).costs == whole.costs
    assert len((only_run(tmp_path / "cut") / RESULTS).read_bytes().splitlines()) == COUNT


def test_the_same_run_twice_at_once_is_refused_and_told_what_to_do(
    small: Matching, tmp_path: Path
) -> None:
    def again(run: RunDirectory) -> None:
        before = sorted(path.name for path in run.path.iterdir())
        with pytest.raises(InvalidInput, match="Another process is doing this very run") as refused:
            RunDirectory(tmp_path, json.loads((run.path / "config.json").read_bytes()))
        assert "`resume`" in str(refused.value.hint)
        assert sorted(path.name for path in run.path.iterdir()) == before

    keep(small, tmp_path, candidates=2, runs={"opened": again})
    assert len(keep(small, tmp_path, candidates=2, runs={"resume": True}).trials) == 2


def test_the_same_model_at_another_address_is_another_run(small: Matching, tmp_path: Path) -> None:
    for address in ("http://127.0.0.1:1/v1?key=hush", "http://127.0.0.1:2/v1?key=hush"):
        endpoint = parse_model_name(f"vllm:tiny@{address}")
        judge = Placed(adapters=(SimpleNamespace(endpoint=endpoint),))
        keep(small, tmp_path, candidates=1, judge=judge)
    runs = list(tmp_path.iterdir())
    assert len(runs) == 2
    assert not any(b"hush" in content for run in runs for content in contents(run).values())


def test_a_cancelled_run_tells_what_was_judged(small: Matching, tmp_path: Path) -> None:
    told: list[MatchReport] = []
    stopping = Stopping()
    with pytest.raises(asyncio.CancelledError):
        keep(small, tmp_path, judge=stopping, runs={"cut_short": told.append})
    (report,) = told
    assert report.interrupted
    reported = {trial.nct_id for trial in report.trials}
    assert reported == found_before(only_run(tmp_path), stopping.stopped_in)
    assert report.run_directory == str(only_run(tmp_path))


def test_without_resume_a_run_begins_anew(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, judge=Agreeable())
    judge = Agreeable()
    keep(small, tmp_path, judge=judge)
    assert judge.asked == COUNT - 1


def test_nothing_to_resume_is_a_run_from_the_beginning(small: Matching, tmp_path: Path) -> None:
    assert len(keep(small, tmp_path, runs={"resume": True}).trials) == COUNT


def test_a_run_of_other_inputs_is_not_gone_on_with(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, candidates=2)
    config = only_run(tmp_path) / "config.json"
    config.write_text(config.read_text().replace("rules", "dice"))
    with pytest.raises(InvalidInput, match="other inputs"):
        keep(small, tmp_path, candidates=2, runs={"resume": True})


def test_a_directory_that_cannot_be_made_is_refused(small: Matching, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be kept"):
        keep(small, tmp_path / "file" / "runs")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_costs_the_trace_and_not_the_answer(small: Matching, tmp_path: Path) -> None:
    keep(small, tmp_path, candidates=5)
    run = only_run(tmp_path)
    (run / f"{SEARCH}.new").symlink_to("/dev/full")
    report = keep(small, tmp_path, candidates=5)
    assert len(report.trials) == 5
    assert any("No space left" in note for note in report.provenance.notes)


def test_a_directory_that_vanishes_costs_the_trace_and_not_the_answer(
    small: Matching, tmp_path: Path
) -> None:
    def remove(run: RunDirectory) -> None:
        (run.path / "config.json").unlink()
        run.path.rmdir()

    report = keep(small, tmp_path, candidates=5, runs={"opened": remove})
    assert len(report.trials) == 5
    assert any("could not be kept" in note for note in report.provenance.notes)


KILLED = dedent(
    """
    import os, signal, sys
    from datetime import date
    from pathlib import Path
    from tests.matching.judges import ASTHMA, Agreeable, open_small, run_match
    from trialyst.matching.facade import Matching
    from trialyst.matching.pipeline import RunOptions
    from trialyst.vocabulary import open_vocabulary

    home, runs = map(Path, sys.argv[1:])
    names = open_vocabulary(home)
    source = open_small(home / "killed", names)
    matching = Matching(source, vocabulary=lambda: names, today=lambda: date(2026, 11, 16))

    class Killed(Agreeable):
        async def judge(self, patient, statements):
            if self.asked == 12:
                os.kill(os.getpid(), signal.SIGKILL)
            return await Agreeable.judge(self, patient, statements)

    run_match(matching, ASTHMA, judge=Killed(), runs=RunOptions(runs))
    """
)


@pytest.mark.slow
def test_a_killed_run_loses_nothing_and_goes_on_to_the_same_result(
    small: Matching, tmp_path: Path, repository: Path
) -> None:
    whole = keep(small, tmp_path / "whole", judge=Agreeable())
    path = os.pathsep.join((str(repository / "src"), str(repository)))
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, os.environ["TRIALYST_HOME"], str(tmp_path / "cut")],
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    run = only_run(tmp_path / "cut")
    assert not (run / REPORT).exists()
    judge = Agreeable()
    resumed = keep(small, tmp_path / "cut", judge=judge, runs={"resume": True})
    assert judge.asked == COUNT - 1 - 12
    assert resumed.to_dicts() == whole.to_dicts()
    assert contents(run) == contents(only_run(tmp_path / "whole"))
