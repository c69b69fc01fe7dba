"""`trialyst ingest` tells what a note says, and refuses what is none."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.contracts import check
from tests.interfaces.cli.conftest import Run

pytestmark = pytest.mark.slow

NOTE = "A 58-year-old woman with HER2+ breast cancer, ECOG 1. No diabetes. Father had gout."


@pytest.fixture
def note(tmp_path: Path) -> str:
    path = tmp_path / "note.txt"
    path.write_text(NOTE, "utf-8")
    return str(path)


def test_a_note_is_shown_in_short_and_fact_by_fact(trialyst: Run, note: str) -> None:
    ended = trialyst("ingest", note)
    assert ended.code == 0
    assert "Diagnosis:" in ended.out
    assert "HER2 positive" in ended.out
    assert "58-year-old" in ended.out


def test_json_is_what_the_tool_returns(trialyst: Run, note: str) -> None:
    value = trialyst("ingest", note, "--json").value
    check("profile_patient", value)
    assert value["key_facts"]["family_history"] == ["Gout"]


def test_a_dash_is_standard_input(trialyst: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NOTE.encode())))
    assert trialyst("ingest", "-", "--json").value["sex"] == "FEMALE"


def test_a_bundle_is_read_as_of_a_day(trialyst: Run, tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    path.write_text('{"resourceType": "Patient", "gender": "male", "birthDate": "1980-05-01"}')
    value = trialyst("ingest", str(path), "--as-of", "2026-04-30", "--json").value
    assert value["age"] == {"value": 45, "unit": "Year"}


def test_another_language_is_told_on_standard_error(trialyst: Run, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text(
        "Der Patient ist ein 54 Jahre alter Mann mit arterieller Hypertonie und Beschwerden seit "
        "vielen Jahren ohne weitere Erkrankungen"
    )
    ended = trialyst("ingest", str(path))
    assert ended.code == 0
    assert "English" in ended.err


@pytest.mark.parametrize("content", [b"", b" \n", b"\x7fELF\x00\x01", b'{"resourceType":'], ids=str)
def test_what_is_no_note_is_wrong_input(trialyst: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "note"
    path.write_bytes(content)
    ended = trialyst("ingest", str(path))
    assert (ended.code, ended.out) == (2, "")
    assert "Hint:" in ended.err


@pytest.mark.parametrize("arguments", [("missing.txt",), (".",), ("x", "--as-of", "soon")], ids=str)
def test_what_cannot_be_opened_is_wrong_input(
    trialyst: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert trialyst("ingest", *arguments).code == 2
