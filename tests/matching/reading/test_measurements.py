"""Values are read with unit and comparator, as clinics write them."""

from __future__ import annotations

import pytest

from trialyst.matching.reading.measurements import find_measurements

LINES = """
Hb 13.2 g/dL, ANC 5.2 x 10^9/L => hemoglobin 13.2 g/dL; neutrophils 5.2 10^9/L
BP 134/82, HR 76. => systolic 134 mmHg; diastolic 82 mmHg; heart_rate 76 /min
WBC 25,000, with 25% Eosinophils => wbc 25000 /uL; eosinophils 25 %
91% HbS 6%HbF => hbs 91 %; hbf 6 %
creatinine rose from 1.2 to 2.5 mg/dL => creatinine 2.5 mg/dL
creat 92 => creatinine 92 umol/L
Potassium   3.5-4.5 mEq/L   3.7 mEq/L => potassium 3.7 mEq/L
MMSE 24/30 => mmse 24 score
PSA <0.1 => psa < 0.1 ng/mL
NT-proBNP 1,840 pg/mL => nt_probnp 1840 pg/mL
height 5'10", weight 180 lbs => height 70 in; weight 180 lb
she is 165 cm tall => height 165 cm
EGFR 45 mL/min => egfr 45 mL/min
EGFR L858R =>
Plt: 300000 /ml => platelets 300000 /uL
weight loss of 10 kg =>
HbA1c 8.6 % today (8.2 % in spring) => hba1c 8.6 %
LDH normal => ldh normal
B12 and TSH normal => vitamin_b12 normal; tsh normal
elevated alk phos => alp high
TSH within normal limits => tsh normal
viral load undetectable => hiv_rna undetectable
| Hemoglobin | 10.2 | g/dL | => hemoglobin 10.2 g/dL
| Hemoglobin | 12-16 | **10.2** L | g/dL | => hemoglobin 10.2 g/dL
| Hemoglobin (g/dL) | 10.2 | 12-16 | => hemoglobin 10.2 g/dL
Platelets | 10^9/L | 140 => platelets 140 10^9/L
| Hemoglobin | pending | g/dL | =>
ALT was 5x the upper limit of normal => alt 5 xULN
AST and ALT were five times the upper limit => alt 5 xULN
ALT 45, above the upper limit => alt 45 U/L
"""


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_measurements(line: str) -> None:
    text, _, expected = line.partition("=>")
    found = [
        f"{each.analyte.id} {each.value if each.value is not None else each.status}"
        for each in find_measurements(text)
    ]
    assert found == [part.strip() for part in expected.split(";") if part.strip()]


def test_an_assumed_unit_is_told() -> None:
    [bare] = find_measurements("ALT 31")
    [given] = find_measurements("ALT 31 U/L")
    assert bare.unit_assumed
    assert not given.unit_assumed
