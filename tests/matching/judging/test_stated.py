from __future__ import annotations

import pytest

from tests.matching.judging.judging import judged, verdict


@pytest.mark.parametrize(
    ("note", "criterion"),
    [
        ("A 30-year-old woman comes to the ER with abdominal pain.", "Seen in an emergency ward"),
        ("A 60-year-old man with OSA uses BiPAP at night.", "Established on CPAP or NIV"),
        ("A 9-year-old boy treated with GH since 6 months.", "Currently treated by GH therapy"),
        ("A 70-year-old man with an indwelling suprapubic cath.", "Bladder catheter placed"),
        ("A 40-year-old man with pain of the right lower quadrant.", "RIF pain episode"),
        ("A 50-year-old woman with mild MR on echo.", "Mitral regurgitation based on Doppler"),
        (
            "A 12-year-old boy with intellectual disability.",
            "Selected neurologic disorders, including mental retardation, autism and epilepsy",
        ),
        ("A 62-year-old man with a stone in the left ureter.", "Evidence of urolithiasis"),
    ],
)
def test_what_a_note_states_in_other_words_is_met(note: str, criterion: str) -> None:
    assert verdict(note, criterion) == "MET"


@pytest.mark.parametrize(
    ("note", "criterion"),
    [
        ("A 60-year-old man with OSA. He does not use BiPAP.", "Established on CPAP therapy"),
        ("A 60-year-old man whose brother uses BiPAP.", "Established on CPAP therapy"),
        ("A 62-year-old woman has a low back pain.", "T-score below -2 at the hip or lumbar spine"),
        ("A 62-year-old man with COPD and more dyspnea.", "Stable phase of COPD"),
        ("A 34-year-old man with diarrhea in the ER.", "Caregivers seen in an emergency ward"),
        ("A 40-year-old man with wheezing.", "Eczema, hives or wheezing in siblings"),
        ("A 40-year-old man with gout.", "Onset of a gout attack within 48 hours of screening"),
        ("A 58-year-old man with papillary thyroid cancer.", "Metastatic thyroid cancer"),
    ],
)
def test_what_a_note_does_not_state_stays_open(note: str, criterion: str) -> None:
    assert verdict(note, criterion) != "MET"


@pytest.mark.parametrize(
    ("note", "criterion", "expected"),
    [
        ("A 62-year-old man with a stone in the left ureter.", "Urolithiasis", "MET"),
        ("A 60-year-old man on BiPAP at night.", "Previous use of positive airway pressure", "MET"),
        ("A 60-year-old man with tremors.", "Severe resting tremor", "NOT_MET"),
        ("A 60-year-old man s/p RAI ablation.", "Concurrent radioiodine therapy", "NOT_MET"),
        ("A 60-year-old man with stiff legs.", "Rigidity that affects the gait", "NOT_MET"),
    ],
)
def test_an_exclusion_is_stated_only_by_its_own_name(
    note: str, criterion: str, expected: str
) -> None:
    assert verdict(note, criterion, "exclusion") == expected


def test_what_is_stated_is_quoted() -> None:
    found = judged(
        "A 62-year-old man with a stone in the left ureter.", "Urolithiasis", "exclusion"
    )

    assert "stone in the left ureter" in [quote.text for quote in found.quotes]
    assert "stone in the left ureter" in found.reasoning


def test_a_kind_of_a_condition_is_not_shown_by_another_kind() -> None:
    pregnant = "A 28-year-old woman, pregnant at 30 weeks gestation."

    assert verdict(pregnant, "Multifetal gestation", "exclusion") == "NOT_MET"
    assert verdict("A 50-year-old man with HCV cirrhosis.", "Hepatitis B") != "MET"
