"""The index of conditions is brought up to date with what changed, as if it were made anew."""

from __future__ import annotations

import contextlib
import sqlite3
from array import array
from pathlib import Path
from typing import Any

from tests.registry.invented import FIRST, study
from trialyst.ids import NctId
from trialyst.registry import add_studies, build_from_studies, remove_records
from trialyst.registry import generation as layout
from trialyst.vocabulary import Vocabulary

NAMES = ("asthma", "melanoma", "type 2 diabetes", "breast cancer", "migraine")


def about(number: int, *names: str) -> dict[str, Any]:
    return study(number, updated="2025-01-01", conditions={"conditions": list(names)})


def terms(directory: Path) -> dict[str, tuple[list[int], list[int]]]:
    path = layout.current_generation(directory) / layout.ANNOTATIONS
    with contextlib.closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT id, concepts, focus FROM terms").fetchall()
    return {key: (list(array("i", one)), list(array("i", other))) for key, one, other in rows}


def test_a_change_gives_the_index_of_a_build(tmp_path: Path, vocabulary: Vocabulary) -> None:
    studies = {FIRST + n: about(FIRST + n, NAMES[n % 4]) for n in range(12)}
    changed = tmp_path / "changed"
    build_from_studies(studies.values(), changed, vocabulary=vocabulary)
    assert len(terms(changed)) >= 4
    newer = {
        FIRST: about(FIRST, "migraine"),
        FIRST + 1: about(FIRST + 1, "melanoma", "asthma"),
        FIRST + 50: about(FIRST + 50, "breast cancer"),
    }
    add_studies(newer.values(), changed, vocabulary=vocabulary)
    gone = [number for number in studies if (number - FIRST) % 4 == 2]
    remove_records(map(NctId, gone), changed)
    built = tmp_path / "built"
    kept = {n: each for n, each in {**studies, **newer}.items() if n not in gone}
    build_from_studies(kept.values(), built, vocabulary=vocabulary)
    assert terms(changed) == terms(built)
    assert any(FIRST in numbers for numbers, _ in terms(changed).values())
