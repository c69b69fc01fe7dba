from __future__ import annotations

import pytest

from tests.matching.judging.judging import judged, verdict

NOTES = {
    "small cell": (
        "A 66-year-old man with extensive-stage small cell lung cancer, diagnosed in March 2024 "
        "by biopsy. He received four cycles of carboplatin and etoposide with atezolizumab and "
        "progressed in December 2024. Hypertension on lisinopril 10 mg daily."
    ),
    "squamous": (
        "A 70-year-old woman with squamous cell carcinoma of the lung, stage IIIA, resected "
        "in 2023. No metastases. She takes warfarin for atrial fibrillation."
    ),
    "crohn": (
        "32-year-old woman. Crohn's disease for 8 years. Failed infliximab and adalimumab. "
        "Currently on ustekinumab 90 mg every 8 weeks since 2023. No history of tuberculosis. "
        "Takes prednisone 10 mg daily."
    ),
    "kidney": (
        "A 59-year-old man with stage 4 chronic kidney disease due to type 2 diabetes of 20 years. "
        "On insulin glargine 30 units daily, empagliflozin 10 mg for 2 months and lisinopril 40 mg "
        "daily for five years. No dialysis. Gout. No heart failure."
    ),
    "heart": (
        "72F with heart failure with preserved ejection fraction, two heart failure "
        "hospitalizations in the past 6 months. On furosemide 80 mg twice daily. Sarcoidosis ruled "
        "out. Her father had lung cancer."
    ),
    "colitis": (
        "A 28-year-old man with ulcerative colitis since 2015, last seen in 2024, moderate to "
        "severe. On mesalamine 4.8 g daily. No prior colectomy."
    ),
    "breast": (
        "A 55-year-old postmenopausal woman with breast cancer, stage II, treated with lumpectomy "
        "in 2021. Currently on letrozole."
    ),
    "melanoma": (
        "A 58-year-old man with melanoma, stage IV with lung metastases. Had ipilimumab; developed "
        "immune colitis grade 3."
    ),
    "migraine": (
        "A 40-year-old woman with migraine for 15 years; she had no seizures. Tried topiramate and "
        "propranolol without benefit. Uses sumatriptan. Possible sleep apnea."
    ),
    "psoriasis": "A 41-year-old man with plaque psoriasis for 15 years. PASI 17.",
    "memory": (
        "A 74-year-old woman with dementia; her daughter sees her every day. MRI of the head shows "
        "no infarct. She drinks no alcohol."
    ),
    "asthma": (
        "A 34-year-old man with severe asthma since childhood. In the past 12 months he had three "
        "exacerbations. He uses budesonide and formoterol."
    ),
    "untreated": (
        "A 60-year-old man with stage IV adenocarcinoma of the lung. He has not received any "
        "systemic treatment. MRI of the brain shows no metastases; there are bone metastases."
    ),
}


@pytest.mark.parametrize(
    ("patient", "criterion", "expected"),
    [
        ("small cell", "Histologically confirmed small cell lung cancer", "MET"),
        ("small cell", "Non-small cell lung cancer", "NOT_MET"),
        ("squamous", "Small cell lung cancer", "NOT_MET"),
        ("squamous", "Lung adenocarcinoma", "UNKNOWN"),
        ("squamous", "Histologically confirmed NSCLC", "MET"),
        ("crohn", "Ulcerative colitis", "NOT_MET"),
        ("colitis", "Crohn's disease", "NOT_MET"),
        ("colitis", "Moderate to severe ulcerative colitis", "MET"),
        ("heart", "Heart failure with reduced ejection fraction", "NOT_MET"),
        ("heart", "Diagnosis of HFpEF", "MET"),
        ("kidney", "Clinical diagnosis of heart failure", "NOT_MET"),
        ("migraine", "Obstructive sleep apnea", "UNKNOWN"),
        ("melanoma", "Participant is a lung cancer patient", "UNKNOWN"),
        ("psoriasis", "Clinical diagnosis of psoriatic arthritis", "UNKNOWN"),
        ("psoriasis", "Clinical diagnosis of psoriasis", "MET"),
        ("memory", "Previous myocardial infarction", "UNKNOWN"),
    ],
)
def test_a_kind_of_a_condition_counts_and_a_rival_kind_does_not(
    patient: str, criterion: str, expected: str
) -> None:
    assert verdict(NOTES[patient], criterion) == expected


