"""`match-cohort`: every patient of a file matched, and what the cohort as a whole comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst import __version__
from trialyst.eligibility.version import reading_version
from trialyst.scale.columns import need_parquet
from trialyst.scale.job import CANDIDATES_FILE, PATIENTS_FILE, JobDirectory, write_whole
from trialyst.scale.patients import Part, digest_files, iter_parts, open_patients
from trialyst.scale.summary import summarize
from trialyst.scale.summary_page import render_summary

if TYPE_CHECKING:
    from trialyst.scale.engine import Engine
    from trialyst.scale.matcher import CohortOptions

__all__ = ["PAGE_FILE", "Progress", "run_cohort"]

PAGE_FILE = "summary.html"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    done: int
    """Patients matched, bad rows among them."""
    total: int | None
    step: str = "matching"


def run_cohort(
    patients: Path,
    out: Path,
    engine: Engine,
    *,
    options: CohortOptions,
    registry: dict[str, Any],
    progress: Callable[[Progress], None] | None = None,
) -> dict[str, Any]:
    """Match every patient and give the summary, which is written to the directory too.

    A job that was stopped goes on; one that is whole is only told again.

    Args:
        registry: what tells the registry apart from others: its generation and size.

    Raises:
        InvalidInput: the patients cannot be read, or the directory holds something else.
    """
    need_parquet()
    source = open_patients(patients)
    config = {
        "version": __version__,
        "rules": reading_version(),
        "kind": source.kind,
        "patients": digest_files(source.files),
        "registry": registry,
        "options": asdict(options),
    }
    job = JobDirectory(out, config)
    try:
        if not job.is_whole:
            told = progress or (lambda progress: None)
            _run(job, engine, lambda: iter_parts(source, size=options.part), told)
        return job.summary()
    finally:
        job.close()


def _run(
    job: JobDirectory,
    engine: Engine,
    parts: Callable[[], Iterator[Part]],
    progress: Callable[[Progress], None],
) -> None:
    sizes = [len(part.rows) for part in parts()]
    total, done = sum(sizes), 0

    def left() -> Iterator[Part]:
        nonlocal done
        for part in parts():
            if job.has(part.number):
                done += len(part.rows)
            else:
                yield part

    progress(Progress(0, total))
    for matched in engine.run(left()):
        job.keep(matched)
        done += matched.matched + matched.bad
        progress(Progress(done, total))
    for name in (CANDIDATES_FILE, PATIENTS_FILE):
        job.join(name, len(sizes))
    summary = summarize(job.iter_rows(PATIENTS_FILE), job.iter_rows(CANDIDATES_FILE))
    write_whole(job.path / PAGE_FILE, render_summary(summary).encode())
    job.finish(summary)
