"""`verify` finds every way in which records and indexes disagree, and never breaks on damage."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.registry.invented import FIRST, many, sign
from tests.shipped import shipped_vocabulary
from trialyst.errors import RegistryError
from trialyst.registry import (
    Registry,
    add_studies,
    build_from_studies,
    registry_status,
    verify_registry,
)
from trialyst.registry import generation as layout
from trialyst.registry.index import IndexWriters
from trialyst.registry.records import compressor_for

# Every build waits for the disk, and a busy one is slow.
pytestmark = pytest.mark.slow

SEGMENT_PARTS = ("fast", "fieldnorm", "idx", "pos", "store", "term")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("sound")
    build_from_studies(many(40), directory)
    return directory


@pytest.fixture
def registry(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "registry")


def files(registry: Path) -> Path:
    return layout.current_generation(registry)


def execute(registry: Path, statement: str, *values: object) -> None:
    db = sqlite3.connect(files(registry) / layout.RECORDS)
    db.execute(statement, values)
    db.commit()
    db.close()


def problems(registry: Path) -> str:
    report = verify_registry(registry)
    assert not report.ok
    return "\n".join(report.problems)


def test_a_sound_registry_verifies(registry: Path) -> None:
    report = verify_registry(registry)
    assert report.ok
    assert (report.records, report.problems) == (40, ())
    assert report.sites > 0


def test_progress_reaches_the_number_of_records(registry: Path) -> None:
    told: list[tuple[int, int]] = []
    verify_registry(registry, progress=lambda checked, total: told.append((checked, total)))
    assert told == [(n, 40) for n in range(1, 41)]


def test_a_record_removed_behind_the_index(registry: Path) -> None:
    execute(registry, "DELETE FROM records WHERE nct = ?", FIRST + 3)
    found = problems(registry)
    assert "NCT90000004 is indexed but has no record" in found
    assert "39 records are stored, the manifest says 40" in found


def test_a_record_changed_behind_the_index(registry: Path) -> None:
    blob = compressor_for(b"").compress(b'{"protocolSection":{"identificationModule":{}}}')
    execute(registry, "UPDATE records SET blob = ? WHERE nct = ?", blob, FIRST)
    assert problems(registry) == "NCT90000001: the index does not hold what the record says"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (b"[]", "its row does not hold what the record says"),
        (b"not json", "its row cannot be read"),
    ],
)
def test_a_row_changed_behind_the_record(registry: Path, row: bytes, problem: str) -> None:
    execute(registry, "UPDATE short SET blob = ? WHERE nct = ?", row, FIRST)
    assert problems(registry) == f"NCT90000001: {problem}"


@pytest.mark.parametrize("content", [b"not json", b"[]", b"7", b"\xff"])
def test_a_record_that_is_no_study(registry: Path, content: bytes) -> None:
    blob = compressor_for(b"").compress(content)
    execute(registry, "UPDATE records SET blob = ? WHERE nct = ?", blob, FIRST)
    assert "NCT90000001: the record is not a study" in problems(registry)


def test_a_record_that_cannot_be_unpacked(registry: Path) -> None:
    execute(registry, "UPDATE records SET blob = x'00010203' WHERE nct = ?", FIRST)
    assert problems(registry).startswith("The record of NCT90000001 is damaged")


def test_a_study_missing_from_the_index(registry: Path) -> None:
    index = files(registry)
    writers = IndexWriters(index / layout.INDEX, index / layout.SITES, threads=1)
    writers.delete_study(FIRST + 9)
    writers.commit()
    writers.close()
    sign(registry)
    assert problems(registry) == "NCT90000010 has a record but is not indexed"


def test_a_study_indexed_twice(registry: Path) -> None:
    index = files(registry)
    writers = IndexWriters(index / layout.INDEX, index / layout.SITES, threads=1)
    writers.add_study(b'{"nct":%d,"print":1}' % FIRST)
    writers.commit()
    writers.close()
    sign(registry)
    assert "NCT90000001 is indexed twice" in problems(registry)


def test_at_most_a_hundred_problems_are_listed(tmp_path: Path) -> None:
    build_from_studies(many(150), tmp_path)
    execute(tmp_path, "DELETE FROM records")
    assert len(verify_registry(tmp_path).problems) == 100


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 0x10
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("harm", [truncate, flip, empty, Path.unlink], ids=lambda f: f.__name__)
@pytest.mark.parametrize("part", SEGMENT_PARTS)
@pytest.mark.parametrize("index", [layout.INDEX, layout.SITES])
def test_a_damaged_index_file(
    registry: Path, index: str, part: str, harm: Callable[[Path], None]
) -> None:
    damaged = max((files(registry) / index).glob(f"*.{part}"), key=lambda f: f.stat().st_size)
    harm(damaged)
    try:
        found = problems(registry)
    except RegistryError as problem:
        found = problem.message
    assert damaged.name in found or "cannot be opened" in found


@pytest.mark.parametrize("harm", [truncate, empty, Path.unlink], ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", [layout.MANIFEST, "index/meta.json", "sites/meta.json"])
def test_a_damaged_description(registry: Path, name: str, harm: Callable[[Path], None]) -> None:
    harm(files(registry) / name)
    for use in (verify_registry, Registry.open):
        with pytest.raises(RegistryError, match=r"is damaged|cannot be opened"):
            use(registry)


@pytest.mark.parametrize("harm", [truncate, Path.unlink], ids=lambda f: f.__name__)
def test_a_damaged_record_file(registry: Path, harm: Callable[[Path], None]) -> None:
    harm(files(registry) / layout.RECORDS)
    for use in (verify_registry, lambda directory: list(Registry.open(directory).iter_raw())):
        with pytest.raises(RegistryError, match=r"cannot be read|records\.db is not as written"):
            use(registry)


def test_another_schema_version_is_refused_with_a_remedy(registry: Path) -> None:
    manifest = files(registry) / layout.MANIFEST
    version = registry_status(registry).schema_version
    changed = manifest.read_text().replace(f'"schema_version":{version}', '"schema_version":999')
    manifest.write_text(changed)
    for use in (Registry.open, registry_status, verify_registry):
        with pytest.raises(RegistryError, match="has schema version 999") as refusal:
            use(registry)
        assert "registry sync --full" in str(refusal.value.hint)
    with pytest.raises(RegistryError, match="has schema version 999"):
        add_studies(many(1), registry)
    build_from_studies(many(1), registry)
    assert verify_registry(registry).ok


def test_a_lost_generation_is_a_clear_error_and_a_build_mends_it(registry: Path) -> None:
    (registry / layout.CURRENT).write_text("generation-gone")
    with pytest.raises(RegistryError, match="is damaged"):
        Registry.open(registry)
    build_from_studies(many(2), registry)
    assert verify_registry(registry).ok


def test_a_changed_byte_in_any_file_is_told_when_the_registry_is_opened(
    registry: Path, tmp_path: Path
) -> None:
    names = layout.open_manifest(files(registry)).checksums
    assert len(names) > 10
    silent = []
    for name in names:
        harmed = shutil.copytree(registry, tmp_path / "harmed")
        path = files(harmed) / name
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        try:
            Registry.open(harmed).close()
        except RegistryError as told:
            named = path.name in told.message
        else:
            named = False
        if not named:
            silent.append(name)
        shutil.rmtree(harmed)
    assert not silent


def test_a_copied_registry_is_read_once_and_then_trusted(registry: Path) -> None:
    Registry.open(registry).close()
    (stamps,) = registry.glob("stamps-*")
    noted = stamps.stat().st_mtime_ns
    Registry.open(registry).close()
    assert stamps.stat().st_mtime_ns == noted


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("learned")
    build_from_studies(many(40), directory, vocabulary=shipped_vocabulary())
    return directory


USES: dict[str, Callable[[Path], object]] = {
    layout.LEARNED: lambda registry: Registry.open(registry, vocabulary=shipped_vocabulary()),
    layout.EVIDENCE: lambda registry: add_studies(many(1), registry),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("harm", ["cut", "changed", "gone"])
def test_damage_to_the_names_is_found_and_told(
    learned: Path, tmp_path: Path, name: str, harm: str
) -> None:
    registry = shutil.copytree(learned, tmp_path / "registry")
    assert verify_registry(registry).ok
    path = files(registry) / name
    content = path.read_bytes()
    path.write_bytes(content[:-5] if harm == "cut" else content[:-3] + b"\xff\xff\xff")
    if harm == "gone":
        path.unlink()
    assert problems(registry) == f"{name} is {'missing' if harm == 'gone' else 'damaged'}"
    with pytest.raises(RegistryError, match=r"cannot be read|is not as written"):
        USES[name](registry)
