"""How long a question may take, and how whoever asked calls it off.

A server sets a deadline around a call; what works on the answer looks at it between two steps. The
deadline of a call is a context variable, so it reaches threads that are started with the context.
Without one a question takes as long as it takes.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from contextvars import ContextVar

from trialyst.errors import DeadlinePassed

__all__ = ["Deadline", "check_deadline", "current_deadline", "under_deadline"]


class Deadline:
    """A time by which an answer must be there; safe to share between threads."""

    def __init__(self, seconds: float | None = None, *, within: Deadline | None = None) -> None:
        """Begin to count; no seconds means no limit.

        Args:
            within: One that holds too; calling this one off leaves it as it is.
        """
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._within = within
        self._called_off = False

    def cancel(self) -> None:
        """Call the question off: its next step raises."""
        self._called_off = True

    def lift(self) -> None:
        """Allow as long as it takes from now on: the answer has begun."""
        self._end = None

    @property
    def seconds_left(self) -> float | None:
        """How long it may still take; None without a limit."""
        own = None if self._end is None else self._end - time.monotonic()
        outer = None if self._within is None else self._within.seconds_left
        if own is None or outer is None:
            return outer if own is None else own
        return min(own, outer)

    @property
    def sheds_load(self) -> bool:
        """Whether somebody waits for the answer who would rather be refused than wait for long."""
        return self.seconds_left is not None

    def check(self) -> None:
        """Raise DeadlinePassed if the time is over or the question was called off."""
        if self._called_off:
            raise DeadlinePassed("The question was called off before it was answered")
        if self._end is not None and time.monotonic() > self._end:
            raise DeadlinePassed(f"The question was not answered within {self._seconds:g} s")
        if self._within is not None:
            self._within.check()


_CURRENT: ContextVar[Deadline | None] = ContextVar("trialyst_deadline", default=None)


def current_deadline() -> Deadline | None:
    """Give the deadline of the call under way."""
    return _CURRENT.get()


def check_deadline() -> None:
    """Raise DeadlinePassed if the call under way has run out of time or was called off."""
    deadline = _CURRENT.get()
    if deadline is not None:
        deadline.check()


@contextlib.contextmanager
def under_deadline(deadline: Deadline) -> Iterator[Deadline]:
    """Hold everything asked inside to a deadline."""
    token = _CURRENT.set(deadline)
    try:
        yield deadline
    finally:
        _CURRENT.reset(token)
