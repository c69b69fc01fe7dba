from __future__ import annotations

import asyncio
import io
import resource
import tarfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.pathways.examples import GPML_2013, gpml
from tests.pathways.test_datanodes import HEADER, ROW
from tests.test_markup import LAUGHS
from trialyst.errors import InvalidInput
from trialyst.pathways import (
    LoadProgress,
    LoadReport,
    PathwayId,
    PathwayQuery,
    PathwaysMissing,
    PathwayStoreDamaged,
    load_pathways,
    open_pathways,
    pathways_status,
)
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.errors import PathwaysNotWritten
from trialyst.pathways.loading import store_path

ACE2 = gpml(1, "One", genes=[("ace-2", "59272")])
NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A download of two pathways, one with its list of nodes."""
    folder = tmp_path / "download"
    (folder / "WP1").mkdir(parents=True)
    (folder / "WP1" / "WP1.gpml").write_bytes(ACE2)
    (folder / "WP1" / "WP1-datanodes.tsv").write_text(f"{HEADER}\n{ROW}\n")
    (folder / "WP9001.gpml").write_text(GPML_2013)
    (folder / "README.md").write_text("not a pathway")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def held(home: Path) -> list[int]:
    catalog = Catalog.open(store_path(home))
    try:
        return catalog.numbers()
    finally:
        catalog.close()


def test_a_directory_is_loaded_and_reported(folder: Path, home: Path) -> None:
    report = load_pathways(folder, home, now=NOW)
    assert (report.pathways, report.organisms) == (2, {"Homo sapiens": 2})
    assert (report.without_datanodes, report.without_interactions) == (1, 0)
    assert report.skipped == ()
    status = pathways_status(home)
    assert (status.pathways, status.loaded_at) == (2, "2026-03-04T05:06:07")
    assert status.data_timestamp == "2026-01-02T00:00:00"


def test_the_list_of_nodes_makes_a_gene_findable_by_any_id(folder: Path, home: Path) -> None:
    load_pathways(folder, home)

    async def ask() -> list[int | None]:
        source = open_pathways(home)
        try:
            genes = ("59272", "ENSG00000130234", "ace-2")
            return [(await source.search_gene(gene)).total for gene in genes]
        finally:
            await source.aclose()

    assert asyncio.run(ask()) == [1, 1, 1]


def test_archives_give_what_the_directory_gives(folder: Path, home: Path, tmp_path: Path) -> None:
    zipped, tarred = tmp_path / "all.zip", tmp_path / "all.tar.xz"
    with zipfile.ZipFile(zipped, "w") as archive, tarfile.open(tarred, "w:xz") as tape:
        for file in folder.rglob("*"):
            archive.write(file, file.relative_to(folder))
            if file.is_file():
                tape.add(file, str(file.relative_to(folder)))
    for path in (folder, zipped, tarred):
        assert load_pathways(path, home).pathways == 2
        assert held(home) == [1, 9001]


def test_archives_in_a_directory_are_opened(home: Path, tmp_path: Path) -> None:
    for number, name in ((2, "Two"), (3, "Three")):
        with zipfile.ZipFile(tmp_path / f"part{number}.zip", "w") as archive:
            archive.writestr(f"Hs_{name}_WP{number}_1.gpml", gpml(number, name))
    assert load_pathways(tmp_path, home).pathways == 2


def test_progress_is_told(folder: Path, home: Path) -> None:
    told: list[LoadProgress] = []
    load_pathways(folder, home, progress=told.append)
    assert told[-1] == LoadProgress("indexing", 2, 2)
    assert [each.done for each in told if each.step == "reading"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("WP7.gpml", b"", "empty"),
        ("WP7.gpml", GPML_2013.encode()[:700], "not whole XML"),
        ("WP7.gpml", LAUGHS, "entities"),
        ("WP7.gpml", GPML_2013.encode(), "its name says WP7"),
        ("nameless.gpml", b"<a/>", "no GPML"),
        ("WP7-datanodes.tsv", f"{HEADER}\n{ROW}\n".encode(), "no GPML or info file"),
        ("nodes-datanodes.tsv", b"", "no pathway id"),
        ("WP7-info.json", b"{", "no summary"),
    ],
)
def test_a_bad_file_is_skipped_with_its_reason_and_the_rest_is_loaded(
    folder: Path, home: Path, name: str, data: bytes, reason: str
) -> None:
    (folder / name).write_bytes(data)
    report = load_pathways(folder, home)
    assert report.pathways == 2
    assert [(each.name, reason in each.reason) for each in report.skipped] == [(name, True)]


def test_a_bad_file_costs_nothing_of_what_was_loaded_before(folder: Path, home: Path) -> None:
    load_pathways(folder, home)
    (folder / "WP9001.gpml").write_bytes(GPML_2013.encode()[:700])
    report = load_pathways(folder, home)
    assert (report.pathways, report.kept, len(report.skipped)) == (2, 1, 1)
    assert held(home) == [1, 9001]


def test_a_damaged_drawing_leaves_what_the_other_files_say(folder: Path, home: Path) -> None:
    (folder / "WP1" / "WP1.gpml").write_bytes(b"<Pathway")
    (folder / "WP1" / "WP1-info.json").write_text(
        '{"wpid": "WP1", "title": "One", "organisms": ["Homo sapiens"], "last-edited": "2026-02"}'
    )
    report = load_pathways(folder, home)
    assert (report.pathways, report.without_interactions) == (2, 1)
    catalog = Catalog.open(store_path(home))
    pathway = catalog.get(PathwayId(1))
    assert not pathway.interactions_known
    assert [node.label for node in pathway.nodes] == ["ACE2"]
    catalog.close()


@pytest.mark.parametrize("data", [b"", b"not an archive", b"PK\x03\x04 broken"])
def test_a_load_that_finds_nothing_changes_nothing(
    folder: Path, home: Path, tmp_path: Path, data: bytes
) -> None:
    load_pathways(folder, home)
    before = store_path(home).read_bytes()
    bad = tmp_path / "bad.zip"
    bad.write_bytes(data)
    with pytest.raises(InvalidInput) as told:
        load_pathways(bad, home)
    assert "bad.zip" in told.value.message
    assert store_path(home).read_bytes() == before
    assert sorted(path.name for path in store_path(home).parent.iterdir()) == ["pathways.sqlite"]


def test_an_archive_that_ends_early_changes_nothing(
    folder: Path, home: Path, tmp_path: Path
) -> None:
    load_pathways(folder, home)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tape:
        for number in range(20, 60):
            data = gpml(number, f"Number {number}")
            member = tarfile.TarInfo(f"WP{number}.gpml")
            member.size = len(data)
            tape.addfile(member, io.BytesIO(data))
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(packed.getvalue()[:-200])
    with pytest.raises(InvalidInput, match="not a whole"):
        load_pathways(cut, home)
    assert held(home) == [1, 9001]


def test_a_missing_path_and_an_empty_directory_are_told(home: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file or directory"):
        load_pathways(tmp_path / "nowhere", home)
    with pytest.raises(InvalidInput, match="No pathway was found"):
        load_pathways(tmp_path, home)


def test_a_load_replaces_or_keeps_the_rest(folder: Path, home: Path, tmp_path: Path) -> None:
    load_pathways(folder, home)
    one = tmp_path / "WP2.gpml"
    one.write_bytes(gpml(2, "Two"))
    assert load_pathways(one, home, keep=True).kept == 2
    assert held(home) == [1, 2, 9001]
    assert load_pathways(one, home).kept == 0
    assert held(home) == [2]


def test_of_two_files_of_one_pathway_the_newer_counts(home: Path, tmp_path: Path) -> None:
    (tmp_path / "a_WP3.gpml").write_bytes(gpml(3, "New", modified="20260505000000"))
    (tmp_path / "b_WP3.gpml").write_bytes(gpml(3, "Old", modified="20250505000000"))
    report = load_pathways(tmp_path, home)
    assert [each.name for each in report.skipped] == ["b_WP3.gpml"]
    catalog = Catalog.open(store_path(home))
    assert catalog.get(PathwayId(3)).name == "New"
    catalog.close()


def test_a_reader_keeps_the_store_it_opened(folder: Path, home: Path, tmp_path: Path) -> None:
    load_pathways(folder, home)
    catalog = Catalog.open(store_path(home))
    one = tmp_path / "WP2.gpml"
    one.write_bytes(gpml(2, "Two"))
    load_pathways(one, home)
    assert catalog.search(PathwayQuery("invented")).total == 1
    catalog.close()


def test_without_a_load_the_hint_names_the_command(home: Path) -> None:
    with pytest.raises(PathwaysMissing) as told:
        open_pathways(home)
    assert "trialyst pathways load" in str(told.value.hint)
    assert told.value.code == "ENTITY_NOT_FOUND"


def test_a_store_that_is_none_is_told(folder: Path, home: Path) -> None:
    store_path(home).parent.mkdir(parents=True)
    store_path(home).write_bytes(b"something else entirely, and long enough to be looked at" * 30)
    with pytest.raises(PathwayStoreDamaged):
        open_pathways(home)
    with pytest.raises(PathwayStoreDamaged, match="nothing of it can be kept"):
        load_pathways(folder, home, keep=True)
    assert load_pathways(folder, home).pathways == 2


def test_what_a_killed_load_left_is_removed_by_the_next(folder: Path, tmp_path: Path) -> None:
    load_pathways(folder, tmp_path)
    left = store_path(tmp_path).with_name("pathways.sqlite.21190.new")
    left.write_bytes(b"half")
    load_pathways(folder, tmp_path)
    assert list(store_path(tmp_path).parent.iterdir()) == [store_path(tmp_path)]


def test_a_load_leaves_the_file_of_another_that_is_under_way(folder: Path, tmp_path: Path) -> None:
    reports: list[LoadReport] = []

    def load_another(progress: LoadProgress) -> None:
        if progress.step == "indexing" and not reports:
            reports.append(load_pathways(folder, tmp_path))

    reports.append(load_pathways(folder, tmp_path, progress=load_another))
    assert [report.pathways for report in reports] == [2, 2]
    assert list(store_path(tmp_path).parent.iterdir()) == [store_path(tmp_path)]


def test_a_full_disk_is_told_and_loses_nothing(folder: Path, tmp_path: Path) -> None:
    load_pathways(folder, tmp_path)
    before = store_path(tmp_path).read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))
    try:
        with pytest.raises(PathwaysNotWritten, match="cannot be written") as told:
            load_pathways(folder, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "unchanged" in told.value.hint
    assert store_path(tmp_path).read_bytes() == before
    assert list(store_path(tmp_path).parent.iterdir()) == [store_path(tmp_path)]
