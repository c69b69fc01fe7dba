"""How likely an overlap is by chance: the hypergeometric tail, adjusted for many tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["adjust_p_values", "log_tail"]


def log_tail(overlap: int, *, drawn: int, marked: int, population: int) -> float:
    """Give the logarithm of the chance of at least so many marked ones among those drawn.

    >>> round(math.exp(log_tail(1, drawn=1, marked=1, population=4)), 6)
    0.25
    """
    if overlap <= max(0, drawn + marked - population):
        return 0.0
    most = min(drawn, marked)
    if overlap > most:
        return -math.inf
    whole = _log_choose(population, drawn)
    terms = [
        _log_choose(marked, count) + _log_choose(population - marked, drawn - count) - whole
        for count in range(overlap, most + 1)
    ]
    largest = max(terms)
    return min(0.0, largest + math.log(math.fsum(math.exp(term - largest) for term in terms)))


def adjust_p_values(values: Sequence[float]) -> list[float]:
    """Adjust p-values for the share of false discoveries (Benjamini and Hochberg), in their order.

    >>> adjust_p_values([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.03]
    """
    falling = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    adjusted = [1.0] * len(values)
    least = 1.0
    for rank, at in zip(range(len(values), 0, -1), falling, strict=True):
        least = min(least, values[at] * (len(values) / rank))
        adjusted[at] = least
    return adjusted


def _log_choose(of: int, some: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(some + 1) - math.lgamma(of - some + 1)
