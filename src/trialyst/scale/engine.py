"""Who does the parts of a job: processes of this machine, or a Ray cluster (`ray_engine.py`)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from trialyst.errors import TrialystError

if TYPE_CHECKING:
    from trialyst.scale.matcher import CohortOptions, MatchedPart, Matcher, Workplace
    from trialyst.scale.patients import Part

__all__ = ["Engine", "LocalEngine"]

AHEAD = 2
"""Parts handed out to each process beyond the one it works on."""


class Engine(Protocol):
    """Whatever matches parts, in any order."""

    @property
    def name(self) -> str:
        """What to call it."""
        ...

    def run(self, parts: Iterable[Part]) -> Iterator[MatchedPart]:
        """Yield every part once, as each is done."""
        ...


class LocalEngine:
    """Processes of this machine; one process is the caller's own."""

    name = "local"

    def __init__(
        self, place: Workplace, options: CohortOptions, *, workers: int | None = None
    ) -> None:
        self._place, self._options = place, options
        self._workers = workers or os.cpu_count() or 1

    def run(self, parts: Iterable[Part]) -> Iterator[MatchedPart]:
        """Yield every part once, as each is done."""
        if self._workers == 1:
            matcher = _open(self._place, self._options)
            yield from map(matcher.match_part, parts)
            return
        pool = ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start,
            initargs=(self._place, self._options),
        )
        try:
            yield from _gather(lambda part: pool.submit(_work, part), parts, self._workers * AHEAD)
        except BrokenProcessPool as problem:
            raise TrialystError(
                "A process that matched patients ended",
                hint="Run the same command again: it goes on from the last part that was written.",
            ) from problem
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _gather(
    submit: Callable[[Part], Future[MatchedPart]], parts: Iterable[Part], most: int
) -> Iterator[MatchedPart]:
    """Keep so many parts under way and yield each as it is done."""
    waiting = iter(parts)
    running = {submit(part) for part in islice(waiting, most)}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for each in done:
            yield each.result()
            running |= {submit(part) for part in islice(waiting, 1)}


def _open(place: Workplace, options: CohortOptions) -> Matcher:
    from trialyst.scale.matcher import Matcher

    return Matcher(place, options)


_matchers: list[Matcher] = []
"""The one of this process."""


def _start(place: Workplace, options: CohortOptions) -> None:
    # Ctrl-C is the parent's: it stops handing out parts, and what is whole stays.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _matchers[:] = [_open(place, options)]


def _end_with_parent() -> None:
    """End this process when the one that started it was killed and cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(part: Part) -> MatchedPart:
    return _matchers[0].match_part(part)
