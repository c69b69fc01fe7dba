"""Long work on the registry in the background: one at a time, watched, and stopped on request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from trialyst.errors import InvalidInput, TrialystError

__all__ = ["Job", "Jobs", "Stopped"]

_LOOK_SECONDS = 0.5


class Stopped(Exception):
    """Raised inside work that was told to stop."""


@dataclass(slots=True)
class Job:
    """Work under way, or done."""

    name: str
    stage: str = "Starting"
    done: int = 0
    total: int = 0
    lines: list[str] = field(default_factory=list)
    state: str = "running"
    """`running`, `done`, `failed` or `stopped`."""
    stopping: bool = False

    def tell(self, stage: str, done: int, total: int) -> None:
        """Say how far it is; raises where it shall stop."""
        if self.stopping:
            raise Stopped
        self.stage, self.done, self.total = stage, done, total

    def to_dict(self) -> dict[str, Any]:
        """Give what a page shows."""
        return {
            "name": self.name,
            "stage": self.stage,
            "done": self.done,
            "total": self.total,
            "lines": self.lines[-20:],
            "state": self.state,
        }


class Jobs:
    """The work of a server."""

    def __init__(self) -> None:
        self.current: Job | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, name: str, work: Callable[[Job], Awaitable[None]]) -> Job:
        """Begin a work; raises InvalidInput while another is under way."""
        if self.current is not None and self.current.state == "running":
            raise InvalidInput(
                f"{self.current.name} is under way",
                hint="Wait until it has ended, or stop it on the registry page.",
            )
        job = self.current = Job(name)
        self._task = asyncio.create_task(self._run(job, work))
        return job

    async def _run(self, job: Job, work: Callable[[Job], Awaitable[None]]) -> None:
        try:
            await work(job)
            job.state = "done"
        except (Stopped, asyncio.CancelledError):
            job.state = "stopped"
        except TrialystError as error:
            job.state = "failed"
            job.lines += [error.message, str(error.hint)]
        except OSError as error:
            job.state = "failed"
            job.lines.append(str(error))

    def stop(self) -> None:
        """Tell the work under way to stop; what is in use stays whole."""
        if self.current is not None and self._task is not None:
            self.current.stopping = True
            self._task.cancel()

    async def watch(self) -> AsyncIterator[dict[str, Any]]:
        """Yield how far it is, whenever that changed, until it ends."""
        before: dict[str, Any] = {}
        while self.current is not None:
            now = self.current.to_dict()
            if now != before:
                yield now
                before = now
            if now["state"] != "running":
                return
            await asyncio.sleep(_LOOK_SECONDS)
