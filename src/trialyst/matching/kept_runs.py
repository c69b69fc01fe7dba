"""What matches left of patients on this machine: the run directories, listed and removed.

Touches directories that a match named, and nothing else beside them; a run that is under way is
left alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trialyst.locks import try_lock
from trialyst.matching.runs import NOTE

__all__ = ["KeptRun", "list_kept_runs", "remove_kept_run"]

_RUN = re.compile(r"match-[0-9A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run directory of a match."""

    run_id: str
    path: Path
    written: datetime
    """When anything in it was last written."""
    size: int
    """Bytes of its files."""
    has_note: bool
    """Whether it holds the whole note, not only the sentences that verdicts cite."""


def list_kept_runs(runs: Path) -> list[KeptRun]:
    """Give the runs kept in a directory, the oldest first; none where there is no directory."""
    if not runs.is_dir():
        return []
    found = [
        _describe(path)
        for path in runs.iterdir()
        if _RUN.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
    ]
    return sorted(found, key=lambda run: (run.written, run.run_id))


def remove_kept_run(run: KeptRun) -> bool:
    """Remove a run with all it holds; False where it is under way.

    Raises:
        OSError: it cannot be removed, or not all of it.
    """
    descriptor = os.open(run.path, os.O_RDONLY)
    try:
        # Where the file system has no locks, nobody can say whether the run is under way.
        with contextlib.suppress(OSError):
            if not try_lock(descriptor):
                return False
        shutil.rmtree(run.path)
    finally:
        os.close(descriptor)
    return True


def _describe(path: Path) -> KeptRun:
    stats = [path.lstat(), *(file.lstat() for file in path.iterdir())]
    return KeptRun(
        run_id=path.name,
        path=path,
        written=datetime.fromtimestamp(max(each.st_mtime for each in stats), UTC),
        size=sum(each.st_size for each in stats[1:]),
        has_note=(path / NOTE).exists(),
    )
