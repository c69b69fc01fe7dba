"""Weights learned on judged patients, with those that did not see a fifth of them.

A table has one line a measure: its name, its weight, and its weight learned without each fifth of
the patients in turn. A patient who was learned from can so be scored by weights that never saw him,
which is how benchmarks do it; everybody else gets the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from trialyst.matching.judging.calibration import to_digest

__all__ = ["FOLDS", "Learned", "fold_of", "load_learned", "note_digest", "render_learned"]

FOLDS = 5
_TOPICS = "@patients"


@dataclass(frozen=True, slots=True)
class Learned:
    """A table of weights."""

    weights: Mapping[str, float]
    """By measure, learned on all."""
    without: tuple[Mapping[str, float], ...] = ()
    """The same, learned without each part of the patients."""
    patients: frozenset[str] = frozenset()
    """Digests of the notes they were learned on."""

    def unseen_by(self, note: str) -> Mapping[str, float]:
        """Give weights that were not learned on this note."""
        digest = note_digest(note)
        return self.without[fold_of(digest)] if digest in self.patients else self.weights


def note_digest(note: str) -> str:
    """Give what a note is remembered by; white space does not matter."""
    return to_digest(" ".join(note.split()))


def fold_of(digest: str) -> int:
    """Tell which part of the patients a note belongs to."""
    return int(digest, 16) % FOLDS


@cache
def load_learned(package: str, name: str) -> Learned:
    """Read a table that ships with a package."""
    text = resources.files(package).joinpath("data", name).read_text("utf-8")
    columns: dict[str, tuple[float, ...]] = {}
    patients: frozenset[str] = frozenset()
    for line in text.splitlines():
        key, *values = (part.strip() for part in line.split("|"))
        if key == _TOPICS:
            patients = frozenset(values[0].split())
        elif values and not line.startswith("#"):
            columns[key] = tuple(map(float, values))
    first, *rest = (
        {key: values[place] for key, values in columns.items()} for place in range(FOLDS + 1)
    )
    return Learned(first, tuple(rest), patients)


def render_learned(heading: str, learned: Learned) -> str:
    """Write a table, measures in the order of the alphabet."""
    lines = [heading.rstrip(), f"{_TOPICS} | {' '.join(sorted(learned.patients))}"]
    for name, weight in sorted(learned.weights.items()):
        others = (f"{part[name]:.4f}" for part in learned.without)
        lines.append(" | ".join((name, f"{weight:.4f}", *others)))
    return "\n".join(lines) + "\n"