@pytest.mark.parametrize(
    ("patient", "criterion", "expected"),
    [
        ("small cell", "Extensive-stage small cell lung cancer", "MET"),
        ("small cell", "Limited-stage small cell lung cancer", "NOT_MET"),
        ("squamous", "Stage IB to IIIA non-small cell lung cancer", "MET"),
        ("squamous", "Stage IV non-small cell lung cancer", "NOT_MET"),
        ("squamous", "Stage IIIB or IV non-small cell lung cancer", "NOT_MET"),
        ("melanoma", "Unresectable or metastatic melanoma", "MET"),
        ("breast", "Metastatic breast cancer", "NOT_MET"),
        ("breast", "Breast cancer without evidence of metastatic disease", "MET"),
        ("kidney", "CKD stage 3 or 4", "MET"),
        ("kidney", "Chronic kidney disease stage 2 or 3", "NOT_MET"),
    ],
)
def test_stages_and_extents_are_compared(patient: str, criterion: str, expected: str) -> None:
    assert verdict(NOTES[patient], criterion) == expected


@pytest.mark.parametrize(
    ("patient", "criterion", "expected"),
    [
        ("crohn", "Crohn's disease for at least 3 months", "MET"),
        ("crohn", "Crohn's disease for at least 10 years", "NOT_MET"),
        ("kidney", "Type 2 diabetes for at least 1 year", "MET"),
        ("colitis", "Ulcerative colitis for at least 6 months", "MET"),
        ("asthma", "Asthma for at least 1 year", "MET"),
        ("kidney", "Gout for at least 1 year", "UNKNOWN"),
        ("kidney", "Stable SGLT2 inhibitor for at least 3 months", "NOT_MET"),
        ("kidney", "Stable dose of ACE inhibitor or ARB for at least 3 months", "MET"),
    ],
)
def test_how_long_a_thing_has_been_is_compared(patient: str, criterion: str, expected: str) -> None:
    assert verdict(NOTES[patient], criterion) == expected


@pytest.mark.parametrize(
    ("patient", "criterion", "kind", "expected"),
    [
        ("small cell", "Progression after platinum-based chemotherapy", "inclusion", "MET"),
        ("small cell", "Prior checkpoint inhibitor", "exclusion", "MET"),
        ("small cell", "No prior immunotherapy", "inclusion", "NOT_MET"),
        ("small cell", "Treatment with an ACE inhibitor", "inclusion", "MET"),
        ("squamous", "Treatment with an anticoagulant", "exclusion", "MET"),
        ("crohn", "Inadequate response to two or more anti-TNF agents", "inclusion", "MET"),
        ("crohn", "TNF inhibitor naive", "inclusion", "NOT_MET"),
        ("crohn", "Prior ustekinumab", "exclusion", "MET"),
        ("crohn", "Prednisone > 20 mg daily", "exclusion", "NOT_MET"),
        ("crohn", "Prednisone >= 10 mg per day", "exclusion", "MET"),
        ("heart", "Furosemide at least 120 mg daily", "inclusion", "MET"),
        ("heart", "Furosemide >= 200 mg daily", "inclusion", "NOT_MET"),
        ("kidney", "Not on insulin", "inclusion", "NOT_MET"),
        ("kidney", "No uncontrolled gout", "inclusion", "UNKNOWN"),
        ("breast", "Currently receiving an aromatase inhibitor", "inclusion", "MET"),
        ("migraine", "Beta blocker within 4 weeks", "exclusion", "UNKNOWN"),
        ("migraine", "Currently taking a beta blocker", "exclusion", "NOT_MET"),
        ("migraine", "Triptan use", "inclusion", "MET"),
        ("untreated", "Progression after platinum and etoposide", "inclusion", "NOT_MET"),
        ("untreated", "One or two prior lines of chemotherapy", "inclusion", "NOT_MET"),
        ("untreated", "No previous systemic treatment for advanced disease", "inclusion", "MET"),
        ("untreated", "Chemotherapy should be started after surgery", "inclusion", "UNKNOWN"),
    ],
)  # fmt: skip
def test_treatments_count_by_class_time_dose_and_outcome(
    patient: str, criterion: str, kind: str, expected: str
) -> None:
    assert verdict(NOTES[patient], criterion, kind) == expected


