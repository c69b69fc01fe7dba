"""A few kills at random moments; `python -m tests.faults --kills 100` makes many."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.jobs import open_jobs
from tests.faults.killing import Killing

KILLS = 2


@pytest.mark.slow
def test_whatever_is_killed_leaves_all_whole_and_the_next_run_repairs(tmp_path: Path) -> None:
    rng = random.Random(7)
    with open_jobs(tmp_path) as jobs:
        for name in ("build", "add", "remove", "sync"):
            killing = Killing(jobs[name], tmp_path / name)
            for _ in range(KILLS):
                killing.kill_once(rng)
