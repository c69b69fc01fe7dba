"""A registry of an older schema version is made anew from its own records, or left as it was."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY
from tests.registry.invented import FIRST, asked, many, study
from tests.registry.older import OLDER_VERSION, make_older
from trialyst.errors import RegistryError, RegistryLocked, RegistryMissing, RegistryOutdated
from trialyst.ids import NctId
from trialyst.registry import (
    BuildProgress,
    Registry,
    UpgradeReport,
    add_studies,
    build_from_studies,
    registry_status,
    remove_records,
    upgrade_registry,
    verify_registry,
)
from trialyst.registry import generation as layout
from trialyst.registry.records import train_dictionary
from trialyst.registry.schema import SCHEMA_VERSION
from trialyst.registry.subset import Subset, SyncState, describe_holdings, load_state, save_state
from trialyst.vocabulary import Vocabulary

RECORDS = 40
TIMESTAMP = "2026-08-14T09:00:05"
QUERIES = (
    {"query_term": "asthma"},
    {"query_cond": "velorimab OR airway", "sort": "@relevance"},
    {"filter_overallStatus": "RECRUITING", "sort": "EnrollmentCount,LastUpdatePostDate"},
    {"query_locn": "Boston, MA"},
    {"sort": "LastUpdatePostDate"},
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, vocabulary: Vocabulary) -> Path:
    directory = tmp_path_factory.mktemp("built") / "registry"
    build_from_studies(many(RECORDS), directory, data_timestamp=TIMESTAMP, vocabulary=vocabulary)
    return directory


@pytest.fixture
def older(built: Path, tmp_path: Path) -> Path:
    """A registry of forty studies that an older version wrote."""
    return make_older(shutil.copytree(built, tmp_path / "registry"))


@pytest.fixture
def upgrade(vocabulary: Vocabulary) -> Callable[[Path], UpgradeReport]:
    return lambda directory: upgrade_registry(directory, vocabulary=vocabulary)


Upgrade = Callable[[Path], UpgradeReport]


def told_by(directory: Path) -> dict[str, Any]:
    """Give all that a reader can tell of a registry."""
    with Registry.open(directory) as opened:
        return {
            "answers": [list(opened.iter_numbers(asked(**query))) for query in QUERIES],
            "raw": dict(opened.iter_raw()),
            "rows": opened.rows([FIRST, FIRST + 1], ["BriefTitle", "LocationCountry"]),
            "at": opened.data_timestamp,
            "synthetic": opened.synthetic,
            "problems": verify_registry(directory).problems,
        }


def snapshot(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


def test_an_older_registry_is_refused_with_the_command_that_upgrades_it(older: Path) -> None:
    for use in (
        Registry.open,
        registry_status,
        verify_registry,
        lambda directory: add_studies(many(1), directory),
        lambda directory: remove_records([NctId(FIRST)], directory),
    ):
        with pytest.raises(RegistryOutdated, match=f"schema version {OLDER_VERSION}") as refusal:
            use(older)
        assert f"`trialyst registry upgrade --registry {older}`" in str(refusal.value.hint)


def test_it_answers_as_one_built_from_the_same_studies(
    older: Path, built: Path, upgrade: Upgrade
) -> None:
    report = upgrade(older)
    assert report.upgraded
    assert (report.previous_schema_version, report.schema_version) == (
        OLDER_VERSION,
        SCHEMA_VERSION,
    )
    assert (report.records, report.damaged) == (RECORDS, [])
    assert report.generation == layout.current_name(older)
    assert told_by(older) == told_by(built)


def test_records_packed_with_a_dictionary_come_back(
    built: Path, tmp_path: Path, upgrade: Upgrade
) -> None:
    trained = train_dictionary([json.dumps(each).encode() for each in many(400)])
    assert trained
    directory = make_older(shutil.copytree(built, tmp_path / "registry"), dictionary=trained)
    upgrade(directory)
    assert told_by(directory) == told_by(built)


def test_a_registry_of_this_version_is_left_as_it_is(
    built: Path, tmp_path: Path, upgrade: Upgrade
) -> None:
    directory = shutil.copytree(built, tmp_path / "registry")
    before = snapshot(directory)
    report = upgrade(directory)
    assert (report.upgraded, report.records) == (False, RECORDS)
    assert report.previous_schema_version == report.schema_version == SCHEMA_VERSION
    assert snapshot(directory) == before


def test_a_registry_of_a_newer_version_is_refused(older: Path, upgrade: Upgrade) -> None:
    manifest = layout.current_generation(older) / layout.MANIFEST
    newer = json.loads(manifest.read_text()) | {"schema_version": SCHEMA_VERSION + 1}
    manifest.write_text(json.dumps(newer))
    with pytest.raises(RegistryError, match=f"schema version {SCHEMA_VERSION + 1}") as refusal:
        upgrade(older)
    assert "newer Trialyst" in str(refusal.value.hint)


def test_where_there_is_no_registry_none_is_made(tmp_path: Path, upgrade: Upgrade) -> None:
    with pytest.raises(RegistryMissing):
        upgrade(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_progress_reaches_the_number_of_records(older: Path, vocabulary: Vocabulary) -> None:
    told: list[BuildProgress] = []
    upgrade_registry(older, vocabulary=vocabulary, progress=told.append)
    assert told[-1] == BuildProgress(RECORDS, RECORDS, RECORDS)


def test_what_the_registry_is_stays(tmp_path: Path, upgrade: Upgrade) -> None:
    invented = study(FIRST, identification={"briefTitle": "[SYNTHETIC] One"})
    build_from_studies([invented], tmp_path, synthetic=True, data_timestamp=TIMESTAMP)
    make_older(tmp_path)
    upgrade(tmp_path)
    status = registry_status(tmp_path)
    assert (status.synthetic, status.data_timestamp) == (True, TIMESTAMP)


def test_an_empty_registry_can_be_upgraded(tmp_path: Path, upgrade: Upgrade) -> None:
    build_from_studies(many(2), tmp_path)
    remove_records([NctId(FIRST), NctId(FIRST + 1)], tmp_path)
    make_older(tmp_path)
    assert (upgrade(tmp_path).records, upgrade(tmp_path).upgraded) == (0, False)
    assert verify_registry(tmp_path).ok


def with_other_name(number: int) -> dict[str, Any]:
    drug = {"name": "Metformin", "otherNames": ["Zorvexin"]}
    return study(number, armsInterventions={"interventions": [drug]})


def test_names_learned_from_removed_studies_stay_known(
    tmp_path: Path, vocabulary: Vocabulary, upgrade: Upgrade
) -> None:
    studies = [*many(3), with_other_name(FIRST + 10), with_other_name(FIRST + 11)]
    build_from_studies(studies, tmp_path, vocabulary=vocabulary)
    remove_records([NctId(FIRST + 10), NctId(FIRST + 11)], tmp_path)
    evidence = (layout.current_generation(tmp_path) / layout.EVIDENCE).read_bytes()
    make_older(tmp_path)
    upgrade(tmp_path)
    with Registry.open(tmp_path, vocabulary=vocabulary) as opened:
        assert opened.vocabulary is not None
        (match,) = opened.vocabulary.resolve("Zorvexin").matches
        assert match.concept.preferred.lower() == "metformin"
    # Each study counts once, not again with every upgrade.
    kept = (layout.current_generation(tmp_path) / layout.EVIDENCE).read_bytes()
    assert sorted(kept) == sorted(evidence)


def test_names_are_learned_anew_where_what_was_seen_cannot_be_read(
    tmp_path: Path, vocabulary: Vocabulary, upgrade: Upgrade
) -> None:
    studies = [with_other_name(FIRST), with_other_name(FIRST + 1)]
    build_from_studies(studies, tmp_path, vocabulary=vocabulary)
    make_older(tmp_path)
    (layout.current_generation(tmp_path) / layout.EVIDENCE).write_bytes(b"of another version")
    upgrade(tmp_path)
    with Registry.open(tmp_path, vocabulary=vocabulary) as opened:
        assert opened.vocabulary is not None
        assert opened.vocabulary.resolve("Zorvexin").matches


def test_what_it_was_synced_with_is_remembered_and_not_taken_for_edited(
    older: Path, upgrade: Upgrade
) -> None:
    state = SyncState(
        url="https://example.org/api/v2",
        subset=Subset(condition="asthma"),
        data_timestamp=TIMESTAMP,
        synced_at="2026-08-15T00:00:00+00:00",
        generation=layout.current_name(older) or "",
    )
    save_state(older, state)
    upgrade(older)
    assert load_state(older) == state
    assert describe_holdings(older) == "only condition 'asthma'"
    make_older(older)
    manifest = layout.current_generation(older) / layout.MANIFEST
    # An upgrade of what was upgraded before: the records are still the same.
    manifest.write_text(
        json.dumps(json.loads(manifest.read_text()) | {"records_of": state.generation})
    )
    upgrade(older)
    assert describe_holdings(older) == "only condition 'asthma'"
    add_studies([study(FIRST + 500)], older)
    assert describe_holdings(older) == "only condition 'asthma', changed by other commands since"


def execute(directory: Path, statement: str) -> None:
    path = layout.current_generation(directory) / layout.RECORDS
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.commit()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (f"UPDATE records SET blob = x'0001' WHERE nct = {FIRST + 7}", "NCT90000008 is damaged"),
        (f"DELETE FROM records WHERE nct = {FIRST + 7}", "39 of its 40 records"),
        ("DROP TABLE records", "cannot be read"),
        ("DROP TABLE dictionary", "cannot be read"),
    ],
)
def test_no_record_is_ever_left_out(
    older: Path, upgrade: Upgrade, statement: str, told: str
) -> None:
    execute(older, statement)
    before = layout.current_name(older)
    with pytest.raises(RegistryError, match=told) as refusal:
        upgrade(older)
    assert "trialyst registry sync --full" in str(refusal.value.hint)
    assert layout.current_name(older) == before


def test_one_writer_at_a_time(older: Path, upgrade: Upgrade) -> None:
    with layout.writer_lock(older), pytest.raises(RegistryLocked):
        upgrade(older)


# About 120 of the filled records make a batch, so that there are several checkpoints.
FILLED = 500
CHECKPOINT_EVERY = 150


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, vocabulary: Vocabulary) -> Path:
    directory = tmp_path_factory.mktemp("large") / "registry"
    records = ({**record, "filler": "x" * 8000} for record in many(FILLED))
    build_from_studies(records, directory, data_timestamp=TIMESTAMP, vocabulary=vocabulary)
    return directory


@pytest.fixture
def large_older(large: Path, tmp_path: Path) -> Path:
    return make_older(shutil.copytree(large, tmp_path / "large"))


def start(directory: Path, **order: Any) -> subprocess.Popen[str]:
    """Upgrade in a process of its own."""
    order = {"directory": str(directory), "checkpoint_every": CHECKPOINT_EVERY} | order
    paths = f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"
    return subprocess.Popen(
        [sys.executable, "-m", "tests.registry.doomed", json.dumps(order)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": paths},
        text=True,
    )


def assert_as_it_was(directory: Path, generation: str | None, stored: bytes) -> None:
    assert layout.current_name(directory) == generation
    with pytest.raises(RegistryOutdated):
        Registry.open(directory)
    assert (layout.current_generation(directory) / layout.RECORDS).read_bytes() == stored


@pytest.mark.slow
@pytest.mark.parametrize(
    ("die_at", "resumes"),
    [
        (("os.mkdir", "sites", 1), False),
        (("open", "checkpoint-2", 1), False),
        (("os.remove", "checkpoint-2", 1), True),
        (("os.rename", ".evidence", 1), True),
        (("os.rename", "manifest.json.", 1), True),
        (("os.rename", "building", 1), True),
        (("os.rename", "current.", 1), False),
    ],
    ids=str,
)
def test_killed_at_a_file_operation_it_leaves_the_older_one_and_goes_on(
    large_older: Path,
    large: Path,
    upgrade: Upgrade,
    die_at: tuple[str, str, int],
    resumes: bool,
) -> None:
    generation = layout.current_name(large_older)
    stored = (layout.current_generation(large_older) / layout.RECORDS).read_bytes()
    child = start(large_older, die_at=die_at)
    child.communicate()
    assert child.returncode == -signal.SIGKILL
    assert_as_it_was(large_older, generation, stored)
    report = upgrade(large_older)
    assert (report.records, report.resumed_at > 0) == (FILLED, resumes)
    assert told_by(large_older) == told_by(large)


@pytest.mark.slow
def test_killed_after_the_switch_it_is_done(
    large_older: Path, large: Path, upgrade: Upgrade
) -> None:
    child = start(large_older, die_at=("os.remove", f"checkpoint-{FILLED}", 1))
    child.communicate()
    assert child.returncode == -signal.SIGKILL
    assert told_by(large_older) == told_by(large)
    assert not upgrade(large_older).upgraded


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no small disk: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("left", [10_000, 250_000])
def test_a_full_disk_leaves_the_older_one(
    large: Path, small_disk: Path, upgrade: Upgrade, left: int
) -> None:
    directory = make_older(shutil.copytree(large, small_disk / "registry"))
    generation = layout.current_name(directory)
    stored = (layout.current_generation(directory) / layout.RECORDS).read_bytes()
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (shutil.disk_usage(small_disk).free - left))
    with pytest.raises(RegistryError, match=r"no space left|are free") as refusal:
        upgrade(directory)
    assert "run the same command again" in str(refusal.value.hint)
    assert_as_it_was(directory, generation, stored)
    ballast.unlink()
    assert upgrade(directory).records == FILLED
