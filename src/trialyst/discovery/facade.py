"""The tools of discovery on one source, as methods.

Interfaces hold one `Discovery` and pass on what they were given; nothing is decided here. A tool is
imported when first used: a program that asks one thing waits for no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from trialyst.discovery.envelope import Answer, Clock, utc_now

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.discovery.answers import (
        CompareAnswer,
        CountAnswer,
        LocationsAnswer,
        SearchAnswer,
    )
    from trialyst.discovery.arguments import (
        CountArguments,
        GetOptions,
        LocationOptions,
        ResultsOptions,
        SearchArguments,
    )
    from trialyst.discovery.changes import ChangeArguments, ChangesAnswer
    from trialyst.discovery.fields import FieldsAnswer, FieldsArguments
    from trialyst.discovery.result_answers import ResultsAnswer
    from trialyst.discovery.trial_answers import TrialAnswer, TrialsAnswer
    from trialyst.signatures import Several, Text

__all__ = ["Discovery"]


class Discovery:
    """Fuzzy to fact: search for trials, then look them up by id."""

    def __init__(self, source: TrialSource, *, clock: Clock = utc_now) -> None:
        self._source = source
        self._clock = clock

    async def search_trials(self, **arguments: Unpack[SearchArguments]) -> Answer[SearchAnswer]:
        """Find trials by words and filters, the best matches first."""
        from trialyst.discovery.search import search_trials

        return await search_trials(self._source, clock=self._clock, **arguments)

    async def get_trial(
        self, nct_id: Several = None, **arguments: Unpack[GetOptions]
    ) -> Answer[TrialAnswer | TrialsAnswer]:
        """Give one trial, or up to 20, by id, whole or in chosen sections."""
        from trialyst.discovery.lookup import get_trial

        return await get_trial(self._source, nct_id, clock=self._clock, **arguments)

    async def get_trial_locations(
        self, nct_id: Text = None, **arguments: Unpack[LocationOptions]
    ) -> Answer[LocationsAnswer]:
        """Give the sites of a trial, by country, distance and status."""
        from trialyst.discovery.locations import get_trial_locations

        return await get_trial_locations(self._source, nct_id, clock=self._clock, **arguments)

    async def get_results(
        self, nct_id: Text = None, **arguments: Unpack[ResultsOptions]
    ) -> Answer[ResultsAnswer]:
        """Give the posted results of a trial, table after table, in pages."""
        from trialyst.discovery.result_pages import get_results

        return await get_results(self._source, nct_id, clock=self._clock, **arguments)

    async def count_trials(self, **arguments: Unpack[CountArguments]) -> Answer[CountAnswer]:
        """Count trials exactly, in all and by phase, status, sponsor, country or year."""
        from trialyst.discovery.counts import count_trials

        return await count_trials(self._source, clock=self._clock, **arguments)

    async def explore_fields(self, **arguments: Unpack[FieldsArguments]) -> Answer[FieldsAnswer]:
        """List search areas and pieces, or the values of a piece with counts."""
        from trialyst.discovery.fields import explore_fields

        return await explore_fields(self._source, clock=self._clock, **arguments)

    async def get_changes(self, **arguments: Unpack[ChangeArguments]) -> Answer[ChangesAnswer]:
        """Tell which trials are new, changed or gone since a day, and how."""
        from trialyst.discovery.changes import get_changes

        return await get_changes(self._source, clock=self._clock, **arguments)

    async def compare_trials(self, nct_ids: Several = None) -> Answer[CompareAnswer]:
        """Put two to ten trials side by side."""
        from trialyst.discovery.lookup import compare_trials

        return await compare_trials(self._source, nct_ids, clock=self._clock)
