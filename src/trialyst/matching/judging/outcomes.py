"""Results, scores and weeks, wherever they stand in a criterion, beside those of the note."""

from __future__ import annotations

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.directions import judge_directions
from trialyst.matching.judging.gestation import judge_gestation
from trialyst.matching.judging.scales import judge_scales

__all__ = ["judge_outcome"]


def judge_outcome(case: Case) -> Decision | None:
    """Judge by what was found, scored or counted."""
    return judge_directions(case) or judge_scales(case) or judge_gestation(case)
