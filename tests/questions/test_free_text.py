"""A free text is cut into names, phrases and words; what only asks is left out."""

from __future__ import annotations

import pytest

from trialyst.questions.free_text import read_free_text
from trialyst.questions.places import is_known_place
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
        ("COPD or asthma", [("condition", "COPD or asthma")]),
        ("studies for women with depression", [("condition", "depression")]),
        ("Studien zu Asthma", [("condition", "Asthma")]),
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


@pytest.mark.parametrize(
    ("text", "denied", "unwished"),
    [
        ("migraine without placebo", [["placebo"]], []),
        ("asthma -metastatic", [["metastatic"]], []),
        ("asthma not in Germany", [], ["Germany"]),
        ("asthma outside the United States", [], ["United States"]),
        ("asthma but not phase 4", [], ["PHASE4"]),
        ("asthma, not previously treated", [], []),
        ("active, not recruiting asthma", [], []),
    ],
)
def test_what_is_denied_is_not_asked_for(
    vocabulary: Vocabulary, text: str, denied: list[list[str]], unwished: list[str]
) -> None:
    read = read_free_text(vocabulary, text, is_place=is_known_place)
    assert [[each.text for each in group] for group in read.denied] == denied
    assert [wish.value for wish in read.unwished] == unwished
    assert read.segments[0].text in ("asthma", "migraine")
    assert len(read.segments) == 1
