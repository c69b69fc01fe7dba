"""What a rule looks at and what it gives: a criterion beside a note, and a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from trialyst.matching.judging.matches import Matches
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.statement import ReadStatement
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["Case", "Decision", "places"]


class Case(NamedTuple):
    """A criterion, or a part of one, beside a note."""

    statement: ReadStatement
    exclusion: bool
    view: NoteView
    matches: Matches


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict with the rule that gave it and what it rests on."""

    rule: str
    verdict: Verdict
    reason: str
    sightings: tuple[Sighting, ...] = ()
    applicability: Applicability = Applicability.APPLIES
    missing: str | None = None
    """What the note would have to tell; the criterion itself if not said otherwise."""


def places(case: Case) -> tuple[Sighting, ...]:
    """Give where the note names or shows what the criterion speaks of."""
    found = [named.sighting for named in case.matches.named]
    for shown in case.matches.held:
        found.extend(sighting for sighting, _ in case.view.findings(shown.syndrome))
    if not found:
        found = [sighting for _, sighting in case.matches.words if sighting.standing == "has"]
    return tuple(found)
