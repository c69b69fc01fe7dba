from __future__ import annotations

import pytest

from trialyst.matching.judging.demands import find_demands


@pytest.mark.parametrize(
    ("text", "concept", "inside", "outside"),
    [
        ("Platelets >= 100 x 10^9/L", "lab:platelets", 100, 99),
        ("Platelet count less than 50,000", "lab:platelets", 49, 50),
        ("HbA1c between 7.5 and 10.5 %", "lab:hba1c", 7.5, 10.6),
        ("Hemoglobin 9 to 13.5 g/dL", "lab:hemoglobin", 13.5, 13.6),
        ("Absolute neutrophil count (ANC) ≥1,500/µL", "lab:neutrophils", 1.5, 1.4),
        ("BMI of 27 kg/m2 or greater", "lab:bmi", 27, 26.9),
        ("BMI ≥ 18 and ≤ 35 kg/m2", "lab:bmi", 35, 17),
        ("Serum creatinine < 177 umol/L", "lab:creatinine", 1.9, 2.1),
        ("AST less than 2.5 times upper limit of normal", "lab:ast", 99, 100),
        ("ECOG performance status 0 or 1", "score:ecog", 1, 2),
        ("ECOG 0, 1, or 2", "score:ecog", 2, 3),
        ("ECOG performance status 2 or better", "score:ecog", 0, 3),
        ("Karnofsky performance status greater than 70%", "score:kps", 80, 70),
        ("NYHA class II-IV", "score:nyha", 4, 1),
    ],
)
def test_a_bound_is_read_with_its_unit(
    text: str, concept: str, inside: float, outside: float
) -> None:
    demand = find_demands(text.lower())[0]
    assert demand.concept == concept
    assert demand.holds(inside)
    assert not demand.holds(outside)


@pytest.mark.parametrize(
    "text",
    ["Diabetes", "Hemoglobin of 12 g/dL", "Platelets above the lower limit", "24-hour Holter"],
)
def test_what_sets_no_bound_demands_nothing(text: str) -> None:
    assert find_demands(text.lower()) == ()


def test_a_multiple_of_normal_says_so() -> None:
    assert find_demands("alt > 3 x uln")[0].of_normal
