"""Who hears of single requests while a longer operation is under way.

A watcher belongs to the task that sets it and to the tasks that one starts, so that operations
side by side are told apart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["Watcher", "tell_watcher", "watching"]

Watcher = Callable[[str], Awaitable[None]]
"""Is told what happened, in a few words for a person."""

_watcher: ContextVar[Watcher | None] = ContextVar("trialyst_watcher", default=None)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Have a watcher told of every request of this task."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


async def tell_watcher(event: str) -> None:
    """Tell the watcher of this task, if there is one."""
    watcher = _watcher.get()
    if watcher is not None:
        await watcher(event)
