"""Criterion verdicts of a judge against the experts' and against two baselines on the same rows.

The majority baseline says the commonest verdict of each criterion type. Intervals are bootstrap
percentiles over patients, not rows: criteria of one patient stand or fall together.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trialyst.benchmark.annotations import (
    Annotations,
    CriterionAnnotation,
    to_verdict,
)
from trialyst.benchmark.metrics import (
    compute_evidence_overlap,
    compute_metrics,
    disqualifying_recall,
)
from trialyst.matching.judging.calibration import load_calibration, to_digest
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import CriterionResult, Judge, Verdict

__all__ = ["SENSES", "CriteriaRun", "calibrate", "run_criteria", "score_criteria"]

SENSES = ("statement", "eligibility")
RESAMPLES = 1000
SEED = 42


@dataclass(frozen=True, slots=True)
class CriteriaRun:
    """The results of a judge, one a row of the annotations."""

    judge: str
    rows: tuple[CriterionAnnotation, ...]
    results: tuple[CriterionResult, ...]
    without_criterion: int
    seconds: float


async def run_criteria(annotations: Annotations, judge: Judge) -> CriteriaRun:
    """Judge every row, the criteria of one note together."""
    by_note: dict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(annotations.rows):
        by_note[row.note].append(index)
    results: dict[int, CriterionResult] = {}
    started = time.perf_counter()
    for note, indexes in by_note.items():
        rows = [annotations.rows[index] for index in indexes]
        statements = [row.statement for row in rows]
        results.update(zip(indexes, await judge.judge(note, statements), strict=True))
    return CriteriaRun(
        judge=judge.name,
        rows=annotations.rows,
        results=tuple(results[index] for index in range(len(annotations.rows))),
        without_criterion=annotations.without_criterion,
        seconds=time.perf_counter() - started,
    )


def score_criteria(run: CriteriaRun, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Give every figure of a run as plain values, the statement sense at the top level."""
    said = [result.verdict for result in run.results]
    gold = [row.verdict for row in run.rows]
    metrics = compute_metrics(said, gold)
    kinds = [row.kind for row in run.rows]
    disqualifying = disqualifying_recall(kinds, said, gold)
    return {
        "judge": run.judge,
        "notes": _notes(run),
        "n": len(run.rows),
        "patients": len({row.patient_id for row in run.rows}),
        "without_criterion": run.without_criterion,
        "labels": dict(sorted(Counter(row.label for row in run.rows).items())),
        **metrics,
        "disqualifying_recall": disqualifying.pop("recall"),
        "disqualifying": disqualifying,
        "evidence": compute_evidence_overlap(
            [result.sentences for result in run.results], [row.sentences for row in run.rows]
        ),
        "intervals": _intervals(run, resamples),
        "groups": _groups(run),
        "baselines": {
            "majority": _baseline(run.rows, _majority(run.rows)),
            "gpt4": _gpt4(run.rows),
        },
        "senses": {sense: _in_sense(run.rows, said, sense) for sense in SENSES},
        "calibration_error": _calibration_error(run),
        "fabricated_quotes": sum(result.fabricated_quotes for result in run.results),
        "seconds": run.seconds,
        "criteria_per_second": len(run.rows) / run.seconds if run.seconds else 0.0,
        "cost_usd": _cost(run.results),
    }


def _groups(run: CriteriaRun) -> dict[str, dict[str, Any]]:
    """Give the main figures by collection, and of patients that no table was fitted on."""
    pairs = list(zip(run.rows, run.results, strict=True))
    known = load_calibration().patients if run.judge == RulesJudge.name else frozenset()
    groups = {
        name: [pair for pair in pairs if pair[0].collection == name]
        for name in sorted({row.collection for row in run.rows} - {""})
    }
    unseen = [pair for pair in pairs if to_digest(pair[0].patient_id) not in known]
    if 0 < len(unseen) < len(pairs):
        groups["patients out of view"] = unseen
    return {name: _figures(chosen) for name, chosen in groups.items()}


def _figures(pairs: Sequence[_Row]) -> dict[str, Any]:
    values = {name: measure(pairs) for name, measure in _MEASURED.items()}
    return {"n": len(pairs), "patients": len({row.patient_id for row, _ in pairs}), **values}


def _cost(results: Sequence[CriterionResult]) -> float | None:
    """Add up the costs; None where the price of a model is not known."""
    if not all(result.cost_known for result in results):
        return None
    return sum(result.cost_usd for result in results)


def _notes(run: CriteriaRun) -> list[str]:
    """Say what a reader must know of the figures."""
    notes = []
    if run.without_criterion:
        notes.append(f"{run.without_criterion} rows without the text of a criterion were left out.")
    if run.judge == RulesJudge.name:
        known = load_calibration().patients
        patients = {row.patient_id for row in run.rows}
        seen = sum(to_digest(patient) in known for patient in patients)
        if seen:
            notes.append(
                f"The rules were developed with {seen} of these {len(patients)} patients: "
                "on others expect less."
            )
    return notes


