"""The pace and the health of every host, one book for the whole process.

Who wants to send stands in line and goes in turn; who leaves the line makes room at once. Nothing
is held while somebody waits or backs off. A host that fails again and again, or asks for a long
pause, is left alone for a while.
"""

from __future__ import annotations

import threading
from bisect import insort
from dataclasses import dataclass, field
from functools import cache

from trialyst.transport.allowance import Rank

__all__ = ["Hosts", "Pause", "Turn", "shared_hosts"]

FAILURES_TO_OPEN = 3
"""Requests that failed in a row, with all their tries, before a host is left alone."""
COOL_DOWN = 30.0
"""Seconds until one request may try again whether the host has recovered."""
SHORTEST_WAIT = 1e-6
"""Seconds that no clock can wait."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Why a host is not asked now, and for how many more seconds."""

    seconds: float
    asked_for: bool
    """Whether the host itself asked for the pause."""


@dataclass(slots=True, eq=False)
class Turn:
    """A place in the line before a host."""

    host: str
    rank: Rank


@dataclass(slots=True)
class _Host:
    next_turn: float = 0.0
    line: list[Turn] = field(default_factory=list)
    failures: int = 0
    silent_until: float = 0.0
    asked_for: bool = False


class Hosts:
    """What is known of each host; safe to share between threads and event loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: dict[str, _Host] = {}

    def join_line(self, host: str, rank: Rank) -> Turn:
        """Stand in line, behind all of the same rank."""
        turn = Turn(host, rank)
        with self._lock:
            insort(self._host(host).line, turn, key=lambda each: each.rank)
        return turn

    def take_turn(self, turn: Turn, *, now: float, interval: float) -> float:
        """Take the turn if it has come, which gives 0; else give the seconds until it will."""
        with self._lock:
            known = self._host(turn.host)
            # Who was due before and has not come is not waited for.
            due = known.next_turn + known.line.index(turn) * interval
            if due - now > SHORTEST_WAIT:
                return due - now
            known.line.remove(turn)
            known.next_turn = now + interval
            return 0.0

    def leave_line(self, turn: Turn) -> None:
        """Give up a place, if the turn was not taken."""
        with self._lock:
            line = self._host(turn.host).line
            if turn in line:
                line.remove(turn)

    def pause_of(self, host: str, *, now: float) -> Pause | None:
        """Say whether a host is to be left alone; after a pause one caller gets to try it."""
        with self._lock:
            known = self._host(host)
            if now < known.silent_until:
                return Pause(known.silent_until - now, known.asked_for)
            if known.failures >= FAILURES_TO_OPEN:
                known.silent_until, known.asked_for = now + COOL_DOWN, False
            return None

    def note_success(self, host: str) -> None:
        """Forget earlier failures."""
        with self._lock:
            known = self._host(host)
            known.failures, known.silent_until, known.asked_for = 0, 0.0, False

    def note_failure(self, host: str, *, now: float) -> None:
        """Count a request that failed with all its tries."""
        with self._lock:
            known = self._host(host)
            known.failures += 1
            if known.failures >= FAILURES_TO_OPEN:
                known.silent_until = max(known.silent_until, now + COOL_DOWN)

    def pause(self, host: str, *, until: float) -> None:
        """Leave a host alone until it said it may be asked again."""
        with self._lock:
            known = self._host(host)
            known.silent_until, known.asked_for = max(known.silent_until, until), True

    def _host(self, host: str) -> _Host:
        return self._hosts.setdefault(host, _Host())


@cache
def shared_hosts() -> Hosts:
    """Give the book that all transports of this process share."""
    return Hosts()
