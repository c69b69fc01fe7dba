"""Measure how often verdicts of each kind are right, and write the file confidence rests on.

    python tools/calibrate_judge.py criterion_readings.jsonl.gz --split learn

Prints what the calibrated confidence is worth on patients it was not taken from: the rows are
split by patient, each part judged with the counts of the others.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
from trialyst.eligibility.answer import Answer
from trialyst.matching.judging.judge import Calibration, RulesJudge, calibration_key, to_digest
from trialyst.settings import Settings
from trialyst.vocabulary import open_vocabulary

TARGET = Path(__file__).parents[1] / "src/trialyst/matching/data/judge_confidence.json"
FOLDS = 5
SEED = 42

Judged = tuple[CriterionAnnotation, Answer]


def main() -> None:
    """Judge the rows, print the figures and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--split")
    given = parser.parse_args()
    judged = judge(load_annotations_from_file(given.data, split=given.split).rows)
    report(judged)
    write(judged)


def judge(rows: Sequence[CriterionAnnotation]) -> list[Judged]:
    rules = RulesJudge(open_vocabulary(Settings.from_environment().home))
    charts = {note: rules.read(note) for note in {row.note for row in rows}}
    return [(row, rules.answer(charts[row.note], row.statement)[1]) for row in rows]


def count(judged: Iterable[Judged]) -> dict[str, tuple[int, int]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row, answer in judged:
        held = counts[calibration_key(row.kind, answer)]
        held[0] += row.verdict is answer.verdict
        held[1] += 1
    return {name: (right, n) for name, (right, n) in sorted(counts.items())}


def report(judged: Sequence[Judged]) -> None:
    patients = sorted({row.patient_id for row, _ in judged})
    random.Random(SEED).shuffle(patients)
    gaps = brier = 0.0
    for fold in range(FOLDS):
        kept = set(patients[fold::FOLDS])
        others = [pair for pair in judged if pair[0].patient_id not in kept]
        calibration = Calibration(count(others), frozenset())
        part = [pair for pair in judged if pair[0].patient_id in kept]
        right = [row.verdict is answer.verdict for row, answer in part]
        told = [calibration.confidence(row.kind, answer) for row, answer in part]
        gaps += abs(sum(right) - sum(told))
        brier += sum((c - r) ** 2 for c, r in zip(told, right, strict=True))
        print(f"fold {fold}: n {len(part)}, accuracy {sum(right) / len(part):.3f}, "
              f"mean confidence {sum(told) / len(part):.3f}")  # fmt: skip
    print(f"all: mean gap {gaps / len(judged):.3f}, Brier score {brier / len(judged):.3f}")


def write(judged: Sequence[Judged]) -> None:
    held = {
        "counts": count(judged),
        "patients": sorted({to_digest(row.patient_id) for row, _ in judged}),
    }
    TARGET.write_text(json.dumps(held, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
