"""The registry's commands, from files to answers, on a few synthetic studies."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.cli.conftest import Run
from trialyst.starter import generate_studies

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def studies() -> list[dict[str, Any]]:
    """Studies as somebody's own files have them: not marked as synthetic."""
    made = json.dumps(list(itertools.islice(generate_studies(), 12)))
    studies: list[dict[str, Any]] = json.loads(made.replace("[SYNTHETIC] ", ""))
    return studies


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write studies as JSON lines and give the file's name."""

    def to_file(*studies: Any, name: str = "studies.jsonl") -> str:
        file = tmp_path / name
        file.write_text("".join(json.dumps(study) + "\n" for study in studies), "utf-8")
        return str(file)

    return to_file


@pytest.fixture
def built(
    trialyst: Run, write: Callable[..., str], studies: list[dict[str, Any]], tmp_path: Path
) -> str:
    """A registry of ten studies."""
    directory = str(tmp_path / "registry")
    ended = trialyst("registry", "build", write(*studies[:10]), "--registry", directory)
    assert ended.code == 0, ended.err
    return directory


def _id(study: dict[str, Any]) -> str:
    return str(study["protocolSection"]["identificationModule"]["nctId"])


def test_build_reports_what_it_did(
    trialyst: Run, write: Callable[..., str], studies: list[dict[str, Any]], tmp_path: Path
) -> None:
    directory = str(tmp_path / "new")
    ended = trialyst("registry", "build", write(*studies), "--registry", directory, "--json")
    assert ended.code == 0
    assert ended.value["records"] == ended.value["added"] == len(studies)
    assert ended.value["damaged"] == []


