"""Criteria are parsed into requirements: a table of our own, and what holds of any text."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.eligibility.outlines import outline, read_criteria
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.eligibility.render import render_requirement, to_json
from trialyst.eligibility.requirement import (
    All,
    Opaque,
    Requirement,
    decode_requirement,
    encode_requirement,
    leaves,
)
from trialyst.eligibility.tokens import LONGEST
from trialyst.vocabulary import Vocabulary

CONTRACT = Path(__file__).parents[2] / "docs" / "contracts" / "requirement.json"
_EXCLUDES = "exclusion: "
HOSTILE = [
    "",
    " \n\t ",
    "." * 40_000,
    "(" * 20_000 + ")" * 20_000,
    "(a " * 5_000,
    "no " * 20_000,
    "not a " * 20_000,
    "except " * 20_000,
    "asthma, except copd, unless gout, " * 3_000,
    "if asthma, " * 9_000,
    "asthma if copd and " * 9_000,
    "with diabetes " * 12_000,
    "e.g. " * 30_000,
    "; " * 50_000,
    "any of the following: " * 8_000,
    "stroke or " * 18_000,
    "> 5 mg/dL " * 18_000,
    "within 6 months " * 12_000,
    "\u0000\ufffd\U0001f600" * 20_000,
    "İ" * 5_000,
    "transgender women (male-to-female)",
    "women (men) (women) men",
]


@pytest.fixture(scope="module")
def parser(vocabulary: Vocabulary) -> CriterionParser:
    return CriterionParser(Lexicon(vocabulary))


def parse(parser: CriterionParser, text: str) -> Requirement:
    opening, _, item = text.removeprefix(_EXCLUDES).rpartition(" || ")
    return parser.parse(item, opening=opening or None, excludes=text.startswith(_EXCLUDES))


def test_criteria_are_read_as_the_table_says(parser: CriterionParser) -> None:
    pairs = read_criteria()
    assert len(pairs) > 100
    read = [f"{text}\n{outline(parse(parser, text))}" for text, _ in pairs]
    assert read == [f"{text}\n{said}" for text, said in pairs]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_any_text_is_parsed(parser: CriterionParser, text: str) -> None:
    found = parser.parse(text, opening=text[:500])
    assert decode_requirement(encode_requirement(found)) == found
    assert render_requirement(found) is not None
    for leaf in leaves(found):
        assert 0 <= leaf.span[0] <= leaf.span[1] <= len(text)


def test_nonsense_of_the_words_of_criteria_is_parsed(parser: CriterionParser) -> None:
    """Words that steer the grammar, in any order: an empty list of parts broke it once."""
    drawn = random.Random(17)
    words = [word for text, _ in read_criteria() for word in text.split()]
    words += (
        "( ) , ; : . no not except unless if men women male female either or and - / >= 5".split()
    )
    for _ in range(400):
        text = " ".join(drawn.choices(words, k=drawn.randint(1, 40)))
        found = parser.parse(text, opening=text[:60], excludes=drawn.random() < 0.5)
        assert decode_requirement(encode_requirement(found)) == found
        assert isinstance(render_requirement(found), str), text


def test_what_stands_behind_the_longest_length_is_opaque(parser: CriterionParser) -> None:
    text = "asthma, " * LONGEST
    found = parser.parse(text)
    assert isinstance(found, All)
    last = found.parts[-1]
    assert isinstance(last, Opaque)
    assert last.span[1] == len(text)
    assert LONGEST - 300 < last.span[0] <= LONGEST


def test_most_of_the_table_reads_back_from_its_own_words(parser: CriterionParser) -> None:
    said = [outline(parse(parser, text)) for text, _ in read_criteria()]
    again = [
        outline(parser.parse(render_requirement(parse(parser, text))))
        for text, _ in read_criteria()
    ]
    same = sum(one == other for one, other in zip(said, again, strict=True))
    assert same / len(said) > 0.9


def test_made_up_criteria_read_back_from_their_own_words(parser: CriterionParser) -> None:
    things = ["asthma", "severe gout", "history of stroke", "metformin", "current smoker"]
    texts = [
        form.format(*pair)
        for pair in itertools.permutations(things, 2)
        for form in ("{} or {}", "{} and {}", "no {}", "no {} or {}", "{} except {}", "if {}, {}")
    ]
    for text in texts:
        found = parser.parse(text)
        assert outline(parser.parse(render_requirement(found))) == outline(found), text


def test_json_follows_the_contract(parser: CriterionParser) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(CONTRACT.read_text("utf-8")))
    for text, _ in read_criteria():
        validator.validate(to_json(parse(parser, text)))
