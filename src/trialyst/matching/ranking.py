"""The order of judged trials: verdict, whether the trial is about the main diagnosis or at least a
condition the patient has, then confidence, then the score of the search, then id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trialyst.ids import NctId
from trialyst.matching.verdict import TrialAssessment, TrialVerdict

__all__ = ["RankedTrial", "rank_trials"]

_ORDER = {verdict: place for place, verdict in enumerate(TrialVerdict)}


@dataclass(frozen=True, slots=True)
class RankedTrial:
    """A judged trial; excluded ones stay, with their reason."""

    nct_id: NctId
    assessment: TrialAssessment
    prescreen_score: float = 0.0
    on_topic: bool = True
    """Whether the patient has what the trial is about; not known of some, such as prevention."""
    primary: bool = False
    """Whether it is about the patient's main diagnosis."""


def rank_trials(trials: Iterable[RankedTrial]) -> list[RankedTrial]:
    """Order judged trials, the fitting ones first."""
    return sorted(
        trials,
        key=lambda trial: (
            _ORDER[trial.assessment.verdict],
            not (trial.on_topic and trial.primary),
            not trial.on_topic,
            -trial.assessment.confidence,
            -trial.prescreen_score,
            str(trial.nct_id),
        ),
    )
