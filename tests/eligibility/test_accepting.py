"""Facts of a patient rule a trial out only where they surely violate one of its demands."""

from __future__ import annotations

from functools import cache

import pytest

from tests.shipped import shipped_vocabulary
from trialyst.eligibility.accepting import Acceptance, FactReader
from trialyst.eligibility.criteria import read_eligibility, to_demands
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.errors import InvalidInput
from trialyst.vocabulary.relations import Relations


@cache
def reader() -> FactReader:
    return FactReader(Lexicon(shipped_vocabulary()))


def accepts(text: str, *facts: str) -> bool:
    demands = to_demands(read_eligibility(text, CriterionParser(Lexicon(shipped_vocabulary()))))
    acceptance = Acceptance(reader().read_all(facts), Relations(shipped_vocabulary()))
    return acceptance.rules_out(demands) is None


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("Inclusion:\n* ECOG performance status 0-1", "ECOG 2", False),
        ("Inclusion:\n* ECOG performance status 0-2", "ECOG 2", True),
        ("Inclusion:\n* ECOG performance status 0-1", "brain metastases", True),
        ("Inclusion:\n* Age 18 to 75 years", "age 81", False),
        ("Exclusion:\n* Age over 80 years", "age 81", False),
        ("Inclusion:\n* Creatinine <= 1.5 mg/dL", "creatinine 1.8 mg/dL", False),
        ("Inclusion:\n* Creatinine <= 2 mg/dL", "creatinine 1.8 mg/dL", True),
        ("Exclusion:\n* Creatinine > 1.5 mg/dL", "creatinine 1.8 mg/dL", False),
        ("Exclusion:\n* Prior pembrolizumab", "prior pembrolizumab", False),
        ("Exclusion:\n* Prior nivolumab", "prior pembrolizumab", True),
        ("Exclusion:\n* Brain metastases", "brain metastases", False),
        ("Exclusion:\n* Brain metastases", "no brain metastases", True),
        ("Inclusion:\n* Type 2 diabetes", "type 2 diabetes", True),
        ("Inclusion:\n* Type 2 diabetes", "HIV positive", True),
        ("Inclusion:\n* Type 2 diabetes", "no diabetes", False),
        ("Exclusion:\n* HIV infection", "HIV positive", False),
        ("Exclusion:\n* Any significant medical condition", "HIV positive", True),
        ("Inclusion:\n* Any of:\n  * asthma\n  * COPD", "no asthma", True),
        ("Inclusion:\n* Any of:\n  * asthma\n  * COPD", "no asthma; no COPD", False),
        ("Inclusion:\n* All of:\n  * asthma\n  * COPD", "no asthma", False),
        ("Inclusion:\n* asthma; or\n* COPD", "no asthma", True),
        ("Exclusion:\n* All of the following:\n  * asthma\n  * COPD", "asthma", True),
        ("Exclusion:\n* Any of the following:\n  * asthma\n  * COPD", "asthma", False),
        ("", "ECOG 2", True),
    ],
)
def test_a_trial_is_ruled_out_only_by_what_the_facts_state(
    text: str, facts: str, expected: bool
) -> None:
    assert accepts(text, *facts.split("; ")) is expected


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("ECOG 2", "ECOG performance status 2"),
        ("creatinine 1.8 mg/dL", "Creatinine 1.8 mg/dL"),
        ("prior pembrolizumab", "pembrolizumab, prior"),
        ("age 81", "age 81 Years"),
        ("HIV positive", "HIV Infections"),
        ("brain metastases", "Brain metastases"),
        ("no diabetes", "Diabetes Mellitus, absent"),
        ("female", "female"),
    ],
)
def test_each_fact_says_how_it_was_read(fact: str, words: str) -> None:
    assert words in reader().read(fact).words


@pytest.mark.parametrize("fact", ["what is it", "xqzzy", "?", "x" * 500])
def test_what_says_nothing_of_a_patient_is_refused_with_forms_that_work(fact: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        reader().read(fact)
    assert "ECOG 2" in str(refused.value.hint)
