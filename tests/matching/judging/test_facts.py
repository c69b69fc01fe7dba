"""Facts that would decide what is open, and washouts that end."""

from __future__ import annotations

import pytest

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.requirement import Has, Underwent
from trialyst.matching.judging.facts import fact_name
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import CriterionResult, Statement, Verdict
from trialyst.vocabulary import Vocabulary
from trialyst.vocabulary.term import Term

NOTE = (
    "A 58-year-old woman with metastatic breast cancer. She received paclitaxel 10 days ago. "
    "ECOG performance status 1."
)


@pytest.fixture(scope="module")
def judge(shipped: Vocabulary) -> RulesJudge:
    return RulesJudge(shipped)


def judged(judge: RulesJudge, text: str, kind: str = "inclusion") -> CriterionResult:
    statement = Statement(text, CriterionKind(kind), title="Breast cancer")
    return judge.judge_one(judge.read(NOTE), statement)


def test_open_criteria_name_facts_and_not_themselves(judge: RulesJudge) -> None:
    expected = {
        "Platelets >= 100 x 10^9/L and hemoglobin > 9 g/dL": ("platelet count", "hemoglobin"),
        "Life expectancy of at least 3 months": ("life expectancy",),
        "HER2 positive": ("HER2 status",),
        "LVEF of 50 % or more": ("left ventricular ejection fraction",),
        "NYHA functional class III": ("NYHA class",),
        "Low back pain of at least 40 mm and not more than 90 mm of 100 mm": ("low back pain",),
    }
    found = {text: judged(judge, text).facts for text in expected}
    assert found == expected


def test_a_kind_is_asked_for_in_its_words_and_a_heading_in_the_order_of_speech() -> None:
    cancer = Term("MESH:D001943", "Breast Neoplasms")
    knee = Term("MESH:D019645", "Arthroplasty, Replacement, Knee")
    kind = Has(what=cancer, words="inflammatory breast cancer", modifiers="inflammatory")
    assert fact_name(kind, there=True) == "kind of breast cancer (inflammatory)"
    assert fact_name(Has(what=cancer, words="breast cancer"), there=True) == "breast cancer"
    assert fact_name(Underwent(what=knee, words="TKA")) == "knee replacement arthroplasty"
    assert fact_name(Underwent(what=None, words="testing")) == ""


def test_what_is_decided_names_no_fact(judge: RulesJudge) -> None:
    result = judged(judge, "Female patients aged 18 years or older")
    assert (result.verdict, result.facts, result.missing) == (Verdict.MET, (), None)


def test_a_washout_ends_when_its_window_is_over(judge: RulesJudge) -> None:
    excluded = judged(judge, "Chemotherapy within 4 weeks before enrollment", "exclusion")
    assert (excluded.verdict, excluded.clears_in_days) == (Verdict.MET, 18)
    assert judged(judge, "No chemotherapy within 14 days").clears_in_days == 4


def test_a_washout_is_counted_from_the_day_that_heads_the_note(judge: RulesJudge) -> None:
    """Of drugs that are given against tumours, and of the drug beside the name of its kind."""
    note = "Date of visit: 2026-08-01. A woman with breast cancer. {} on 2026-07-20."
    for given in ("Last chemotherapy (paclitaxel)", "Last imatinib", "Pembrolizumab"):
        chart = judge.read(note.format(given))
        for asked in ("Anticancer therapy within 28 days", "Systemic therapy within 28 days"):
            result = judge.judge_one(chart, Statement(asked, CriterionKind.EXCLUSION))
            assert (result.verdict, result.clears_in_days) == (Verdict.MET, 16), (given, asked)


def test_what_is_no_washout_never_ends(judge: RulesJudge) -> None:
    assert judged(judge, "Metastatic disease", "exclusion").clears_in_days is None
    assert judged(judge, "Age 60 years or older").clears_in_days is None


def test_only_the_condition_of_the_trial_meets_its_condition(judge: RulesJudge) -> None:
    assert judged(judge, "Histologically confirmed breast cancer").about_condition
    assert not judged(judge, "Age 18 years or older").about_condition
