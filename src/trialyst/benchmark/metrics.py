"""How well verdicts agree with experts: counts, rates and evidence overlap, nothing estimated.

Pure functions over sequences; a rate with nothing to divide by is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Verdict

__all__ = ["VERDICTS", "compute_evidence_overlap", "compute_metrics", "disqualifying_recall"]

VERDICTS = (Verdict.MET, Verdict.NOT_MET, Verdict.UNKNOWN)


def compute_metrics(predicted: Sequence[str], expert: Sequence[str]) -> dict[str, Any]:
    """Compare verdicts with the experts': accuracy, F1 and kappa, per class and as a matrix.

    >>> compute_metrics(["MET", "MET"], ["MET", "NOT_MET"])["accuracy"]
    0.5
    """
    pairs = Counter(zip(expert, predicted, strict=True))
    n = len(expert)
    per_class = {verdict.value: _class_figures(pairs, verdict) for verdict in VERDICTS}
    f1 = [per_class[verdict.value]["f1"] for verdict in VERDICTS]
    right = sum(count for (gold, said), count in pairs.items() if gold == said)
    return {
        "accuracy": _rate(right, n),
        "f1_macro": sum(f1) / len(f1),
        "f1_met_not_met": (f1[0] + f1[1]) / 2,
        "cohens_kappa": _kappa(pairs, n, right),
        "per_class": per_class,
        "confusion_matrix": {
            gold.value: {said.value: pairs[gold, said] for said in VERDICTS} for gold in VERDICTS
        },
    }


def disqualifying_recall(
    kinds: Iterable[CriterionKind], predicted: Iterable[str], expert: Iterable[str]
) -> dict[str, Any]:
    """Say how many criteria that keep a patient out were found, in the statement sense."""
    found = total = told = 0
    for kind, said, gold in zip(kinds, predicted, expert, strict=True):
        bad = Verdict.MET if kind is CriterionKind.EXCLUSION else Verdict.NOT_MET
        total += gold == bad
        told += said == bad
        found += gold == said == bad
    return {
        "n": total,
        "found": found,
        "told": told,
        "recall": _rate(found, total),
        "precision": _rate(found, told),
    }


def compute_evidence_overlap(
    predicted: Sequence[Iterable[int]], expert: Sequence[Iterable[int]]
) -> dict[str, float]:
    """Compare sentence numbers: over all sentences, and per row where two empty sets agree.

    `precision`, `recall`, `f1` and `jaccard` pool the sentences of all rows.

    >>> compute_evidence_overlap([[0, 1]], [[1]])["f1"].__round__(3)
    0.667
    """
    both = said = gold = 0
    row_f1 = row_jaccard = 0.0
    for ours, theirs in zip(map(set, predicted), map(set, expert), strict=True):
        shared = len(ours & theirs)
        both, said, gold = both + shared, said + len(ours), gold + len(theirs)
        row_f1 += _rate(2 * shared, len(ours) + len(theirs)) if ours or theirs else 1.0
        row_jaccard += _rate(shared, len(ours | theirs)) if ours or theirs else 1.0
    n = len(predicted)
    return {
        "precision": _rate(both, said),
        "recall": _rate(both, gold),
        "f1": _rate(2 * both, said + gold),
        "jaccard": _rate(both, said + gold - both),
        "row_f1": _rate(row_f1, n),
        "row_jaccard": _rate(row_jaccard, n),
    }


def _class_figures(pairs: Counter[tuple[str, str]], verdict: str) -> dict[str, float]:
    right = pairs[verdict, verdict]
    gold = sum(count for (truth, _), count in pairs.items() if truth == verdict)
    said = sum(count for (_, told), count in pairs.items() if told == verdict)
    return {
        "n": gold,
        "precision": _rate(right, said),
        "recall": _rate(right, gold),
        "f1": _rate(2 * right, gold + said),
    }


def _kappa(pairs: Counter[tuple[str, str]], n: int, right: int) -> float:
    gold: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for (truth, told), count in pairs.items():
        gold[truth] += count
        said[told] += count
    by_chance = sum(gold[verdict] * said[verdict] for verdict in gold)
    if n * n == by_chance:
        return 0.0
    return (right * n - by_chance) / (n * n - by_chance)


def _rate(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
