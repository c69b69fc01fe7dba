"""Timing: the same questions to both engines in turn, and what the times say."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TypeVar

__all__ = ["Times", "race", "take_times"]

Asked = TypeVar("Asked")
WARM_UP_SHARE = 5
"""One question in so many is asked beforehand and not measured."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of every measured call, and the size of every answer."""

    milliseconds: tuple[float, ...]
    hits: tuple[int, ...]

    @property
    def median(self) -> float:
        return median(self.milliseconds)

    @property
    def p95(self) -> float:
        if len(self.milliseconds) < 2:
            return self.milliseconds[0]
        return quantiles(self.milliseconds, n=20, method="inclusive")[-1]

    @property
    def median_hits(self) -> int:
        return int(median(self.hits))

    def __add__(self, other: Times) -> Times:
        return Times(self.milliseconds + other.milliseconds, self.hits + other.hits)


def race(
    questions: Sequence[Asked], engines: Mapping[str, Callable[[Asked], int]]
) -> dict[str, Times]:
    """Ask each engine every question once; each callable gives the number of hits.

    The questions of the warm-up are others than the measured ones, so that no engine answers
    from a cache of results, and the engine asked first changes with every question.
    """
    warm_up = max(len(questions) // WARM_UP_SHARE, 1)
    for question in questions[:warm_up]:
        for ask in engines.values():
            ask(question)
    taken: dict[str, list[tuple[float, int]]] = {name: [] for name in engines}
    order = list(engines)
    for question in questions[warm_up:] or questions:
        for name in order:
            began = time.perf_counter()
            hits = engines[name](question)
            taken[name].append(((time.perf_counter() - began) * 1000, hits))
        order.reverse()
    return {
        name: Times(tuple(ms for ms, _ in rows), tuple(hits for _, hits in rows))
        for name, rows in taken.items()
    }


def take_times(questions: Sequence[Asked], ask: Callable[[Asked], int]) -> Times:
    """Time one engine alone."""
    return race(questions, {"ours": ask})["ours"]
