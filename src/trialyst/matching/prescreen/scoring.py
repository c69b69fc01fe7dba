"""From measures to one score: a weighted sum, whose weights ship in `data/weights.txt`.

The weights were learned on judged patients by `tools/fit_order.py`; each is a plain number beside
the plain name of its measure, so that a score can be taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trialyst.matching.learned import Learned, load_learned

__all__ = ["level_words", "score_measures", "search_weights"]


def search_weights() -> Learned:
    """Give the learned weight of each measure."""
    return load_learned("trialyst.matching.prescreen", "weights.txt")


def level_words(measures: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """Divide what words add up to by the most any trial of the list has: notes differ in length."""
    tops: dict[str, float] = {}
    for measured in measures:
        for name, value in measured.items():
            if name.startswith("words in "):
                tops[name] = max(tops.get(name, 0.0), value)
    return [_level(measured, tops) for measured in measures]


def _level(measured: Mapping[str, float], tops: Mapping[str, float]) -> dict[str, float]:
    leveled = dict(measured)
    for name, top in tops.items():
        if top and name in leveled:
            leveled[name] /= top
    return leveled


def score_measures(measures: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Give the weighted sum."""
    return sum(value * weights.get(name, 0.0) for name, value in measures.items())
