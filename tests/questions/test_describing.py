from __future__ import annotations

import pytest

from trialyst.questions.describing import noun_of
from trialyst.questions.free_text import read_free_text
from trialyst.questions.names import read_condition, read_drug, to_node
from trialyst.vocabulary import Vocabulary

SHORT = {"flu": "influenza", "ALS": "amyotrophic lateral sclerosis"}


@pytest.mark.parametrize(
    ("word", "condition"),
    [
        ("diabetic", "Diabetes Mellitus"),
        ("Diabetics", "Diabetes Mellitus"),
        ("asthmatic", "Asthma"),
        ("obese", "Obesity"),
        ("hypertensive", "Hypertension"),
        ("depressed", "Depression"),
        ("autistic", "Autistic Disorder"),
        ("hypothyroid", "Hypothyroidism"),
        ("bipolar", "Bipolar Disorder"),
        ("statistic", None),
        ("plastic", None),
        ("placebo", None),
        ("local", None),
    ],
)
def test_words_that_say_what_people_have(
    vocabulary: Vocabulary, word: str, condition: str | None
) -> None:
    found = noun_of(vocabulary, word)
    assert (found and found.matches[0].concept.preferred) == condition
    if condition:
        reading = read_condition(vocabulary, word).reading
        assert (reading.name, reading.how) == (condition, "described")
        assert reading.note


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("metformin for diabetic patients", {"metformin": "intervention", "diabetic": "condition"}),
        ("walking for obese women", {"obese": "condition"}),
        (
            "is metformin good for diabetics?",
            {"metformin": "intervention", "diabetics": "condition"},
        ),
        ("obese mice", {"obese": "word"}),
    ],
)
def test_in_a_text_they_are_read_where_people_follow(
    vocabulary: Vocabulary, text: str, kinds: dict[str, str]
) -> None:
    found = {each.text: each.kind for each in read_free_text(vocabulary, text).segments}
    assert kinds.items() <= found.items()


def test_a_short_word_may_have_others_beside_it(vocabulary: Vocabulary) -> None:
    found = {
        short: repr(to_node(read_condition(vocabulary, name))) for short, name in SHORT.items()
    }
    assert "FULL_MATCH" in found["ALS"]
    assert "FULL_MATCH" not in found["flu"]
    assert all(f"'{short.lower()}'" in node.lower() for short, node in found.items())


def test_an_infection_without_a_name_of_its_own_is_its_agent(vocabulary: Vocabulary) -> None:
    reading = read_condition(vocabulary, "Helicobacter pylori infection").reading
    assert (reading.name, reading.how) == ("Helicobacter pylori", "described")
    assert read_condition(vocabulary, "urinary tract infection").reading.how != "described"


def test_a_class_is_searched_by_the_codes_of_its_members(vocabulary: Vocabulary) -> None:
    assert "AIN457" in read_drug(vocabulary, "IL-17 inhibitors").reading.searched


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("gout", "Arthritis, Gouty"),
        ("diabetes", "Diabetic Foot"),
        ("ovarian cancer", "ovarian carcinoma"),
        ("HIV/AIDS", "hiv"),
        ("covid19", "SARS-CoV-2"),
        ("malaria", "Plasmodium"),
        ("urinary tract infection", None),
        ("breast cancer", None),
        ("heart failure", None),
    ],
)
def test_kinds_that_are_named_otherwise_are_searched_and_told(
    vocabulary: Vocabulary, name: str, member: str | None
) -> None:
    members = read_condition(vocabulary, name).reading.members
    assert (member in members) if member and members else members is None
