"""How long a call may ask services, how far it came, and when its requests go before others.

Set by who has to answer in time. It belongs to the task that sets it and to the tasks that one
starts, so that calls side by side have one each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from itertools import count

__all__ = ["Allowance", "Rank", "allowing", "current_allowance", "rank_request"]

SHORT_CALL = 8
"""Requests after which a call lets shorter ones go first: most calls need fewer."""

Rank = tuple[int, int, int]
"""Where a request stands in line: the smaller first."""

_numbers = count()


@dataclass(slots=True)
class Allowance:
    """The time of one call."""

    until: float
    """When it is up, in seconds of the monotonic clock."""
    fresh_for: float = 0.0
    """Seconds for which an answer may be used again, so that a call that was cut off can go on."""
    on_first: Callable[[], None] = lambda: None
    """Called with the first request: a call that asks no service has all the time it needs."""
    number: int = field(default_factory=partial(next, _numbers))
    """Its place among the calls of this process, in the order in which they began."""
    host: str | None = None
    """The service that was asked last."""
    asked: int = 0
    """How many requests were begun."""
    answered: int = 0
    """How many requests were answered."""
    lost: int = 0
    """How many of the answers are not kept, and so cannot be used again."""

    def note_request(self, host: str) -> None:
        """Take notice of a request before it is sent."""
        if self.host is None:
            self.on_first()
        self.host = host
        self.asked += 1


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


def rank_request(*, urgent: bool = False) -> Rank:
    """Rank the next request of this task: the calls that began first are to end first.

    If each call took a turn after the other, many at once would all end late, or too late.
    """
    allowance = current_allowance()
    if urgent:
        return 0, 0, 0
    if allowance is None:
        return 1, 0, next(_numbers)
    return 1, allowance.asked // SHORT_CALL, allowance.number
