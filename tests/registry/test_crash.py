"""A build killed at any moment leaves the registry in use whole, and the next build works."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.registry.invented import FIRST, as_line, asked, many, titled
from trialyst.errors import InvalidInput, RegistryError
from trialyst.registry import (
    BuildReport,
    Registry,
    build_from_studies,
    build_registry,
    verify_registry,
)

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parent.parent.parent
# About 120 records make a batch, so a checkpoint comes with every second one.
CHECKPOINT_EVERY = 150
FIRST_CHECKPOINT, SECOND_CHECKPOINT, ALL = 242, 484, 607
QUERIES = (
    {"query_term": "asthma"},
    {"query_cond": "velorimab OR airway", "sort": "@relevance"},
    {"filter_overallStatus": "RECRUITING", "sort": "EnrollmentCount,LastUpdatePostDate"},
    {"query_locn": "Boston, MA"},
    {"filter_advanced": "AREA[Phase]PHASE2 AND NOT AREA[EnrollmentCount]MISSING"},
    {"sort": "LastUpdatePostDate"},
)


@pytest.fixture(scope="module")
def studies_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six hundred records, some damaged, some older or newer versions of others."""
    lines = [as_line({**record, "filler": "x" * 8000}) for record in many(600)]
    for at in (30, 400, 501):
        lines.insert(at, lines[at][:500])
    for at, title, updated in ((200, "old", "2001-01-01"), (340, "new", "2031-01-01")):
        lines.insert(at + 5, as_line(titled(FIRST + at, title, updated=updated)))
        lines.append(as_line(titled(FIRST + at + 1, title, updated=updated)))
    path = tmp_path_factory.mktemp("input") / "studies.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


