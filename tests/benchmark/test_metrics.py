"""The figures are what their definitions say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.benchmark.metrics import (
    compute_evidence_overlap,
    compute_metrics,
    disqualifying_recall,
)
from trialyst.ctgov.criteria import CriterionKind

INCLUSION, EXCLUSION = CriterionKind.INCLUSION, CriterionKind.EXCLUSION
VERDICTS = ("MET", "NOT_MET", "UNKNOWN")
_pairs = st.lists(st.tuples(st.sampled_from(VERDICTS), st.sampled_from(VERDICTS)), min_size=1)


def test_accuracy_and_f1_of_a_small_table() -> None:
    found = compute_metrics(
        ["MET", "MET", "NOT_MET", "UNKNOWN"], ["MET", "NOT_MET", "NOT_MET", "UNKNOWN"]
    )
    assert found["accuracy"] == 0.75
    assert found["f1_macro"] == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert found["f1_met_not_met"] == pytest.approx(2 / 3)
    assert found["cohens_kappa"] == pytest.approx((0.75 - 5 / 16) / (1 - 5 / 16))


def test_the_confusion_matrix_has_the_experts_in_its_rows() -> None:
    found = compute_metrics(["MET"], ["UNKNOWN"])
    assert found["confusion_matrix"]["UNKNOWN"]["MET"] == 1


@given(_pairs)
def test_agreement_with_oneself_is_perfect(pairs: list[tuple[str, str]]) -> None:
    gold = [expert for _, expert in pairs]
    assert compute_metrics(gold, gold)["accuracy"] == 1


@given(_pairs)
def test_kappa_never_exceeds_accuracy(pairs: list[tuple[str, str]]) -> None:
    said, gold = zip(*pairs, strict=True)
    found = compute_metrics(said, gold)
    assert found["cohens_kappa"] <= found["accuracy"] + 1e-9


@given(_pairs)
def test_figures_agree_with_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import f1_score  # type: ignore[import-untyped]

    said, gold = (list(part) for part in zip(*pairs, strict=True))
    expected = f1_score(gold, said, labels=list(VERDICTS), average="macro", zero_division=0)
    assert compute_metrics(said, gold)["f1_macro"] == pytest.approx(expected)


def test_only_what_keeps_a_patient_out_disqualifies() -> None:
    found = disqualifying_recall(
        [INCLUSION, EXCLUSION, INCLUSION, EXCLUSION],
        ["NOT_MET", "NOT_MET", "MET", "MET"],
        ["NOT_MET", "MET", "MET", "NOT_MET"],
    )
    assert found == {"n": 2, "found": 1, "told": 2, "recall": 0.5, "precision": 0.5}


def test_evidence_is_pooled_over_rows() -> None:
    found = compute_evidence_overlap([[0, 1], []], [[1], [2]])
    assert (found["precision"], found["recall"]) == (0.5, 0.5)
    assert found["jaccard"] == pytest.approx(1 / 3)


def test_two_rows_without_evidence_agree() -> None:
    found = compute_evidence_overlap([[]], [[]])
    assert (found["row_f1"], found["f1"]) == (1.0, 0.0)
