"""The shipped file: size, unpacking, recovery."""

from __future__ import annotations

import lzma
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from trialyst.vocabulary import Kind, Vocabulary, open_vocabulary
from trialyst.vocabulary.asset import ASSET, lay_out, open_asset
from trialyst.vocabulary.table import Place, table_bytes

if TYPE_CHECKING:
    from pathlib import Path

LINES = [
    "MESH:D1|MESH:C9\tc\tmesh\tC01.1\t\tAsthma|+Non-allergic wheeze",
    "HGNC:2\tg\thgnc\t\t\tCAT|=KAT",
]


@pytest.fixture
def small_asset(tmp_path: Path) -> Path:
    path = tmp_path / "small.xz"
    path.write_bytes(lzma.compress(lay_out(LINES)))
    return path


def unpacked(home: Path) -> Path:
    (path,) = home.glob("vocabulary/*/names.table")
    return path


def resolved_id(home: Path, asset: Path) -> str | None:
    concept = open_vocabulary(home, asset=asset).resolve("asthma").concept
    return concept.id if concept else None


def test_the_asset_is_under_8_megabytes() -> None:
    assert ASSET.stat().st_size < 8_000_000


@pytest.mark.parametrize("name", ["vitaxin", "aerovant"])
def test_what_only_a_share_alike_source_names_is_not_shipped(
    vocabulary: Vocabulary, name: str
) -> None:
    assert not vocabulary.resolve(name, kinds=(Kind.DRUG,))


@pytest.mark.slow
def test_the_shipped_keys_are_folded_as_texts_are_today(tmp_path: Path) -> None:
    """Fails when the folding has changed: run tools/build_vocabulary.py again."""
    table = open_asset(tmp_path)
    shipped = lzma.decompress(ASSET.read_bytes())
    assert lay_out([table.line(number) for number in range(table.lines)]) == shipped


def test_a_second_opening_does_not_unpack_again(tmp_path: Path, small_asset: Path) -> None:
    open_asset(tmp_path, asset=small_asset)
    before = unpacked(tmp_path).stat().st_mtime_ns
    open_asset(tmp_path, asset=small_asset)
    assert unpacked(tmp_path).stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", [b"", b"TRIALYS1", b"x" * 5000])
def test_a_damaged_unpacked_file_is_unpacked_again(
    tmp_path: Path, small_asset: Path, damage: bytes
) -> None:
    open_asset(tmp_path, asset=small_asset)
    unpacked(tmp_path).write_bytes(damage)
    assert resolved_id(tmp_path, small_asset) == "MESH:D1"


def test_keys_folded_otherwise_are_made_anew(tmp_path: Path) -> None:
    stale = table_bytes(LINES, [("ASTHMA", Place(0, 0)), ("CAT", Place(1, 0))])
    asset = tmp_path / "stale.xz"
    asset.write_bytes(lzma.compress(stale))
    assert resolved_id(tmp_path, asset) == "MESH:D1"


@pytest.mark.slow
def test_processes_may_unpack_at_the_same_time(tmp_path: Path, small_asset: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(resolved_id, [tmp_path] * 8, [small_asset] * 8))
    assert found == ["MESH:D1"] * 8
    assert [path.name for path in unpacked(tmp_path).parent.iterdir()] == ["names.table"]


def test_every_id_of_a_merged_concept_leads_to_it(tmp_path: Path, small_asset: Path) -> None:
    vocabulary = open_vocabulary(tmp_path, asset=small_asset)
    concept = vocabulary.get("MESH:C9")
    assert concept is not None
    assert concept.id == "MESH:D1"
