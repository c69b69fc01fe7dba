"""Whether a grade of the past is certain: older versions of a record are not at hand.

A record updated since may have named other interventions at the cutoff, so a grade that rests on it
might have been another then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.ids import NctId
from trialyst.repurposing.holdout import is_whole

if TYPE_CHECKING:
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.models import WhitespaceResult

__all__ = ["mark_certainty"]


async def mark_certainty(asking: Asking, graded: WhitespaceResult) -> WhitespaceResult:
    """Mark a grade as not certain where the matches listed were updated after the cutoff."""
    cutoff = asking.known_at
    if cutoff is None or not graded.hits:
        return graded
    trials = await asking.source.get_many([NctId.parse(hit.nct_id) for hit in graded.hits])
    later = sum(not is_whole(trial, cutoff) for trial in trials)
    if not later:
        return graded
    note = (
        f"The grade is not certain: {later} of {len(trials)} matching records were updated after "
        f"{cutoff}, and their interventions may have been others then."
    )
    provenance = graded.provenance.model_copy(update={"notes": (*graded.provenance.notes, note)})
    return graded.model_copy(update={"grade_certain": False, "provenance": provenance})
