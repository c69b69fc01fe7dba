"""`trialyst match` ranks and explains, writes reports, keeps its run, refuses with a way out."""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from tests.interfaces.cli.conftest import Ended
from tests.llm.providers import Answer, Asked, Fails, ModelServer, serve
from tests.serving import serving
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import Registry, build_from_studies
from trialyst.starter import ensure_starter, sample_patients
from trialyst.vocabulary import open_vocabulary

Run = Callable[..., Ended]

pytestmark = pytest.mark.slow

SAMPLE = ("match", "--sample", "eosinophilic_asthma")
NOTE = "A 40-year-old woman has asthma. She never smoked. She lives in Boston."
UNKNOWN = Answer('{"verdict": "UNKNOWN", "reasoning": "Not told.", "evidence": []}')
REPORTS = {"report.html", "report.md", "report.json", "profile.yaml"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that runs are those of one test; the starter is linked into it."""
    shared = Path(os.environ["TRIALYST_HOME"])
    starter = ensure_starter(shared)
    open_vocabulary(shared)
    own = tmp_path / "home"
    own.mkdir()
    for path in shared.iterdir():
        if path == starter or "vocabulary" in path.name:
            (own / path.name).symlink_to(path)
    monkeypatch.setenv("TRIALYST_HOME", str(own))
    return own


@pytest.fixture
def note(tmp_path: Path) -> str:
    path = tmp_path / "note.txt"
    path.write_text(NOTE, "utf-8")
    return str(path)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    pytest.importorskip("pydantic_ai.models.openai", reason="the extra `llm` is not installed")
    with serve() as started:
        started.script(UNKNOWN)
        yield started


def only_run(home: Path) -> Path:
    (run,) = (home / "runs").iterdir()
    return run


def test_a_sample_is_ranked_and_explained(trialyst: Run, home: Path) -> None:
    ended = trialyst(*SAMPLE, "--top", "2", "--near", "Boston")
    assert ended.code == 0
    assert "research use only" in ended.out
    assert "SYNTHETIC RECORDS" in ended.out
    first = next(line for line in ended.out.splitlines() if line.startswith("1  NCT"))
    assert "[SYNTHETIC]" in first
    assert '[0] "34-year-old"' in ended.out
    assert "Nearest recruiting: " in ended.out
    assert "\n3. " not in ended.out
    assert "synthetic" in ended.err


def test_json_is_what_the_tool_returns(trialyst: Run, home: Path) -> None:
    value = trialyst(*SAMPLE, "--top", "3", "--criteria", "4", "--json").value
    check("match_patient", value)
    assert nulls(value) == []
    assert [trial["rank"] for trial in value["trials"]] == [1, 2, 3]
    assert all(len(trial["criteria"]) <= 4 for trial in value["trials"])


def test_a_dash_is_standard_input(
    trialyst: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NOTE.encode())))
    ended = trialyst("match", "-", "--source", "starter", "--candidates", "5", "--json")
    assert ended.value["patient"]["primary_diagnosis"] == "Asthma"


def test_a_bundle_is_matched(trialyst: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    entries = [
        {"resourceType": "Patient", "gender": "male", "birthDate": "1980-05-01"},
        {"resourceType": "Condition", "code": {"text": "Asthma"}},
    ]
    bundle = {"resourceType": "Bundle", "entry": [{"resource": each} for each in entries]}
    path.write_text(json.dumps(bundle))
    ended = trialyst("match", str(path), "--source", "starter", "--candidates", "5", "--json")
    assert ended.value["patient"]["sex"] == "MALE"


def test_samples_are_listed(trialyst: Run) -> None:
    ended = trialyst("match", "--samples")
    assert all(patient.name in ended.out for patient in sample_patients())
    assert {each["name"] for each in trialyst("match", "--samples", "--json").value} == {
        patient.name for patient in sample_patients()
    }


def test_reports_hold_everything_and_are_private(trialyst: Run, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "reports"
    ended = trialyst(*SAMPLE, "--top", "1", "--candidates", "30", "--out", str(out))
    assert ended.code == 0
    assert {path.name for path in out.iterdir()} == REPORTS
    assert {path.stat().st_mode & 0o777 for path in out.iterdir()} == {0o600}
    held = json.loads((out / "report.json").read_bytes())
    assert len(held["trials"]) == 30
    for name in ("report.html", "report.md"):
        text = (out / name).read_text("utf-8")
        assert all(trial["nct_id"] in text for trial in held["trials"])
        assert "research use only" in text
        assert "SYNTHETIC" in text
        assert "34-year-old" in text
        assert "PHASE" not in text


def test_a_run_is_kept_and_the_note_is_not(trialyst: Run, home: Path, note: str) -> None:
    ended = trialyst("match", note, "--source", "starter", "--candidates", "5")
    run = only_run(home)
    assert str(run) in ended.err
    assert not (run / "note.txt").exists()
    trialyst("match", note, "--source", "starter", "--candidates", "5", "--keep-note")
    assert (run / "note.txt").read_text() == NOTE


def test_the_place_of_the_note_is_suggested(trialyst: Run, home: Path, note: str) -> None:
    ended = trialyst("match", note, "--source", "starter", "--candidates", "5")
    assert "--near" in ended.err
    near = trialyst("match", note, "--source", "starter", "--candidates", "5", "--near", "Boston")
    assert "--near" not in near.err


def test_an_own_note_is_not_matched_with_invented_records_unasked(
    trialyst: Run, home: Path, note: str
) -> None:
    ended = trialyst("match", note)
    assert (ended.code, ended.out) == (2, "")
    assert "--source starter" in ended.err
    assert not (home / "runs").exists()
    assert trialyst("match", note, "--source", "starter", "--candidates", "3").code == 0


def test_a_sample_in_a_file_is_still_a_sample(trialyst: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "sample.txt"
    path.write_text(sample_patients()[0].note, "utf-8")
    assert trialyst("match", str(path), "--candidates", "3").code == 0


def test_a_real_registry_is_matched_and_its_age_told(
    trialyst: Run, home: Path, note: str, tmp_path: Path
) -> None:
    from tests.matching.judges import studies

    registry = tmp_path / "registry"
    build_from_studies(
        iter(studies()), registry, synthetic=False, data_timestamp="2020-01-01T00:00:00"
    )
    ended = trialyst("match", note, "--registry", str(registry), "--candidates", "3")
    assert ended.code == 0
    assert "days old" in ended.err
    assert "SYNTHETIC" not in ended.out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("note.txt", "--sample", "melanoma_braf"),
        ("--sample", "nobody"),
        ("missing.txt",),
        (".",),
        ("--sample", "melanoma_braf", "--top", "0"),
        ("--sample", "melanoma_braf", "--criteria", "-1"),
        ("--sample", "melanoma_braf", "--candidates", "0"),
        ("--sample", "melanoma_braf", "--near", "Atlantis-on-Sea"),
        ("--sample", "melanoma_braf", "--status", "sleeping"),
        ("--sample", "melanoma_braf", "--judge", "dice"),
        ("--sample", "melanoma_braf", "--judge", "dice:six"),
        ("--sample", "melanoma_braf", "--judge", "vllm:a+vllm:b+vllm:c"),
    ],
    ids=str,
)
def test_wrong_calls_are_refused_with_a_hint(
    trialyst: Run,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = trialyst("match", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "Hint:" in ended.err


@pytest.mark.parametrize("content", [b"", b" \n", b"\x7fELF\x00\x01", b'{"resourceType":'], ids=str)
def test_what_is_no_note_is_wrong_input(
    trialyst: Run, home: Path, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "note"
    path.write_bytes(content)
    assert trialyst("match", str(path), "--source", "starter").code == 2


def test_a_place_for_reports_that_is_none_is_refused_before_anything_is_done(
    trialyst: Run, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    ended = trialyst(*SAMPLE, "--out", str(tmp_path / "file"))
    assert ended.code == 2
    assert "--out" in ended.err
    assert not (home / "runs").exists()


def test_a_report_that_cannot_be_written_says_where_the_run_is(
    trialyst: Run, home: Path, note: str, tmp_path: Path
) -> None:
    (tmp_path / "out" / "report.html").mkdir(parents=True)
    asked = ("match", note, "--source", "starter", "--candidates", "2")
    ended = trialyst(*asked, "--out", str(tmp_path / "out"))
    assert ended.code == 2
    assert str(only_run(home)) in ended.err
    assert trialyst(*asked, "--out", str(tmp_path / "other"), "--resume").code == 0


def test_a_closed_standard_input_is_an_empty_note(
    trialyst: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert trialyst("match", "-", "--source", "starter").code == 2


def test_nothing_to_resume_is_told(trialyst: Run, home: Path) -> None:
    ended = trialyst(*SAMPLE, "--candidates", "3", "--resume")
    assert ended.code == 0
    assert "begins anew" in ended.err
    again = trialyst(*SAMPLE, "--candidates", "3", "--resume")
    assert "begins anew" not in again.err


def test_a_model_is_announced_and_judges(trialyst: Run, home: Path, model: ModelServer) -> None:
    ended = trialyst(*SAMPLE, "--candidates", "2", "--judge", model.model(), "--json")
    assert ended.code == 0
    assert "stays on this machine: vllm:tiny answers at 127.0.0.1" in ended.err
    assert ended.value["judge"] == "vllm:tiny"
    assert model.asked


def test_a_model_is_asked_for_the_rest_after_what_it_takes_is_told(
    trialyst: Run, home: Path, model: ModelServer
) -> None:
    judge = f"rules+{model.model()}"
    ended = trialyst(*SAMPLE, "--candidates", "5", "--judge", judge, "--json")
    assert ended.code == 0
    assert 0 < len(model.asked) <= 5
    assert f"{judge} takes {len(model.asked)} calls for {len(model.asked)} trials" in ended.err
    assert "0.00 USD" in ended.err
    # An answer without the number of a criterion is one to none of them.
    assert ended.value["costs"]["failures"] > 0
    kept = (only_run(home) / "answers.jsonl").read_text("utf-8").splitlines()
    assert len(kept) == len(model.asked)


def test_a_failing_model_completes_the_run(trialyst: Run, home: Path, model: ModelServer) -> None:
    model.script(Fails(400))
    ended = trialyst(*SAMPLE, "--candidates", "2", "--judge", model.model(), "--json")
    assert ended.code == 0
    assert ended.value["counts"]["ELIGIBLE"] == 0
    assert len(ended.value["trials"]) == 2


def test_a_budget_of_calls_is_kept(trialyst: Run, home: Path, model: ModelServer) -> None:
    ended = trialyst(
        *SAMPLE, "--candidates", "3", "--judge", model.model(), "--max-calls", "4", "--json"
    )
    assert ended.code == 5
    assert len(model.asked) == 4
    assert "budget" in json.dumps(ended.value["trials"])


@pytest.mark.parametrize(
    "wrong",
    [(), ("--status", "sleeping"), ("--near", "Atlantis-on-Sea"), ("--max-usd", "1")],
    ids=str,
)
def test_nothing_is_said_to_be_sent_where_nothing_will_be(
    trialyst: Run,
    home: Path,
    model: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    wrong: tuple[str, ...],
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    named = model.model("openai", "gpt-99") if wrong else "openai:gpt-4o"
    ended = trialyst(*SAMPLE, "--judge", named, *wrong)
    assert ended.code == 2
    assert "this machine:" not in ended.err
    assert not model.asked


def test_a_cost_that_is_not_known_is_not_0(
    trialyst: Run, home: Path, model: ModelServer, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    named = model.model("openai", "gpt-99")
    asked = ("--candidates", "2", "--judge", named, "--json", "--out", str(out))
    ended = trialyst(*SAMPLE, *asked)
    assert ended.value["costs"]["usd"] is None
    assert "What the models cost is not known." in ended.err
    assert "The price of openai:gpt-99 is not known." in (out / "report.md").read_text()


def test_two_models_are_both_announced(trialyst: Run, home: Path, model: ModelServer) -> None:
    both = f"{model.model()}+{model.model(model='small')}"
    ended = trialyst(*SAMPLE, "--candidates", "1", "--judge", both, "--json")
    assert ended.value["judge"] == "vllm:tiny+vllm:small"
    assert "What the first model writes of the patient" in ended.err


def interrupted_run(home: Path, model: ModelServer, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the program and interrupt it at its fortieth question to the model."""
    command = [sys.executable, "-m", "trialyst", *SAMPLE, "--judge", model.model(), *more]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:

        def answer(asked: Asked) -> Answer:
            if len(model.asked) == 40:
                process.send_signal(signal.SIGINT)
            return UNKNOWN

        model.script(answer)
        out, err = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def test_an_interrupted_run_says_where_it_is_and_goes_on_to_the_same_result(
    trialyst: Run, home: Path, model: ModelServer, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ended = interrupted_run(home, model, "--candidates", "12", "--out", str(out))
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr
    run = only_run(home)
    assert f"Their report is {run / 'report.json'}." in ended.stderr
    assert {path.name for path in out.iterdir()} == REPORTS
    assert "--resume" in ended.stderr
    kept = (run / "results.jsonl").read_bytes().splitlines()
    assert 0 < len(kept) < 12
    assert json.loads((run / "report.json").read_bytes())["interrupted"]
    asked = ("--judge", model.model(), "--candidates", "12")
    assert trialyst(*SAMPLE, *asked, "--resume", "--json").code == 0
    resumed = (run / "report.json").read_bytes(), (run / "results.jsonl").read_bytes()
    assert resumed[1].splitlines()[: len(kept)] == kept
    assert trialyst(*SAMPLE, *asked, "--json").code == 0
    assert resumed == ((run / "report.json").read_bytes(), (run / "results.jsonl").read_bytes())


def test_a_source_that_dies_midway_leaves_a_report_and_a_way_on(
    trialyst: Run, home: Path, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = Registry.open(ensure_starter(home), vocabulary=open_vocabulary(home))
    whole = create_app(registry)
    fetched: list[str] = []

    async def dying(scope: Any, receive: Any, send: Any) -> None:
        if b"filter.ids" in scope.get("query_string", b""):
            fetched.append(scope["path"])
            if len(fetched) == 2:
                await send({"type": "http.response.start", "status": 400, "headers": []})
                await send({"type": "http.response.body", "body": b"gone"})
                return
        await whole(scope, receive, send)

    asked = ("match", note, "--source", "live", "--candidates", "30", "--out", str(tmp_path / "o"))
    with serving(dying) as address:
        monkeypatch.setenv("TRIALYST_CTGOV_URL", address + API_PREFIX)
        monkeypatch.setenv("TRIALYST_CTGOV_RATE", "0")
        ended = trialyst(*asked)
        assert ended.code != 0
        assert "Not finished: 20 trials were judged" in ended.err
        assert {path.name for path in (tmp_path / "o").iterdir()} == REPORTS
        assert trialyst(*asked, "--resume").code == 0
    registry.close()
    assert len((only_run(home) / "results.jsonl").read_bytes().splitlines()) == 30


def test_live_terms_are_told_beforehand_and_nothing_is_cached(
    trialyst: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Mrs Kowalczykowska, a 40-year-old woman, has asthma and wheezing.", "utf-8")
    names = open_vocabulary(home)
    registry = Registry.open(ensure_starter(home), vocabulary=names)
    with serving(create_app(registry)) as address:
        monkeypatch.setenv("TRIALYST_CTGOV_URL", address + API_PREFIX)
        monkeypatch.setenv("TRIALYST_CTGOV_RATE", "0")
        ended = trialyst("match", str(path), "--source", "live", "--candidates", "5", "--json")
    registry.close()
    assert ended.code == 0
    told = ended.err
    assert "These terms are sent to 127.0.0.1; the note itself is not:" in told
    assert "main condition: Asthma" in told
    assert "kowalczykowska" not in told.lower()
    assert ended.value["provenance"]["synthetic"]
    with sqlite3.connect(home / "cache" / "http.sqlite") as cache:
        kept = [url for (url,) in cache.execute("SELECT url FROM answers")]
    cache.close()
    assert {url.rpartition("/v2")[2] for url in kept} <= {"/version", "/stats/size"}


def test_what_was_read_is_corrected_and_judged_again(
    trialyst: Run, home: Path, tmp_path: Path
) -> None:
    asked = (*SAMPLE, "--json", "--candidates", "5", "--top", "5", "--criteria", "30")
    before = trialyst(*asked, "--out", str(tmp_path / "first"))
    assert "Corrected" not in before.err
    form = (tmp_path / "first" / "profile.yaml").read_text("utf-8")
    assert trialyst(*asked, "--profile", str(tmp_path / "first" / "profile.yaml")).out == before.out
    child = trialyst(*asked, "--set", "age=9 years")
    assert "Corrected age: 9 years instead of" in child.err
    told = json.loads(child.out)
    assert told["changes"][0].startswith("age: 9 years instead of")
    assert told["patient"]["age"] == "9 Years"
    assert told["trials"] != json.loads(before.out)["trials"]
    (tmp_path / "edited.yaml").write_text(form.replace("diagnosis: ", "diagnosis: gout #"), "utf-8")
    edited = trialyst(*SAMPLE, "--candidates", "3", "--profile", str(tmp_path / "edited.yaml"))
    assert "Corrected diagnosis: gout instead of" in edited.err
    wrong = trialyst(*SAMPLE, "--set", "ecgo=1")
    assert wrong.code == 2
    assert "ecog" in wrong.err
    alone = trialyst("match", "--profile", str(tmp_path / "edited.yaml"), "--source", "starter")
    assert alone.code == 0
