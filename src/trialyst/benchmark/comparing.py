"""Two runs on the same rows: how far apart they are, and whether that may be chance.

The bootstrap draws patients, not rows, and the same ones for both runs; McNemar's test is exact
and takes rows as independent, which those of one patient are not: read it with the interval.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from trialyst.benchmark.metrics import VERDICTS
from trialyst.benchmark.runs import LoadedRun
from trialyst.errors import InvalidInput
from trialyst.matching.judging.result import Verdict

__all__ = ["compare_runs"]

RESAMPLES = 2000
SEED = 42

_Row = dict[str, Any]
_Counts = Counter[Any]
"""Counts that add up over patients: verdict pairs, disqualifying rows, sentences."""
_SAME = ("annotation_id", "patient_id", "trial_id", "criterion_type", "criterion", "expert_label")


def compare_runs(
    first: LoadedRun, second: LoadedRun, *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[str, Any]:
    """Compare two runs; a difference above 0 speaks for the second.

    Raises:
        InvalidInput: the runs judged different rows.
    """
    _refuse_others(first, second)
    pairs = list(zip(first.rows, second.rows, strict=True))
    return {
        "n": len(pairs),
        "patients": len({row["patient_id"] for row, _ in pairs}),
        "runs": [_figures(run) for run in (first, second)],
        "differences": _differences(pairs, resamples, seed),
        "mcnemar": _mcnemar(pairs),
        "resamples": resamples,
        "seed": seed,
    }


def _refuse_others(first: LoadedRun, second: LoadedRun) -> None:
    ours, theirs = ([_identity(row) for row in run.rows] for run in (first, second))
    if ours == theirs:
        return
    shared = len(set(ours) & set(theirs))
    raise InvalidInput(
        f"The runs judged different rows: {len(ours):,} and {len(theirs):,}, {shared:,} of them "
        "the same",
        hint="Compare runs of the same data, sample and seed.",
    )


def _identity(row: _Row) -> tuple[str, ...]:
    return tuple(str(row.get(name)) for name in _SAME)


def _figures(run: LoadedRun) -> dict[str, Any]:
    return {"path": str(run.path), "model": run.model, **_measured(_counted(run.rows))}


def _differences(
    pairs: Sequence[tuple[_Row, _Row]], resamples: int, seed: int
) -> dict[str, dict[str, Any]]:
    by_patient: dict[str, list[tuple[_Row, _Row]]] = defaultdict(list)
    for pair in pairs:
        by_patient[str(pair[0]["patient_id"])].append(pair)
    counted = {
        name: [_counted(column) for column in zip(*held, strict=True)]
        for name, held in sorted(by_patient.items())
    }
    draw = random.Random(seed)
    names = list(counted)
    drawn = [
        _apart([counted[name] for name in draw.choices(names, k=len(names))])
        for _ in range(resamples)
    ]
    return {
        name: {
            "difference": value,
            "interval": _middle([each[name] for each in drawn]),
            "second_better": sum(each[name] > 0 for each in drawn) / resamples,
        }
        for name, value in _apart(list(counted.values())).items()
    }


def _apart(patients: Sequence[Sequence[_Counts]]) -> dict[str, float]:
    """Give by how much the second run is ahead, over some patients."""
    totals: tuple[_Counts, _Counts] = (Counter(), Counter())
    for both in patients:
        for total, one in zip(totals, both, strict=True):
            total.update(one)
    first, second = map(_measured, totals)
    return {name: second[name] - first[name] for name in first}


def _counted(rows: Sequence[_Row]) -> _Counts:
    counts: _Counts = Counter()
    for row in rows:
        gold, said = row["expert_verdict"], row["verdict"]
        counts["gold", gold] += 1
        counts["said", said] += 1
        counts["right", gold] += gold == said
        bad = Verdict.MET if row["criterion_type"] == "exclusion" else Verdict.NOT_MET
        counts["disqualifying"] += gold == bad
        counts["disqualifying found"] += gold == said == bad
        ours, theirs = set(row["evidence_sentences"]), set(row["expert_sentences"])
        counts["sentences"] += len(ours) + len(theirs)
        counts["sentences shared"] += len(ours & theirs)
    return counts


def _measured(counts: _Counts) -> dict[str, float]:
    right = [counts["right", verdict.value] for verdict in VERDICTS]
    gold = [counts["gold", verdict.value] for verdict in VERDICTS]
    said = [counts["said", verdict.value] for verdict in VERDICTS]
    f1 = [_rate(2 * hit, of + told) for hit, of, told in zip(right, gold, said, strict=True)]
    return {
        "accuracy": _rate(sum(right), sum(gold)),
        "f1_macro": sum(f1) / len(f1),
        "disqualifying_recall": _rate(counts["disqualifying found"], counts["disqualifying"]),
        "evidence_f1": _rate(2 * counts["sentences shared"], counts["sentences"]),
    }


def _rate(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _middle(values: list[float]) -> tuple[float, float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    return ordered[round(0.025 * last)], ordered[round(0.975 * last)]


def _sign_test(one: int, other: int) -> float:
    """Give the two-sided chance of so uneven a split where both sides are as likely."""
    tosses, fewer = one + other, min(one, other)
    tail = sum(math.comb(tosses, count) for count in range(fewer + 1))
    return min(1.0, tail / (1 << tosses) * 2)


def _mcnemar(pairs: Sequence[tuple[_Row, _Row]]) -> dict[str, Any]:
    right = [(_right(one), _right(other)) for one, other in pairs]
    only_first, only_second = right.count((True, False)), right.count((False, True))
    return {
        "both_right": right.count((True, True)),
        "only_first_right": only_first,
        "only_second_right": only_second,
        "both_wrong": right.count((False, False)),
        "p_value": _sign_test(only_first, only_second),
    }


def _right(row: _Row) -> bool:
    return bool(row["verdict"] == row["expert_verdict"])
