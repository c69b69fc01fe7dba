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
    asked = [Statement(text, CriterionKind.INCLUSION) for text in truths]
    results = judge().judge_all((BOY, WOMAN)[place], asked)
    wrong = [
        result.criterion
        for result, holds in zip(results, truths.values(), strict=True)
        if result.verdict.value == ("NOT_MET" if holds else "MET")
    ]
    assert wrong == []
