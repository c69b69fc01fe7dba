"""Measure the landscape of a condition with 20,000 trials: `python benchmarks/landscape.py`.

The registry holds records made from real ones (`records.py`), each with a phase and, added to its
conditions, sarcoidosis. Every call is timed in a process of its own, names not yet read, and again
warm; the processor's time leaves out what other work on the machine adds. Nothing of what it makes
belongs in the repository.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["main"]

TARGET_SECONDS = 0.5
CONDITION = "Sarcoidosis"
TRIALS = 20_000
CALLS = 10


def main() -> None:
    """Print the times; the exit code is 1 when the target is missed."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS, help=f"of the condition ({TRIALS})")
    parser.add_argument("--others", type=int, default=TRIALS, help=f"besides them ({TRIALS})")
    parser.add_argument("--work", type=Path, default=None, help="where the registry is kept")
    parser.add_argument("--json", type=Path, help="write the times to this file too")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    work = given.work or Path(tempfile.gettempdir()) / "trialyst-landscape"
    if given.one:
        print(json.dumps(asyncio.run(_measure(work))))
        return
    _build(work, given.trials, given.others)
    runs = [_in_a_process(work) for _ in range(5)]
    first = [run["seconds"][0] for run in runs]
    warm = [seconds for run in runs for seconds in run["seconds"][1:]]
    figures = {
        "trials": runs[0]["trials"],
        "competitors": runs[0]["competitors"],
        "first_call_seconds": statistics.median(first),
        "warm_seconds": statistics.median(warm),
        "warm_worst_seconds": max(warm),
        "first_call_cpu": statistics.median(run["cpu"][0] for run in runs),
        "warm_cpu": statistics.median(spent for run in runs for spent in run["cpu"][1:]),
    }
    for name, value in figures.items():
        print(f"{name:24}{value:>12,.3f}" if isinstance(value, float) else f"{name:24}{value:>12,}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")
    slowest = max(figures["first_call_seconds"], figures["warm_seconds"])
    print(f"\nslowest median {slowest:.3f} s, target {TARGET_SECONDS:g} s")
    sys.exit(slowest > TARGET_SECONDS)


def _build(work: Path, trials: int, others: int) -> None:
    from trialyst.registry.builder import build_from_studies
    from trialyst.vocabulary import open_vocabulary

    note = work / f"made-{trials}-{others}"
    if note.exists():
        return
    work.mkdir(parents=True, exist_ok=True)
    vocabulary = open_vocabulary(work)
    build_from_studies(_records(trials, others), work / "registry", vocabulary=vocabulary)
    note.touch()


def _records(trials: int, others: int) -> Iterator[dict[str, Any]]:
    from benchmarks.records import default_data, iter_records
    from benchmarks.shapes import load_pool

    pool = load_pool(default_data(), 0)
    named = plain = 0
    for line in iter_records(pool, first=0, count=20 * (trials + others), seed=1):
        study = json.loads(line)
        protocol = study["protocolSection"]
        phases = protocol.get("designModule", {}).get("phases", ["NA"])
        if named < trials and phases != ["NA"]:
            named += 1
            conditions = protocol.setdefault("conditionsModule", {}).setdefault("conditions", [])
            conditions.append(CONDITION)
        elif plain < others:
            plain += 1
        else:
            if named == trials:
                return
            continue
        yield study


def _in_a_process(work: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", "--work", str(work)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


async def _measure(work: Path) -> dict[str, Any]:
    from trialyst.registry import Registry, RegistrySource
    from trialyst.repurposing import RepurposingClient
    from trialyst.vocabulary import open_vocabulary

    with Registry.open(work / "registry", vocabulary=open_vocabulary(work)) as registry:
        source = RegistrySource(registry)
        assert source.names is not None
        client = RepurposingClient(source, vocabulary=source.names)
        # The modules are loaded by another question first: a program starts once.
        await client.get_landscape("no such condition")
        seconds, cpu = [], []
        for _ in range(CALLS):
            began, used = time.perf_counter(), time.process_time()
            found = await client.get_landscape(CONDITION)
            seconds.append(time.perf_counter() - began)
            cpu.append(time.process_time() - used)
    return {
        "seconds": seconds,
        "cpu": cpu,
        "trials": found.total_trial_count,
        "competitors": found.competitor_count,
    }


if __name__ == "__main__":
    main()
