"""The repurposing client: five questions about a drug and a condition, on any source.

Holds the source, the names and the clock; each question has a module of its own, imported when it
is first asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.annotation.drugs import DrugNames
    from trialyst.ctgov.source import TrialSource
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.models import (
        ConditionLandscape,
        Found,
        TerminatedTrial,
        Trial,
        WhitespaceResult,
    )
    from trialyst.vocabulary import Vocabulary

__all__ = ["Clock", "RepurposingClient"]

Clock = Callable[[], datetime]
"""Gives the present moment, with its time zone."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class RepurposingClient:
    """What has been tried for a drug and a condition, how far it got, and why it stopped.

    Every method takes `date_before` (first posted by then, included: yyyy, yyyy-MM or yyyy-MM-dd)
    where it makes sense, and `point_in_time`, which also hides what was not yet known then.
    """

    def __init__(
        self,
        source: TrialSource,
        *,
        vocabulary: Vocabulary | None = None,
        clock: Clock = _utc_now,
    ) -> None:
        """Ask a source by the names it knows, or by those of another vocabulary."""
        self.source = source
        self._vocabulary = vocabulary
        self.clock = clock
        self._drugs: DrugNames | None = None

    @property
    def vocabulary(self) -> Vocabulary:
        """The names that drugs and conditions are read by."""
        return self._vocabulary or self.source.names

    async def search_trials(  # noqa: PLR0913 - the seed's five, and two of our own
        self,
        drug: str,
        condition: str | None = None,
        date_before: str | None = None,
        phase_filter: str | None = None,
        max_results: int = 200,
        *,
        point_in_time: bool = False,
        include_mentioned: bool = False,
    ) -> Found[Trial]:
        """Find the trials that give a drug, for a condition or any; those that test it first.

        Args:
            phase_filter: a phase such as PHASE3, or an expression of phases: (PHASE2 OR PHASE3).
            include_mentioned: also trials that name the drug but do not give it, last.
        """
        from trialyst.questions.names import read_condition, read_drug
        from trialyst.repurposing.phase_filter import parse_phase_filter
        from trialyst.repurposing.queries import check_limit
        from trialyst.repurposing.searching import search_trials

        asking = self.asking(date_before, point_in_time=point_in_time)
        terms = {"drug": read_drug(asking.vocabulary, drug)}
        if condition is not None:
            terms["condition"] = read_condition(asking.vocabulary, condition)
        return await search_trials(
            asking,
            terms,
            phases=parse_phase_filter(phase_filter),
            most=check_limit("max_results", max_results),
            include_mentioned=include_mentioned,
        )

    async def detect_whitespace(
        self,
        drug: str,
        condition: str,
        date_before: str | None = None,
        *,
        point_in_time: bool = False,
    ) -> WhitespaceResult:
        """Say whether a drug has been tried for a condition, and grade how far it has come."""
        from trialyst.repurposing.certainty import mark_certainty
        from trialyst.repurposing.whitespace import detect_whitespace

        asking = self.asking(date_before, point_in_time=point_in_time)
        return await mark_certainty(asking, await detect_whitespace(asking, drug, condition))

    async def get_landscape(
        self,
        condition: str,
        date_before: str | None = None,
        top_n: int = 50,
        *,
        point_in_time: bool = False,
        order: str = "phase",
    ) -> ConditionLandscape:
        """Say who works on a condition, with what, and how far along.

        Args:
            order: what competitors are ordered by: phase (then enrollment), enrollment, trials,
                recent.
        """
        from trialyst.repurposing.landscape import get_landscape
        from trialyst.repurposing.queries import check_limit, check_order

        asking = self.asking(date_before, point_in_time=point_in_time)
        top = check_limit("top_n", top_n)
        return await get_landscape(asking, condition, top=top, order=check_order(order))

    async def get_terminated(
        self,
        query: str,
        date_before: str | None = None,
        max_results: int = 100,
        *,
        point_in_time: bool = False,
    ) -> Found[TerminatedTrial]:
        """Find what has stopped early for a drug, a drug class or a condition, and why."""
        from trialyst.repurposing.queries import check_limit
        from trialyst.repurposing.terminated import get_terminated

        asking = self.asking(date_before, point_in_time=point_in_time)
        most = check_limit("max_results", max_results)
        return await get_terminated(asking, query, most=most)

    async def get_trial(
        self,
        nct_id: str,
        date_before: str | None = None,
        *,
        point_in_time: bool = False,
    ) -> Trial:
        """Give one trial by its id in any spelling, or raise NotFound."""
        from trialyst.repurposing.searching import get_trial

        return await get_trial(self.asking(date_before, point_in_time=point_in_time), nct_id)

    def asking(self, date_before: str | None, *, point_in_time: bool = False) -> Asking:
        """Give whom a question is put to, with which names and as of when."""
        from trialyst.annotation.drugs import DrugNames
        from trialyst.repurposing.asking import Asking
        from trialyst.repurposing.queries import read_cutoff

        cutoff = read_cutoff(date_before, point_in_time=point_in_time)
        names, source = self.vocabulary, self.source
        if cutoff and point_in_time:
            names, source = names.as_of(cutoff.isoformat()), source.as_recorded(cutoff)
        drugs = self._drugs
        if drugs is None or drugs.vocabulary is not names:
            drugs = DrugNames(names)
        if names is self.vocabulary:
            self._drugs = drugs
        return Asking(source, drugs, self.clock(), cutoff, point_in_time)
