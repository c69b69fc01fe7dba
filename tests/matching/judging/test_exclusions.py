"""Exclusions put together from conditions of known truth, and short criteria on a person."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.matching.judging.judging import judge, verdict
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Statement

NOTE = (
    "A 34-year-old woman has migraine and asthma. She denies diabetes and has no epilepsy. "
    "Tuberculosis was suspected but ruled out. Her sister has lupus. "
    "Hepatitis B surface antigen is negative. Hepatitis C antibody is positive."
)
HAS = {
    "migraine": True,
    "asthma": True,
    "hepatitis C": True,
    "diabetes": False,
    "epilepsy": False,
    "tuberculosis": False,
    "lupus": False,
    "hepatitis B": False,
}
EITHER = ("{one} or {other}", "Patients with {one} or with {other}", "{one}/{other}")
BOTH = ("Patients with both {one} and {other}", "Patients with {one} who also have {other}")
NEITHER = ("Neither {one} nor {other}", "No {one} or {other}", "No {one}/{other}")
WOMAN = "A 29-year-old woman is breastfeeding. She is not pregnant."
PREGNANT = "A 30-year-old woman is pregnant at 20 weeks."
MAN = (
    "A 62-year-old man is HIV positive. He smokes. He is allergic to penicillin. He is scheduled "
    "for hip replacement. He has type 2 diabetes. He takes oral prednisone 5 mg daily."
)

HEAVY = (
    "A 61-year-old man has asthma, hypertension and melanoma. He has no gout. He drinks 6 beers a "
    "day. He is a non-smoker."
)
GIRL = "A 9-year-old girl has asthma."


@pytest.mark.parametrize("kind", [CriterionKind.INCLUSION, CriterionKind.EXCLUSION])
def test_a_pair_of_conditions_is_never_judged_against_the_note(kind: CriterionKind) -> None:
    truths = {}
    for (one, first), (other, second) in permutations(HAS.items(), 2):
        for form in EITHER:
            truths[form.format(one=one, other=other)] = first or second
        for form in BOTH:
            truths[form.format(one=one, other=other)] = first and second
        if kind is CriterionKind.INCLUSION:
            for form in NEITHER:
                truths[form.format(one=one, other=other)] = not (first or second)
    results = judge().judge_all(NOTE, [Statement(text, kind) for text in truths])
    wrong = [
        result.criterion
        for result, holds in zip(results, truths.values(), strict=True)
        if result.verdict.value == ("NOT_MET" if holds else "MET")
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("note", "criterion", "kind", "wrong"),
    [
        (WOMAN, "Pregnant or breastfeeding", "exclusion", "NOT_MET"),
        (WOMAN, "Not pregnant or breastfeeding", "inclusion", "MET"),
        (PREGNANT, "Third trimester of pregnancy", "exclusion", "MET"),
        (PREGNANT, "Pregnant women between 24 and 34 weeks of gestation", "inclusion", "MET"),
        (PREGNANT, "Pregnancy (positive pregnancy test)", "inclusion", "NOT_MET"),
        (MAN, "HIV negative", "inclusion", "MET"),
        (MAN, "Former smoker", "exclusion", "MET"),
        (MAN, "Treatment with penicillin", "inclusion", "MET"),
        (MAN, "Treatment with insulin", "inclusion", "MET"),
        (MAN, "Prior hip replacement", "exclusion", "MET"),
        (MAN, "Diabetes except type 2", "inclusion", "MET"),
        (MAN, "Diabetes insipidus", "exclusion", "MET"),
        (MAN, "Family history of diabetes", "inclusion", "MET"),
        (MAN, "Any diabetes except gestational diabetes", "exclusion", "NOT_MET"),
        (MAN, "Intravenous prednisone", "exclusion", "MET"),
        (MAN + " HCV status is unknown.", "Known HCV infection", "exclusion", "MET"),
        (MAN + " He drinks no alcohol.", "Drinks alcohol", "inclusion", "MET"),
        (NOTE, "Family history of lupus", "exclusion", "NOT_MET"),
        (HEAVY, "Patients without hypertension with gout", "inclusion", "MET"),
        (HEAVY, "Patients without hypertension with asthma", "exclusion", "NOT_MET"),
        (HEAVY, "Without gout, with asthma", "inclusion", "NOT_MET"),
        (HEAVY, "Asthma except patients with gout", "inclusion", "NOT_MET"),
        (HEAVY, "Asthma except patients with hypertension", "inclusion", "MET"),
        (HEAVY, "> 3 drinks per day", "exclusion", "NOT_MET"),
        (HEAVY, "Asthma and gout", "exclusion", "MET"),
        (HEAVY, "No asthma", "exclusion", "NOT_MET"),
        (HEAVY, "No gout", "exclusion", "MET"),
        (HEAVY, "Non-melanoma skin cancer", "exclusion", "MET"),
        (HEAVY, "Non-smoker", "inclusion", "NOT_MET"),
        (HEAVY, "Asthma, unless pregnant", "exclusion", "NOT_MET"),
        (HEAVY, "Pain at least 5 on a 0-10 scale", "inclusion", "MET"),
        (HEAVY, "Asthma for 6 to 24 months", "inclusion", "MET"),
        (GIRL, "Women with asthma", "inclusion", "MET"),
        (GIRL, "Infants 6-24 months", "inclusion", "MET"),
        (PREGNANT + " She has asthma.", "Asthma, unless pregnant", "exclusion", "MET"),
        (WOMAN, "Men or postmenopausal women", "inclusion", "MET"),
    ],
)
def test_a_short_criterion_is_not_judged_against_the_note(
    note: str, criterion: str, kind: str, wrong: str
) -> None:
    assert verdict(note, criterion, kind) != wrong
