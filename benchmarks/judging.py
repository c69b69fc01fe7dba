"""Measure the rules judge beside a text classifier: `python benchmarks/judging.py`.

Every process judges its share of the criteria: for a first note, when each is read for the first
time, and for further notes.
The rival is scikit-learn's TF-IDF with logistic regression, learnt from the labelled criteria. It
sees the criterion alone and gives a label; it never reads the note and shows no evidence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

    from trialyst.matching.judging.result import Statement

    _Times = Queue[list[float]]

__all__ = ["main"]

TARGET = 3_000
"""Criteria a second that two cores must judge."""
_NOTES = 4
_LABELLED = "criterion_annotations/trialgpt_criterion_annotations.jsonl.gz"
_FIRST = "rules, first seen"
_ALL = "rules, all notes"
_RECORDS = "ctgov_v2_native/ctgov_v2_native-001.jsonl.xz"
_TOPICS = "patient_topics_qrels/trec_2021_topics.jsonl.gz"


def main() -> None:
    """Print the rates; the exit code is 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=600, help="studies to take criteria from")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    data = Path(os.environ.get("TRIALYST_DATA", "../shared/data"))
    statements = list(_statements(data / _RECORDS, given.records))
    notes = [row["text"] for _, row in zip(range(_NOTES), _rows(data / _TOPICS), strict=False)]
    rates = _ours(statements, notes, given.processes)
    rates["classifier"] = _rival(statements, data / _LABELLED)
    print(f"{len(statements):,} criteria of {given.records} studies, {len(notes)} notes,", end=" ")
    print(f"{given.processes} processes; the classifier in one")
    print(f"{'':24}{'criteria a second':>20}")
    for name, rate in rates.items():
        print(f"{name:24}{rate:20,.0f}")
    missed = [name for name in (_FIRST, _ALL) if rates[name] < TARGET]
    print(f"\ntarget {TARGET:,}: {'missed by ' + ', '.join(missed) if missed else 'met'}")
    sys.exit(bool(missed))


def _statements(path: Path, count: int) -> Iterator[Statement]:
    from trialyst.ctgov.criteria import split_criteria
    from trialyst.matching.judging.result import Statement

    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(count), lines, strict=False):
            module = json.loads(line)["protocolSection"].get("eligibilityModule", {})
            for criterion in split_criteria(module.get("eligibilityCriteria", "")):
                yield Statement(criterion.plain, criterion.kind)


def _ours(statements: list[Statement], notes: list[str], processes: int) -> dict[str, float]:
    """Judge all criteria for every note; a round ends when the last process is through."""
    context = multiprocessing.get_context("spawn")
    barrier, taken = context.Barrier(processes), context.Queue()
    with tempfile.TemporaryDirectory() as home:
        workers = [
            context.Process(
                target=_judge, args=(Path(home), statements[at::processes], notes, barrier, taken)
            )
            for at in range(processes)
        ]
        for worker in workers:
            worker.start()
        each = [taken.get() for _ in workers]
        for worker in workers:
            worker.join()
    rounds = [max(times) for times in zip(*each, strict=True)]
    later = sum(rounds[1:]) / len(rounds[1:])
    return {
        _FIRST: len(statements) / rounds[0],
        "rules, seen before": len(statements) / later,
        _ALL: len(statements) * len(notes) / sum(rounds),
    }


def _judge(
    home: Path, statements: list[Statement], notes: list[str], barrier: Barrier, taken: _Times
) -> None:
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.vocabulary import open_vocabulary

    judge = RulesJudge(open_vocabulary(home)).prepare()
    times = []
    for note in notes:
        barrier.wait()
        started = time.perf_counter()
        judge.judge_all(note, statements)
        times.append(time.perf_counter() - started)
    taken.put(times)


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