def _majority(rows: Sequence[CriterionAnnotation]) -> list[Verdict]:
    counts: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for row in rows:
        counts[row.kind][row.verdict] += 1
    return [counts[row.kind].most_common(1)[0][0] for row in rows]


def _gpt4(rows: Sequence[CriterionAnnotation]) -> dict[str, Any] | None:
    if all(row.gpt4_label is None for row in rows):
        return None
    agreed = sum(row.gpt4_label == row.label for row in rows)
    return {
        **_baseline(rows, [row.gpt4_verdict for row in rows]),
        "accuracy_six_classes": agreed / len(rows),
        "evidence": compute_evidence_overlap(
            [row.gpt4_sentences for row in rows], [row.sentences for row in rows]
        ),
    }


def _baseline(rows: Sequence[CriterionAnnotation], said: Sequence[Verdict]) -> dict[str, Any]:
    gold = [row.verdict for row in rows]
    disqualifying = disqualifying_recall([row.kind for row in rows], said, gold)
    return {
        **compute_metrics(said, gold),
        "disqualifying_recall": disqualifying.pop("recall"),
        "disqualifying": disqualifying,
    }


def _in_sense(
    rows: Sequence[CriterionAnnotation], said: Sequence[Verdict], sense: str
) -> dict[str, Any]:
    return compute_metrics(
        [
            to_verdict(verdict, row.kind, sense=sense)
            for row, verdict in zip(rows, said, strict=True)
        ],
        [to_verdict(row.verdict, row.kind, sense=sense) for row in rows],
    )


def calibrate(
    rows: Sequence[CriterionAnnotation], results: Sequence[CriterionResult], *, bins: int = 10
) -> list[dict[str, Any]]:
    """Give, for each tenth of confidence that occurs, how often such verdicts were right."""
    held: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for row, result in zip(rows, results, strict=True):
        place = min(int(result.confidence * bins), bins - 1)
        held[place].append((result.confidence, row.verdict is result.verdict))
    return [
        {
            "from": place / bins,
            "to": (place + 1) / bins,
            "n": len(pairs),
            "confidence": sum(confidence for confidence, _ in pairs) / len(pairs),
            "accuracy": sum(right for _, right in pairs) / len(pairs),
        }
        for place, pairs in sorted(held.items())
    ]


def _calibration_error(run: CriteriaRun) -> float:
    """Give the mean gap between confidence and accuracy over ten bins, weighted by their rows."""
    bins = calibrate(run.rows, run.results)
    gaps = (each["n"] * abs(each["confidence"] - each["accuracy"]) for each in bins)
    return float(sum(gaps)) / len(run.rows)


_Row = tuple[CriterionAnnotation, CriterionResult]

_MEASURED: dict[str, Callable[[Sequence[_Row]], float]] = {
    "accuracy": lambda rows: _metrics_of(rows)["accuracy"],
    "f1_macro": lambda rows: _metrics_of(rows)["f1_macro"],
    "disqualifying_recall": lambda rows: disqualifying_recall(
        [row.kind for row, _ in rows],
        [result.verdict for _, result in rows],
        [row.verdict for row, _ in rows],
    )["recall"],
    "evidence_f1": lambda rows: compute_evidence_overlap(
        [result.sentences for _, result in rows], [row.sentences for row, _ in rows]
    )["f1"],
}


def _metrics_of(rows: Sequence[_Row]) -> dict[str, Any]:
    return compute_metrics([result.verdict for _, result in rows], [row.verdict for row, _ in rows])


def _intervals(run: CriteriaRun, resamples: int) -> dict[str, tuple[float, float]]:
    by_patient: dict[str, list[_Row]] = defaultdict(list)
    for pair in zip(run.rows, run.results, strict=True):
        by_patient[pair[0].patient_id].append(pair)
    patients = sorted(by_patient)
    draw = random.Random(SEED)
    values: dict[str, list[float]] = {name: [] for name in _MEASURED}
    for _ in range(resamples):
        rows = [row for name in draw.choices(patients, k=len(patients)) for row in by_patient[name]]
        for name, measure in _MEASURED.items():
            values[name].append(measure(rows))
    return {name: _percentiles(drawn) for name, drawn in values.items()}


def _percentiles(values: list[float]) -> tuple[float, float]:
    """Give the bounds that hold the middle 95 % of the values."""
    ordered = sorted(values)
    if not ordered:
        return (0.0, 1.0)
    last = len(ordered) - 1
    return ordered[round(0.025 * last)], ordered[round(0.975 * last)]
