"""How well a trial fits a patient: a weighted sum of named measures, which is the order of a match.

The measures say how the search found the trial, how its conditions stand to the patient's main
problem, and what its criteria come to, each verdict counted by how sure it is. Weights are learned
on judged patients (`data/fit_weights.txt`, made by `tools/fit_order.py`), except those below, which
no judged patient tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2, prod
from typing import TYPE_CHECKING

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.learned import Learned, load_learned
from trialyst.matching.verdict import TrialVerdict
from trialyst.vocabulary.relations import Relation

if TYPE_CHECKING:
    from trialyst.matching.judging.result import CriterionResult
    from trialyst.matching.relevance import Standing
    from trialyst.matching.report import NearbySite
    from trialyst.matching.verdict import TrialAssessment

__all__ = ["FIXED", "ORDERED", "SIGNS", "fit_terms", "fit_weights", "measure_fit"]

ANOTHER = "another condition"
CONFLICT = "sure conflict"
DISTANCE = "distance"
FIXED: Mapping[str, float] = {ANOTHER: -20.0, CONFLICT: -5.0, DISTANCE: -0.1}
"""A trial that surely excludes the patient stands below all that may not, and one of something he
does not have last. Distance decides between trials that fit alike: it counts the doublings of
50 km, so that 1,600 km weigh as much as a third of the inclusion criteria."""
_NEAR_KM = 50.0
_FAR_KM = 20_000.0
"""Of a trial that recruits nowhere that can be told."""
_STANDINGS: Mapping[Relation, str] = {
    Relation.SAME: "the main problem itself",
    Relation.NARROWER: "a kind of the main problem",
    Relation.WIDER: "wider than the main problem",
    Relation.SIBLING: "a sibling of the main problem",
    Relation.UNRELATED: "not the main problem",
}
_SAME, _KIND, _WIDER, _SIBLING, _OTHER = _STANDINGS.values()
_FIELD = "a whole field of medicine"
_UNKNOWN = "nothing that is known"
ORDERED: Mapping[tuple[str, str], float] = {
    (_SAME, _KIND): 0.0,
    (_SAME, _WIDER): 0.4,
    (_KIND, _FIELD): 0.6,
    (_WIDER, _FIELD): 0.6,
    (_KIND, _SIBLING): 0.0,
    (_FIELD, _SIBLING): 0.2,
    (_FIELD, _OTHER): 0.4,
    (_FIELD, _UNKNOWN): 0.0,
}
"""By pairs of measures, how much more the first weighs at least: who asks for trials of a rare
cancer wants those before trials of any cancer, which judges find no less fitting."""
SIGNS: Mapping[str, int] = {
    "search score": 1,
    "conditions the patient has": 1,
    "inclusions met": 1,
    "inclusions open": -1,
    "chance of a conflict": -1,
    "meets what could be read": 1,
}
"""Whether a measure speaks for a trial or against it, whatever few judged patients say."""


def fit_weights() -> Learned:
    """Give the learned weights."""
    return load_learned("trialyst.matching", "fit_weights.txt")


def measure_fit(
    score: float,
    standing: Standing,
    assessment: TrialAssessment,
    *,
    sites: Sequence[NearbySite] | None = None,
) -> dict[str, float]:
    """Give the measures of a trial.

    Args:
        score: what the search gave it.
        sites: the nearest ones that recruit; None where no place was given.
    """
    measures = {
        "search score": score,
        "conditions the patient has": standing.share,
        "meets what could be read": standing.share * (assessment.verdict is TrialVerdict.ELIGIBLE),
        CONFLICT: float(assessment.verdict is TrialVerdict.EXCLUDED),
        ANOTHER: float(assessment.verdict is TrialVerdict.NOT_RELEVANT),
        **_criteria(assessment.results),
    }
    if standing.relation is None:
        measures[_UNKNOWN] = 1.0
    else:
        measures[_FIELD if standing.far else _STANDINGS[standing.relation]] = 1.0
    if sites is not None:
        km = sites[0].distance_km if sites else _FAR_KM
        measures[DISTANCE] = log2(1 + km / _NEAR_KM)
    return measures


def _criteria(results: Sequence[CriterionResult]) -> dict[str, float]:
    inclusions = [
        result
        for result in results
        if result.criterion_type is CriterionKind.INCLUSION
        and (result.applicability is Applicability.APPLIES)
    ]
    met = sum(each.confidence for each in inclusions if each.verdict is Verdict.MET)
    still_open = sum(each.verdict is Verdict.UNKNOWN for each in inclusions)
    doubts = (1 - each.confidence for each in results if each.disqualifies)
    return {
        "inclusions met": met / (len(inclusions) + 1),
        "inclusions open": still_open / (len(inclusions) + 1),
        "chance of a conflict": 1 - prod(doubts),
    }


def fit_terms(measures: Mapping[str, float], weights: Mapping[str, float]) -> dict[str, float]:
    """Give what each measure adds to the fit, the weightiest first; nothing is left out."""
    terms = {
        name: round(value * (FIXED[name] if name in FIXED else weights.get(name, 0.0)), 4)
        for name, value in measures.items()
    }
    return dict(sorted(terms.items(), key=lambda term: -abs(term[1])))
