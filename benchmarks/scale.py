"""How building, asking, annotating, changing and comparing grow with the number of records.

`python benchmarks/scale.py --sizes 10000,60000` makes records, builds a registry of each size, asks
it, changes 1,000 records as a sync does and asks what changed. Each step runs in a process of its
own. Printed are processor seconds, which a busy machine does not change much, the largest memory
without mapped files, and the exponent of growth between sizes: 1 is linear, 0 does not grow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.memory import PeakMemory
from benchmarks.records import default_data, default_work, make_records

__all__ = ["STEPS", "main"]

DELTA = 1_000
QUESTIONS = ("breast cancer", "asthma children", "diabetes insulin", "lung cancer immunotherapy")
LARGEST = "cancer"
"""A condition that very many trials have."""

Measured = dict[str, float]


def _vocabulary(work: Path) -> Any:
    from trialyst.vocabulary import open_vocabulary

    return open_vocabulary(work / "home")


def _records(work: Path) -> list[Path]:
    return sorted((work / "records").glob("*.jsonl"))


def build(work: Path) -> Measured:
    """Build with annotations, as `trialyst registry build --no-requirements` does."""
    from trialyst.registry import build_registry

    report = build_registry(_records(work), work / "registry", vocabulary=_vocabulary(work))
    return {"records": report.records}


def ask(work: Path) -> Measured:
    """Search, count and survey."""
    return asyncio.run(_ask(work))


async def _ask(work: Path) -> Measured:
    from trialyst.discovery import Discovery
    from trialyst.registry import Registry, RegistrySource
    from trialyst.repurposing import RepurposingClient

    with Registry.open(work / "registry", vocabulary=_vocabulary(work)) as registry:
        source = RegistrySource(registry)
        discovery = Discovery(source)
        client = RepurposingClient(source, vocabulary=source.names)
        await client.get_landscape("no such condition")
        await discovery.search_trials(query="warm up")
        searches = [await _time(discovery.search_trials(query=q)) for q in QUESTIONS * 3]
        facets = [
            await _time(discovery.count_trials(query=q, by="phase|status|country"))
            for q in QUESTIONS
        ]
        survey = await _time(client.get_landscape(LARGEST))
    return {
        "search_ms": median(searches) * 1e3,
        "facets_ms": median(facets) * 1e3,
        "landscape_s": survey,
    }


async def _time(call: Awaitable[Any]) -> float:
    began = time.process_time()
    await call
    return time.process_time() - began


def delta(work: Path) -> Measured:
    """Add changed records to the registry: what a sync does with what it has fetched."""
    from trialyst.registry import add_records

    changed = work / "delta.jsonl"
    with changed.open("wb") as out:
        out.writelines(_changed(work))
    began = time.process_time()
    report = add_records([changed], work / "registry", vocabulary=_vocabulary(work))
    return {"delta_s": time.process_time() - began, "replaced": report.replaced}


def _changed(work: Path) -> Iterator[bytes]:
    with _records(work)[0].open("rb") as lines:
        for line in islice(lines, DELTA):
            study = json.loads(line)
            status = study["protocolSection"]["statusModule"]
            status["overallStatus"] = "TERMINATED"
            status["whyStopped"] = "Slow accrual"
            status["lastUpdatePostDateStruct"] = {"date": "2026-11-01", "type": "ACTUAL"}
            yield json.dumps(study).encode() + b"\n"


def history(work: Path) -> Measured:
    """Tell what changed, of all trials and of those of a question."""
    return asyncio.run(_history(work))


async def _history(work: Path) -> Measured:
    from trialyst.discovery import Discovery
    from trialyst.registry import Registry, RegistrySource
    from trialyst.registry import generation as layout

    with Registry.open(work / "registry", vocabulary=_vocabulary(work)) as registry:
        discovery = Discovery(RegistrySource(registry))
        whole = await _time(discovery.get_changes())
        asked = await _time(discovery.get_changes(condition=LARGEST))
        size = layout.size_of(work / "registry" / registry.generation / layout.HISTORY)
    return {"changes_s": whole, "changes_asked_s": asked, "history_kb": size / 1e3}


STEPS: dict[str, Callable[[Path], Measured]] = {
    "build": build,
    "ask": ask,
    "delta": delta,
    "history": history,
}
"""What is measured, in order."""


def main() -> None:
    """Measure every size and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,60000")
    parser.add_argument("--work", type=Path, default=default_work())
    parser.add_argument("--json", type=Path, help="write everything to this file too")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        print(json.dumps(STEPS[given.step](given.work)))
        return
    measured = {int(size): _measure(given.work, int(size)) for size in given.sizes.split(",")}
    print("\n".join(_table(measured)))
    if given.json:
        given.json.write_text(json.dumps(measured, indent=1))


def _measure(work: Path, size: int) -> Measured:
    folder = work / f"scale-{size}"
    make_records(default_data(), folder, count=size)
    found: Measured = {}
    for step in STEPS:
        found |= _in_a_process(folder, step)
        print(f"{size:,} {step}: {found}", file=sys.stderr, flush=True)
    return found


def _in_a_process(work: Path, step: str) -> Measured:
    command = [sys.executable, "-m", "benchmarks.scale", "--step", step, "--work", str(work)]
    before = os.times()
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process,
        PeakMemory(process.pid) as memory,
    ):
        told, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{step} failed")
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    peak = memory.peak.private / 1e6 if memory.peak else math.nan
    return {**json.loads(told), f"{step}_cpu_s": used, f"{step}_mb": peak}


def _table(measured: dict[int, Measured]) -> Iterator[str]:
    sizes = sorted(measured)
    yield "| | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent |"
    yield "|---" * (len(sizes) + 2) + "|"
    for name in measured[sizes[0]]:
        values = [measured[size][name] for size in sizes]
        grown = [
            math.log(measured[b][name] / measured[a][name]) / math.log(b / a)
            for a, b in pairwise(sizes)
            if measured[a][name] > 0 and measured[b][name] > 0
        ]
        told = ", ".join(f"{each:.2f}" for each in grown)
        yield f"| {name} | " + " | ".join(f"{each:,.1f}" for each in values) + f" | {told} |"


if __name__ == "__main__":
    main()
