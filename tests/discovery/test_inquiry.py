"""What a source says of one of several answers reaches the reader."""

from __future__ import annotations

from collections.abc import Mapping

from tests.discovery.asking import Tools
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.source import Provenance
from trialyst.registry import RegistrySource


class Forgetful(RegistrySource):
    """Says of each answer that it was kept, and forgets it with the next, as the live source."""

    _told: str | None = None

    async def count(self, query: TrialQuery) -> int:
        self._told = None
        return await super().count(query)

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        self._told = f"{piece} is from a kept answer."
        return await super().count_by(query, piece)

    async def provenance(self) -> Provenance:
        said = await super().provenance()
        told = (self._told,) if self._told else ()
        return said.model_copy(update={"notes": (*said.notes, *told)})


def test_notes_on_every_operation_are_told(starter_source: RegistrySource) -> None:
    tools = Tools(Forgetful(starter_source.registry))
    notes = tools.wire("count_trials", condition="asthma", by=["phase", "status"])["provenance"][
        "notes"
    ]
    assert "Phase is from a kept answer." in notes
    assert "OverallStatus is from a kept answer." in notes
    assert notes.count("Every record is synthetic.") == 1
