"""What it means that the chart does not speak of a leaf.

A note that is silent about a disease that excludes speaks against it; silent about a laboratory
value it says nothing. `data/silence.txt` holds, by kind of leaf, by what it is about and by side
(asked for or ruled out), how often careful readers took silence for and against the patient. A
rare key leans on the wider ones; the likeliest reading is used, against the patient only where it
is clearly likelier than not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import cache

from trialyst.eligibility.tables import read_lines

__all__ = ["Reading", "counted", "read_silence", "silence_keys"]

_LEANING = 7.0
"""Rows that the shares of the wider key count for beside those of a finer one."""
_LIKELIER = 0.55
"""Share above which silence is held against the patient: clearly likelier than not."""
_TABLES: list[Mapping[str, tuple[float, float, float]]] = []
"""Counts that stand in for the table for a time."""


class Reading(StrEnum):
    """How silence is taken."""

    FAVOURABLE = "favourable"
    """As if the patient fulfils the criterion: silence about a disease that excludes."""
    OPEN = "open"
    UNFAVOURABLE = "unfavourable"
    """As if the patient does not: the group that is asked for is evidently another."""


def read_silence(kind: str, about: str, topic: str, *, exclusion: bool, wanted: bool) -> Reading:
    """Say how silence about a leaf is taken.

    Args:
        kind: of the leaf, such as `Has`.
        about: what it is about.
        topic: whether the trial is about something the patient has: `own`, `other` or `open`.
        exclusion: whether the criterion is one.
        wanted: whether the patient fulfils the criterion if the leaf holds.
    """
    return _read(kind, about, topic, exclusion, wanted)


def silence_keys(kind: str, about: str, topic: str, side: str) -> tuple[str, ...]:
    """Give the keys that count for a leaf, the widest first."""
    finest = f"{kind}/{about}/{topic}/{side}"
    return side, f"{topic}/{side}", f"{kind}/{side}", f"{kind}/{about}/{side}", finest


@contextmanager
def counted(table: Mapping[str, tuple[float, float, float]]) -> Iterator[None]:
    """Read silence by other counts than those that ship, to measure them on other patients."""
    _TABLES.append(table)
    _read.cache_clear()
    try:
        yield
    finally:
        _TABLES.pop()
        _read.cache_clear()


@cache
def _read(kind: str, about: str, topic: str, *sides: bool) -> Reading:
    exclusion, wanted = sides
    side = f"{'exclusion' if exclusion else 'inclusion'}/{'wanted' if wanted else 'unwanted'}"
    table = _TABLES[-1] if _TABLES else _table()
    shares = (0.0, 1.0, 0.0)
    for key in silence_keys(kind, about, topic, side):
        counts = table.get(key, (0, 0, 0))
        total = sum(counts) + _LEANING
        favourable, still_open, unfavourable = (
            (count + _LEANING * share) / total for count, share in zip(counts, shares, strict=True)
        )
        shares = favourable, still_open, unfavourable
    if unfavourable > _LIKELIER:
        return Reading.UNFAVOURABLE
    likeliest = favourable > max(still_open, unfavourable)
    return Reading.FAVOURABLE if likeliest else Reading.OPEN


@cache
def _table() -> dict[str, tuple[float, float, float]]:
    table = {}
    for line in read_lines("silence.txt"):
        key, *counts = line.split("|")
        favourable, still_open, unfavourable = map(float, counts)
        table[key.strip()] = favourable, still_open, unfavourable
    return table
