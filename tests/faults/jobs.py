"""Jobs that a kill may end at any time, and what must hold before, after and of the next run.

Each job changes a place on disk from one state to another. Whenever it is killed the place holds
one of the two, whole, and the same job run again ends in the second.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.registry.invented import FIRST, many
from tests.serving import serving
from tests.transport.asking import with_transport
from tests.transport.scripted import ScriptedClock
from trialyst.ids import NctId
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import (
    LiveService,
    Registry,
    add_studies,
    build_from_studies,
    build_registry,
    remove_records,
    sync_registry,
    verify_registry,
)
from trialyst.registry.generation import CURRENT
from trialyst.scale.cohort import run_cohort
from trialyst.scale.engine import LocalEngine
from trialyst.scale.matcher import CohortOptions, Workplace
from trialyst.starter import ensure_starter, sample_patients

__all__ = ["Job", "open_jobs"]

BEFORE, AFTER = "2025-03-01T00:00:00", "2025-04-01T00:00:00"
STUDIES = 150
OPTIONS = CohortOptions(candidates=6, part=1)


@dataclass(frozen=True, slots=True)
class Job:
    """What is done to a place, and how to tell the states of it."""

    prepare: Callable[[Path], object]
    run: Callable[[Path], object]
    state: Callable[[Path], object]
    """All that is held; raises where it is not whole."""
    keeps_its_parts: bool = False
    """Whether a place may hold parts of the result, with which the next run goes on."""


@contextmanager
def open_jobs(folder: Path) -> Iterator[dict[str, Job]]:
    """Give the jobs, with the files and the service that they read."""
    studies = folder / "studies.jsonl"
    studies.write_text("\n".join(map(json.dumps, many(STUDIES))), "utf-8")
    notes = folder / "patients.jsonl"
    patients = [{"id": each.name, "text": each.note} for each in sample_patients()[:3]]
    notes.write_text("\n".join(map(json.dumps, patients)), "utf-8")
    build_from_studies(many(STUDIES), folder / "service", data_timestamp=AFTER)
    home = folder / "home"
    starter = ensure_starter(home)
    with (
        Registry.open(folder / "service") as registry,
        serving(create_app(registry)) as address,
    ):
        cohort = partial(_match, home=home, starter=starter, notes=notes)
        yield {
            "build": Job(_some, partial(_build, studies=studies), held),
            "add": Job(_some, _add, held),
            "remove": Job(_some, _remove, held),
            "sync": Job(_nothing, partial(_sync, url=address + API_PREFIX), held),
            "cohort": Job(_nothing, cohort, _results, keeps_its_parts=True),
        }


def held(registry: Path) -> object:
    """Give the records and the recorded history of a registry that verifies."""
    if not (registry / CURRENT).exists():
        return None
    told = verify_registry(registry)
    assert told.ok, told.problems
    with Registry.open(registry) as opened:
        records = dict(opened.iter_raw())
        assert len(opened) == len(records)
        history = opened.history
        last = history.last
        past = [history.version(number, last - 1) for number in sorted(records)] if last > 1 else []
        return records, opened.data_timestamp, last, past


def _some(registry: Path) -> None:
    build_from_studies(many(40, first=FIRST + 100), registry, data_timestamp=BEFORE)


def _nothing(place: Path) -> None:
    """Leave nothing: a first run makes all."""


def _build(registry: Path, *, studies: Path) -> None:
    build_registry([studies], registry, data_timestamp=AFTER, checkpoint_every=40)


def _add(registry: Path) -> None:
    add_studies(many(60, first=FIRST + 80), registry, data_timestamp=AFTER)


def _remove(registry: Path) -> None:
    remove_records(map(NctId, range(FIRST + 100, FIRST + 110)), registry, data_timestamp=AFTER)


def _sync(registry: Path, *, url: str) -> None:
    with_transport(
        lambda transport: sync_registry(
            registry, LiveService(transport, url), tell=lambda said: None
        ),
        clock=ScriptedClock(),
    )


def _match(out: Path, *, home: Path, starter: Path, notes: Path) -> None:
    os.environ["TRIALYST_HOME"] = str(home)
    engine = LocalEngine(Workplace(home, starter, "starter"), OPTIONS, workers=1)
    told: dict[str, Any] = {"generation": "g", "records": 1}
    run_cohort(notes, out, engine, options=OPTIONS, registry=told)


def _results(out: Path) -> object:
    assert out.is_dir()
    return {each.name: each.read_bytes() for each in sorted(out.iterdir()) if each.is_file()}
