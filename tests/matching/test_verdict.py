"""The truth table of trial verdicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from trialyst.benchmark.annotations import load_annotations_from_file, to_verdict
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.prescreen.candidates import TrialCandidate
from trialyst.matching.report import MatchedTrial
from trialyst.matching.verdict import TrialVerdict, aggregate_to_trial_verdict
from trialyst.matching.wording import why_words

MET, NOT_MET, UNKNOWN = Verdict.MET, Verdict.NOT_MET, Verdict.UNKNOWN
INCLUSION, EXCLUSION = CriterionKind.INCLUSION, CriterionKind.EXCLUSION
APPLIES, OTHERS, ADMIN = (
    Applicability.APPLIES,
    Applicability.NOT_APPLICABLE,
    Applicability.ADMINISTRATIVE,
)


def result(
    kind: CriterionKind,
    verdict: Verdict,
    applicability: Applicability = APPLIES,
    *,
    confidence: float = 0.95,
    **more: Any,
) -> CriterionResult:
    return CriterionResult(
        "c", kind, verdict, confidence, applicability, (), (), "Because.", **more
    )


def rule(kind: CriterionKind, verdict: Verdict, **more: Any) -> CriterionResult:
    return result(kind, verdict, leaf="Has", **more)


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([result(INCLUSION, MET), result(EXCLUSION, NOT_MET)], "ELIGIBLE"),
        ([result(INCLUSION, MET)], "ELIGIBLE"),
        ([result(INCLUSION, NOT_MET), result(EXCLUSION, UNKNOWN)], "EXCLUDED"),
        ([result(INCLUSION, MET), result(EXCLUSION, MET)], "EXCLUDED"),
        ([result(INCLUSION, UNKNOWN), result(EXCLUSION, MET)], "EXCLUDED"),
        ([result(INCLUSION, MET), result(INCLUSION, UNKNOWN)], "UNCERTAIN"),
        ([result(INCLUSION, MET), result(EXCLUSION, UNKNOWN)], "UNCERTAIN"),
        ([result(EXCLUSION, NOT_MET)], "UNCERTAIN"),
        ([], "UNCERTAIN"),
        ([result(INCLUSION, MET), result(EXCLUSION, UNKNOWN, OTHERS)], "ELIGIBLE"),
        ([result(INCLUSION, MET), result(INCLUSION, UNKNOWN, ADMIN)], "ELIGIBLE"),
        ([result(INCLUSION, UNKNOWN, ADMIN)], "UNCERTAIN"),
        ([result(INCLUSION, MET), result(CriterionKind.OTHER, NOT_MET)], "ELIGIBLE"),
        ([result(INCLUSION, MET), result(EXCLUSION, MET, confidence=0.89)], "UNCERTAIN"),
        ([rule(INCLUSION, MET), rule(EXCLUSION, NOT_MET)], "UNCERTAIN"),
        ([rule(INCLUSION, MET, about_condition=True), rule(EXCLUSION, NOT_MET)], "ELIGIBLE"),
        (
            [
                rule(INCLUSION, MET, about_condition=True),
                rule(INCLUSION, UNKNOWN, applicability=ADMIN, set_aside=True),
            ],
            "UNCERTAIN",
        ),
        (
            [
                rule(INCLUSION, MET, about_condition=True),
                rule(EXCLUSION, NOT_MET, read_in_part=True),
            ],
            "UNCERTAIN",
        ),
    ],
)
def test_the_truth_table(results: Sequence[CriterionResult], verdict: str) -> None:
    assert aggregate_to_trial_verdict(results).verdict == verdict


def test_a_trial_of_a_sibling_disease_is_not_met_by_what_both_share() -> None:
    met = [result(INCLUSION, MET)]
    assert aggregate_to_trial_verdict(met, about_sibling=True).verdict == "UNCERTAIN"


def test_what_was_understood_in_part_is_told_as_the_reason() -> None:
    partly = rule(INCLUSION, MET, about_condition=True, read_in_part=True)
    trial = MatchedTrial(
        candidate=TrialCandidate(nct_id="NCT00000001", brief_title="t"),
        assessment=aggregate_to_trial_verdict([partly]),
    )
    assert trial.assessment.deciding == (partly,)
    assert why_words(trial) == "understood in part only: c"


def test_a_trial_of_another_condition_is_not_relevant_even_if_it_excludes() -> None:
    found = aggregate_to_trial_verdict([result(INCLUSION, NOT_MET)], has_condition=False)
    assert found.verdict is TrialVerdict.NOT_RELEVANT


def test_structured_fields_exclude() -> None:
    found = aggregate_to_trial_verdict(
        [result(INCLUSION, MET)], structured=[result(INCLUSION, NOT_MET)]
    )
    assert found.verdict is TrialVerdict.EXCLUDED


def test_structured_fields_alone_do_not_make_a_trial_eligible() -> None:
    found = aggregate_to_trial_verdict([], structured=[result(INCLUSION, MET)])
    assert found.verdict is TrialVerdict.UNCERTAIN


def test_what_excludes_is_listed() -> None:
    out = result(EXCLUSION, MET)
    assert aggregate_to_trial_verdict([result(INCLUSION, MET), out]).deciding == (out,)


def test_an_uncertain_trial_names_what_is_missing() -> None:
    found = aggregate_to_trial_verdict(
        [
            result(INCLUSION, MET),
            result(EXCLUSION, UNKNOWN, missing="the creatinine"),
            rule(INCLUSION, UNKNOWN, facts=("platelets", "hemoglobin")),
        ]
    )
    assert found.missing == ("the creatinine", "platelets", "hemoglobin")


def test_open_administrative_criteria_are_listed_to_confirm() -> None:
    consent = result(INCLUSION, UNKNOWN, ADMIN)
    assert aggregate_to_trial_verdict([result(INCLUSION, MET), consent]).to_confirm == (consent,)


def test_a_disqualifying_verdict_that_is_not_sure_keeps_its_value_and_is_possible() -> None:
    doubtful = result(EXCLUSION, MET, confidence=0.89)
    found = aggregate_to_trial_verdict([result(INCLUSION, MET), doubtful])
    assert (found.verdict, found.deciding, found.possible) == (
        TrialVerdict.UNCERTAIN,
        (doubtful,),
        (doubtful,),
    )


def test_an_exclusion_is_as_sure_as_its_surest_criterion() -> None:
    surest = result(INCLUSION, NOT_MET, confidence=0.97)
    found = aggregate_to_trial_verdict([surest, result(EXCLUSION, MET, confidence=0.91)])
    assert found.confidence == 0.97


def test_a_trial_clears_when_the_last_washout_ends_and_only_then() -> None:
    short = result(EXCLUSION, MET, confidence=0.5, clears_in_days=10)
    long = result(EXCLUSION, MET, confidence=0.5, clears_in_days=18)
    assert aggregate_to_trial_verdict([short, long]).clears_in_days == 18
    assert aggregate_to_trial_verdict([short, result(EXCLUSION, MET)]).clears_in_days is None
    assert aggregate_to_trial_verdict([result(INCLUSION, MET)]).clears_in_days is None


def test_the_experts_labels_give_the_verdicts_of_the_table(data_dir: Path) -> None:
    pairs = _gold_pairs(data_dir, sense="statement")
    expected = {
        pair: "EXCLUDED"
        if any(item.disqualifies for item in results)
        else "ELIGIBLE"
        if all(item.verdict is not UNKNOWN for item in results)
        and any(item.criterion_type is INCLUSION for item in results)
        else "UNCERTAIN"
        for pair, results in pairs.items()
    }
    found = {pair: aggregate_to_trial_verdict(r).verdict.value for pair, r in pairs.items()}
    assert found == expected
    assert set(found.values()) == {"EXCLUDED", "ELIGIBLE", "UNCERTAIN"}


def test_read_in_the_other_sense_the_labels_make_no_trial_with_exclusions_eligible(
    data_dir: Path,
) -> None:
    """Some programs take "not excluded" for MET; then no exclusion criterion can be passed."""
    pairs = _gold_pairs(data_dir, sense="eligibility")
    with_both = {
        pair: results
        for pair, results in pairs.items()
        if any(item.criterion_type is EXCLUSION for item in results)
    }
    found = {aggregate_to_trial_verdict(results).verdict for results in with_both.values()}
    assert TrialVerdict.ELIGIBLE not in found


def _gold_pairs(data_dir: Path, *, sense: str) -> dict[tuple[str, str], list[CriterionResult]]:
    path = data_dir / "criterion_annotations" / "trialgpt_criterion_annotations.jsonl.gz"
    pairs: dict[tuple[str, str], list[CriterionResult]] = defaultdict(list)
    for row in load_annotations_from_file(path).rows:
        verdict = to_verdict(row.verdict, row.kind, sense=sense)
        pairs[row.patient_id, row.trial_id].append(result(row.kind, verdict))
    return pairs
