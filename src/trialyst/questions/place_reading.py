"""How one place was understood."""

from __future__ import annotations

from dataclasses import dataclass

from trialyst.ctgov.query import Circle
from trialyst.essie.ast import Node

__all__ = ["PlaceReading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceReading:
    """How a place was understood."""

    asked: str
    name: str
    """In words, such as `New York City, New York, United States`."""
    kind: str
    """`country`, `state`, `region`, `city`, `area`, `places` for several, or `words`."""
    node: Node
    """Matches the studies with a site there, wherever in a query it stands."""
    circle: Circle | None = None
    """What a single `area` lies within; `node` says the same."""
    approximate: bool = False
    """Whether sites count by their city for want of anything better."""
    corrected: str | None = None
    """What was read instead of a misspelt name."""
    alternatives: tuple[str, ...] = ()
    """What else the text can mean; each is read as that when it is given instead."""
    notes: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it is more than words."""
        return self.kind != "words"
