"""Count how careful readers took silence, and write the table that the evaluator asks.

    python tools/fit_silence.py criterion_readings.jsonl.gz --split learn
    python tools/fit_silence.py criterion_readings.jsonl.gz --split learn --folds 8

A row counts for a key where the chart decides nothing and the criterion hangs on silence of that
kind. It counts the less, the more parts of the criterion are undecided, because the label may rest
on any of them, and the less sure the reader was. Only counts are written, none of the rows. With
`--folds` nothing is written: each part of the patients is judged by the counts of the others.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
from trialyst.benchmark.metrics import compute_metrics, disqualifying_recall
from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility import silence
from trialyst.eligibility.answer import Basis, Verdict
from trialyst.eligibility.chart import Chart
from trialyst.eligibility.requirement import leaves
from trialyst.eligibility.silence import silence_keys
from trialyst.matching.judging.judge import RulesJudge
from trialyst.settings import Settings
from trialyst.vocabulary import open_vocabulary

TARGET = Path(__file__).parents[1] / "src/trialyst/eligibility/data/silence.txt"
HEADING = """\
# How careful readers took it that a chart is silent, made by tools/fit_silence.py:
# kind of leaf / what it is about / side | favourable | open | unfavourable
"""
OPEN = (Basis.SILENCE, Basis.DETAIL)
PARTS = 3
"""Strokes in the name of what a chart is silent about: kind, subject, topic, side."""
READINGS = {
    "included": 0,
    "not excluded": 0,
    "not enough information": 1,
    "not applicable": 1,
    "not included": 2,
    "excluded": 2,
}


SURENESS = {"h": 1.5, "m": 1.0, "l": 0.3}
"""What a row counts for by how sure its reader was."""
SEEDS = (42, 1, 2, 3)


class Silent(NamedTuple):
    """A row that rests on silence, on which, and what it counts for."""

    row: CriterionAnnotation
    leaf: str
    weight: float


def main() -> None:
    """Judge the rows by what is stated alone, count, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="learn")
    parser.add_argument("--folds", type=int, help="measure over so many parts of the patients")
    given = parser.parse_args()
    rows = load_annotations_from_file(given.data, split=given.split).rows
    judge = RulesJudge(open_vocabulary(Settings.from_environment().home))
    charts = {note: judge.read(note) for note in dict.fromkeys(row.note for row in rows)}
    silent = list(silences(rows, judge, charts))
    if given.folds is None:
        TARGET.write_text(HEADING + "\n".join(lines(count(silent))) + "\n", "utf-8")
        return
    for seed in SEEDS:
        print(f"seed {seed}: {crossed(rows, silent, judge, charts, given.folds, seed)}")


def silences(
    rows: Iterable[CriterionAnnotation], judge: RulesJudge, charts: Mapping[str, Chart]
) -> Iterator[Silent]:
    """Give the rows that rest on silence."""
    for row in rows:
        chart, statement = charts[row.note], row.statement
        requirement, answer = judge.answer(chart, statement, stated_only=True)
        if answer.basis not in OPEN or answer.leaf.count("/") < PARTS:
            continue
        parts = [
            judge.answer(chart, replace(statement, requirement=leaf), stated_only=True)[1].basis
            for leaf in leaves(requirement)
        ]
        undecided = max(1, sum(basis in OPEN for basis in parts))
        yield Silent(row, answer.leaf, SURENESS.get(row.confidence, 1.0) / undecided)


def count(silent: Iterable[Silent]) -> Mapping[str, Sequence[float]]:
    """Give what the rows count for by key and reading."""
    counts: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for row, leaf, weight in silent:
        kind, about, topic, wanted = leaf.rsplit("/", 3)
        side = f"{'exclusion' if row.kind is CriterionKind.EXCLUSION else 'inclusion'}/{wanted}"
        for key in silence_keys(kind, about, topic, side):
            counts[key][READINGS[row.label]] += weight
    return counts


def crossed(
    rows: Sequence[CriterionAnnotation],
    silent: Sequence[Silent],
    judge: RulesJudge,
    charts: Mapping[str, Chart],
    folds: int,
    seed: int,
) -> str:
    """Judge each part of the patients by the counts of the others, and give the figures."""
    patients = sorted({row.patient_id for row in rows})
    random.Random(seed).shuffle(patients)
    said: list[tuple[CriterionAnnotation, Verdict]] = []
    for fold in range(folds):
        kept = set(patients[fold::folds])
        counts = count(each for each in silent if each.row.patient_id not in kept)
        table = {key: (held[0], held[1], held[2]) for key, held in counts.items()}
        with silence.counted(table):
            said += [
                (row, judge.answer(charts[row.note], row.statement)[1].verdict)
                for row in rows
                if row.patient_id in kept
            ]
    told, labels = [verdict for _, verdict in said], [row.verdict for row, _ in said]
    found = disqualifying_recall([row.kind for row, _ in said], told, labels)
    return f"accuracy {compute_metrics(told, labels)['accuracy']:.4f}, disqualifying {found}"


def lines(counts: Mapping[str, Sequence[float]]) -> Iterable[str]:
    for key, held in sorted(counts.items()):
        yield " | ".join((key, *(f"{number:.3g}" for number in held)))


if __name__ == "__main__":
    main()
