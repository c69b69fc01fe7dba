"""Misspelt names and words, against a registry of invented studies and the shipped vocabulary."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

import pytest

from tests.registry.invented import FIRST, study
from trialyst.ctgov.query import TrialQuery
from trialyst.questions.spelling import correct_name, correct_words
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.vocabulary import Vocabulary
from trialyst.vocabulary.spelling import Correction

HELD = {
    ("Breast Cancer", "Pembrolizumab"): 60,
    ("Chronic Kidney Disease", "Dapagliflozin"): 40,
    ("Type 2 Diabetes", "Metformin"): 60,
    ("Alzheimer's Disease", "Donepezil"): 40,
    ("Heart Failure", "Velorimab"): 40,
    ("Lung Cancer", "Metforimin"): 1,
    ("Breast Neoplasms, Metastatic", "Placebo"): 5,
}
"""Conditions with interventions, and how many studies have both; Velorimab is in no vocabulary."""


class WithoutWords(RegistrySource):
    """A source that does not list its words, as the live one."""

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        return {}


class Untouchable(RegistrySource):
    """A source that must not be asked."""

    async def count(self, query: TrialQuery) -> int:
        raise AssertionError("counted")

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        raise AssertionError("listed")


@pytest.fixture(scope="module")
def registry(
    tmp_path_factory: pytest.TempPathFactory, vocabulary: Vocabulary
) -> Iterator[Registry]:
    pairs = [pair for pair, times in HELD.items() for _ in range(times)]
    studies = (
        study(
            FIRST + at,
            conditions={"conditions": [condition]},
            armsInterventions={"interventions": [{"type": "DRUG", "name": drug}]},
        )
        for at, (condition, drug) in enumerate(pairs)
    )
    directory = tmp_path_factory.mktemp("spelling")
    build_from_studies(studies, directory, vocabulary=vocabulary)
    registry = Registry.open(directory, vocabulary=vocabulary)
    yield registry
    registry.close()


@pytest.fixture(scope="module")
def source(registry: Registry) -> RegistrySource:
    return RegistrySource(registry)


def corrected(
    source: RegistrySource, vocabulary: Vocabulary, text: str, param: str = "cond"
) -> Correction:
    return asyncio.run(correct_name(source, vocabulary, text, param=param))


def used(correction: Correction) -> str | None:
    """Give what is searched in place of what was asked."""
    return correction.best.text.lower() if correction.best and correction.clear else None


CLEAR = [
    ("pembrolizumb", "intr", "pembrolizumab"),
    ("dapaglifozin", "intr", "dapagliflozin"),
    ("metfor min", "intr", "metformin"),
    ("velorimap", "intr", "velorimab"),
    ("brest cancer", "cond", "breast cancer"),
    ("metastatic brest cancer", "cond", "metastatic breast cancer"),
    ("breastcancer", "cond", "breast cancer"),
    ("chronic kidny disease", "cond", "chronic kidney disease"),
    ("type 2 diabetis", "cond", "type 2 diabetes"),
    ("alzhiemers desease", "cond", "alzheimers disease"),
    ("hart failure", "cond", "heart failure"),
]


@pytest.mark.parametrize(("text", "param", "meant"), CLEAR)
def test_a_clear_slip_is_corrected(
    source: RegistrySource, vocabulary: Vocabulary, text: str, param: str, meant: str
) -> None:
    assert used(corrected(source, vocabulary, text, param)) == meant


def test_a_correction_tells_how_many_studies_hold_it(
    source: RegistrySource, vocabulary: Vocabulary
) -> None:
    best = corrected(source, vocabulary, "brest cancer").best
    assert best is not None
    assert best.count == 65


@pytest.mark.parametrize("text", ["melanoma", "NSCLC", "Keytruda", "SGLT2 inhibitors", "MK-3475"])
def test_nothing_is_asked_about_a_known_name(
    registry: Registry, vocabulary: Vocabulary, text: str
) -> None:
    assert corrected(Untouchable(registry), vocabulary, text, "term") == Correction(text)


def test_a_name_in_a_record_is_offered_another_and_never_corrected(
    source: RegistrySource, vocabulary: Vocabulary
) -> None:
    correction = corrected(source, vocabulary, "metforimin", "intr")
    assert correction.best is not None
    assert correction.best.text.lower() == "metformin"
    assert not correction.clear


def test_a_name_in_many_records_is_left_alone(
    source: RegistrySource, vocabulary: Vocabulary
) -> None:
    assert corrected(source, vocabulary, "velorimab", "intr") == Correction("velorimab", held=40)


@pytest.mark.parametrize("text", ["MK-3476", "xyzzy plugh", "qqzzxxyy", "", "  ", "?", "12 34"])
def test_a_name_like_no_other_has_no_suggestion(
    source: RegistrySource, vocabulary: Vocabulary, text: str
) -> None:
    assert corrected(source, vocabulary, text, "intr").best is None


def test_a_name_that_no_study_holds_is_only_offered(
    source: RegistrySource, vocabulary: Vocabulary
) -> None:
    correction = corrected(source, vocabulary, "fibromyalga")
    assert correction.best is not None
    assert correction.best.text == "fibromyalgia"
    assert not correction.clear


@pytest.mark.parametrize(
    ("text", "param", "meant"),
    [case for case in CLEAR if case[0] not in ("velorimap", "metastatic brest cancer")],
)
def test_the_vocabulary_alone_serves_where_a_source_lists_no_words(
    registry: Registry, vocabulary: Vocabulary, text: str, param: str, meant: str
) -> None:
    correction = corrected(WithoutWords(registry), vocabulary, text, param)
    wanted = vocabulary.resolve(meant).concept
    assert correction.clear
    assert correction.best is not None
    assert vocabulary.resolve(correction.best.text).concept == wanted


def words_corrected(
    source: RegistrySource, vocabulary: Vocabulary, text: str
) -> list[tuple[str, str | None]]:
    found = asyncio.run(correct_words(source, vocabulary, text))
    return [(each.asked, used(each)) for each in found]


def test_the_unknown_words_of_a_text_are_corrected(
    source: RegistrySource, vocabulary: Vocabulary
) -> None:
    assert words_corrected(source, vocabulary, "pembrolizumb for kidny disease") == [
        ("pembrolizumb", "pembrolizumab"),
        ("kidny", "kidney"),
    ]


def test_a_word_cut_in_two_is_corrected_as_one(
    source: RegistrySource, vocabulary: Vocabulary
) -> None:
    assert words_corrected(source, vocabulary, "metfor min in diabetes") == [
        ("metfor min", "metformin")
    ]


def test_ordinary_words_are_left_alone(source: RegistrySource, vocabulary: Vocabulary) -> None:
    text = "I am wondering whether my mother could still join something near us"
    assert [used for _, used in words_corrected(source, vocabulary, text) if used] == []


def test_words_are_listed_with_their_studies(source: RegistrySource) -> None:
    listed = asyncio.run(source.words_starting(["metfo", "alz"], "intr"))
    assert listed == {"metformin": 60, "metforimin": 1}
    assert asyncio.run(source.words_starting(["alz"], "cond")) == {"alzheimer": 40}


def test_what_searches_no_names_lists_no_words(source: RegistrySource) -> None:
    assert asyncio.run(source.words_starting(["m"], "lead")) == {}


class Remote(WithoutWords):
    """A source at the pace of a service, which counts what it is asked."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(registry)
        self.is_remote = True
        self.asked = 0

    async def count(self, query: TrialQuery) -> int:
        self.asked += 1
        return await super().count(query)


@pytest.mark.parametrize("text", ["pembrolizumb", "metfornin tablts", "qqzzxxyyq", "velorimab"])
def test_a_service_is_asked_three_counts_at_most(
    registry: Registry, vocabulary: Vocabulary, text: str
) -> None:
    named, worded = Remote(registry), Remote(registry)
    asyncio.run(correct_name(named, vocabulary, text, param="intr"))
    asyncio.run(correct_words(worded, vocabulary, f"{text} brst cancr diabtes"))
    assert max(named.asked, worded.asked) <= 3
