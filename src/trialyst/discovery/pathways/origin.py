"""What an answer about pathways says of its source, in the shape of every other answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.source import Provenance
from trialyst.discovery.envelope import Clock, to_provenance, utc_now

if TYPE_CHECKING:
    from trialyst.pathways.source import PathwaySource

__all__ = ["tell_origin"]

WHOLE_PATHWAYS = 1_800
"""WikiPathways has some 2,100; files of one organism or theme are a part of it."""


async def tell_origin(
    source: PathwaySource, notes: Iterable[str] = (), *, clock: Clock = utc_now
) -> dict[str, Any]:
    """Give the provenance of an answer; to be asked after the source was."""
    said = await source.provenance()
    whole = said.source == "live" or (said.records or 0) >= WHOLE_PATHWAYS
    provenance = Provenance(**asdict(said), complete=whole and not said.synthetic)
    return to_provenance(provenance, notes, now=clock(), changing="pathways")
