"""Run a job in a process of its own, kill it at some moment, and look at what is left."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.jobs import Job

__all__ = ["Killing"]

# Children of a process that has opened nothing: each starts in no time and shares nothing.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.faults.jobs"])
LATER = 1.1
"""A kill comes at latest a little after the job would have ended."""


@dataclass
class Killing:
    """Kills of one job, each on a fresh copy of the place that it changes."""

    job: Job
    folder: Path
    killed: int = 0
    """How many were killed before they ended."""
    undone: int = 0
    """How many of these left the state from before."""

    def __post_init__(self) -> None:
        self.first = self.folder / "before"
        self.job.prepare(self.first)
        whole = self._copy("whole")
        self._start(whole).join()  # The forks' parent has to import everything once.
        shutil.rmtree(whole)
        whole, started = self._copy("whole"), time.monotonic()
        child = self._start(whole)
        child.join()
        self.seconds = time.monotonic() - started
        assert child.exitcode == 0
        self.before = None if self.job.keeps_its_parts else self.job.state(self.first)
        self.after = self.job.state(whole)

    def kill_once(self, rng: random.Random) -> None:
        """Kill the job at some moment; what is left must be whole, and the next run end as ever."""
        place = self._copy("place")
        child = self._start(place)
        child.join(rng.uniform(0, self.seconds * LATER))
        if child.pid is not None and child.exitcode is None:
            os.kill(child.pid, signal.SIGKILL)
            child.join()
            self.killed += 1
        if not self.job.keeps_its_parts:
            left = self.job.state(place)
            assert left in (self.before, self.after), "neither the state before nor the one after"
            self.undone += left == self.before
        if self.job.keeps_its_parts or left == self.before:
            self.job.run(place)
        assert self.job.state(place) == self.after, "the next run ends otherwise"
        shutil.rmtree(place)

    def _copy(self, name: str) -> Path:
        place = self.folder / name
        if self.first.exists():
            shutil.copytree(self.first, place)
        return place

    def _start(self, place: Path) -> Any:
        child = _FORKS.Process(target=self.job.run, args=(place,))
        child.start()
        return child
