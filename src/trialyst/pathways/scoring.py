"""Scores of a result list: seed 002's rule over our own text relevance.

The rule is ours to document: the relevance falls by 0.05 for each rank, then the whole filtered
list is stretched to 0..1 before it is cut into pages, so a pathway's score is the same on any page.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["RANK_DECAY", "normalize_scores"]

RANK_DECAY = 0.05
_DIGITS = 4


def normalize_scores(relevances: Sequence[float]) -> list[float]:
    """Give the scores of a whole list that is in order, the best first.

    >>> normalize_scores([3.0, 2.0, 1.0])
    [1.0, 0.5, 0.0]
    >>> normalize_scores([2.0, 2.0]), normalize_scores([7.5]), normalize_scores([])
    ([1.0, 0.0], [1.0], [])
    """
    decayed = [relevance - rank * RANK_DECAY for rank, relevance in enumerate(relevances)]
    if len(decayed) < 2:
        return [1.0] * len(decayed)
    best, worst = decayed[0], decayed[-1]
    return [round((each - worst) / (best - worst), _DIGITS) for each in decayed]
