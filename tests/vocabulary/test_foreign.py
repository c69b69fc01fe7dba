"""Common conditions in other languages, and words that only look like them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.registry.invented import FIRST, asked, study
from trialyst.registry import Registry, build_from_studies
from trialyst.vocabulary import How, Vocabulary


def listed(repository: Path) -> Iterator[tuple[str, str]]:
    """Give each foreign name of our list with the English one."""
    path = repository / "tools" / "vocabulary" / "foreign.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            english, *languages = line.split(" | ")
            for names in languages:
                yield from ((name, english) for name in names.split(" ", 1)[1].split(", "))


def test_every_listed_name_means_the_english_one(vocabulary: Vocabulary, repository: Path) -> None:
    names = list(listed(repository))
    assert len(names) > 1_500
    wrong = [
        (name, english)
        for name, english in names
        if not vocabulary.resolve(name).exact
        or vocabulary.resolve(name).concept != vocabulary.resolve(english).concept
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "name",
    [
        "Brustkrebs",
        "brustkrebs",
        "cáncer de mama",
        "cancer de mama",
        "CÁNCER DE MAMA",
        "cancer du sein",
        "carcinoma mammario",
        "câncer de mama",
        "borstkanker",
        "rak piersi",
        "bröstcancer",
        "broestcancer",
    ],
)
def test_accents_and_case_do_not_matter(vocabulary: Vocabulary, name: str) -> None:
    for written in (name, unicodedata.normalize("NFD", name)):
        (match,) = vocabulary.resolve(written).matches
        assert match.concept.preferred == "Breast Neoplasms"
        assert match.how is How.TRANSLATED


@pytest.mark.parametrize(
    "word",
    "gripe rage gale ictus angina zona dolor angst gotta krebs migrans ASMA rak tos sar lek "
    "varices obstipation gota sarna".split(),
)
def test_a_word_of_english_is_not_translated(vocabulary: Vocabulary, word: str) -> None:
    assert all(match.how is not How.TRANSLATED for match in vocabulary.resolve(word).matches)


def test_foreign_names_are_no_synonyms_to_search_with(vocabulary: Vocabulary) -> None:
    concept = vocabulary.resolve("breast cancer").concept
    assert concept is not None
    assert "Brustkrebs" in concept.names
    assert "Brustkrebs" not in concept.synonyms


@pytest.fixture(scope="module")
def registry(
    tmp_path_factory: pytest.TempPathFactory, vocabulary: Vocabulary
) -> Iterator[Registry]:
    conditions = ["Breast Cancer", "Breast Neoplasms", "Heart Failure", "Asthma", "Pregnancy"]
    conditions += ["Myocardial Infarction", "Heart Attack", "Diabetes Mellitus, Type 2"]
    studies = (
        study(FIRST + at, conditions={"conditions": [condition]})
        for at, condition in enumerate(conditions)
    )
    directory = tmp_path_factory.mktemp("foreign")
    build_from_studies(studies, directory, vocabulary=vocabulary)
    with Registry.open(directory, vocabulary=vocabulary) as registry:
        yield registry


@pytest.mark.parametrize(
    ("foreign", "english"),
    [
        ("Brustkrebs", "breast cancer"),
        ("cáncer de mama", "breast cancer"),
        ("Herzinsuffizienz", "heart failure"),
        ("infarto de miocardio", "heart attack"),
        ("diabète de type 2", "type 2 diabetes"),
        ("asma", "asthma"),
        ("embarazo", "pregnancy"),
    ],
)
def test_a_search_finds_the_same_in_another_language(
    registry: Registry, foreign: str, english: str
) -> None:
    found = registry.match_numbers(asked(query_cond=foreign))
    assert found
    assert found == registry.match_numbers(asked(query_cond=english))
