"""Seeded choices: the only source of variation in the starter registry.

Every choice is made from `Random.random()` alone, whose stream is stable between versions.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

__all__ = ["Draw", "Weighted"]

T = TypeVar("T")


class Weighted(Generic[T]):
    """Values to choose from, some likelier than others."""

    __slots__ = ("bounds", "values")

    def __init__(self, weights: Mapping[T, float]) -> None:
        self.values = tuple(weights)
        self.bounds = tuple(accumulate(weights.values()))


class Draw:
    """A stream of choices that depends on the seed and the study number only."""

    __slots__ = ("_random",)

    def __init__(self, seed: int, number: int) -> None:
        self._random = Random(seed * 1_000_003 + number).random

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, values: Sequence[T]) -> T:
        return values[int(self._random() * len(values))]

    def between(self, low: int, high: int) -> int:
        """Give an integer from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def real(self, low: float, high: float) -> float:
        return low + self._random() * (high - low)

    def some(self, values: Sequence[T], count: int) -> list[T]:
        """Give up to `count` different values in a random order."""
        pool = list(values)
        random = self._random
        return [pool.pop(int(random() * len(pool))) for _ in range(min(count, len(pool)))]

    def weighted(self, choice: Weighted[T]) -> T:
        return choice.values[bisect(choice.bounds, self._random() * choice.bounds[-1])]
