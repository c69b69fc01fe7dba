"""Measure the rules judge beside a text classifier: `python benchmarks/judging.py`.

Three stages, each in processes of its own so that none finds what another has remembered: criteria
parsed, parsed criteria judged for further notes, and criteria judged for a first note from their
text on, reading that note included. The rival is scikit-learn's TF-IDF with logistic regression,
learnt from the labelled criteria. It sees the criterion alone and gives a label; it never reads the
note and shows no evidence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

    from trialyst.matching.judging.result import Statement

__all__ = ["main"]

_PARSED = "parsed"
_JUDGED = "parsed before, judged"
_FIRST = "first seen, judged"
TARGETS = {_PARSED: 6_000, _JUDGED: 20_000, _FIRST: 3_000}
"""Criteria a second that two cores must reach."""
MEMORY_TARGET = 400.0
"""Megabytes that a process may hold at most."""
_NOTES = 4
_LABELLED = "criterion_annotations/trialgpt_criterion_annotations.jsonl.gz"
_RECORDS = "ctgov_v2_native/ctgov_v2_native-001.jsonl.xz"
_TOPICS = "patient_topics_qrels/trec_2021_topics.jsonl.gz"


class _Work(NamedTuple):
    """What one process does."""

    stage: str
    home: Path
    statements: list[Statement]
    notes: list[str]


class _Taken(NamedTuple):
    """What it took."""

    seconds: float
    cpu_seconds: float
    megabytes: float


def main() -> None:
    """Print the rates; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=600, help="studies to take criteria from")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    data = Path(os.environ.get("TRIALYST_DATA", "../shared/data"))
    statements = list(_statements(data / _RECORDS, given.records))
    notes = [row["text"] for _, row in zip(range(_NOTES), _rows(data / _TOPICS), strict=False)]
    print(f"{len(statements):,} criteria of {given.records} studies,", end=" ")
    print(f"{given.processes} processes; the classifier in one")
    print(f"{'':24}{'criteria/s':>12}{'per core, CPU':>16}{'MB a process':>14}{'target':>10}")
    missed, most = [], 0.0
    for stage, target in TARGETS.items():
        asked = notes[1:] if stage == _JUDGED else notes[:1]
        n = len(statements) * len(asked)
        taken = _run(stage, statements, asked, given.processes)
        rate = n / max(each.seconds for each in taken)
        by_cpu = n / sum(each.cpu_seconds for each in taken)
        megabytes = max(each.megabytes for each in taken)
        most = max(most, megabytes)
        missed += [stage] if rate < target else []
        print(f"{stage:24}{rate:12,.0f}{by_cpu:16,.0f}{megabytes:14,.0f}{target:10,}")
    missed += ["memory"] if most > MEMORY_TARGET else []
    print(f"{'classifier':24}{_rival(statements, data / _LABELLED):12,.0f}")
    print(f"\ntargets {'missed: ' + ', '.join(missed) if missed else 'met'}")
    sys.exit(bool(missed))


def _statements(path: Path, count: int) -> Iterator[Statement]:
    from trialyst.ctgov.parse import parse_trial
    from trialyst.eligibility.criteria import read_structure
    from trialyst.matching.judging.result import Statement

    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(count), lines, strict=False):
            trial = parse_trial(json.loads(line))
            structure = read_structure(trial.eligibility.criteria or "")
            for place, criterion in enumerate(structure.criteria):
                yield Statement(
                    criterion.plain,
                    criterion.kind,
                    opening=structure.openings.get(place),
                    title=trial.brief_title or "",
                    conditions=trial.conditions,
                )


def _run(stage: str, statements: list[Statement], notes: list[str], processes: int) -> list[_Taken]:
    context = multiprocessing.get_context("spawn")
    barrier, taken = context.Barrier(processes), context.Queue()
    with tempfile.TemporaryDirectory() as home:
        workers = [
            context.Process(
                target=_work,
                args=(_Work(stage, Path(home), statements[at::processes], notes), barrier, taken),
            )
            for at in range(processes)
        ]
        for worker in workers:
            worker.start()
        each = [taken.get() for _ in workers]
        for worker in workers:
            worker.join()
    return each


def _work(work: _Work, barrier: Barrier, taken: Queue[_Taken]) -> None:
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.vocabulary import open_vocabulary

    judge = RulesJudge(open_vocabulary(work.home)).prepare()
    statements = work.statements
    if work.stage == _JUDGED:
        statements = [replace(each, requirement=judge.requirement_of(each)) for each in statements]
    barrier.wait()
    started, cpu_started = time.perf_counter(), time.process_time()
    if work.stage == _PARSED:
        for each in statements:
            judge.requirement_of(each)
    else:
        for note in work.notes:
            judge.judge_all(note, statements)
    cpu_seconds, seconds = time.process_time() - cpu_started, time.perf_counter() - started
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    taken.put(_Taken(seconds, cpu_seconds, megabytes))


def _rival(statements: list[Statement], labelled: Path) -> float:
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
    from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]

    rows = list(_rows(labelled))
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=1000))
    model.fit(
        [f"{row['criterion_type']} {row['criterion_text']}" for row in rows],
        [row["expert_eligibility"] for row in rows],
    )
    texts = [f"{statement.kind.value} {statement.text}" for statement in statements]
    started = time.perf_counter()
    model.predict(texts)
    return len(texts) / (time.perf_counter() - started)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
