"""Measure the rules judge beside a text classifier: `python benchmarks/judging.py`.

The rival is scikit-learn's TF-IDF with logistic regression, learnt from the labelled criteria. It
sees the criterion alone and gives a label; it never reads the note and shows no evidence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trialyst.matching.judging.result import Statement

__all__ = ["main"]

TARGET = 3_000
"""Criteria a second that two cores must judge; measured on one."""
_LABELLED = "criterion_annotations/trialgpt_criterion_annotations.jsonl.gz"
_RECORDS = "ctgov_v2_native/ctgov_v2_native-001.jsonl.xz"
_TOPICS = "patient_topics_qrels/trec_2021_topics.jsonl.gz"


@dataclass(frozen=True, slots=True)
class _Taken:
    """How long it took to judge so many criteria."""

    criteria: int
    wall: float
    cpu: float

    @property
    def per_second(self) -> float:
        return self.criteria / self.wall

    @property
    def per_cpu_second(self) -> float:
        return self.criteria / self.cpu


def main() -> None:
    """Print the rates; the exit code is 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=600, help="studies to take criteria from")
    given = parser.parse_args()
    data = Path(os.environ.get("TRIALYST_DATA", "../shared/data"))
    statements = list(_statements(data / _RECORDS, given.records))
    with tempfile.TemporaryDirectory() as home:
        taken = _ours(statements, data / _TOPICS, Path(home))
    taken["classifier"] = _rival(statements, data / _LABELLED)
    print(f"{len(statements):,} criteria of {given.records} studies, one thread")
    print(f"{'':24}{'per second':>12}{'per CPU second':>16}")
    for name, each in taken.items():
        print(f"{name:24}{each.per_second:12,.0f}{each.per_cpu_second:16,.0f}")
    first = taken["rules, first seen"].per_cpu_second
    print(f"\nfirst seen {first:,.0f} per CPU second, target {TARGET:,}")
    sys.exit(first < TARGET)


def _statements(path: Path, count: int) -> Iterator[Statement]:
    from trialyst.ctgov.criteria import split_criteria
    from trialyst.matching.judging.result import Statement

    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(count), lines, strict=False):
            module = json.loads(line)["protocolSection"].get("eligibilityModule", {})
            for criterion in split_criteria(module.get("eligibilityCriteria", "")):
                yield Statement(criterion.plain, criterion.kind)


def _ours(statements: list[Statement], topics: Path, home: Path) -> dict[str, _Taken]:
    """Judge all criteria for a first note, which none was read for, and for a second one."""
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.vocabulary import open_vocabulary

    judge = RulesJudge(open_vocabulary(home)).prepare()
    first, second = [row["text"] for _, row in zip(range(2), _rows(topics), strict=False)]
    return {
        "rules, first seen": _take(len(statements), lambda: judge.judge_all(first, statements)),
        "rules, seen before": _take(len(statements), lambda: judge.judge_all(second, statements)),
    }


def _rival(statements: list[Statement], labelled: Path) -> _Taken:
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
    return _take(len(texts), lambda: model.predict(texts))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _take(criteria: int, judge: Callable[[], object]) -> _Taken:
    wall, cpu = time.perf_counter(), time.process_time()
    judge()
    return _Taken(criteria, time.perf_counter() - wall, time.process_time() - cpu)


if __name__ == "__main__":
    main()
