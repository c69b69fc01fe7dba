"""Values a note tells by a word: who is obese has a body mass index of 30 or more.

Only bounds follow from a word, so it decides a criterion only where all values within them agree.
"""

from __future__ import annotations

from functools import cache

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.tables import read_lines
from trialyst.matching.judging.demands import Demand
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["judge_implied"]

_PAIN = "lab:vas_pain"
_PAINS = (
    (
        7.0,
        10.0,
        r"\b(?:severe|excruciating|intense|unbearable|worst)\b[^.;]{0,30}\b(?:pain|headache)",
    ),
    (4.0, 7.0, r"\bmoderate\b[^.;]{0,20}\bpain"),
    (1.0, 4.0, r"\bmild\b[^.;]{0,20}\bpain"),
)
_LONG_SCALE = 10.0
"""A bound above this number is one on a scale to a hundred."""


def judge_implied(demand: Demand, view: NoteView) -> tuple[bool, Sighting] | None:
    """Say whether what the note tells by words keeps to a bound, None where that is open."""
    scale = 1.0
    if demand.concept == _PAIN:
        scale = 10.0 if max(demand.low or 0, demand.high or 0) > _LONG_SCALE else 1.0
    for low, high, pattern in _implied().get(demand.concept, ()):
        ends = {demand.holds(low * scale), demand.holds(high * scale)}
        if len(ends) == 1:
            for place in view.sightings(pattern):
                if place.standing == "has":
                    return ends.pop(), place
    return None


@cache
def _implied() -> dict[str, tuple[tuple[float, float, str], ...]]:
    found: dict[str, list[tuple[float, float, str]]] = {_PAIN: list(_PAINS)}
    for line in read_lines("implied.txt", package="trialyst.matching"):
        names, bounds, pattern = (part.strip() for part in line.split(" | ", 2))
        for name in names.split(", "):
            low, high = _bounds(name, bounds)
            found.setdefault(f"lab:{name}", []).append((low, high, pattern))
    return {concept: tuple(listed) for concept, listed in found.items()}


def _bounds(name: str, text: str) -> tuple[float, float]:
    """Read bounds; `normal` stands for the usual range."""
    analyte = get_analyte(name)
    if text == "normal" and analyte is not None:
        return analyte.low or 0.0, analyte.high or float("inf")
    low, _, high = text.partition("-")
    return float(low or 0), float(high or "inf")
