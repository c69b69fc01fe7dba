"""Annotating on several cores gives what one gives, whatever becomes of the helping processes."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from tests.registry.invented import many
from tests.shipped import shipped_vocabulary
from trialyst.registry import build_from_studies
from trialyst.registry import generation as layout
from trialyst.registry.annotating import annotate_batches, open_helpers
from trialyst.registry.annotations import LearnOnly, is_annotated
from trialyst.registry.records import RecordReader
from trialyst.registry.trial_reader import open_annotator


def test_a_helping_process_annotates_as_this_one_does(tmp_path: Path) -> None:
    vocabulary = shipped_vocabulary()
    build_from_studies(many(4), tmp_path, vocabulary=vocabulary)
    generation = layout.current_generation(tmp_path)
    with contextlib.closing(RecordReader(generation / layout.RECORDS)) as records:
        due = records.numbers()
        annotate = open_annotator(vocabulary).annotate
        here = dict(row for rows in annotate_batches(records, due, annotate) for row in rows)
    # Parts are made of batches of hundreds, so the list is repeated to have two of them.
    with open_helpers(generation, vocabulary, due * 200, processes=2) as helpers:
        assert set(helpers.numbers) <= set(due)
        (part,) = helpers.finished()
        with contextlib.closing(sqlite3.connect(part)) as kept:
            assert dict(kept.execute("SELECT nct, blob FROM trials")) == here
    assert not part.exists()


def test_a_registry_may_be_annotated_later(tmp_path: Path) -> None:
    build_from_studies(many(1), tmp_path, vocabulary=LearnOnly(shipped_vocabulary()))
    generation = layout.current_generation(tmp_path)
    assert (generation / layout.LEARNED).exists()
    assert not is_annotated(generation)
