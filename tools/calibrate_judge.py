"""Measure how often each rule of the judge is right, and write the file its confidence rests on.

    python tools/calibrate_judge.py trialgpt_criterion_annotations.jsonl.gz [MORE.jsonl ...]

More files may hold rows of the same form: confidence taken only from rows that the rules were
written with promises too much. Prints what the calibrated confidence is worth on patients it was
not taken from: the rows are split by patient, each part judged with the counts of the others.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
from trialyst.matching.judging.case import Decision
from trialyst.matching.judging.judge import Calibration, calibration_key, to_digest
from trialyst.matching.judging.rules import decide, open_case
from trialyst.matching.judging.statement import read_statement
from trialyst.matching.judging.view import read_view
from trialyst.settings import Settings
from trialyst.vocabulary import open_vocabulary

TARGET = Path(__file__).parents[1] / "src/trialyst/matching/data/judge_confidence.json"
FOLDS = 5
SEED = 42

Judged = tuple[CriterionAnnotation, Decision]


def main() -> None:
    """Judge the rows, print the figures and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, nargs="+")
    given: list[Path] = parser.parse_args().data
    rows = [row for path in given for row in load_annotations_from_file(path).rows]
    judged = judge(rows)
    report(judged)
    write(judged)


def judge(rows: Sequence[CriterionAnnotation]) -> list[Judged]:
    vocabulary = open_vocabulary(Settings.from_environment().home)
    views = {note: read_view(note, vocabulary) for note in {row.note for row in rows}}
    return [
        (row, decide(open_case(read_statement(row.criterion), row.kind, views[row.note])))
        for row in rows
    ]


def count(judged: Iterable[Judged]) -> dict[str, tuple[int, int]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row, decision in judged:
        held = counts[calibration_key(row.kind, decision)]
        held[0] += row.verdict is decision.verdict
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
        right = [row.verdict is decision.verdict for row, decision in part]
        told = [calibration.confidence(row.kind, decision) for row, decision in part]
        gaps += abs(sum(right) - sum(told))
        brier += sum((c - r) ** 2 for c, r in zip(told, right, strict=True))
        print(f"fold {fold}: n {len(part)}, accuracy {sum(right) / len(part):.3f}, "
              f"mean confidence {sum(told) / len(part):.3f}")  # fmt: skip
    print(f"all: mean gap {gaps / len(judged):.3f}, Brier score {brier / len(judged):.3f}")


def write(judged: Sequence[Judged]) -> None:
    digests = sorted({to_digest(row.patient_id) for row, _ in judged})
    held = {"counts": count(judged), "patients": digests}
    TARGET.write_text(json.dumps(held, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
