"""The trials behind the counts of a scout: what a page leads to from each number it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.agents.prospects import find_prospects
from trialyst.agents.relatives import MOST_RELATIVES, find_relatives
from trialyst.folding import fold_phrase

if TYPE_CHECKING:
    from trialyst.repurposing.asking import Asking

__all__ = ["list_of_relatives"]


async def list_of_relatives(asking: Asking, drug: str, condition: str) -> list[str]:
    """Give the ids of the trials that a scout counts for drugs near a drug in a condition.

    The condition is written as the scout writes it; the furthest trials come first.
    """
    relatives = find_relatives(asking.vocabulary, drug)[:MOST_RELATIVES]
    wanted = fold_phrase(condition)
    for prospect in await find_prospects(asking, relatives):
        if fold_phrase(prospect.name) == wanted:
            rows = sorted(prospect.rows.values(), key=lambda row: (-row.rank, row.nct_id))
            return [row.nct_id for row in rows]
    return []
