"""Kill jobs at random moments: `python -m tests.faults --kills 100 [JOB ...]`."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.faults.jobs import open_jobs
from tests.faults.killing import Killing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*")
    parser.add_argument("--kills", type=int, default=100, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder, open_jobs(Path(folder)) as jobs:
        chosen = asked.jobs or list(jobs)
        for name in chosen:
            killing = Killing(jobs[name], Path(folder) / name)
            for _ in range(-(-asked.kills // len(chosen))):
                killing.kill_once(rng)
            told = f"{killing.killed} killed within {killing.seconds:.2f} s"
            sys.stdout.write(f"{name}: {told}, {killing.undone} as before, all whole\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
