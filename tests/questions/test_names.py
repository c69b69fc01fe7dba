from __future__ import annotations

import pytest

from trialyst.errors import InvalidInput
from trialyst.questions.names import read_class, read_condition, read_drug
from trialyst.questions.searched_names import ROOM
from trialyst.vocabulary import Kind, Vocabulary
from trialyst.vocabulary.spelling import nearest_names


@pytest.mark.parametrize(
    "text",
    [
        "wegovy",
        "Ozempic",
        "NN9535",
        "nn 9535",
        "SEMAGLUTIDE",
        "sema-glutide",
        "sema glutide",
        "semaglutide 2.4 mg",
        "Semaglutide (Wegovy)",
    ],
)
def test_every_name_of_a_drug_is_searched_alike(vocabulary: Vocabulary, text: str) -> None:
    names, of_drug = (
        set(read_drug(vocabulary, each).parts[0].names) for each in (text, "semaglutide")
    )
    assert names == of_drug


@pytest.mark.parametrize("text", ["metformin", "Metformin HCl", "metformin hydrochloride 500 mg"])
def test_a_salt_means_the_drug(vocabulary: Vocabulary, text: str) -> None:
    assert read_drug(vocabulary, text).reading.name == "Metformin"


@pytest.mark.parametrize(
    "text",
    [
        "NASH",
        "MASH",
        "non-alcoholic steatohepatitis",
        "nonalcoholic steatohepatitis",
        "NAFLD/NASH",
        "NAFLD-NASH",
        "Non-alcoholic Steatohepatitis (NASH)",
        "Nonalcoholic  Steatohepatitis",
    ],
)
def test_every_name_of_a_condition_is_searched_alike(vocabulary: Vocabulary, text: str) -> None:
    found = read_condition(vocabulary, text)
    assert found.reading.concept_id == "MESH:D065626"
    assert set(found.parts[0].names) == set(read_condition(vocabulary, "NASH").parts[0].names)


def test_an_ambiguous_name_says_so_and_is_searched_as_written(vocabulary: Vocabulary) -> None:
    found = read_condition(vocabulary, "MS")
    assert found.reading.ambiguous
    assert "Multiple Sclerosis" in found.reading.may_mean
    assert found.parts[0].names == ("MS",)
    assert "Multiple Sclerosis" in found.notes[0]


def test_a_short_abbreviation_finds_what_the_name_finds(vocabulary: Vocabulary) -> None:
    assert "MI" not in read_condition(vocabulary, "MI").parts[0].names
    short, long = (read_condition(vocabulary, each) for each in ("MI", "heart attack"))
    assert set(short.parts[0].names) == set(long.parts[0].names)


def test_a_qualified_condition_must_have_its_qualifier(vocabulary: Vocabulary) -> None:
    found = read_condition(vocabulary, "HER2-positive breast cancer")
    assert [part.asked for part in found.parts] == ["HER2-positive", "breast cancer"]
    assert "breast carcinoma" in found.parts[1].names


def test_a_combination_asks_for_both_drugs(vocabulary: Vocabulary) -> None:
    found = read_drug(vocabulary, "nivolumab + ipilimumab")
    assert [part.names[0] for part in found.parts] == ["Nivolumab", "Ipilimumab"]


def test_a_fixed_combination_is_one_drug(vocabulary: Vocabulary) -> None:
    assert len(read_drug(vocabulary, "sacubitril/valsartan").parts) == 1


def test_an_unknown_code_stays_one_phrase(vocabulary: Vocabulary) -> None:
    found = read_drug(vocabulary, "QZX 98765")
    assert found.parts[0].names == ("QZX 98765",)
    assert not found.reading.known


def test_a_class_is_searched_by_its_members(vocabulary: Vocabulary) -> None:
    found = read_class(vocabulary, "GLP-1 receptor agonists")
    assert found is not None
    assert {"semaglutide", "liraglutide"} <= set(found.parts[0].names)


@pytest.mark.parametrize("text", ["", "  ", "a\x00b"])
def test_what_cannot_be_searched_for_is_refused(vocabulary: Vocabulary, text: str) -> None:
    with pytest.raises(InvalidInput):
        read_drug(vocabulary, text)


@pytest.mark.parametrize("text", ["aspirin", "insulin", "paracetamol"])
def test_the_names_of_a_drug_fit_into_an_address(vocabulary: Vocabulary, text: str) -> None:
    names = read_drug(vocabulary, text).parts[0].names
    assert sum(map(len, names)) < ROOM["drug"]


def test_no_searched_name_contains_another(vocabulary: Vocabulary) -> None:
    names = [f" {name.lower()} " for name in read_drug(vocabulary, "metformin").parts[0].names]
    assert not [(a, b) for a in names for b in names if a != b and a in b]


def test_a_typing_error_is_near_the_name(vocabulary: Vocabulary) -> None:
    assert nearest_names(vocabulary, "semaglutidde", kind=Kind.DRUG)[0] == "semaglutide"
    assert nearest_names(vocabulary, "qqzzxxyy", kind=Kind.DRUG) == ()


@pytest.mark.parametrize("text", ["GLP-1 receptor agonist", "statins", "PD-1 inhibitor"])
def test_a_class_in_place_of_a_drug_stands_for_its_members(
    vocabulary: Vocabulary, text: str
) -> None:
    term = read_drug(vocabulary, text)
    assert term.kind == "class"
    assert len(term.reading.searched) > 5


@pytest.mark.parametrize("text", ["insulin", "G-CSF", "tetracycline"])
def test_a_substance_that_a_class_is_named_after_stays_a_drug(
    vocabulary: Vocabulary, text: str
) -> None:
    assert read_drug(vocabulary, text).kind == "drug"


def test_an_empty_name_says_what_to_name(vocabulary: Vocabulary) -> None:
    with pytest.raises(InvalidInput, match="name is empty") as raised:
        read_drug(vocabulary, " ")
    assert "Name a drug" in raised.value.hint
    with pytest.raises(InvalidInput) as raised:
        read_condition(vocabulary, "")
    assert "Name a condition" in raised.value.hint
