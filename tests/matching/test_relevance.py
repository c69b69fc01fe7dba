"""Whether a trial is about the patient: told by names and trees, never guessed against them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.matching.reading_notes import read
from tests.registry.invented import study
from trialyst.annotation import annotate_texts
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.trial import Trial
from trialyst.eligibility.lexicon import Lexicon
from trialyst.matching.relevance import Relevance, Standing
from trialyst.vocabulary import Vocabulary
from trialyst.vocabulary.relations import Relation, Relations

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


def standing(note: str, names: Vocabulary, *conditions: str) -> Standing:
    lexicon = Lexicon(names)
    asked = annotate_texts("", conditions, lexicon=lexicon, relations=Relations(names))
    return Relevance(read(note), names).stand(asked)


@pytest.mark.parametrize(
    ("note", "condition", "relation"),
    [
        (LUNG, "Adenocarcinoma of Lung", Relation.SAME),
        (LUNG, "Lung Neoplasms", Relation.WIDER),
        (LUNG, "Breast Cancer", Relation.SIBLING),
        (LUNG, "Allergic Rhinitis", Relation.UNRELATED),
        ("A 3-year-old girl with neuroblastoma.", "Wilms Tumor", Relation.SIBLING),
    ],
)
def test_trials_stand_to_the_main_problem_and_sibling_tumours_are_another_disease(
    shipped: Vocabulary, note: str, condition: str, relation: Relation
) -> None:
    assert standing(note, shipped, condition).relation is relation


@pytest.mark.parametrize(
    ("note", "conditions", "relation", "far"),
    [
        ("A 64-year-old man with penile cancer.", "Cancer", Relation.WIDER, True),
        ("A 64-year-old man with penile cancer.", "Urogenital Neoplasms", Relation.WIDER, False),
        (LUNG, "Carcinoma", Relation.WIDER, True),
        ("A man with anal squamous cell carcinoma.", "Anal Cancer", Relation.WIDER, False),
        (
            "A man with anal squamous cell carcinoma.",
            "Head and Neck Cancer; Squamous Cell Carcinoma",
            Relation.SIBLING,
            False,
        ),
        ("A 70-year-old man with heart failure.", "Cardiovascular Diseases", Relation.WIDER, True),
        ("A 70-year-old man with type 2 diabetes.", "Diabetes", Relation.WIDER, False),
    ],
)
def test_a_whole_field_and_a_tissue_of_another_organ_are_not_the_main_problem(
    shipped: Vocabulary, note: str, conditions: str, relation: Relation, far: bool
) -> None:
    found = standing(note, shipped, *conditions.split("; "))
    assert (found.relation, found.far) == (relation, far)


def test_without_a_main_problem_no_trial_is_about_it(shipped: Vocabulary, names: None) -> None:
    assert not standing("A 60-year-old man.", shipped, "Asthma").primary


def test_the_share_of_a_trials_conditions_that_the_patient_has(shipped: Vocabulary) -> None:
    note = "A 60-year-old man with asthma and hypertension."
    assert standing(note, shipped, "Asthma", "Hypertension").share == 1.0
    assert standing(note, shipped, "Asthma", "Psoriasis").share == 0.5
