"""A free text is cut into names, phrases and words; what only asks is left out."""

from __future__ import annotations

import pytest

from trialyst.questions.free_text import read_free_text
from trialyst.vocabulary import Vocabulary


def cut(vocabulary: Vocabulary, text: str) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in read_free_text(vocabulary, text).segments]


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        (
            "What trials are there for patients with type 2 diabetes who want to try semaglutide?",
            [("condition", "type 2 diabetes"), ("intervention", "semaglutide")],
        ),
        (
            "breast cancer immunotherapy",
            [("condition", "breast cancer"), ("word", "immunotherapy")],
        ),
        (
            "SGLT2 inhibitors for gout",
            [("intervention", "SGLT2 inhibitors"), ("condition", "gout")],
        ),
        (
            '"non-small cell" nivolumab',
            [("phrase", "non-small cell"), ("intervention", "nivolumab")],
        ),
        ("see NCT00461032", [("id", "NCT00461032")]),
        ("HER2+ melanoma", [("word", "HER2+"), ("condition", "melanoma")]),
    ],
)
def test_names_words_and_phrases_are_told_apart(
    vocabulary: Vocabulary, text: str, segments: list[tuple[str, str]]
) -> None:
    assert cut(vocabulary, text) == segments


def test_what_only_asks_is_left_out_and_named(vocabulary: Vocabulary) -> None:
    read = read_free_text(vocabulary, "Which studies are there on asthma?")
    assert read.left_out == ("Which", "studies", "are", "there", "on")


def test_a_text_of_nothing_but_filler_is_its_words(vocabulary: Vocabulary) -> None:
    assert cut(vocabulary, "what is it") == [("word", "what"), ("word", "is"), ("word", "it")]


def test_filler_inside_a_name_belongs_to_the_name(vocabulary: Vocabulary) -> None:
    assert cut(vocabulary, "cancer of the lung") == [("condition", "cancer of the lung")]


def test_wishes_do_not_reach_into_quotes(vocabulary: Vocabulary) -> None:
    read = read_free_text(vocabulary, '"phase 3" asthma')
    assert read.wishes == ()
    assert [each.text for each in read.segments] == ["phase 3", "asthma"]
