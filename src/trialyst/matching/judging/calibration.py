"""How sure a verdict is: how often verdicts of its kind were right on labelled patients.

A kind is the side of the criterion, the verdict, the leaf that decided, what it rested on, and
whether the criterion holds words that were not understood. A rare kind leans on the wider ones.
What is told is the lower end of what the counts allow, so that few rows never look sure
(`data/judge_confidence.txt`, made by `tools/calibrate_judge.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.answer import Answer
from trialyst.eligibility.requirement import Opaque, Requirement, leaves
from trialyst.eligibility.tables import read_lines

__all__ = [
    "Calibration",
    "calibration_keys",
    "load_calibration",
    "shape_of",
    "to_digest",
    "trial_keys",
]

_LEANING = 10.0
"""Rows that the share of a wider kind counts for beside those of a finer one."""
_ONE_SIDED_90 = 1.2816
_SIZES = ((4, "few criteria"), (9, "some criteria"), (10_000, "many criteria"))
_SHAPES = ("one part", "several parts", "part not understood")


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often verdicts of each kind were right on labelled rows, and on whose."""

    counts: Mapping[str, tuple[int, int]]
    """By kind of verdict: right, all."""
    repeats: float = 1.0
    """How many rows of one patient tell as much as one row of another would."""
    patients: frozenset[str] = frozenset()
    """Digests of the patients that tables were fitted on."""

    def confidence(self, kind: CriterionKind, requirement: Requirement, answer: Answer) -> float:
        """Give the share of right verdicts that such a verdict has at least, in 9 of 10 cases."""
        return self.confidence_of(calibration_keys(kind, shape_of(requirement), answer))

    def confidence_of(self, keys: Sequence[str]) -> float:
        """Give the same for a kind of verdict, named by its keys."""
        share, rows = 0.5, 0.0
        for key in keys:
            right, n = self.counts.get(key, (0, 0))
            share, rows = (right + _LEANING * share) / (n + _LEANING), n + _LEANING
        return _lower_bound(share, rows / self.repeats)

    def trial_confidence(self, verdict: str, number_of_criteria: int) -> float:
        """Give how often such verdicts on trials of so many criteria stood."""
        share = 0.5
        for key in trial_keys(verdict, number_of_criteria):
            right, n = self.counts.get(key, (0, 0))
            share = (right + _LEANING * share) / (n + _LEANING)
        return share


def trial_keys(verdict: str, number_of_criteria: int) -> tuple[str, ...]:
    """Name what verdicts on trials are calibrated together, the widest kind first."""
    size = next(name for most, name in _SIZES if number_of_criteria <= most)
    return f"trial/{verdict}", f"trial/{verdict}/{size}"


def shape_of(requirement: Requirement) -> str:
    """Say whether a requirement has parts, and whether all of it was understood."""
    parts = list(leaves(requirement))
    unread = any(isinstance(part, Opaque) for part in parts)
    return _SHAPES[2 if unread else len(parts) > 1]


def calibration_keys(kind: CriterionKind, shape: str, answer: Answer) -> tuple[str, ...]:
    """Name what is calibrated together, the widest kind first."""
    leaf = answer.leaf.partition("/")[0]
    side = f"{kind.value}/{answer.verdict.value}"
    return (
        side,
        f"{side}/{leaf}",
        f"{side}/{leaf}/{answer.basis.value}",
        (f"{side}/{leaf}/{answer.basis.value}/{shape}"),
    )


def _lower_bound(share: float, rows: float) -> float:
    """Give the lower end of Wilson's interval, 90 % on one side."""
    z = _ONE_SIDED_90
    middle = share + z * z / (2 * rows)
    spread = z * sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    return (middle - spread) / (1 + z * z / rows)


@cache
def load_calibration() -> Calibration:
    """Read the shipped calibration."""
    counts: dict[str, tuple[int, int]] = {}
    patients: frozenset[str] = frozenset()
    repeats = 1.0
    for line in read_lines("judge_confidence.txt", package="trialyst.matching"):
        key, *values = (part.strip() for part in line.split("|"))
        if key == "@patients":
            patients = frozenset(values[0].split())
        elif key == "@repeats":
            repeats = float(values[0])
        else:
            counts[key] = int(values[0]), int(values[1])
    return Calibration(counts, repeats, patients)


def to_digest(patient: str) -> str:
    """Give the digest under which a patient is known to have been seen."""
    return hashlib.sha256(patient.encode()).hexdigest()[:12]
