"""Measured values of criteria and notes."""

from __future__ import annotations

import pytest

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.values import ValuePhrase, find_values


def _shown(phrase: ValuePhrase) -> str:
    """Write a phrase as `analyte [low, high] unit`, with what else is told of it."""
    parts = [phrase.analyte]
    if phrase.interval is not None:
        told = phrase.interval
        low = "" if told.low is None else f"{told.low:g}"
        high = "" if told.high is None else f"{told.high:g}"
        left, right = "[" if told.low_included else "(", "]" if told.high_included else ")"
        parts.append(f"{left}{low},{high}{right}")
    bound = "" if phrase.bound.name == "UNIT" else phrase.bound.name
    marks = (
        "impossible" if phrase.impossible else "",
        f"if {phrase.given}" if phrase.given else "",
    )
    return " ".join(
        filter(None, [*parts, phrase.unit, bound, phrase.state, *phrase.grades, *marks])
    )


CRITERIA = {
    "hemoglobin >= 9 g/dL": "hemoglobin [9,] g/dL",
    "ANC of at least 1,500/mm3": "neutrophils [1.5,] 10^9/L",
    "creatinine <= 1.5 x ULN": "creatinine [,1.5] UPPER_LIMIT",
    "AST and ALT less than 2.5 times the upper limit of normal (5 x ULN if liver metastases)": (
        "ast [,2.5) UPPER_LIMIT; alt [,2.5) UPPER_LIMIT; "
        "ast [,5) UPPER_LIMIT if liver metastases; alt [,5) UPPER_LIMIT if liver metastases"
    ),
    "bilirubin within normal limits": "bilirubin normal",
    "platelets > 100 x 10^9/L": "platelets (100,] 10^9/L",
    "platelets \u2265 100.000/mm3": "platelets [100,] 10^9/L",
    "BMI between 18.5 and 30": "bmi [18.5,30] kg/m2",
    "BMI 25-35 kg/m2": "bmi [25,35] kg/m2",
    "18 < BMI < 30": "bmi (18,30) kg/m2",
    "LVEF below 40%": "lvef [,40) %",
    "ECOG 0-1": "ecog [0,1] score",
    "ECOG performance status of 0, 1 or 2": "ecog [0,2] score",
    "Eastern Cooperative Oncology Group (ECOG) performance status 2 or better": "ecog [,2] score",
    "Karnofsky > 70": "karnofsky (70,] score",
    "creatinine clearance < 30 mL/min": "creatinine_clearance [,30) mL/min",
    "HbA1c 7.0 - 10.5 %": "hba1c [7,10.5] %",
    "blood pressure > 160/100 mmHg": "systolic (160,] mmHg; diastolic (100,] mmHg",
    "systolic BP >= 140 or diastolic >= 90": "systolic [140,] mmHg; diastolic [90,] mmHg",
    "QTc > 450 ms": "qtc (450,] ms",
    "score of at least 18 on the HAM-D": "hamd [18,] score",
    "MMSE 10 to 26 inclusive": "mmse [10,26] score",
    "PSA < 0.2": "psa [,0.2) ng/mL",
    "Gleason 7 or less": "gleason [,7] score",
    "FEV1 < 80 % of predicted": "fev1 [,80) PREDICTED",
    "T-score <= -2.5": "t_score [,-2.5] score",
    "CD4 > 200": "cd4 (200,] /uL",
    "HIV RNA < 50 copies/mL": "hiv_rna [,50) copies/mL",
    "viral load undetectable": "hiv_rna undetectable",
    "INR 2-3": "inr [2,3]",
    "hemoglobin of 10 grams per deciliter or greater": "hemoglobin [10,] g/dL",
    "AST above the upper limit of normal": "ast (1,] UPPER_LIMIT",
    "ALT greater than 3 times normal": "alt (3,] UPPER_LIMIT",
    "bilirubin not exceeding 2 mg/dL": "bilirubin [,2] mg/dL",
    "serum creatinine no more than 177 umol/L": "creatinine [,2.00222] mg/dL",
    "serum potassium < 3.5 or > 5.1 mEq/L": "potassium [,3.5) mmol/L; potassium (5.1,] mmol/L",
    "hemoglobin < 9 g/dL (90 g/L)": "hemoglobin [,9) g/dL",
    "NYHA class II-III": "nyha II III",
    "NYHA III or higher": "nyha III IV",
    "NYHA class > II": "nyha III IV",
    "Child-Pugh class B or C": "child_pugh B C",
    "Child-Pugh score > 7": "child_pugh_score (7,] score",
    "stage 4-5 chronic kidney disease": "ckd_stage 4 5",
    "ASA I-III": "asa I II III",
    "Hoehn and Yahr stage < 2": "hoehn_yahr 0 1 1.5",
    "METAVIR fibrosis F3 or F4": "fibrosis F3 F4",
    "gallbladder wall > 3 mm": "gallbladder wall (3,] mm",
    "visual acuity of 20/40 or better": "bcva [70,] letters",
    "EGFR mutation": "",
    "Life expectancy of at least 3 months": "",
}
NOTES = {
    "Hgb 9.8": "hemoglobin [9.8,9.8] g/dL",
    "BP 118/72.": "systolic [118,118] mmHg; diastolic [72,72] mmHg",
    "TSAT 15 %": "transferrin_saturation [15,15] %",
    "97% RA": "spo2 [97,97] %",
    "SpO2 88 % on room air": "spo2 [88,88] %",
    "creatinine -4": "creatinine [-4,-4] mg/dL impossible",
    "hemoglobin 950": "hemoglobin [950,950] impossible",
    "LVEF 250 %": "lvef [250,250] % impossible",
    "BSA 0.83 m2": "body_surface_area [0.83,0.83] m2",
    "BSA 12%": "bsa [12,12] %",
    "INSS stage 4": "",
    "HAM-D 24": "hamd [24,24] score",
    "fecal calprotectin 450": "calprotectin [450,450] ug/g",
    "Gleason 4+5=9": "gleason [9,9] score",
    "G3P1011": "gravidity [3,3] score; parity [1,1] score",
    "32 weeks' gestation": "gestational_age [32,32] week",
    "K 5.9": "potassium [5.9,5.9] mmol/L",
    "| Hemoglobin | 10.2 | g/dL | 12-16 |": "hemoglobin [10.2,10.2] g/dL",
    "Hemoglobin (g/dL): 10.2": "hemoglobin [10.2,10.2] g/dL",
    "creatinine rose from 1.2 to 2.5": "creatinine [2.5,2.5] mg/dL",
    "creatinine 1.2 -> 2.5": "creatinine [2.5,2.5] mg/dL",
    "AST/ALT 45/52": "ast [45,45] U/L; alt [52,52] U/L",
    "B12 and TSH normal": "vitamin_b12 normal; tsh normal",
    "elevated lipase": "lipase high",
    "troponin negative": "troponin negative",
    "height 5'10\"": "height [177.8,177.8] cm",
    "Patient on ASA 81 mg daily, EF 35%.": "lvef [35,35] %",
    "PT is a 45 yo man": "",
}


