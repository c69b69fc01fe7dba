from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.registry.invented import opened, sign
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.folding import native
from trialyst.registry import RegistrySource
from trialyst.registry.generation import RECORDS, current_generation
from trialyst.registry.inputs import RawRecord
from trialyst.registry.prepare import Prepared, Preparer
from trialyst.registry.registry import Registry
from trialyst.registry.rows import COUNTED, ROW_PIECES, row_reader, unpack_row

ODD: list[dict[str, Any]] = [
    {
        "protocolSection": {
            "identificationModule": {"nctId": "NCT00000001"},
            "statusModule": {"whyStopped": 'said "null"', "overallStatus": ""},
            "conditionsModule": {"conditions": ["", None, "Asthma", 'a ""quoted"" one']},
            "designModule": {"phases": None, "enrollmentInfo": {"count": 7}},
            "armsInterventionsModule": {
                "interventions": [{"name": "A"}, {"type": "DRUG"}, {"type": None, "name": ""}]
            },
        }
    },
    {
        "protocolSection": {
            "identificationModule": {"nctId": "NCT00000002"},
            "armsInterventionsModule": {"interventions": {"name": "alone", "type": "DRUG"}},
            "statusModule": {"startDateStruct": {"date": "2020-01", "type": 5}},
        }
    },
]


@pytest.fixture(scope="module")
def studies(real_studies_of_every_kind: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return real_studies_of_every_kind[::10]


@pytest.fixture
def directory(tmp_path: Path, studies: list[dict[str, Any]]) -> Path:
    opened(tmp_path / "registry", *studies).close()
    return tmp_path / "registry"


async def _rows(directory: Path, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    with Registry.open(directory) as registry:
        source = RegistrySource(registry)
        return [row async for row in source.iter_rows(TrialQuery(), names)]


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False])
def test_a_row_holds_what_the_record_says(studies: list[dict[str, Any]], *, compiled: bool) -> None:
    if compiled and native is None:
        pytest.skip("installed without the compiled module")
    prepare = Preparer(compiled=compiled)
    raw = [RawRecord(msgspec.json.encode(study), "a test") for study in [*studies, *ODD]]
    for study, item in zip([*studies, *ODD], prepare(raw).items, strict=True):
        assert isinstance(item, Prepared)
        told = tuple(tuple(values_at(study, pieces()[name])) for name in ROW_PIECES)
        assert unpack_row(item.row)[: len(ROW_PIECES)] == told


def test_columns_come_in_the_order_asked_for() -> None:
    read = row_reader(("Phase", "NCTId"))
    assert read is not None
    packed = msgspec.json.encode([(name,) for name in (*ROW_PIECES, *COUNTED)])
    assert read(packed) == (("Phase",), ("NCTId",))


def test_a_piece_that_no_row_holds_is_read_from_the_record() -> None:
    assert row_reader(("Phase", "BriefSummary")) is None


def test_a_registry_without_rows_answers_alike(directory: Path) -> None:
    with_rows = asyncio.run(_rows(directory, ROW_PIECES))
    file = current_generation(directory) / RECORDS
    with sqlite3.connect(file) as db:
        db.execute("DROP TABLE short")
    sign(directory)
    assert asyncio.run(_rows(directory, ROW_PIECES)) == with_rows


def test_a_registry_with_some_rows_answers_alike(directory: Path) -> None:
    with_rows = asyncio.run(_rows(directory, ROW_PIECES))
    file = current_generation(directory) / RECORDS
    with sqlite3.connect(file) as db:
        db.execute("DELETE FROM short WHERE nct % 2")
    sign(directory)
    assert asyncio.run(_rows(directory, ROW_PIECES)) == with_rows


def test_countries_are_counted_alike_without_rows(directory: Path) -> None:
    with Registry.open(directory) as registry:
        with_rows = registry.count_by(TrialQuery(), "LocationCountry")
    with sqlite3.connect(current_generation(directory) / RECORDS) as db:
        db.execute("DROP TABLE short")
    sign(directory)
    with Registry.open(directory) as registry:
        assert registry.count_by(TrialQuery(), "LocationCountry") == with_rows
    assert with_rows["United States"] > 10
