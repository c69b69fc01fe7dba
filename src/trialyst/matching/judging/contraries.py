"""The rule of contraries: what the note tells that cannot be together with what is asked for."""

from __future__ import annotations

from functools import cache

from trialyst.eligibility.tables import read_lines
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import GatedPattern, gated
from trialyst.matching.judging.result import Verdict

__all__ = ["judge_contrary"]


def judge_contrary(case: Case) -> Decision | None:
    """An inclusion criterion whose contrary the note tells."""
    if case.exclusion:
        return None
    for asked, told in _contraries():
        if asked.search(case.statement.lowered) is None:
            continue
        places = tuple(place for place in case.view.sightings(told) if place.standing == "has")
        if places:
            words = case.view.note.text[places[0].start : places[0].end]
            reason = f"The note tells of {words!r}, which speaks against it."
            return Decision("contrary", Verdict.NOT_MET, reason, places)
    return None


@cache
def _contraries() -> tuple[tuple[GatedPattern, str], ...]:
    found = []
    for line in read_lines("contraries.txt", package="trialyst.matching"):
        asked, told = line.split(" :: ")
        found.append((gated(asked.strip()), told.strip()))
    return tuple(found)