@pytest.mark.parametrize("texts", [CRITERIA, NOTES], ids=["criteria", "notes"])
def test_values_are_read_as_written(texts: dict[str, str]) -> None:
    read = {text: "; ".join(map(_shown, find_values(text))) for text in texts}
    assert read == texts


def test_a_name_without_a_value_is_given_only_when_asked_for() -> None:
    assert find_values("adequate serum albumin") == []
    assert [each.analyte for each in find_values("adequate albumin", names=True)] == ["albumin"]


def test_a_multiple_of_the_limit_of_normal_can_be_compared_with_a_unit() -> None:
    [found] = find_values("ALT was 3 x ULN")
    alt = get_analyte("alt")
    assert found.quantity is not None
    assert alt is not None
    common = to_common_unit(found.quantity, alt)
    assert common is not None
    assert (common.number, common.unit) == (135.0, "U/L")


def test_joined_names_say_how_they_join() -> None:
    joins = {
        text: [each.join for each in find_values(text)]
        for text in ("AST or ALT > 3 x ULN", "AST/ALT > 3 x ULN", "AST/ALT < 3 x ULN")
    }
    assert joins == {
        "AST or ALT > 3 x ULN": ["", "or"],
        "AST/ALT > 3 x ULN": ["", "or"],
        "AST/ALT < 3 x ULN": ["", "and"],
    }


def test_spans_quote_the_text() -> None:
    text = "Patients with a platelet count below 50,000/mm3 at screening"
    [found] = find_values(text)
    assert text[found.name_start : found.name_end] == "platelet count"
    assert text[found.start : found.end] == "platelet count below 50,000/mm3"
