"""An outline says of its fields what the whole trial says, whatever the record holds."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.ctgov.studies import load_study, study_names
from tests.ctgov.test_parse_totality import CHANGES, VALUES, change, read_lines
from trialyst.ctgov.errors import DamagedRecord
from trialyst.ctgov.outline import TrialOutline
from trialyst.ctgov.parse import outline_pieces, parse_outline, parse_trial
from trialyst.ctgov.trial import Trial
from trialyst.ctgov.vocab import Status

Record = dict[str, Any] | bytes


def outline_of(record: Record) -> dict[str, Any] | str:
    """Give the fields of the outline, or why there is none."""
    try:
        return dict(parse_outline(record))
    except DamagedRecord as damage:
        return damage.message


def same_of_trial(record: Record) -> dict[str, Any] | str:
    """Give the same fields of the whole trial, or why there is none."""
    try:
        trial = parse_trial(record)
    except DamagedRecord as damage:
        return damage.message
    return {name: getattr(trial, name) for name in TrialOutline.model_fields}


def different(records: Iterable[bytes]) -> list[bytes]:
    return [record for record in records if outline_of(record) != same_of_trial(record)]


@pytest.mark.parametrize("name", study_names())
def test_an_outline_has_the_fields_of_its_trial(name: str) -> None:
    study = load_study(name)

    assert outline_of(study) == same_of_trial(study)
    assert outline_of(json.dumps(study).encode()) == same_of_trial(study)


@given(CHANGES)
def test_a_changed_study_has_the_outline_of_its_trial(
    changes: list[tuple[tuple[Any, ...], Any]],
) -> None:
    study = copy.deepcopy(load_study("ordinary"))
    for place, value in changes:
        change(study, place, value)

    assert outline_of(study) == same_of_trial(study)


@given(CHANGES)
def test_a_changed_study_has_the_same_outline_as_text(
    changes: list[tuple[tuple[Any, ...], Any]],
) -> None:
    study = copy.deepcopy(load_study("ordinary"))
    for place, value in changes:
        change(study, place, value)
    # What cannot be written as JSON text at all cannot arrive as such.
    text = json.dumps(study).replace("NaN", "0").replace("Infinity", "1").encode()

    assert outline_of(text) == same_of_trial(text)


@given(VALUES)
def test_a_value_that_is_no_study_is_damaged_for_both(value: Any) -> None:
    assert outline_of(value) == same_of_trial(value)


@given(st.binary(max_size=40))
def test_bytes_that_are_no_study_are_damaged_for_both(text: bytes) -> None:
    assert outline_of(text) == same_of_trial(text)


def test_a_study_cut_short_is_damaged() -> None:
    text = json.dumps(load_study("ordinary")).encode()

    with pytest.raises(DamagedRecord, match="not JSON"):
        parse_outline(text[:-1])


def test_an_unknown_status_is_kept_and_a_known_one_is_a_member() -> None:
    study = load_study("ordinary")
    assert parse_outline(study).status is Status.TERMINATED

    study["protocolSection"]["statusModule"]["overallStatus"] = "PAUSED"

    assert parse_outline(study).status == "PAUSED"


def test_what_an_outline_leaves_out_is_absent_and_not_empty() -> None:
    outline = parse_outline(load_study("ordinary"))

    for name in set(Trial.model_fields) - set(TrialOutline.model_fields):
        assert not hasattr(outline, name)


def test_an_outline_is_never_equal_to_a_trial() -> None:
    """A trial that has nothing else to say is still another thing than an outline."""
    outline = TrialOutline(nct_id="NCT90000001")

    assert outline != Trial(nct_id="NCT90000001")
    assert not isinstance(outline, Trial)


def test_an_outline_refuses_what_only_a_trial_holds() -> None:
    with pytest.raises(ValidationError, match="extra"):
        TrialOutline.model_validate({"nct_id": "NCT90000001", "sites": []})


def test_reading_outlines_does_not_make_the_models_of_whole_trials() -> None:
    """They take longer to make than a page of outlines to read, on every start."""
    code = (
        "import sys, trialyst.discovery\n"
        "from trialyst.registry.source import RegistrySource\n"
        "from trialyst.ctgov.client import LiveSource\n"
        "from trialyst.ctgov.parse import parse_outline\n"
        "parse_outline(sys.stdin.buffer.read())\n"
        "print(*sys.modules)"
    )
    study = json.dumps(load_study("ordinary"))
    done = subprocess.run(
        [sys.executable, "-c", code], input=study, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "trialyst.ctgov.outline" in loaded
    assert not {f"trialyst.ctgov.{name}" for name in ("trial", "protocol", "sites")} & loaded


def test_the_pieces_of_an_outline_are_all_it_needs() -> None:
    assert set(outline_pieces()) == {
        "NCTId",
        "BriefTitle",
        "OfficialTitle",
        "OverallStatus",
        "BriefSummary",
        "Condition",
        "Phase",
        "Intervention",
    }


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["ctgov_v2_native", "ctgov_v2_from_xml", "ctgov_v2_partial"])
def test_real_records_have_the_outline_of_their_trial(data_dir: Path, folder: str) -> None:
    paths = sorted((data_dir / folder).glob("*.jsonl.*"))[::4]

    assert paths
    assert [different(read_lines(path)) for path in paths] == [[]] * len(paths)


def test_a_sample_of_real_records_has_the_outlines_of_its_trials(facts_dir: Path) -> None:
    lines = list(read_lines(facts_dir / "ctgov" / "sample_studies.jsonl"))

    assert len(lines) == 279
    assert different(lines) == []
