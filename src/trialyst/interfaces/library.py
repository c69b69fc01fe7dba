"""Trialyst from Python: `connect` for scripts and notebooks, `aconnect` for async programs.

The async session is the only implementation. The blocking one is a proxy that runs its methods
on an event loop in a thread of its own, so it works inside a running loop too.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import Future
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from trialyst.interfaces.runtime import (
    open_bridge,
    open_matching,
    open_pathways,
    open_repurposing,
    open_source,
)
from trialyst.interfaces.trials import Results, Trials
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.agents import Dossier
    from trialyst.agents.scout import ScoutReport
    from trialyst.ctgov.source import OpenSource
    from trialyst.discovery import Answer, Discovery
    from trialyst.discovery.bridging import BridgeAnswer
    from trialyst.discovery.pathways import Pathways
    from trialyst.matching.facade import Matching
    from trialyst.repurposing import RepurposingClient

__all__ = ["BlockingSession", "LoopThread", "Results", "Session", "Trials", "aconnect", "connect"]

_PARTS = ("discovery", "matching", "pathways", "registry", "repurposing")
"""The parts of a session, whose methods are async too."""

Value = TypeVar("Value")


class Session:
    """An open source; close it, or use it as an async context manager."""

    def __init__(self, source: OpenSource, pathways: Pathways | None = None) -> None:
        self._source = source
        self._pathways = pathways
        self._registry = Trials(source)
        self._repurposing: RepurposingClient | None = None
        self._matching: Matching | None = None
        self._closed = False

    @property
    def registry(self) -> Trials:
        """The trials of the source."""
        self._check_open()
        return self._registry

    @property
    def discovery(self) -> Discovery:
        """The discovery tools on the source."""
        from trialyst.discovery import Discovery

        self._check_open()
        return Discovery(self._source)

    @property
    def pathways(self) -> Pathways:
        """The pathway tools, on a source of their own that the first question opens."""
        self._check_open()
        if self._pathways is None:
            self._pathways = open_pathways(Settings.from_environment())
        return self._pathways

    @property
    def repurposing(self) -> RepurposingClient:
        """The repurposing client on the source."""
        self._check_open()
        if self._repurposing is None:
            self._repurposing = open_repurposing(Settings.from_environment(), self._source)
        return self._repurposing

    @property
    def matching(self) -> Matching:
        """The matching of patients on the source."""
        self._check_open()
        if self._matching is None:
            self._matching = open_matching(Settings.from_environment(), self._source)
        return self._matching

    async def bridge(self, drug: str) -> Answer[BridgeAnswer]:
        """Find conditions in which drugs of the same targets and pathways are in trials.

        Leads from the drug, by any of its names, to its targets, their pathways, other drugs on
        those, and the conditions of their trials in which this drug is not.
        """
        opened = open_bridge(self._source, self.pathways.source)
        return await opened.bridge_drug(drug=drug)

    async def dossier(
        self,
        drug: str,
        condition: str,
        date_before: str | None = None,
        *,
        point_in_time: bool = False,
    ) -> Dossier:
        """Put together what trials say about a drug in a condition; papers are only listed."""
        from trialyst.agents import run_supervisor
        from trialyst.agents.writing import read_question

        asked = {"drug": drug, "condition": condition, "date_before": date_before}
        question = read_question({**asked, "point_in_time": point_in_time})
        return await run_supervisor(self.repurposing, question)

    async def scout(
        self,
        drug: str,
        date_before: str | None = None,
        limit: int = 20,
        *,
        point_in_time: bool = False,
    ) -> ScoutReport:
        """Rank conditions for a drug by what drugs near it are tested for."""
        from trialyst.agents import run_scout

        client = self.repurposing
        return await run_scout(
            client, drug, date_before=date_before, point_in_time=point_in_time, limit=limit
        )

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("This session is closed")

    async def close(self) -> None:
        """Let go of the files and connections the source holds open."""
        self._closed = True
        await self._source.aclose()
        if self._pathways is not None:
            await self._pathways.aclose()

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


async def aconnect(
    source: SourceName | str | None = None, *, registry: str | Path | None = None
) -> Session:
    """Open a source for async use.

    Args:
        source: `auto`, `local`, `starter` or `live`; the setting `TRIALYST_SOURCE` if not given.
        registry: the directory of a local registry; the setting `TRIALYST_REGISTRY` if not given.
    """
    directory = None if registry is None else Path(registry).expanduser().absolute()
    settings = Settings.from_environment()
    opened = await asyncio.to_thread(open_source, settings, source=source, registry=directory)
    return Session(opened, open_pathways(settings, source=source))


def connect(
    source: SourceName | str | None = None, *, registry: str | Path | None = None
) -> BlockingSession:
    """Open a source for blocking use; arguments as for `aconnect`."""
    loop = LoopThread()
    try:
        session = loop.run(aconnect(source, registry=registry))
    except BaseException:
        loop.stop()
        raise
    return BlockingSession(session, loop)


class LoopThread:
    """An event loop that runs in a daemon thread until it is stopped."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="trialyst", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return not self._loop.is_closed()

    def run(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        if not self.is_running:
            coroutine.close()
            raise RuntimeError("This session is closed")
        future: Future[Value] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Blocking:
    """Any object with its async methods made blocking, and its parts likewise."""

    def __init__(self, target: object, loop: LoopThread) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if inspect.iscoroutinefunction(value):
            return wraps(value)(lambda *args, **kwargs: self._loop.run(value(*args, **kwargs)))
        if inspect.isasyncgenfunction(value):
            return wraps(value)(lambda *args, **kwargs: self._iterate(value(*args, **kwargs)))
        return _Blocking(value, self._loop) if name in _PARTS else value

    def __dir__(self) -> list[str]:
        return dir(self._target)

    def __repr__(self) -> str:
        return f"<blocking {self._target!r}>"

    def _iterate(self, values: AsyncGenerator[Value, None]) -> Iterator[Value]:
        async def step() -> tuple[Value, ...]:
            async for value in values:
                return (value,)
            return ()

        try:
            while found := self._loop.run(step()):
                yield found[0]
        finally:
            self._loop.run(values.aclose())


class BlockingSession(_Blocking):
    """A session whose methods block; close it, or use it as a context manager."""

    _target: Session

    def close(self) -> None:
        """Let go of what the source holds open, and end the thread."""
        if self._loop.is_running:
            self._loop.run(self._target.close())
            self._loop.stop()

    def __enter__(self) -> BlockingSession:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
