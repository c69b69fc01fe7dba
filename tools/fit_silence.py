"""Count how careful readers took silence, and write the table that the evaluator asks.

    python tools/fit_silence.py criterion_readings.jsonl.gz --split learn

A row counts for a key where the chart decides nothing and the criterion hangs on silence of that
kind. Only counts are written, none of the rows.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.answer import Answer, Basis
from trialyst.eligibility.chart import Chart
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


def main() -> None:
    """Judge the rows by what is stated alone, count, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="learn")
    given = parser.parse_args()
    rows = load_annotations_from_file(given.data, split=given.split).rows
    TARGET.write_text(HEADING + "\n".join(lines(count(silences(rows)))) + "\n", "utf-8")


def silences(
    rows: Iterable[CriterionAnnotation],
) -> Iterable[tuple[CriterionAnnotation, Answer]]:
    judge = RulesJudge(open_vocabulary(Settings.from_environment().home))
    charts: dict[str, Chart] = {}
    for row in rows:
        chart = charts.get(row.note)
        if chart is None:
            chart = charts[row.note] = judge.read(row.note)
        _, answer = judge.answer(chart, row.statement, stated_only=True)
        if answer.basis in OPEN and answer.leaf.count("/") >= PARTS:
            yield row, answer


def count(judged: Iterable[tuple[CriterionAnnotation, Answer]]) -> Mapping[str, Counter[int]]:
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for row, answer in judged:
        kind, about, topic, wanted = answer.leaf.rsplit("/", 3)
        side = f"{'exclusion' if row.kind is CriterionKind.EXCLUSION else 'inclusion'}/{wanted}"
        for key in silence_keys(kind, about, topic, side):
            counts[key][READINGS[row.label]] += 1
    return counts


def lines(counts: Mapping[str, Counter[int]]) -> Iterable[str]:
    for key, held in sorted(counts.items()):
        yield " | ".join((key, *(str(held[reading]) for reading in range(3))))


if __name__ == "__main__":
    main()
