"""Which sentences are given as evidence; the notes are made up."""

from __future__ import annotations

import pytest

from tests.matching.judging.judging import judge, judged
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.relevance import features, load_weights, relevant
from trialyst.matching.judging.rules import decide, open_case
from trialyst.matching.judging.statement import read_statement
from trialyst.matching.judging.systems import systems_of

NOTE = (
    "0. A 58-year-old woman presents with chest pain that began two days ago.\n"
    "1. The pain radiates to the left arm and is accompanied by dyspnea and sweating.\n"
    "2. She works in an office and lives with her sister.\n"
    "3. She takes no medications.\n"
    "4. The patient will provide informed consent, and will comply with the trial protocol."
)


@pytest.mark.parametrize(
    ("criterion", "kind", "expected"),
    [
        ("Age 18 to 65 years", "inclusion", (0,)),
        ("Written informed consent", "inclusion", (4,)),
        ("Cystic fibrosis", "exclusion", ()),
        ("Body mass index of 19-35", "inclusion", ()),
    ],
)
def test_sentences_are_those_that_bear_on_the_criterion(
    criterion: str, kind: str, expected: tuple[int, ...]
) -> None:
    assert judged(NOTE, criterion, kind).sentences == expected


def test_an_undecided_disease_is_given_its_symptoms() -> None:
    result = judged(NOTE, "Acute myocardial infarction", "inclusion")
    assert {0, 1} <= set(result.sentences)
    assert 2 not in result.sentences


def test_quotes_stand_in_the_note() -> None:
    for criterion in ("Stable angina", "On beta blockers", "Coronary heart disease"):
        for quote in judged(NOTE, criterion, "inclusion").quotes:
            assert quote.text in NOTE


@pytest.mark.parametrize("kind", [CriterionKind.INCLUSION, CriterionKind.EXCLUSION])
@pytest.mark.parametrize(
    "criterion",
    ["Age 18 to 65", "Myocardial infarction", "No chest pain", "Use of beta blockers", "Consent"],
)
def test_sentences_are_weighed_by_the_features_that_were_learned(
    criterion: str, kind: CriterionKind
) -> None:
    case = open_case(read_statement(criterion), kind, judge().read(NOTE))
    decision, learned = decide(case), load_weights()
    sums = {
        number: sum(learned.weights.get(name, 0.0) for name in names)
        for number, names in features(case, decision)
    }
    given = [number for number, weight in sums.items() if weight >= learned.threshold]
    assert relevant(case, decision) == given


def test_of_a_long_note_only_what_has_something_of_the_criterion_is_given() -> None:
    note = "A 40-year-old man has fever. " + "He walked home. " * 200 + "He has asthma."
    assert judged(note, "Asthma", "inclusion").sentences[-1] == 201


def test_fields_of_medicine_are_told_by_words() -> None:
    assert systems_of("productive cough") & systems_of("copd")
    assert not systems_of("productive cough") & systems_of("cataract")
    assert systems_of("of the and") == 0
