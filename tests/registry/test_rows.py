from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.registry.invented import opened
from tests.registry.oracle.corpus import load_sample
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.registry import RegistrySource
from trialyst.registry.generation import RECORDS, current_generation
from trialyst.registry.registry import Registry
from trialyst.registry.rows import ROW_PIECES, choose_columns, pack_row, unpack_row


@pytest.fixture(scope="module")
def studies(data_dir: Path) -> list[dict[str, Any]]:
    return load_sample(data_dir, 200)


@pytest.fixture
def directory(tmp_path: Path, studies: list[dict[str, Any]]) -> Path:
    opened(tmp_path / "registry", *studies).close()
    return tmp_path / "registry"


async def _rows(directory: Path, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    with Registry.open(directory) as registry:
        source = RegistrySource(registry)
        return [row async for row in source.iter_rows(TrialQuery(), names)]


def test_a_row_holds_what_the_record_says(studies: list[dict[str, Any]]) -> None:
    for study in studies:
        packed = pack_row(msgspec.json.encode(study))
        assert packed is not None
        told = tuple(tuple(values_at(study, pieces()[name])) for name in ROW_PIECES)
        assert unpack_row(packed) == told


def test_what_is_no_record_has_no_row() -> None:
    assert pack_row(b"{") is None


def test_columns_come_in_the_order_asked_for() -> None:
    choose = choose_columns(("Phase", "NCTId"))
    assert choose is not None
    row = tuple((name,) for name in ROW_PIECES)
    assert choose(row) == (("Phase",), ("NCTId",))


def test_a_piece_that_no_row_holds_is_read_from_the_record() -> None:
    assert choose_columns(("Phase", "BriefSummary")) is None


def test_a_registry_without_rows_answers_alike(directory: Path) -> None:
    with_rows = asyncio.run(_rows(directory, ROW_PIECES))
    file = current_generation(directory) / RECORDS
    with sqlite3.connect(file) as db:
        db.execute("DROP TABLE rows")
    assert asyncio.run(_rows(directory, ROW_PIECES)) == with_rows


def test_a_registry_with_some_rows_answers_alike(directory: Path) -> None:
    with_rows = asyncio.run(_rows(directory, ROW_PIECES))
    file = current_generation(directory) / RECORDS
    with sqlite3.connect(file) as db:
        db.execute("DELETE FROM rows WHERE nct % 2")
    assert asyncio.run(_rows(directory, ROW_PIECES)) == with_rows