@pytest.mark.parametrize(
    ("patient", "criterion", "expected"),
    [
        ("asthma", "Two or more exacerbations in the past year", "MET"),
        ("asthma", "At least 4 exacerbations in the past 12 months", "NOT_MET"),
        ("asthma", "At least 4 exacerbations in the past 2 years", "UNKNOWN"),
        ("heart", "At least one heart failure hospitalization in the past 12 months", "MET"),
        ("heart", "Three or more hospitalizations in the past 6 months", "NOT_MET"),
        ("migraine", "At least 3 episodes of wheezing in the past year", "UNKNOWN"),
    ],
)
def test_events_are_counted_in_their_time(patient: str, criterion: str, expected: str) -> None:
    assert verdict(NOTES[patient], criterion) == expected


@pytest.mark.parametrize(
    ("patient", "criterion", "kind", "expected"),
    [
        ("untreated", "Symptomatic brain metastases", "exclusion", "NOT_MET"),
        ("untreated", "Bone metastases", "exclusion", "MET"),
        ("melanoma", "Grade 3 or 4 immune-related adverse event", "exclusion", "MET"),
        ("melanoma", "Grade 4 immune-related adverse event", "exclusion", "NOT_MET"),
        ("breast", "Premenopausal", "inclusion", "NOT_MET"),
        ("breast", "Postmenopausal women", "inclusion", "MET"),
        ("memory", "Significant alcohol consumption", "exclusion", "NOT_MET"),
        ("memory", "Study partner in regular contact", "inclusion", "MET"),
        ("migraine", "Study partner in regular contact", "inclusion", "UNKNOWN"),
    ],
)
def test_what_a_note_says_in_so_many_words_decides(
    patient: str, criterion: str, kind: str, expected: str
) -> None:
    assert verdict(NOTES[patient], criterion, kind) == expected


def test_a_permission_of_what_the_note_is_silent_about_does_not_concern_the_patient() -> None:
    result = judged(NOTES["migraine"], "Brain metastases are allowed if treated and stable")
    assert (result.verdict.value, result.applicability.value) == ("UNKNOWN", "not_applicable")


def test_a_permission_whose_terms_the_note_keeps_is_met() -> None:
    note = "A 50-year-old man with melanoma. Brain metastases, treated and stable since June."
    assert verdict(note, "Brain metastases are allowed if treated and stable") == "MET"


@pytest.mark.parametrize("criterion", ["Diabetes or asthma", "Diabetes, psoriasis, asthma"])
def test_a_list_of_exclusions_is_not_decided_by_one_that_is_denied(criterion: str) -> None:
    note = "A 50-year-old man with gout and asthma. No diabetes."
    assert verdict(note, criterion, "exclusion") == "MET"


def test_a_verdict_on_told_things_quotes_the_note() -> None:
    note = NOTES["kidney"]
    result = judged(note, "Currently taking an SGLT2 inhibitor", "exclusion")
    assert result.verdict.value == "MET"
    assert [quote.text for quote in result.quotes] == ["empagliflozin"]
    assert all(note[quote.start : quote.end] == quote.text for quote in result.quotes)


def test_what_is_not_told_of_a_treatment_is_named_as_missing() -> None:
    result = judged(NOTES["migraine"], "Beta blocker within 4 weeks", "exclusion")
    assert result.missing == "of which kind, when, how long or how much: propranolol"
