"""Unquoted text that names a known concept: its words may stand apart, and score less for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.registry.apart import matches_bare, matches_quoted, names_of
from tests.registry.invented import FIRST, found, study, titled
from tests.registry.oracle.corpus import iter_studies, nct_number
from tests.registry.oracle.records import Record
from tests.shipped import shipped_vocabulary
from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.essie import parse, text_node
from trialyst.essie.ast import Expansion, ExpansionLevel
from trialyst.registry import Registry, build_from_studies
from trialyst.vocabulary import Vocabulary

AREAS = {"cond": "ConditionSearch", "intr": "InterventionSearch", "term": "BasicSearch"}
CONDITIONS = """
    lung cancer|heart attack|breast cancer|type 2 diabetes|prostate cancer|heart failure|asthma
    atrial fibrillation|multiple sclerosis|rheumatoid arthritis|pulmonary hypertension|obesity
    chronic obstructive pulmonary disease|ovarian cancer|gastric cancer|multiple myeloma
    coronary artery disease|postoperative pain|muscular dystrophy|kidney failure|liver cirrhosis
    myelodysplastic syndromes|Alzheimer disease|spinal cord injuries|metabolic syndrome
    head and neck cancer|pancreatic cancer|cystic fibrosis|sickle cell anemia|chest pain
""".replace("\n", "|").split("|")
DRUGS = """
    insulin aspart|stem cell transplantation|epoetin alfa|pembrolizumab|folic acid|omega-3
    botulinum toxin|zoledronic acid|tranexamic acid|metformin|valproic acid|nitric oxide
