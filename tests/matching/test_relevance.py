"""Whether a trial is about the patient: told by names and trees, never guessed against them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.matching.reading_notes import read
from tests.registry.invented import study
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.trial import Trial
from trialyst.ids import NctId
from trialyst.matching.ranking import RankedTrial, rank_trials
from trialyst.matching.relevance import Relevance
from trialyst.matching.verdict import TrialAssessment, TrialVerdict
from trialyst.vocabulary import Vocabulary

LUNG = "A 60-year-old man with lung adenocarcinoma. He has hay fever. His mother had gout."


def trial(*conditions: str, purpose: str = "TREATMENT", healthy: bool = False) -> Trial:
    return parse_trial(
        study(
            90_000_001,
            conditions={"conditions": list(conditions)},
            design={"designInfo": {"primaryPurpose": purpose}},
            eligibility={"healthyVolunteers": healthy},
        )
    )


def judge(note: str, names: Vocabulary, asked: Trial, **more: Any) -> bool | None:
    return Relevance(read(note), names).has_condition(asked, **more)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("Adenocarcinoma of Lung", True),
        ("Lung Neoplasms", True),
        ("Lung Cancer", True),
        ("Allergic Rhinitis", True),
        ("Gout", False),
        ("Psoriasis", False),
        ("A condition of which nobody has heard", None),
    ],
)
def test_a_trial_is_about_what_the_patient_has(
    shipped: Vocabulary, names: None, condition: str, expected: bool | None
) -> None:
    assert judge(LUNG, shipped, trial(condition)) is expected


@pytest.mark.parametrize("purpose", ["PREVENTION", "SCREENING", "DIAGNOSTIC"])
def test_who_needs_no_condition_is_never_irrelevant(
    shipped: Vocabulary, names: None, purpose: str
) -> None:
    assert judge(LUNG, shipped, trial("Psoriasis", purpose=purpose)) is None


def test_healthy_volunteers_need_no_condition(shipped: Vocabulary, names: None) -> None:
    assert judge(LUNG, shipped, trial("Psoriasis", healthy=True)) is None


def test_a_denied_condition_is_not_the_patients(shipped: Vocabulary, names: None) -> None:
    note = "A 60-year-old man with lung adenocarcinoma. He does not have psoriasis."
    assert judge(note, shipped, trial("Psoriasis")) is False


def test_what_a_term_of_the_patient_found_is_relevant(shipped: Vocabulary, names: None) -> None:
    assert judge(LUNG, shipped, trial("Gout"), found_by=("Gout",)) is True


def test_a_patient_without_known_conditions_decides_nothing(
    shipped: Vocabulary, names: None
) -> None:
    assert judge("A 60-year-old man.", shipped, trial("Psoriasis")) is None


def test_one_of_several_conditions_is_enough(shipped: Vocabulary, names: None) -> None:
    assert judge(LUNG, shipped, trial("Psoriasis", "Lung Cancer")) is True


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("Adenocarcinoma of Lung", True), ("Lung Neoplasms", True), ("Allergic Rhinitis", False)],
)
def test_the_main_diagnosis_is_told_from_others(
    shipped: Vocabulary, names: None, condition: str, expected: bool
) -> None:
    assert Relevance(read(LUNG), shipped).is_primary(trial(condition)) is expected


def test_without_a_main_diagnosis_no_trial_is_about_it(shipped: Vocabulary, names: None) -> None:
    assert not Relevance(read("A 60-year-old man."), shipped).is_primary(trial("", "Asthma"))


def ranked(number: int, verdict: TrialVerdict, confidence: float, **more: bool) -> RankedTrial:
    assessment = TrialAssessment(verdict, confidence, (), (), (), ())
    return RankedTrial(NctId(90_000_000 + number), assessment, **more)


def test_the_order_is_verdict_diagnosis_condition_confidence() -> None:
    trials = [
        ranked(1, TrialVerdict.UNCERTAIN, 0.9, primary=True),
        ranked(2, TrialVerdict.ELIGIBLE, 0.9, on_topic=False),
        ranked(3, TrialVerdict.ELIGIBLE, 0.1),
        ranked(4, TrialVerdict.ELIGIBLE, 0.2),
        ranked(5, TrialVerdict.ELIGIBLE, 0.1, primary=True),
    ]
    numbers = [int(str(trial.nct_id)[-1]) for trial in rank_trials(trials)]
    assert numbers == [5, 4, 3, 2, 1]
