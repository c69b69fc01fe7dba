"""From measures to one score: a weighted sum, whose weights ship in `data/weights.txt`.

The weights were learned on judged patients by `tools/train_prescreen.py`; each is a plain number
beside the plain name of its measure, so that a score can be taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

__all__ = ["level_words", "score_measures", "weights"]


@cache
def weights() -> Mapping[str, float]:
    """Give the weight of each measure."""
    listed = resources.files("trialyst.matching.prescreen").joinpath("data", "weights.txt")
    lines = (line for line in listed.read_text("utf-8").splitlines() if line and line[0] != "#")
    pairs = (line.rsplit(" ", 1) for line in lines)
    return {name.strip(): float(value) for name, value in pairs}


def level_words(measures: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """Divide what words add up to by the most any trial of the list has: notes differ in length."""
    tops: dict[str, float] = {}
    for measured in measures:
        for name, value in measured.items():
            if name.startswith("words in "):
                tops[name] = max(tops.get(name, 0.0), value)
    return [
        {name: value / tops[name] if tops.get(name) else value for name, value in measured.items()}
        for measured in measures
    ]


def score_measures(measures: Mapping[str, float]) -> float:
    """Give the weighted sum."""
    table = weights()
    return sum(value * table.get(name, 0.0) for name, value in measures.items())
