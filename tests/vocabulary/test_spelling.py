"""Which known names are like one that nothing knows, and when one of them is clearly meant."""

from __future__ import annotations

import pytest

from trialyst.vocabulary import Kind, Vocabulary
from trialyst.vocabulary.spelling import (
    Suggestion,
    choose,
    correct_word,
    nearest_names,
    similar_names,
    spellings,
)

DRUG, CONDITION = (Kind.DRUG,), (Kind.CONDITION,)


@pytest.mark.parametrize(
    ("text", "kinds", "name"),
    [
        ("pembrolizimab", DRUG, "pembrolizumab"),
        ("rivaroxiban", DRUG, "rivaroxaban"),
        ("fenobarbital", DRUG, "phenobarbital"),
        ("non hodgkins lymfoma", CONDITION, "non-hodgkin lymphoma"),
        ("diabetis mellitus type 2", CONDITION, "diabetes mellitus, type 2"),
        ("neumonia", CONDITION, "pneumonia"),
        ("ovariancancer", CONDITION, "ovarian cancer"),
        ("thrombosys", CONDITION, "thrombosis"),
    ],
)
def test_the_likest_name_comes_first(
    vocabulary: Vocabulary, text: str, kinds: tuple[Kind], name: str
) -> None:
    best = similar_names(vocabulary, text, kinds=kinds)[0]
    wanted = vocabulary.resolve(name, kinds=kinds).concept
    assert wanted is not None
    assert best.concept == wanted.id


def test_a_concept_is_suggested_once(vocabulary: Vocabulary) -> None:
    found = [each.concept for each in similar_names(vocabulary, "phenytoyn", kinds=DRUG)]
    assert len(found) == len(set(found))


def test_only_the_kinds_asked_for_are_suggested(vocabulary: Vocabulary) -> None:
    assert nearest_names(vocabulary, "melanomma", kind=Kind.CONDITION)[0].lower() == "melanoma"
    assert "melanoma" not in map(str.lower, nearest_names(vocabulary, "melanomma", kind=Kind.DRUG))


@pytest.mark.parametrize("text", ["", "mk", "3475", "qqzzxxyy", "x" * 200, "?!", "abc 12"])
def test_a_text_like_no_name_has_no_suggestions(vocabulary: Vocabulary, text: str) -> None:
    assert similar_names(vocabulary, text, kinds=DRUG) == ()


@pytest.mark.parametrize(
    ("text", "other"), [("hepatitis d", "hepatitis e"), ("factor v deficiency", "factor x defici")]
)
def test_short_words_tell_names_apart(vocabulary: Vocabulary, text: str, other: str) -> None:
    near = similar_names(vocabulary, f"{text[:-1]}q", kinds=CONDITION)
    assert not any(each.text.lower().startswith(other) for each in near)


def test_the_plural_of_a_slip_is_compared_too() -> None:
    assert spellings("diabetis") == ("diabetis", "diabeti")
    assert spellings("Lymfomas") == ("lymfoma", "lymfomas")


def suggestion(text: str, cost: float, count: int, concept: str = "") -> Suggestion:
    return Suggestion(text, cost, count, concept or text)


def test_a_frequent_name_a_slip_away_is_clear() -> None:
    assert choose("melanomma", [suggestion("melanoma", 0.4, 300)]).clear


def test_a_name_no_study_holds_is_only_offered() -> None:
    correction = choose("melanomma", [suggestion("melanoma", 0.4, 0)])
    assert correction.best is not None
    assert not correction.clear


def test_of_two_names_as_likely_neither_is_clear() -> None:
    both = [suggestion("bosutinib", 0.8, 40), suggestion("masitinib", 0.8, 30)]
    correction = choose("bositinib", both)
    assert not correction.clear
    assert [each.text for each in correction.others] == ["masitinib"]


def test_the_more_frequent_of_two_names_is_the_likelier() -> None:
    both = [suggestion("glucoma", 0.6, 1), suggestion("glaucoma", 0.8, 120)]
    best = choose("glacoma", both).best
    assert best is not None
    assert best.text == "glaucoma"


def test_two_slips_in_a_rare_name_are_not_clear() -> None:
    assert not choose("cedelizumab", [suggestion("vedolizumab", 1.8, 7)]).clear


def test_four_letters_are_never_clear() -> None:
    assert not choose("elad", [suggestion("lead", 0.6, 900)]).clear


def test_other_names_of_the_same_thing_do_not_compete() -> None:
    names = [suggestion("phenytoin", 0.4, 9, "d1"), suggestion("fenitoin", 0.4, 9, "d1")]
    correction = choose("fenytoin", names)
    assert correction.clear
    assert correction.others == ()


def test_a_slip_in_the_records_does_not_compete_with_the_name() -> None:
    names = [suggestion("sertraline", 0.6, 48), Suggestion("sertaline", 0.6, 1)]
    assert choose("sertralina", names).clear


def test_what_may_not_be_used_is_offered() -> None:
    correction = choose("melanomma", [suggestion("melanoma", 0.4, 300)], usable=False)
    assert correction.best is not None
    assert not correction.clear


def test_a_word_is_corrected_of_any_known_words() -> None:
    correction = correct_word("glicolysis", {"glycolysis": 6, "lipolysis": 4, "apoptosis": 90})
    assert correction.clear
    assert correction.best == Suggestion("glycolysis", 0.6, 6, "glycolysis")
    assert correct_word("krebs", {"glycolysis": 6}).best is None


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("hypotrichosiss", "hypertrichosis"),
        ("orthostatic hypertensionn", "orthostatic hypotension"),
        ("csf 2", "ccf 2"),
    ],
)
def test_a_name_is_not_taken_for_its_opposite_or_another_code(text: str, opposite: str) -> None:
    assert correct_word(text, {opposite: 1_000}).best is None
