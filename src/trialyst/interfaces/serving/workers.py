"""Several processes that serve one port, and one that owns what they share.

Workers are started afresh rather than forked: threads of the index do not survive a fork. One that
dies is replaced; a signal to the owner ends all, each after its requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from trialyst.interfaces.serving.owner import answer_workers
from trialyst.interfaces.serving.requests import Requests
from trialyst.interfaces.serving.server import GRACE_SECONDS, run_server
from trialyst.settings import SERVE_SECONDS

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp

__all__ = ["run_workers"]

_LOOK_SECONDS = 0.2
_SHORT_LIFE = 5.0
_MOST_SHORT_LIVES = 5
"""Workers that end right after their start, from which on starting more is pointless."""

Plan = TypeVar("Plan")


def _work(
    create: Callable[[Plan, Path], ASGIApp],
    plan: Plan,
    owner: Path,
    bound: socket.socket,
    ready: Connection,
) -> None:
    run_server(create(plan, owner), bound, ready=lambda: ready.send("ready"))


class _Crew(Generic[Plan]):
    """The workers, as many as there shall be."""

    def __init__(self, start: Callable[[], tuple[SpawnProcess, Connection]], count: int) -> None:
        self._start = start
        self._short_lives = 0
        self._working: list[tuple[SpawnProcess, Connection, float]] = []
        for _ in range(count):
            self._add()

    def _add(self) -> None:
        self._working.append((*self._start(), time.monotonic()))

    def replace_dead(self) -> None:
        """Start a worker for each that ended; raise where they end as soon as they begin."""
        for each in [each for each in self._working if not each[0].is_alive()]:
            self._working.remove(each)
            lived = time.monotonic() - each[2]
            self._short_lives = self._short_lives + 1 if lived < _SHORT_LIFE else 0
            if self._short_lives >= _MOST_SHORT_LIVES:
                raise RuntimeError("Workers end as soon as they are started")
            self._add()

    def is_ready(self) -> bool:
        """Say whether a worker serves."""
        return any(ready.poll() for _, ready, _ in self._working)

    def stop(self) -> None:
        """Tell all to end, and wait until they have."""
        for process, _, _ in self._working:
            process.terminate()
        until = time.monotonic() + GRACE_SECONDS + 5
        for process, _, _ in self._working:
            process.join(max(until - time.monotonic(), 0.1))
            if process.is_alive():
                process.kill()
                process.join()


def run_workers(
    app: Starlette,
    create: Callable[[Plan, Path], ASGIApp],
    plan: Plan,
    bound: socket.socket,
    *,
    count: int,
    announce: Callable[[], None],
) -> None:
    """Serve with several processes until a signal; this one owns what they share.

    Args:
        app: What this process answers for the workers.
        create: Gives the app of a worker; is called there, with the plan and the owner's socket.
        announce: Is called once somebody can be answered.
    """
    context = multiprocessing.get_context("spawn")
    # mkdtemp makes a directory that only this account may enter.
    directory = Path(tempfile.mkdtemp(prefix="trialyst-"))
    owner = directory / "owner.sock"

    def start() -> tuple[SpawnProcess, Connection]:
        heard, told = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(create, plan, owner, bound, told))
        process.start()
        return process, heard

    async def own() -> None:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, ended.set)
        async with app.router.lifespan_context(app):
            server = await answer_workers(Requests(app, seconds=SERVE_SECONDS), owner)
            crew: _Crew[Plan] = _Crew(start, count)
            try:
                told = False
                while not ended.is_set():
                    crew.replace_dead()
                    if not told and crew.is_ready():
                        told = True
                        announce()
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(ended.wait(), _LOOK_SECONDS)
            finally:
                await asyncio.to_thread(crew.stop)
                server.close()

    try:
        asyncio.run(own())
    finally:
        shutil.rmtree(directory, ignore_errors=True)
