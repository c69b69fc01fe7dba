"""What an app serves: the registry and the statistics made of it, kept on the app's state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, cast
from weakref import WeakKeyDictionary, proxy

from starlette.requests import Request

from trialyst.ctgov.query import TrialQuery
from trialyst.essie.pieces import Piece
from trialyst.registry.stats import Records, Statistics

__all__ = ["Hits", "Holdings", "Newest", "ServedRegistry", "Shelf", "holdings_of"]


class Hits(Protocol):
    """One page of NCT numbers and how many studies match in all."""

    @property
    def numbers(self) -> Sequence[int]: ...

    @property
    def total(self) -> int: ...


class ServedRegistry(Records, Protocol):
    """What the API asks of a registry; calls block and may come from many threads."""

    @property
    def data_timestamp(self) -> str: ...

    @property
    def synthetic(self) -> bool: ...

    @property
    def directory(self) -> Path: ...

    def __len__(self) -> int: ...

    def find(self, query: TrialQuery, *, offset: int, limit: int) -> Hits: ...

    def raw(self, numbers: Sequence[int]) -> Sequence[bytes]: ...

    def resolve_number(self, number: int) -> int | None: ...

    def searched_pieces(self, query: TrialQuery) -> Sequence[Piece]: ...

    def refreshed(self) -> ServedRegistry: ...


Newest = Callable[[], ServedRegistry]
"""Gives a registry at its newest generation."""


class Holdings(NamedTuple):
    """The registry and its statistics."""

    registry: ServedRegistry
    statistics: Statistics


class Shelf:
    """The newest registry, and the statistics of each for as long as somebody uses it."""

    def __init__(self, registry: ServedRegistry | Newest) -> None:
        """Take a registry, which is followed in its directory, or what gives the newest."""
        self._newest = registry if callable(registry) else _following(registry)
        self._statistics: WeakKeyDictionary[ServedRegistry, Statistics] = WeakKeyDictionary()

    def holdings(self) -> Holdings:
        """Give the holdings of the generation in use now."""
        registry = self._newest()
        known = self._statistics.get(registry)
        if known is None:
            # By a proxy: statistics that held their registry would keep it open for ever.
            known = self._statistics[registry] = Statistics(proxy(registry))
        return Holdings(registry, known)


def _following(registry: ServedRegistry) -> Newest:
    seen = registry

    def newest() -> ServedRegistry:
        nonlocal seen
        seen = seen.refreshed()
        return seen

    return newest


def holdings_of(request: Request) -> Holdings:
    """Give what the app serves; a request sees one generation from its start to its end."""
    seen = getattr(request.state, "holdings", None)
    if seen is None:
        seen = request.state.holdings = request.app.state.shelf.holdings()
    return cast("Holdings", seen)
