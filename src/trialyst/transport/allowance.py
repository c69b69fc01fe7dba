"""How long a call may ask services, and how far it came.

Set by who has to answer in time. It belongs to the task that sets it and to the tasks that one
starts, so that calls side by side have one each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

__all__ = ["Allowance", "allowing", "current_allowance"]


@dataclass(slots=True)
class Allowance:
    """The time of one call."""

    until: float
    """When it is up, in seconds of the monotonic clock."""
    fresh_for: float = 0.0
    """Seconds for which an answer may be used again, so that a call that was cut off can go on."""
    on_first: Callable[[], None] = lambda: None
    """Called with the first request: a call that asks no service has all the time it needs."""
    host: str | None = None
    """The service that was asked last."""
    answered: int = 0
    """How many requests were answered."""
    kept: int = 0
    """How many of the answers can be used again."""

    def note_request(self, host: str) -> None:
        """Take notice of a request before it is sent."""
        if self.host is None:
            self.on_first()
        self.host = host


_allowance: ContextVar[Allowance | None] = ContextVar("trialyst_allowance", default=None)


@contextmanager
def allowing(allowance: Allowance) -> Iterator[Allowance]:
    """Have the requests of this task keep to an allowance."""
    token = _allowance.set(allowance)
    try:
        yield allowance
    finally:
        _allowance.reset(token)


def current_allowance() -> Allowance | None:
    """Give the allowance of this task, None where it has all the time."""
    return _allowance.get()
