"""A few expensive questions at a time, so that quick ones find the processor free.

Who waits under a deadline is refused once the line is long; who waits without one stands in line.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

from trialyst.deadlines import current_deadline
from trialyst.errors import Overloaded

__all__ = ["Gate"]

MOST_WAITING = 8
"""Callers with a deadline that may wait; each holds a thread of its server."""
RETRY_AFTER = 5.0
"""Seconds after which asking again is worth it: most expensive questions take less."""
_STEP = 0.1


class Gate:
    """Lets as many through at a time as leave a processor for the others."""

    def __init__(self, at_once: int | None = None, *, most_waiting: int = MOST_WAITING) -> None:
        self._free = threading.BoundedSemaphore(at_once or max((os.cpu_count() or 1) - 1, 1))
        self._most_waiting = most_waiting
        self._guard = threading.Lock()
        self._waiting = 0

    @contextlib.contextmanager
    def passed(self) -> Iterator[None]:
        """Wait for a place and keep it inside.

        Raises:
            Overloaded: too many wait already.
            DeadlinePassed: there was no place in time.
        """
        if not self._free.acquire(blocking=False):
            self._wait()
        try:
            yield
        finally:
            self._free.release()

    def _wait(self) -> None:
        deadline = current_deadline()
        with self._guard:
            if deadline and deadline.sheds_load and self._waiting >= self._most_waiting:
                raise Overloaded(
                    "Too many expensive questions are being answered", retry_after=RETRY_AFTER
                )
            self._waiting += 1
        try:
            # In short waits: a question may be called off while it stands in line.
            while not self._free.acquire(timeout=_STEP):
                if deadline:
                    deadline.check()
        finally:
            with self._guard:
                self._waiting -= 1
