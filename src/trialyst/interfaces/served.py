"""What a server answers from: the newest registry and pathways, asked for anew by every call.

A call keeps the facade it was given, and so sees one generation from beginning to end. What was
replaced lets go of its files when the last call on it has ended.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from trialyst.errors import RegistryError
from trialyst.interfaces.runtime import (
    open_bridge,
    open_matching,
    open_pathways,
    open_registry,
    open_repurposing,
    open_source,
)
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource, TrialSource
    from trialyst.discovery import Discovery
    from trialyst.discovery.bridging import Bridge
    from trialyst.discovery.pathways import Pathways
    from trialyst.matching.facade import Matching
    from trialyst.registry import RegistrySource
    from trialyst.repurposing import RepurposingClient

__all__ = ["Current", "Served", "follow_pathways", "follow_registry", "follow_source"]

_NEVER = object()

Opened = TypeVar("Opened")
Opened_co = TypeVar("Opened_co", covariant=True)


class Current(Generic[Opened_co]):
    """Something that is replaced as a whole, open at its newest."""

    def __init__(
        self,
        open_newest: Callable[[Opened_co | None], Opened_co],
        version: Callable[[], object] = lambda: None,
    ) -> None:
        """Take what opens it and what tells cheaply whether it was replaced.

        Args:
            open_newest: Is given what was open before, None the first time.
        """
        self._open_newest = open_newest
        self._version = version
        self._lock = threading.Lock()
        self._seen: object = _NEVER
        self.opened: Opened_co | None = None
        """What is open, whether or not it is the newest."""

    def get(self) -> Opened_co:
        """Give the newest; blocks where it has to be opened, but only the first who asks."""
        # Before it is opened: what is replaced in this moment is opened once more next time.
        opened, version = self.opened, self._version()
        if opened is not None and version == self._seen:
            return opened
        # Whoever comes while a newer one is being opened is answered from what there is.
        if not self._lock.acquire(blocking=opened is None):
            assert opened is not None
            return opened
        try:
            if self.opened is None or version != self._seen:
                newest = self._open_newest(self.opened)
                self._seen = version if newest is not self.opened else _NEVER
                self.opened = newest
            return self.opened
        finally:
            self._lock.release()


def follow_source(
    settings: Settings, *, source: SourceName | str | None = None, registry: Path | None = None
) -> Current[OpenSource]:
    """Follow the source that `open_source` opens; the live service is the newest by itself."""
    chosen = settings.source if source is None else SourceName.parse(source)
    if chosen is SourceName.LIVE:
        return _always(open_source(settings, source=chosen, registry=registry))
    return follow_registry(settings, source=chosen, registry=registry)


def follow_registry(
    settings: Settings, *, source: SourceName | str | None = None, registry: Path | None = None
) -> Current[RegistrySource]:
    """Follow the registry that `open_registry` opens, from one generation to the next.

    The starter that stands in for a registry gives way to the registry once there is one, and
    never comes back: invented records do not take the place of real ones. A new generation that
    cannot be opened leaves the one before in use, which says so.
    """
    from trialyst.registry.generation import current_name

    chosen = settings.source if source is None else SourceName.parse(source)
    directory = settings.registry if registry is None else registry

    def open_newest(before: RegistrySource | None) -> RegistrySource:
        stands_in = before is None or before.is_fallback
        try:
            return open_registry(
                settings, source=chosen if stands_in else SourceName.LOCAL, registry=registry
            )
        except RegistryError as problem:
            if before is None or before.is_fallback:
                raise
            before.cannot_follow = problem.message
            return before

    def version() -> object:
        return None if chosen is SourceName.STARTER else current_name(directory)

    followed = Current(open_newest, version)
    followed.get()
    return followed


def follow_pathways(
    settings: Settings, *, source: SourceName | str | None = None
) -> Current[Pathways]:
    """Follow the pathways that `open_pathways` opens, from one load to the next."""
    from trialyst.pathways.loading import store_path

    chosen = settings.source if source is None else SourceName.parse(source)
    store = store_path(settings.home)

    def version() -> object:
        try:
            found = store.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    if chosen in (SourceName.LIVE, SourceName.STARTER):
        return _always(open_pathways(settings, source=chosen))
    return Current(lambda before: open_pathways(settings, source=chosen), version)


def _always(opened: Opened) -> Current[Opened]:
    return Current(lambda before: opened)


class Served:
    """The facades on the newest of what they answer from."""

    def __init__(
        self, settings: Settings, source: Current[OpenSource], pathways: Current[Pathways]
    ) -> None:
        self._settings = settings
        self._source = source
        self._pathways = pathways
        self._lock = threading.Lock()
        self._kept: _Trials | None = None

    @property
    def call_seconds(self) -> float:
        """How long a call may ask a remote service."""
        return self._settings.mcp_seconds

    def source(self) -> OpenSource:
        """Give the newest source itself."""
        return self._source.get()

    def discovery(self) -> Discovery:
        """Give the discovery tools."""
        return self._trials().discovery

    def repurposing(self) -> RepurposingClient:
        """Give the repurposing client."""
        return self._trials().repurposing

    def matching(self) -> Matching:
        """Give the matching of patients."""
        return self._trials().matching

    def pathways(self) -> Pathways:
        """Give the pathway tools."""
        return self._pathways.get()

    def bridge(self) -> Bridge:
        """Give what leads from a drug over pathways to trials of other conditions."""
        return open_bridge(self._trials().source, self._pathways.get().source)

    def _trials(self) -> _Trials:
        source = self._source.get()
        with self._lock:
            if self._kept is None or self._kept.source is not source:
                self._kept = _Trials(self._settings, source)
            return self._kept

    async def aclose(self) -> None:
        """Let go of what is open."""
        for opened in (self._source.opened, self._pathways.opened):
            if opened is not None:
                await opened.aclose()


class _Trials:
    """The facades on one source, each made when first asked for."""

    def __init__(self, settings: Settings, source: TrialSource) -> None:
        self._settings = settings
        self.source = source

    @cached_property
    def discovery(self) -> Discovery:
        from trialyst.discovery import Discovery

        return Discovery(self.source)

    @cached_property
    def repurposing(self) -> RepurposingClient:
        return open_repurposing(self._settings, self.source)

    @cached_property
    def matching(self) -> Matching:
        return open_matching(self._settings, self.source)
