"""What completed late trials of a pair found, by their posted primary outcomes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialyst.annotation.interventions import given_everywhere
from trialyst.annotation.results import read_posted
from trialyst.ctgov.parse_readable import to_readable
from trialyst.ids import NctId
from trialyst.repurposing.grading import is_late_and_complete, rank_hits

if TYPE_CHECKING:
    from trialyst.repurposing.annotated import SoughtDrug
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.rows import TrialRow

__all__ = ["read_outcomes", "summarize_outcomes"]

MOST_READ = 50
MOST_READ_REMOTELY = 5
"""Trials whose results are read, the most advanced first; a service is asked for each by itself."""
_WORDS = {"met": "positive", "not_met": "negative", "unclear": "unclear"}
UNREAD = "unread"


async def read_outcomes(
    asking: Asking, rows: Sequence[TrialRow], drug: SoughtDrug
) -> Mapping[str, str]:
    """Give by id what completed late trials found; unread where no results are posted.

    A drug that every arm gives is compared with nothing: its trial is unclear, whatever it found.
    """
    late = rank_hits(row for row in rows if is_late_and_complete(row))
    most = MOST_READ_REMOTELY if asking.source.is_remote else MOST_READ
    chosen = late[:most] if asking.known_at is None else []
    found = dict.fromkeys((row.nct_id for row in late), UNREAD)
    read = await asyncio.gather(*(_outcome(asking, row.nct_id) for row in chosen))
    found |= {row.nct_id: each for row, each in zip(chosen, read, strict=True)}
    clear = [NctId.parse(key) for key, each in found.items() if each in ("positive", "negative")]
    for trial in await asking.source.get_many(clear) if clear else ():
        if drug.is_one_of(given_everywhere(to_readable(trial), asking.drugs)):
            found[trial.nct_id] = "unclear"
    return found


async def _outcome(asking: Asking, nct_id: str) -> str:
    posted = await asking.source.get_results(NctId.parse(nct_id))
    if posted is None:
        return UNREAD
    outcome = await asyncio.to_thread(lambda: read_posted(posted).outcome)
    return _WORDS[outcome.value]


def summarize_outcomes(outcomes: Mapping[str, str]) -> str:
    """Say what trials found taken together: what disagrees is unclear.

    >>> summarize_outcomes({"NCT00000001": "positive", "NCT00000002": "unread"})
    'positive'
    >>> summarize_outcomes({"NCT00000001": "positive", "NCT00000002": "negative"})
    'unclear'
    """
    told = set(outcomes.values()) - {UNREAD}
    if not told:
        return UNREAD
    clear = told - {"unclear"}
    return clear.pop() if len(clear) == 1 else "unclear"
