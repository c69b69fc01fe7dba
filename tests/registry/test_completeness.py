"""Whether a registry is all of ClinicalTrials.gov, or a part that proves no absence."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.registry.invented import study
from trialyst.ctgov.source import ABSENCE, Provenance
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.registry.subset import WHOLE_RECORDS, Subset, SyncState, is_whole, save_state

GENERATION = "generation-abc"


def synced(directory: Path, *, subset: Subset | None = None, edited: bool = False) -> None:
    save_state(
        directory,
        SyncState(
            url="https://registry.test",
            subset=subset or Subset(),
            data_timestamp="2026-01-01T00:00:00",
            synced_at="2026-01-01T00:00:00",
            generation=GENERATION,
            edited=edited,
        ),
    )


def test_what_was_built_from_files_is_a_part_unless_it_has_as_many_records(tmp_path: Path) -> None:
    assert not is_whole(tmp_path, GENERATION, WHOLE_RECORDS - 1)
    assert is_whole(tmp_path, GENERATION, WHOLE_RECORDS)


def test_a_full_sync_is_whole_whatever_its_size(tmp_path: Path) -> None:
    synced(tmp_path)
    assert is_whole(tmp_path, GENERATION, 3)


def test_what_other_commands_changed_since_is_judged_by_its_size(tmp_path: Path) -> None:
    synced(tmp_path)
    assert not is_whole(tmp_path, "generation-def", 3)
    synced(tmp_path, edited=True)
    assert not is_whole(tmp_path, GENERATION, 3)
    assert is_whole(tmp_path, GENERATION, WHOLE_RECORDS)


def test_a_subset_is_a_part_whatever_its_size(tmp_path: Path) -> None:
    synced(tmp_path, subset=Subset(condition="asthma"))
    assert not is_whole(tmp_path, GENERATION, WHOLE_RECORDS)


@pytest.mark.parametrize("synthetic", [True, False])
def test_a_source_says_so(tmp_path: Path, synthetic: bool) -> None:
    build_from_studies([study(90_000_001)], tmp_path, synthetic=synthetic)
    with Registry.open(tmp_path) as registry:
        told = asyncio.run(RegistrySource(registry).provenance())
    assert told.complete is False
    assert told.is_partial is not synthetic
    assert told.absence_notes() == (() if synthetic else (ABSENCE,))


def test_a_whole_source_proves_absence() -> None:
    told = Provenance(source="live", synthetic=False, complete=True)
    assert told.absence_notes() == ()
