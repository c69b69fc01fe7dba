from __future__ import annotations

import pytest

from trialyst.ctgov.criteria import CriterionKind, split_criteria
from trialyst.eligibility.criterion_lists import find_alternatives
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.settling import settle_alternatives
from trialyst.matching.verdict import TrialVerdict, aggregate_to_trial_verdict


def result(verdict: str) -> CriterionResult:
    return CriterionResult(
        criterion="c",
        criterion_type=CriterionKind.INCLUSION,
        verdict=Verdict(verdict),
        confidence=0.9,
        applicability=Applicability.APPLIES,
        sentences=(),
        quotes=(),
        reasoning="So it is.",
    )


def test_items_joined_by_or_are_alternatives() -> None:
    criteria = split_criteria("Inclusion Criteria:\n* Asthma; or\n* COPD; or\n* Emphysema\n* Adult")
    assert find_alternatives(criteria) == [(0, 1, 2)]


def test_exclusion_criteria_exclude_each_by_itself() -> None:
    assert find_alternatives(split_criteria("Exclusion Criteria:\n* Asthma; or\n* COPD")) == []


@pytest.mark.parametrize(
    ("verdicts", "trial"),
    [
        (("MET", "NOT_MET"), TrialVerdict.ELIGIBLE),
        (("MET", "UNKNOWN"), TrialVerdict.ELIGIBLE),
        (("UNKNOWN", "NOT_MET"), TrialVerdict.UNCERTAIN),
        (("NOT_MET", "NOT_MET"), TrialVerdict.EXCLUDED),
    ],
)
def test_one_alternative_is_enough(verdicts: tuple[str, str], trial: TrialVerdict) -> None:
    settled = settle_alternatives([result(each) for each in verdicts], [(0, 1)])
    assert aggregate_to_trial_verdict(settled).verdict is trial
