"""What an app serves: the registry and the statistics made of it, kept on the app's state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from starlette.requests import Request

from trialyst.ctgov.query import TrialQuery
from trialyst.essie.pieces import Piece
from trialyst.registry.stats import Records, Statistics

__all__ = ["Hits", "Holdings", "ServedRegistry", "holdings_of"]


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

    def __len__(self) -> int: ...

    def find(self, query: TrialQuery, *, offset: int, limit: int) -> Hits: ...

    def raw(self, numbers: Sequence[int]) -> Sequence[bytes]: ...

    def resolve_number(self, number: int) -> int | None: ...

    def searched_pieces(self, query: TrialQuery) -> Sequence[Piece]: ...

    def refreshed(self) -> ServedRegistry: ...


@dataclass(frozen=True, slots=True)
class Holdings:
    """The registry and its statistics."""

    registry: ServedRegistry
    statistics: Statistics

    @classmethod
    def of(cls, registry: ServedRegistry) -> Holdings:
        return cls(registry, Statistics(registry))

    def refreshed(self) -> Holdings:
        """Give the holdings of the generation in use now."""
        registry = self.registry.refreshed()
        return self if registry is self.registry else Holdings.of(registry)


def holdings_of(request: Request) -> Holdings:
    """Give what the app serves; a request sees one generation from its start to its end."""
    seen = getattr(request.state, "holdings", None)
    if seen is None:
        seen = request.app.state.holdings.refreshed()
        request.app.state.holdings = request.state.holdings = seen
    return cast("Holdings", seen)