""".replace("\n", "|").split("|")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """Studies that have the words of lung cancer in different ways."""
    directory = tmp_path_factory.mktemp("relaxed")
    conditions = {
        1: ["Lung cancer"],
        2: ["Cancer in the lung"],
        3: ["Lung, colon, breast and gastric cancer"],
        4: ["Lung and a great many other kinds of cancer"],
        5: ["Cancer of the upper part of the left lung"],
        6: ["Lung diseases", "Cancer"],
        7: ["Lung neoplasms"],
        8: ["Neoplasms in a lung"],
        9: ["Lung"],
        10: ["Cancer"],
    }
    studies = [
        study(FIRST + number - 1, conditions={"conditions": names})
        for number, names in conditions.items()
    ]
    studies.append(titled(FIRST + 10, "Lung tissue", conditions={"keywords": ["cancer of mice"]}))
    studies.append(
        study(
            FIRST + 11,
            armsInterventions={"armGroups": [{"description": "Lung scans before any cancer"}]},
        )
    )
    studies += [
        titled(FIRST + 12, "Lung function of people who survived some other kind of cancer"),
        titled(FIRST + 13, "A phase 2 study of insulin pumps in people with type 1 diabetes"),
    ]
    build_from_studies(studies, directory)
    with Registry.open(directory, vocabulary=shipped_vocabulary()) as registry:
        yield registry


ABOUT_LUNG_CANCER = {1, 2, 3, 7, 8, 13}


def test_words_of_a_name_may_stand_a_few_words_apart_in_one_value_and_anywhere_in_one_title(
    small: Registry,
) -> None:
    assert found(small, query_cond='"lung cancer"') == {1, 7}
    assert found(small, query_cond="lung cancer") == ABOUT_LUNG_CANCER


@pytest.mark.parametrize("param", ["query_cond", "query_term"])
def test_a_name_in_any_order_and_another_name_find_the_same(small: Registry, param: str) -> None:
    for text in ("cancer lung", "LUNG CANCERS", "Lung Neoplasms", "neoplasms lung"):
        assert found(small, **{param: text}) == ABOUT_LUNG_CANCER, text


def test_a_number_of_a_name_stands_near_its_other_words(small: Registry) -> None:
    assert found(small, query_cond="type 1 diabetes") == {14}
    assert found(small, query_cond="type 2 diabetes") == set()


def test_words_apart_in_a_piece_that_weighs_little_do_not_count(small: Registry) -> None:
    assert found(small, query_term="lung cancer") == ABOUT_LUNG_CANCER
    assert found(small, query_term="lung AND cancer") == {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13}


def test_a_concept_among_other_words_relaxes_too(small: Registry) -> None:
    assert found(small, query_cond="lung cancer colon") == {3}


def test_lossy_allows_missing_words(small: Registry) -> None:
    lossy = found(small, query_cond="EXPANSION[Lossy]lung cancer")
    assert lossy == {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13}
    assert found(small, query_cond='EXPANSION[Lossy]"lung cancer"') == {1, 7}


def test_words_apart_come_after_a_name_that_stands_as_written(small: Registry) -> None:
    query = TrialQuery(
        queries=(("cond", parse("lung cancer")),), sort=(SortKey(RELEVANCE, descending=True),)
    )
    order = [number - FIRST + 1 for number in small.iter_numbers(query)]
    assert set(order[:2]) == {1, 7}


def test_two_concepts_side_by_side_are_no_name_in_another_order(tmp_path: Path) -> None:
    vocabulary = shipped_vocabulary()
    studies = [
        study(FIRST, conditions={"conditions": ["Depression"], "keywords": ["anxiety"]}),
        study(FIRST + 1, conditions={"conditions": ["Anxiety in patients without depression"]}),
    ]
    build_from_studies(studies, tmp_path)
    with Registry.open(tmp_path, vocabulary=vocabulary) as registry:
        assert found(registry, query_cond="depression anxiety") == {1, 2}


def test_without_a_vocabulary_words_are_looked_for_each_alone(tmp_path: Path) -> None:
    build_from_studies([titled(FIRST, "Lung", conditions={"conditions": ["cancer"]})], tmp_path)
    with Registry.open(tmp_path) as registry:
        assert found(registry, query_cond="lung cancer") == {1}


def known(vocabulary: Vocabulary, names: Sequence[str]) -> dict[str, list[str]]:
    """Give the other names of each name that the vocabulary knows."""
    asked = [name.strip() for name in names if name.strip()]
    return {name: found for name in asked if (found := names_of(vocabulary, name))}


def numbers(registry: Registry, param: str, text: str) -> set[int]:
    return registry.match_numbers(TrialQuery(queries=((param, text_node(text)),)))


@pytest.mark.slow
@pytest.mark.parametrize("param", AREAS)
def test_bare_names_find_what_the_rule_says(
    engine: Registry, sample: list[Record], param: str
) -> None:
    assert engine.vocabulary
    compared = 0
    for text, names in known(engine.vocabulary, [*CONDITIONS, *DRUGS]).items():
        holds = matches_bare(engine.vocabulary, names, AREAS[param])
        expected = {nct_number(dict(each.study)) for each in sample if holds(each)}
        assert numbers(engine, param, text) == expected, text
        compared += bool(expected)
    assert compared > 25


@pytest.mark.slow
@pytest.mark.parametrize("param", AREAS)
def test_quoted_is_within_bare_is_within_lossy(engine: Registry, param: str) -> None:
    assert engine.vocabulary
    for text in known(engine.vocabulary, [*CONDITIONS, *DRUGS]):
        quoted = engine.match_numbers(TrialQuery(queries=((param, parse(f'"{text}"')),)))
        lossy = Expansion(ExpansionLevel.LOSSY, text_node(text))
        missing = engine.match_numbers(TrialQuery(queries=((param, lossy),)))
        assert quoted <= numbers(engine, param, text) <= missing, text


@pytest.mark.oracle
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("param", "texts"), [("cond", CONDITIONS), ("term", CONDITIONS)])
def test_among_all_records_the_rule_holds_and_adds_one_to_nine_per_cent(
    whole_engine: Registry, data_dir: Path, param: str, texts: Sequence[str]
) -> None:
    assert whole_engine.vocabulary
    asked = known(whole_engine.vocabulary, texts)
    tests = {
        text: (
            matches_quoted(names, AREAS[param]),
            matches_bare(whole_engine.vocabulary, names, AREAS[param]),
        )
        for text, names in asked.items()
    }
    quoted: dict[str, set[int]] = {text: set() for text in asked}
    bare: dict[str, set[int]] = {text: set() for text in asked}
    for record in map(Record, iter_studies(data_dir)):
        number = nct_number(dict(record.study))
        for text, (is_quoted, is_bare) in tests.items():
            if is_bare(record):
                bare[text].add(number)
                if is_quoted(record):
                    quoted[text].add(number)
    for text in asked:
        assert numbers(whole_engine, param, text) == bare[text], text
        assert numbers(whole_engine, param, f'"{text}"') <= bare[text], text
    more = sum(map(len, bare.values())) / sum(map(len, quoted.values())) - 1
    assert 0.01 < more < 0.09
