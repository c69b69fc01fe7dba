"""What it means that the chart does not speak of a leaf.

A note that is silent about a disease that excludes speaks against it; silent about a laboratory
value it says nothing. `data/silence.txt` holds, by kind of leaf, by what it is about and by side
(asked for or ruled out), how often careful readers took silence for and against the patient; the
more frequent reading is used where it is frequent enough.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from trialyst.eligibility.tables import read_lines

__all__ = ["Reading", "read_silence"]

_ENOUGH = 8
"""Rows below which a finer key says too little and the wider one is asked."""


class Reading(StrEnum):
    """How silence is taken."""

    FAVOURABLE = "favourable"
    """As if the patient fulfils the criterion: silence about a disease that excludes."""
    OPEN = "open"
    UNFAVOURABLE = "unfavourable"
    """As if the patient does not: the group that is asked for is evidently another."""


def read_silence(kind: str, about: str, *, exclusion: bool, wanted: bool) -> Reading:
    """Say how silence about a leaf is taken.

    Args:
        kind: of the leaf, such as `Has`.
        about: what it is about: the finer part of the key.
        exclusion: whether the criterion is one.
        wanted: whether the patient fulfils the criterion if the leaf holds.
    """
    side = f"{'exclusion' if exclusion else 'inclusion'}/{'wanted' if wanted else 'unwanted'}"
    table = _table()
    for key in (f"{kind}/{about}/{side}", f"{kind}/{side}", side):
        counts = table.get(key)
        if counts is not None and sum(counts) >= _ENOUGH:
            return tuple(Reading)[counts.index(max(counts))]
    return Reading.OPEN


@cache
def _table() -> dict[str, tuple[int, int, int]]:
    table = {}
    for line in read_lines("silence.txt"):
        key, favourable, still_open, unfavourable = (part.strip() for part in line.split("|"))
        table[key] = int(favourable), int(still_open), int(unfavourable)
    return table
