"""`PD` in a note: a cancer that grew under a treatment, or Parkinson's disease."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.matching.reading.passage import Passage

__all__ = ["find_progression"]

_UNDER = re.compile(r"\s+(?:on|after|during|following|with|w/|while)\b", re.IGNORECASE)
_PARKINSON = frozenset(
    "levodopa carbidopa dopa ldopa sinemet madopar stalevo benserazide pramipexole mirapex "
    "ropinirole requip rotigotine neupro rasagiline azilect selegiline safinamide amantadine "
    "entacapone opicapone tolcapone apomorphine dbs parkinson parkinsonism hoehn updrs tremor "
    "bradykinesia rigidity dyskinesia".split()
)


def find_progression(passage: Passage, end: int) -> int | None:
    """Give where "PD on" ends, for a `PD` that ends at a place; None where it is no progression."""
    if not _PARKINSON.isdisjoint(passage.vocabulary):
        return None
    under = _UNDER.match(passage.text, end - passage.start)
    return None if under is None else under.end() + passage.start