@pytest.fixture(scope="module")
def clean(studies_file: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    directory = tmp_path_factory.mktemp("clean")
    return outcome(build_registry([studies_file], directory), directory)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("used") / "registry"
    build_from_studies(many(20, first=FIRST + 5000), directory)
    return directory


@pytest.fixture
def registry(used: Path, tmp_path: Path) -> Path:
    """A registry of twenty other studies, in use."""
    return shutil.copytree(used, tmp_path / "registry")


def outcome(report: BuildReport, directory: Path) -> dict[str, Any]:
    """Give all that two equal builds have in common."""
    with Registry.open(directory) as opened:
        answers = [list(opened.iter_numbers(asked(**query))) for query in QUERIES]
        records = dict(opened.iter_raw())
        timestamp = opened.data_timestamp
    counts = asdict(report)
    del counts["generation"], counts["resumed_at"]
    verified = verify_registry(directory).problems
    return {**counts, "answers": answers, "raw": records, "at": timestamp, "verified": verified}


def to_order(registry: Path, studies: Path) -> dict[str, Any]:
    return {
        "directory": str(registry),
        "input": str(studies),
        "checkpoint_every": CHECKPOINT_EVERY,
    }


def start(registry: Path, studies: Path, **order: Any) -> subprocess.Popen[str]:
    order = {
        "directory": str(registry),
        "input": str(studies),
        "checkpoint_every": CHECKPOINT_EVERY,
    } | order
    environment = os.environ | {"PYTHONPATH": f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.registry.doomed", json.dumps(order)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    )


def wait_for_steps(child: subprocess.Popen[str], count: int) -> None:
    assert child.stdout
    for _ in range(count):
        assert child.stdout.readline().startswith("read ")


def end_of(child: subprocess.Popen[str]) -> int:
    child.communicate()
    return child.returncode


def assert_whole(registry: Path, *, records: int = 20) -> None:
    assert verify_registry(registry).ok
    with Registry.open(registry) as opened:
        assert len(opened) == opened.count(asked()) == records
        assert len(list(opened.iter_raw())) == records


KILLS = [
    (("os.mkdir", "sites", 1), 0),
    (("open", "checkpoint-2", 1), 0),
    (("open", "building", 1), 0),
    (("open", "checkpoint-4", 1), FIRST_CHECKPOINT),
    (("open", "building", 2), FIRST_CHECKPOINT),
    (("os.remove", "checkpoint-2", 1), SECOND_CHECKPOINT),
    (("open", "checkpoint-6", 1), SECOND_CHECKPOINT),
    (("os.rename", ".evidence", 1), ALL),
    (("os.rename", "manifest.json.", 1), ALL),
    (("open", "records.db", 1), ALL),
    (("os.rename", "building", 1), ALL),
    (("open", "current.", 1), 0),
    (("os.rename", "current.", 1), 0),
]


@pytest.mark.parametrize(("die_at", "resumed"), KILLS, ids=lambda value: str(value))
def test_killed_at_a_file_operation(
    registry: Path,
    studies_file: Path,
    clean: dict[str, Any],
    die_at: tuple[str, str, int],
    resumed: int,
) -> None:
    assert end_of(start(registry, studies_file, die_at=die_at)) == -signal.SIGKILL
    assert_whole(registry)
    report = build_registry([studies_file], registry, checkpoint_every=CHECKPOINT_EVERY)
    assert report.resumed_at == resumed
    assert outcome(report, registry) == clean


@pytest.mark.parametrize("step", [1, 3])
def test_killed_from_outside_while_it_reads(
    registry: Path, studies_file: Path, clean: dict[str, Any], step: int
) -> None:
    child = start(registry, studies_file)
    wait_for_steps(child, step)
    child.kill()
    assert end_of(child) == -signal.SIGKILL
    assert_whole(registry)
    report = build_registry([studies_file], registry, checkpoint_every=CHECKPOINT_EVERY)
    assert report.resumed_at >= (FIRST_CHECKPOINT if step > 2 else 0)
    assert outcome(report, registry) == clean


def test_killed_again_and_again_it_still_ends_well(
    registry: Path, studies_file: Path, clean: dict[str, Any]
) -> None:
    for die_at in (("open", "checkpoint-4", 1), ("open", "building", 1), ("os.rename", "c", 1)):
        assert end_of(start(registry, studies_file, die_at=die_at)) == -signal.SIGKILL
        assert_whole(registry)
    report = build_registry([studies_file], registry)
    assert report.resumed_at == FIRST_CHECKPOINT
    assert outcome(report, registry) == clean


def test_killed_after_the_switch_the_new_registry_is_whole(
    registry: Path, studies_file: Path, clean: dict[str, Any]
) -> None:
    die_at = ("os.remove", "checkpoint-6", 1)
    assert end_of(start(registry, studies_file, die_at=die_at)) == -signal.SIGKILL
    assert_whole(registry, records=clean["records"])


def test_changed_input_starts_afresh(
    registry: Path, studies_file: Path, clean: dict[str, Any], tmp_path: Path
) -> None:
    changed = tmp_path / "studies.jsonl"
    shutil.copy2(studies_file, changed)
    end_of(start(registry, changed, die_at=("open", "checkpoint-6", 1)))
    changed.write_bytes(b"\n".join(reversed(changed.read_bytes().splitlines())))
    report = build_registry([changed], registry)
    assert report.resumed_at == 0
    assert report.records == clean["records"]
    assert verify_registry(registry).ok


def test_a_build_that_failed_can_go_on_in_the_same_process(
    registry: Path, studies_file: Path, clean: dict[str, Any]
) -> None:
    class Stop(Exception):
        pass

    def stop(progress: Any) -> None:
        if progress.records > 300:
            raise Stop

    with pytest.raises(Stop):
        build_registry([studies_file], registry, progress=stop, checkpoint_every=CHECKPOINT_EVERY)
    assert_whole(registry)
    report = build_registry([studies_file], registry)
    assert report.resumed_at == FIRST_CHECKPOINT
    assert outcome(report, registry) == clean


@pytest.mark.parametrize("planted", ["flipped", "code"])
def test_a_checkpoint_that_is_not_as_written_starts_afresh(
    registry: Path, studies_file: Path, clean: dict[str, Any], planted: str
) -> None:
    end_of(start(registry, studies_file, die_at=("open", "checkpoint-4", 1)))
    (checkpoint,) = (registry / "building").glob("checkpoint-*")
    ran = registry / "ran"
    if planted == "flipped":
        content = bytearray(checkpoint.read_bytes())
        content[len(content) // 2] ^= 1
        checkpoint.write_bytes(content)
    else:
        checkpoint.write_bytes(f"cpathlib\nPath.touch\n(cpathlib\nPath\n(V{ran}\ntRtR.".encode())
    report = build_registry([studies_file], registry)
    assert not ran.exists()
    assert report.resumed_at == 0
    assert outcome(report, registry) == clean


def test_a_cut_file_switches_nothing_in(registry: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.json"
    cut.write_bytes(b"[" + b",".join(map(as_line, many(50))))
    for _ in range(2):
        with pytest.raises(InvalidInput, match=r"cut\.json"):
            build_registry([cut], registry)
    assert_whole(registry)


WRITE_LIMITED = """
import json, resource, signal, sys
from tests.registry.doomed import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
main(json.loads(sys.argv[1]))
"""


@pytest.mark.parametrize("size", [10_000, 60_000, 120_000])
def test_a_file_that_may_not_grow_is_a_clear_error(
    registry: Path, studies_file: Path, clean: dict[str, Any], size: int
) -> None:
    order = {
        "directory": str(registry),
        "input": str(studies_file),
        "checkpoint_every": CHECKPOINT_EVERY,
    }
    environment = os.environ | {"PYTHONPATH": f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"}
    ended = subprocess.run(
        [sys.executable, "-c", WRITE_LIMITED, json.dumps(order), str(size)],
        capture_output=True,
        env=environment,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("trialyst.errors.RegistryError: ")
    assert "panicked" not in ended.stderr
    assert_whole(registry)
    assert outcome(build_registry([studies_file], registry), registry) == clean


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no small disk: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_is_a_clear_error(small_disk: Path, studies_file: Path) -> None:
    registry = small_disk / "registry"
    build_from_studies(many(20), registry)
    (small_disk / "ballast").write_bytes(b"x" * 1_200_000)
    with pytest.raises(RegistryError, match="no space left on the disk") as refusal:
        build_registry([studies_file], registry, checkpoint_every=CHECKPOINT_EVERY)
    assert "unchanged" in str(refusal.value.hint)
    assert_whole(registry)
    (small_disk / "ballast").unlink()
    build_from_studies(many(30), registry)
    assert_whole(registry, records=30)
