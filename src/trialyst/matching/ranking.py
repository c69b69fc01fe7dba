"""The order of judged trials: by fit, which one model measures, then id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trialyst.matching.fit import fit_terms, fit_weights
from trialyst.matching.report import Fit, MatchedTrial

__all__ = ["rank_trials"]


def rank_trials(
    trials: Iterable[MatchedTrial], *, weights: Mapping[str, float] | None = None
) -> list[MatchedTrial]:
    """Order judged trials, the fitting ones first, each with what its place rests on.

    Args:
        weights: of the measures of fit; those that ship if not given.
    """
    used = fit_weights().weights if weights is None else weights
    return sorted(
        (trial.model_copy(update={"fit": _fit(trial, used)}) for trial in trials),
        key=lambda trial: (-trial.fit.score, trial.nct_id),
    )


def _fit(trial: MatchedTrial, weights: Mapping[str, float]) -> Fit:
    terms = fit_terms(trial.measures, weights)
    return Fit(score=round(sum(terms.values()), 4), terms=terms)