def test_build_skips_what_it_cannot_read_and_says_so(
    trialyst: Run, write: Callable[..., str], studies: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = write(studies[0], {"protocolSection": {}}, studies[1])
    ended = trialyst("registry", "build", file, "--registry", str(tmp_path / "new"))
    assert ended.code == 0
    assert "Skipped" in ended.err
    assert "Records:" in ended.out


def test_build_from_nowhere_is_invalid_input(trialyst: Run, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.zip")
    ended = trialyst("registry", "build", missing, "--registry", str(tmp_path / "new"))
    assert ended.code == 2
    assert "missing.zip" in ended.err


def test_status_describes_the_registry(trialyst: Run, built: str) -> None:
    ended = trialyst("registry", "status", "--registry", built, "--json")
    assert ended.value["records"] == 10
    assert ended.value["provenance"]["source"] == "local"
    assert "Records:" in trialyst("registry", "status", "--registry", built).out


def test_add_and_remove_change_it(
    trialyst: Run, built: str, write: Callable[..., str], studies: list[dict[str, Any]]
) -> None:
    added = trialyst(
        "registry", "add", write(*studies[10:], name="more.jsonl"), "--registry", built, "--json"
    )
    assert added.value["records"] == 12
    removed = trialyst("registry", "remove", _id(studies[0]), "--registry", built, "--json")
    assert (removed.value["records"], removed.value["removed"]) == (11, 1)
    assert trialyst("trial", _id(studies[0]), "--registry", built).code == 3


def test_removing_what_is_not_there_is_not_found(trialyst: Run, built: str) -> None:
    assert trialyst("registry", "remove", "NCT00000001", "--registry", built).code == 3


def test_verify_answers_yes_with_exit_code_0(trialyst: Run, built: str) -> None:
    ended = trialyst("registry", "verify", "--registry", built)
    assert ended.code == 0
    assert "all is well" in ended.out


def test_verify_answers_no_with_exit_code_1(trialyst: Run, built: str) -> None:
    import sqlite3

    (records,) = Path(built).glob("generation-*/records.db")
    with sqlite3.connect(records) as database:
        database.execute("DELETE FROM records WHERE nct = (SELECT min(nct) FROM records)")
    database.close()
    ended = trialyst("registry", "verify", "--registry", built, "--json")
    assert ended.code == 1
    assert ended.value["ok"] is False
    assert ended.value["problems"]


def test_verify_of_nothing_is_not_found(trialyst: Run, tmp_path: Path) -> None:
    assert trialyst("registry", "verify", "--registry", str(tmp_path)).code == 3


def test_trial_is_shown_with_its_origin(
    trialyst: Run, built: str, studies: list[dict[str, Any]]
) -> None:
    wanted = _id(studies[3])
    value = trialyst("trial", wanted.lower(), "--registry", built, "--json").value
    assert value["id"] == f"NCT:{wanted[3:]}"
    assert value["provenance"]["records"] == 10
    shown = trialyst("trial", wanted, "--registry", built)
    assert shown.out.startswith(f"{wanted}  ")
    assert "Status:" in shown.out


def test_count_of_everything_is_the_size(trialyst: Run, built: str) -> None:
    assert trialyst("count", "--registry", built).out == "10\n"
    assert trialyst("count", "--registry", built, "--json").value["total_count"] == 10


def test_count_by_status_gives_its_values(trialyst: Run, built: str) -> None:
    value = trialyst("count", "--by", "Status", "--registry", built, "--json").value
    counted = value["breakdowns"]["status"]
    assert sum(counted["counts"].values()) + counted["without_value"] == 10


def test_search_finds_by_id_and_filter(
    trialyst: Run, built: str, studies: list[dict[str, Any]]
) -> None:
    wanted = [_id(study) for study in studies[:2]]
    arguments = [word for nct_id in wanted for word in ("--id", nct_id)]
    ended = trialyst("search", *arguments, "--registry", built, "--json")
    assert {item["id"] for item in ended.value["items"]} == {f"NCT:{n[3:]}" for n in wanted}
    assert set(ended.value) == {"items", "pagination", "understood", "next", "provenance"}
    assert ended.value["pagination"] == {"cursor": None, "total_count": 2, "page_size": 50}


def test_pages_follow_the_cursor(trialyst: Run, built: str) -> None:
    search = ("search", "synthetic", "--limit", "4", "--registry", built)
    seen: list[str] = []
    cursor: list[str] = []
    while True:
        value = trialyst(*search, *cursor, "--json").value
        seen += [item["id"] for item in value["items"]]
        if value["pagination"]["cursor"] is None:
            break
        cursor = ["--cursor", value["pagination"]["cursor"]]
    assert len(seen) == len(set(seen)) == value["pagination"]["total_count"] == 10


def test_text_in_a_pipe_is_plain_and_aligned(trialyst: Run, built: str) -> None:
    ended = trialyst("search", "synthetic", "--registry", built)
    head, *rows = ended.out.splitlines()
    assert head.split("  ")[0] == "NCT id"
    assert len(rows) == 10
    assert {row[11:13] for row in rows} == {"  "}
    assert "\x1b" not in ended.out
    assert "10 of 10 trials." in ended.err.splitlines()


def test_the_source_and_its_age_are_told(trialyst: Run, built: str) -> None:
    told = trialyst("search", "synthetic", "--registry", built)
    timestamp = trialyst("count", "--registry", built, "--json").value["provenance"][
        "data_timestamp"
    ]
    assert told.err.startswith(f"Source: local, 10 records, as of {timestamp[:10]}.\n")


def test_an_empty_result_is_done(trialyst: Run, built: str) -> None:
    ended = trialyst("search", "xylophonist", "--registry", built)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.endswith("0 of 0 trials.\n")


def test_a_syntax_error_in_essie_points_at_it(trialyst: Run, built: str) -> None:
    ended = trialyst("search", "--advanced", "AREA[Phase](PHASE2 OR", "--registry", built)
    assert ended.code == 2
    assert "^" in ended.err


def test_verify_of_what_cannot_be_opened_says_that_it_is_not_well(
    trialyst: Run, built: str
) -> None:
    registry = Path(built)
    (registry / (registry / "current").read_text().strip() / "manifest.json").write_text("{")
    ended = trialyst("registry", "verify", "--registry", built)
    assert ended.code == 1
    assert "damaged" in ended.out
