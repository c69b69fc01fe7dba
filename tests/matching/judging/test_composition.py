"""Criteria put together from parts whose truth is known: no part that fails is passed over."""

from __future__ import annotations

from itertools import product

import pytest

from tests.matching.judging.judging import judge
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Statement

BOY = (
    "A 10-year-old boy has asthma and type 1 diabetes. He takes insulin. He has no heart failure "
    "and no epilepsy. He does not smoke."
)
WOMAN = (
    "A 70-year-old woman has asthma and type 2 diabetes. She takes metformin. She has no heart "
    "failure and no epilepsy. She never smoked."
)
PEOPLE = {
    "Patients": (True, True),
    "Adults": (False, True),
    "Adult patients": (False, True),
    "Children": (True, False),
    "Women": (False, True),
    "Male subjects": (True, False),
    "Patients 18 years of age or older": (False, True),
    "Subjects aged 6 to 17 years": (True, False),
}
HAVE = {
    "asthma": (True, True),
    "diabetes": (True, True),
    "type 2 diabetes": (False, True),
    "heart failure": (False, False),
    "epilepsy": (False, False),
}
FORMS = (
    "{who} with {one} and {other}",
    "{who} with {one} who have {other}",
    "{who} who have {one} and have {other}",
    "{who} with {one}; with {other}",
    "{who} diagnosed with {one}, with {other}",
)
WITHOUT = (
    "{who} with {one} and without {other}",
    "{who} with {one} and no {other}",
    "{who} with {one}, without {other}",
    "{who} with {one} who do not have {other}",
)


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("place", [0, 1], ids=["boy", "woman"])
def test_a_criterion_is_met_only_if_every_part_is(who: str, place: int) -> None:
    truths = {}
    for (one, first), (other, second) in product(HAVE.items(), HAVE.items()):
        if one == other:
            continue
        before = PEOPLE[who][place] and first[place]
        for form in FORMS:
            truths[form.format(who=who, one=one, other=other)] = before and second[place]
        for form in WITHOUT:
            truths[form.format(who=who, one=one, other=other)] = before and not second[place]
    assert _wrong((BOY, WOMAN)[place], truths) == []


OLD_MAN = (
    "A 78-year-old man has hypertension and heart failure. He denies asthma, epilepsy and "
    "depression. There is no psoriasis."
)
"""What he has, and what he does not have."""
HIS, NOT_HIS = ("hypertension", "heart failure"), ("asthma", "epilepsy", "psoriasis")
DENIALS = (
    "No {x}", "Without {x}", "Absence of {x}", "The absence of {x}", "Free from {x}", "Lack of {x}",
    "Must not have {x}", "Never had {x}", "Neither {x} nor depression", "Negative history of {x}",
    "Denies {x}", "{x}: no", "{x} must be absent", "{x} has been ruled out", "No patients with {x}",
    "No {x}, depression or breast cancer", "None of the following: {x}, depression",
    "Men, no {x}", "Male free of {x}", "65+ and no {x}", "Elderly with no {x}",
    "Patients with hypertension, no {x}", "Either hypertension or psoriasis but not {x}",
)  # fmt: skip
HOLD = (
    "{his} or {x}", "Has {x} or has {his}", "Diagnosis of {x} or diagnosis of {his}",
    "Age under 18 years or {his}", "Elderly patients with {his}", "{his} in an adult", "Men, {his}",
    "Adult male and female patients with {his}", "One of the following: {x}, {his}",
    "Men or postmenopausal women", "Postmenopausal women or men", "{his}, unless pregnant",
    "{his} except patients with {x}", "Without {x}, with {his}",
    "At least 18 years old with {his}", "{his}, over 65", "{his}, not under 18 years of age",
)  # fmt: skip
FAIL = (
    "Both {x} and {his}", "{x} complicated by {his}", "All of the following: {his}, {x}",
    "Two of the following: {x}, {his}, depression", "{his} in children", "{his}, adolescents",
    "Boys with {his}", "Teenagers with {his}", "Young adults with {his}", "Infants with {his}",
    "{his}, 18-65", "{his}, 18-65 y.o.", "Patients with {his} (between 18 and 65 years)",
    "18-65 with {his}", "Under 18 and {his}", "6 months to 17 years with {his}",
    "Older than 18 but younger than 65 with {his}", "Over 18 and under 65, {his}",
    "Up to age 17, {his}", "Minimum age 18, maximum age 65, {his}", "No {x}, 18-65 years",
    "Both sexes, 18-65", "Male, not yet 18 years old",
    "Not under 18 years of age with {x}", "{his}, younger than 6 months",
)  # fmt: skip


def test_denials_ages_and_choices_are_read_in_every_wording() -> None:
    truths: dict[str, bool] = {}
    for his, other in product(HIS, NOT_HIS):
        truths |= {form.format(x=his): False for form in DENIALS}
        truths |= {form.format(x=other): True for form in DENIALS if f" or {other}" not in form}
        truths |= {form.format(his=his, x=other): True for form in HOLD}
        truths |= {form.format(his=his, x=other): False for form in FAIL}
    assert _wrong(OLD_MAN, truths) == []


@pytest.mark.parametrize(("pregnant", "age"), [(True, 28), (False, 45)])
def test_pregnancy_is_read_in_every_wording(pregnant: bool, age: int) -> None:
    note = f"A {age}-year-old woman has asthma. She is {'' if pregnant else 'not '}pregnant."
    asked = ("Pregnant", "Pregnant women", "Must be pregnant", "Pregnant women with asthma")
    free = (
        "Not pregnant",
        "Must be not pregnant",
        "Male or non-pregnant female",
        "Must not be pregnant",
    )
    truths = dict.fromkeys(asked, pregnant) | dict.fromkeys(free, not pregnant)
    assert _wrong(note, truths) == []


def _wrong(note: str, truths: dict[str, bool]) -> list[str]:
    asked = [Statement(text, CriterionKind.INCLUSION) for text in truths]
    return [
        result.criterion
        for result, holds in zip(judge().judge_all(note, asked), truths.values(), strict=True)
        if result.verdict.value == ("NOT_MET" if holds else "MET")
    ]
