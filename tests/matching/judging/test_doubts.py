from __future__ import annotations

import pytest

from tests.matching.judging.judging import judged, verdict


@pytest.mark.parametrize(
    ("note", "criterion"),
    [
        ("A 50-year-old man with stroke last week.", "Stroke within 3 months"),
        ("A 50-year-old man on apixaban 5 mg BID.", "Therapeutic anticoagulation"),
        ("A 50-year-old man with cirrhosis Child-Pugh C.", "Child-Pugh class B or C"),
        ("A 50-year-old man, penicillin allergy.", "Known hypersensitivity to penicillins"),
        ("A 50-year-old man s/p kidney transplant.", "Prior solid organ transplant"),
        ("A 50-year-old man takes ketoconazole.", "Strong CYP3A4 inhibitors"),
        ("A 50-year-old man takes prednisone 40 mg daily.", "Immunosuppressive therapy"),
    ],
)
def test_an_exclusion_of_what_the_note_tells_is_never_taken_as_absent(
    note: str, criterion: str
) -> None:
    assert verdict(note, criterion, "exclusion") != "NOT_MET"


def test_what_a_note_does_not_tell_of_is_still_taken_as_absent() -> None:
    note = "A 50-year-old man with asthma. He takes lisinopril."

    assert verdict(note, "Stroke within 3 months", "exclusion") == "NOT_MET"
    assert verdict(note, "Immunosuppressive therapy", "exclusion") == "NOT_MET"


@pytest.mark.parametrize("kind", ["inclusion", "exclusion"])
def test_a_condition_that_is_only_suspected_is_open(kind: str) -> None:
    found = judged(
        "A 50-year-old man with possible pulmonary embolism.", "Pulmonary embolism", kind
    )

    assert found.verdict == "UNKNOWN"
    assert [quote.text for quote in found.quotes] == ["pulmonary embolism"]


def test_no_prior_therapy_is_not_met_by_who_had_chemotherapy() -> None:
    note = "A 50-year-old woman with NSCLC. Previously treated with carboplatin and pemetrexed."

    assert verdict(note, "No prior systemic therapy for metastatic disease") != "MET"


def test_a_bound_on_a_score_the_note_lacks_is_not_met_by_the_disease() -> None:
    note = "A 50-year-old man with melanoma and psoriasis."

    assert verdict(note, "Plaque psoriasis with PASI ≥ 12, BSA ≥ 10 % and IGA ≥ 3") == "UNKNOWN"
