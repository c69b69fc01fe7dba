"""Patients of a cohort matched one after the other, with what they share kept between them."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.errors import TrialystError
from trialyst.scale.columns import encode_table
from trialyst.scale.patients import PART, BadRow, Part, PatientText
from trialyst.scale.rows import (
    CANDIDATES,
    PATIENTS,
    QUOTES,
    to_bad_row,
    to_candidate_rows,
    to_patient_row,
)

if TYPE_CHECKING:
    from trialyst.matching.facade import Matching
    from trialyst.matching.report import MatchReport

__all__ = ["CohortOptions", "MatchedPart", "Matcher", "Workplace", "open_matching"]


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a process finds what it needs: the same on every machine that takes part."""

    home: Path
    registry: Path
    name: str = "local"


@dataclass(frozen=True, slots=True)
class CohortOptions:
    """What is asked of every patient, as `match` takes it, and what of the answer is kept."""

    status: tuple[str, ...] | None = None
    study_type: tuple[str, ...] | None = None
    candidates: int | None = None
    top: int | None = None
    """Trials kept of each patient; all that were judged if None."""
    keep_quotes: bool = False
    part: int = PART
    """Patients matched and written together."""


class MatchedPart(NamedTuple):
    """A part as files: tables of candidates and of patients."""

    number: int
    candidates: bytes
    patients: bytes
    matched: int
    bad: int


class Matcher:
    """Matches patients on one registry, as `match` would each of them."""

    def __init__(self, place: Workplace, options: CohortOptions) -> None:
        self._options = options
        self._matching = open_matching(place)

    def match_part(self, part: Part) -> MatchedPart:
        """Match some patients; what cannot be read is a row with its reason."""
        candidates: list[dict[str, Any]] = []
        patients: list[dict[str, Any]] = []
        bad = 0
        for row in part.rows:
            if isinstance(row, BadRow):
                patients.append(to_bad_row(row, row.message))
                bad += 1
                continue
            try:
                report = self.match(row)
            except TrialystError as problem:
                patients.append(to_bad_row(row, problem.message))
                bad += 1
                continue
            kept = self._options
            candidates += to_candidate_rows(row.id, report, top=kept.top, quotes=kept.keep_quotes)
            patients.append(to_patient_row(row, report))
        columns = {**CANDIDATES, **(QUOTES if self._options.keep_quotes else {})}
        return MatchedPart(
            part.number,
            encode_table(candidates, columns),
            encode_table(patients, PATIENTS),
            len(part.rows) - bad,
            bad,
        )

    def match(self, patient: PatientText) -> MatchReport:
        """Match one patient."""
        asked = self._options
        found: list[MatchReport] = []

        async def match() -> None:
            found.append(
                await self._matching.match(
                    patient.text,
                    status=asked.status,
                    study_type=asked.study_type,
                    candidates=asked.candidates,
                )
            )

        # Nothing is returned: `asyncio.run` writes out what is, in a message nobody reads.
        with _few_collections():
            asyncio.run(match())
        return found[0]


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let the collector look only at what is made here: what is remembered is no garbage."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


_OBJECTS = 200_000
"""Objects made between two looks for garbage: those of a few patients."""


def open_matching(place: Workplace) -> Matching:
    """Open the matching of many patients on a registry."""
    from trialyst.matching.facade import Matching
    from trialyst.registry.registry import Registry
    from trialyst.registry.source import RegistrySource
    from trialyst.scale.remembering import RememberingSource
    from trialyst.vocabulary import open_vocabulary

    vocabulary = open_vocabulary(place.home)
    registry = Registry.open(place.registry, vocabulary=vocabulary)
    source = RememberingSource(RegistrySource(registry, name=place.name), vocabulary)
    return Matching(source, vocabulary=lambda: vocabulary)
