"""Phase 0 as people run it: the command, over real HTTP where a model is asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmark.rows import row, write
from tests.interfaces.cli.conftest import Ended, trialyst
from tests.llm.conftest import libraries, server
from tests.llm.providers import Answer, Asked, Fails, ModelServer, Silent

__all__ = ["libraries", "server", "trialyst"]

Run = Callable[..., Ended]
TIMELESS = ("config.json", "results.json", "metrics.json", "audit_table.md")
N = 6


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., str]:
    """Write a configuration with its data; the arguments are its lines of models and others."""
    labels = ("included", "not included", "not enough information")
    rows = [
        row(
            annotation_id=place,
            criterion_text=f"Asthma of kind {place}",
            expert_eligibility=labels[place % 3],
            patient_id=f"p{place % 2}",
        )
        for place in range(N)
    ]
    write(tmp_path / "rows.jsonl", rows)

    def give(models: str = "[{name: rules}]", others: str = "", runs: str = "runs") -> str:
        path = tmp_path / "phase0.yaml"
        path.write_text(
            f"data: {{path: rows.jsonl, n_pairs: {N}}}\nmodels: {models}\n"
            f"output: {tmp_path / runs}\n{others}\n",
            "utf-8",
        )
        return str(path)

    return give


def said(verdict: str = "MET") -> Answer:
    told = {"reasoning": "So.", "evidence": [0], "verdict": verdict, "confidence": 0.9}
    return Answer(json.dumps(told))


def the_run(tmp_path: Path, runs: str = "runs") -> Path:
    (found,) = (tmp_path / runs).iterdir()
    return found


def timeless(run: Path) -> dict[str, bytes]:
    return {name: (run / name).read_bytes() for name in TIMELESS}


@pytest.mark.slow
def test_a_run_leaves_its_five_files(
    trialyst: Run, config: Callable[..., str], tmp_path: Path
) -> None:
    ended = trialyst("benchmark", "phase0", "--config", config())
    assert ended.code == 0, ended.err
    assert [line.split()[0] for line in ended.out.splitlines()[1:]] == [
        "rules",
        "GPT-4",
        "majority",
    ]
    run = the_run(tmp_path)
    assert {path.name for path in run.iterdir()} == {*TIMELESS, "cost_summary.json"}
    assert run.stat().st_mode & 0o777 == 0o700
    assert run.name in (run / "audit_table.md").read_text("utf-8")


def test_json_is_one_value_with_every_figure(trialyst: Run, config: Callable[..., str]) -> None:
    (run,) = trialyst("benchmark", "phase0", "--config", config(), "--json").value["runs"]
    metrics = run["metrics"]
    wanted = {"n", "labels", "accuracy", "f1_macro", "f1_met_not_met", "cohens_kappa", "per_class"}
    wanted |= {"confusion_matrix", "intervals", "baselines", "evidence", "senses", "trials"}
    assert wanted <= set(metrics)
    assert metrics["n"] == N
    assert run["cost_summary"]["cost_usd"] == 0


def test_two_runs_of_the_rules_are_byte_equal(
    trialyst: Run, config: Callable[..., str], tmp_path: Path
) -> None:
    trialyst("benchmark", "phase0", "--config", config(runs="one"))
    trialyst("benchmark", "phase0", "--config", config(runs="two"))
    one, two = the_run(tmp_path, "one"), the_run(tmp_path, "two")
    assert one.name == two.name
    assert timeless(one) == timeless(two)


def test_all_scores_every_row(trialyst: Run, config: Callable[..., str], tmp_path: Path) -> None:
    path = Path(config())
    path.write_text(path.read_text("utf-8").replace(f"n_pairs: {N}", "n_pairs: 2"), "utf-8")
    assert _n(trialyst("benchmark", "phase0", "--config", str(path), "--json")) == 2
    assert _n(trialyst("benchmark", "phase0", "--config", str(path), "--all", "--json")) == N


def _n(ended: Ended) -> Any:
    return ended.value["runs"][0]["metrics"]["n"]


def test_a_dry_run_sends_and_writes_nothing(
    trialyst: Run, config: Callable[..., str], server: ModelServer, tmp_path: Path
) -> None:
    models = f"[{{name: '{server.model('google', 'gemini-2.5-flash')}', max_tokens: 100}}]"
    asked = ("benchmark", "phase0", "--config", config(models), "--dry-run")
    (run,) = trialyst(*asked, "--json").value["runs"]
    assert (run["calls"], run["calls_at_most"], run["output_tokens"]) == (N, 3 * N + 1, 100 * N)
    least = (run["input_tokens"] * 0.3 + run["output_tokens"] * 2.5) / 1e6
    assert run["cost_usd"] == pytest.approx(least)
    assert run["cost_usd_at_most"] == pytest.approx(least * (3 * N + 1) / N)
    assert "Nothing was sent" in trialyst(*asked).err
    assert server.asked == []
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("max_concurrent", [1, 4])
def test_a_model_is_asked_once_a_row(
    trialyst: Run,
    config: Callable[..., str],
    server: ModelServer,
    tmp_path: Path,
    max_concurrent: int,
) -> None:
    server.script(lambda asked: said("MET" if "kind 3" in asked.user else "UNKNOWN"))
    models = f"[{{name: '{server.model()}', max_concurrent: {max_concurrent}, max_tokens: 321}}]"
    ended = trialyst("benchmark", "phase0", "--config", config(models), "--json")
    assert ended.code == 0, ended.err
    assert "stay on this machine" in ended.err
    rows = json.loads((the_run(tmp_path) / "results.json").read_bytes())["results"]
    assert [row["annotation_id"] for row in rows if row["verdict"] == "MET"] == ["3"]
    assert {asked.body["max_completion_tokens"] for asked in server.asked} == {321}
    assert len(server.asked) == N


def test_a_finished_run_of_a_model_is_not_paid_for_again(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(said())
    path = config(f"[{{name: '{server.model()}'}}]")
    first = trialyst("benchmark", "phase0", "--config", path, "--json").value["runs"][0]
    again = trialyst("benchmark", "phase0", "--config", path, "--json").value["runs"][0]
    assert (again["reused"], again["metrics"]) == (True, first["metrics"])
    assert len(server.asked) == N
    trialyst("benchmark", "phase0", "--config", path, "--fresh")
    assert len(server.asked) == 2 * N


@pytest.mark.parametrize("max_concurrent", [1, 3])
def test_a_spent_budget_stops_a_run_and_a_larger_one_goes_on(
    trialyst: Run, config: Callable[..., str], server: ModelServer, max_concurrent: int
) -> None:
    server.script(said())
    models = f"[{{name: '{server.model()}', max_concurrent: {max_concurrent}}}]"
    asked = ("benchmark", "phase0", "--config")
    stopped = trialyst(*asked, config(models, "budget: {max_calls: 4}"), "--json")
    assert stopped.code == 5
    assert f"(4 of {N} pairs are judged and kept)" in stopped.value["error"]["message"]
    assert trialyst(*asked, config(models, "budget: {max_calls: 5}")).code == 5
    assert len(server.asked) == 5
    planned = trialyst(*asked, config(models), "--dry-run", "--json").value["runs"][0]
    assert planned["calls"] == 1
    done = trialyst(*asked, config(models, f"budget: {{max_calls: {N}}}"), "--json")
    assert (done.code, done.value["runs"][0]["resumed"]) == (0, 5)
    assert len(server.asked) == N


def test_a_budget_in_money_holds(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(said())
    models = f"[{{name: '{server.model('google', 'gemini-2.5-flash')}', max_tokens: 50}}]"
    path = config(models, "budget: {max_cost_usd: 0.0005}")
    ended = trialyst("benchmark", "phase0", "--config", path, "--json")
    assert ended.code == 5
    assert 0 < len(server.asked) < N


def test_what_a_failed_row_took_counts_when_a_run_goes_on(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(said(), said(), Fails(401), said())
    models = f"[{{name: '{server.model()}'}}]"
    asked = ("benchmark", "phase0", "--config", config(models, f"budget: {{max_calls: {N}}}"))
    assert trialyst(*asked).code == 4
    assert trialyst(*asked).code == 5
    assert len(server.asked) == N


def test_one_failed_answer_is_unknown_and_counted(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    def fail_once(asked: Asked) -> Answer | Fails:
        return Fails(400) if "kind 2" in asked.user else said("NOT_MET")

    server.script(fail_once)
    path = config(f"[{{name: '{server.model()}'}}]")
    metrics = trialyst("benchmark", "phase0", "--config", path, "--json").value["runs"][0][
        "metrics"
    ]
    assert metrics["failures"] == 1


def test_answers_that_cannot_be_read_are_kept_and_all_counted(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(Answer("Well, that depends."))
    path = config(f"[{{name: '{server.model()}'}}]")
    (run,) = trialyst("benchmark", "phase0", "--config", path, "--json").value["runs"]
    assert run["metrics"]["failures"] == run["metrics"]["n"] == N
    assert run["cost_summary"]["failures"] == N
    kept = json.loads((Path(run["path"]) / "results.json").read_text("utf-8"))
    assert {tuple(row["answers"]) for row in kept["results"]} == {("Well, that depends.",)}


def test_the_table_of_a_model_is_shown_before_the_next_one_fails(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(Fails(404))
    path = config(f"[{{name: rules}}, {{name: '{server.model()}'}}]")
    ended = trialyst("benchmark", "phase0", "--config", path)
    assert ended.code == 4
    assert "Accuracy" in ended.out
    assert "rules" in ended.out


def test_a_model_that_is_not_there_stops_at_the_first_row(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(Fails(404))
    path = config(f"[{{name: '{server.model()}', max_concurrent: 4}}]")
    ended = trialyst("benchmark", "phase0", "--config", path, "--json")
    assert ended.code == 4
    assert "no such model or address" in ended.value["error"]["message"]
    assert len(server.asked) == 1


def test_a_model_that_dies_stops_a_run_that_can_go_on(
    trialyst: Run, config: Callable[..., str], server: ModelServer
) -> None:
    server.script(said(), said(), Fails(401), said())
    path = config(f"[{{name: '{server.model()}'}}]")
    ended = trialyst("benchmark", "phase0", "--config", path, "--json")
    assert ended.code == 4
    assert f"(2 of {N} pairs are judged and kept)" in ended.value["error"]["message"]
    done = trialyst("benchmark", "phase0", "--config", path, "--json").value["runs"][0]
    assert (done["resumed"], done["metrics"]["failures"]) == (2, 0)


@pytest.mark.parametrize(
    ("models", "others", "code", "told"),
    [
        ("[{name: rules}]", "n_pair: 5", 2, "unknown key 'n_pair'"),
        ("[{name: nobody}]", "", 2, "There is no judge 'nobody'"),
        ("[{name: 'openai:gpt-5'}]", "", 2, "OPENAI_API_KEY is not set"),
        ("[{name: 'vllm:x@http://127.0.0.1:1/v1+a:b+c:d'}]", "", 2, "names 3 models"),
        (
            "[{name: rules}, {name: 'openai:new@http://127.0.0.1:1/v1'}]",
            "budget: {max_cost_usd: 1}",
            2,
            "the price of openai:new is not known",
        ),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_judged(
    trialyst: Run,
    config: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    models: str,
    others: str,
    code: int,
    told: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ended = trialyst("benchmark", "phase0", "--config", config(models, others), "--json")
    assert ended.code == code
    assert told in ended.value["error"]["message"]
    assert not (tmp_path / "runs").exists()


def test_missing_data_and_an_empty_sample_are_told(
    trialyst: Run, config: Callable[..., str]
) -> None:
    path = Path(config())
    text = path.read_text("utf-8")
    for changed, told in (
        (text.replace("rows.jsonl", "none.jsonl"), "There is no file"),
        (text.replace("n_pairs", "keyword_filter: [gout], n_pairs"), "The sample is empty"),
    ):
        path.write_text(changed, "utf-8")
        ended = trialyst("benchmark", "phase0", "--config", str(path), "--json")
        assert ended.code == 2
        assert told in ended.value["error"]["message"]


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_result(
    trialyst: Run, config: Callable[..., str], server: ModelServer, tmp_path: Path
) -> None:
    stuck = threading.Event()

    def answer(asked: Asked) -> Answer | Silent:
        if len(server.asked) == 4:
            stuck.set()
            return Silent()
        return said("MET" if "kind 3" in asked.user else "NOT_MET")

    server.script(answer)
    path = config(f"[{{name: '{server.model()}'}}]")
    command = [sys.executable, "-m", "trialyst", "benchmark", "phase0", "--config", path]
    process = subprocess.Popen(command, env=os.environ, stderr=subprocess.PIPE)
    assert stuck.wait(60)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert (the_run(tmp_path) / "progress.jsonl").exists()
    ended = trialyst("benchmark", "phase0", "--config", path, "--json")
    assert ended.value["runs"][0]["resumed"] == 3
    assert len(server.asked) == 4 + N - 3
    trialyst("benchmark", "phase0", "--config", config(f"[{{name: '{server.model()}'}}]", runs="b"))
    assert timeless(the_run(tmp_path)) == timeless(the_run(tmp_path, "b"))


def test_a_line_cut_off_by_a_crash_is_judged_again(
    trialyst: Run, config: Callable[..., str], server: ModelServer, tmp_path: Path
) -> None:
    server.script(said())
    models = f"[{{name: '{server.model()}'}}]"
    trialyst("benchmark", "phase0", "--config", config(models, "budget: {max_calls: 3}"))
    progress = the_run(tmp_path) / "progress.jsonl"
    progress.write_bytes(progress.read_bytes()[:-20])
    ended = trialyst("benchmark", "phase0", "--config", config(models), "--json")
    assert ended.value["runs"][0]["resumed"] == 2
    assert ended.value["runs"][0]["metrics"]["n"] == N


def test_a_trial_is_judged_by_the_criteria_of_its_sample(
    trialyst: Run, config: Callable[..., str]
) -> None:
    (run,) = trialyst("benchmark", "phase0", "--config", config(), "--json").value["runs"]
    trials = run["metrics"]["trials"]
    assert trials["n"] == 2
    assert trials["expert_verdicts"]["EXCLUDED"] == 2
    assert trials["agreement_gpt4"] == 0


def criteria(trialyst: Run, config: Callable[..., str], tmp_path: Path, *asked: str) -> Ended:
    config()
    data = str(tmp_path / "rows.jsonl")
    return trialyst("benchmark", "criteria", "--data", data, *asked, "--json")


def test_a_model_can_judge_the_criteria(
    trialyst: Run, config: Callable[..., str], server: ModelServer, tmp_path: Path
) -> None:
    server.script(lambda asked: said("MET" if "kind 3" in asked.user else "NOT_MET"))
    name = server.model("google", "gemini-2.5-flash")
    ended = criteria(trialyst, config, tmp_path, "--judge", name)
    value = ended.value
    assert (value["judge"], value["n"]) == ("google:gemini-2.5-flash", N)
    assert value["confusion_matrix"]["MET"] == {"MET": 1, "NOT_MET": 1, "UNKNOWN": 0}
    assert value["cost_usd"] == pytest.approx(N * (100 * 0.3 + 20 * 2.5) / 1e6)
    assert "patient notes stay on this machine" in ended.err


def test_an_unknown_price_is_no_cost_of_nothing(
    trialyst: Run, config: Callable[..., str], server: ModelServer, tmp_path: Path
) -> None:
    server.script(said())
    ended = criteria(trialyst, config, tmp_path, "--judge", server.model("openai", "gpt-99"))
    assert ended.value["cost_usd"] is None


@pytest.mark.parametrize(
    ("step", "asked", "code", "sent"),
    [
        (said(), ("--max-calls", "2"), 5, 2),
        (said(), ("--max-cost", "0.000001"), 5, 0),
        (Fails(404), (), 4, 1),
    ],
)
def test_criteria_stop_where_a_model_may_not_or_cannot_go_on(
    trialyst: Run,
    config: Callable[..., str],
    server: ModelServer,
    tmp_path: Path,
    step: Answer | Fails,
    asked: tuple[str, ...],
    code: int,
    sent: int,
) -> None:
    server.script(step)
    name = server.model("google", "gemini-2.5-flash")
    ended = criteria(trialyst, config, tmp_path, "--judge", name, *asked)
    assert ended.code == code
    assert len(server.asked) == sent


@pytest.mark.slow
def test_missing_libraries_are_told_before_anything_is_judged(
    config: Callable[..., str], tmp_path: Path
) -> None:
    path = config("[{name: 'ollama:llama3.1'}]")
    program = (
        "import sys; sys.modules['pydantic_ai'] = sys.modules['openai'] = None\n"
        "from trialyst.interfaces.cli.program import run\n"
        f"sys.exit(run(['benchmark', 'phase0', '--config', {path!r}, '--json']))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert ended.returncode == 4
    assert "trialyst[llm]" in json.loads(ended.stdout)["error"]["recovery_hint"]
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_gpt4_gets_its_published_figure_on_every_real_row(
    trialyst: Run, config: Callable[..., str], data_dir: Path
) -> None:
    path = Path(config())
    data = data_dir / "criterion_annotations" / "trialgpt_criterion_annotations.jsonl.gz"
    path.write_text(path.read_text("utf-8").replace("rows.jsonl", str(data)), "utf-8")
    ended = trialyst("benchmark", "phase0", "--config", str(path), "--all", "--json")
    metrics = ended.value["runs"][0]["metrics"]
    assert metrics["n"] == 507
    assert round(metrics["baselines"]["gpt4"]["accuracy"], 3) == 0.886
    assert round(metrics["baselines"]["majority"]["accuracy"], 3) == 0.647
