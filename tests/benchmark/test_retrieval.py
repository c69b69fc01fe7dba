"""Figures of retrieval are those of the definitions, and files are read strictly."""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.benchmark.retrieval import (
    find_by_inquiry,
    find_by_words,
    measure_retrieval,
    open_judged_trials,
    score_runs,
)
from trialyst.benchmark.retrieval_data import Topic, load_qrels, load_queries, load_topics
from trialyst.errors import InvalidInput
from trialyst.vocabulary import Vocabulary

QRELS = {"one": {"a": 2, "b": 1, "c": 0, "d": 2}}


def test_only_eligible_trials_count_for_precision_and_recall() -> None:
    scores = score_runs(QRELS, {"one": ["b", "x", "a", "c"]})
    assert scores["P_10"] == 0.1
    assert scores["recip_rank"] == round(1 / 3, 4)
    assert scores["recall_500"] == scores["recall_1000"] == 0.5


def test_scores_are_the_gains_of_ndcg() -> None:
    ideal = 2 + 2 / math.log2(3) + 1 / 2
    got = 1 + 2 / 2
    scores = score_runs(QRELS, {"one": ["b", "x", "a", "c"]})
    assert scores["ndcg_cut_10"] == pytest.approx(got / ideal, abs=1e-4)


def test_unjudged_trials_are_passed_over_among_judged_ones() -> None:
    scores = score_runs(QRELS, {"one": ["x", "y", "a", "b", "z", "d"]})
    assert scores["judged_only"]["recip_rank"] == 1.0
    assert scores["recip_rank"] == round(1 / 3, 4)
    assert scores["judged_only"]["ndcg_cut_10"] > scores["ndcg_cut_10"]


def test_a_perfect_list_is_perfect() -> None:
    scores = score_runs(QRELS, {"one": ["a", "d", "b"]})
    assert scores["ndcg_cut_5"] == scores["ndcg_cut_10"] == scores["recip_rank"] == 1.0


def test_a_topic_without_a_list_scores_nothing() -> None:
    scores = score_runs({**QRELS, "two": {"a": 2}}, {"one": ["a"], "two": []})
    assert scores["per_topic"]["two"]["ndcg_cut_10"] == 0.0
    assert scores["recip_rank"] == 0.5


@given(st.permutations(["a", "b", "c", "d", "x", "y"]))
def test_figures_lie_between_nothing_and_one(run: Sequence[str]) -> None:
    scores = score_runs(QRELS, {"one": run})
    figures = [value for value in scores.values() if isinstance(value, float)]
    assert len(figures) == 6
    assert all(0 <= value <= 1 for value in (*figures, *scores["judged_only"].values()))


def test_without_the_library_of_measures_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(InvalidInput) as refused:
        score_runs(QRELS, {"one": ["a"]})
    assert "trialyst[benchmark]" in str(refused.value.hint)


def test_questionnaires_become_notes(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    fields = {"age": "39", "GAD-7": "", "dementia": "no", "tremor": "yes", "HAM-A": "20"}
    path.write_text(json.dumps({"id": "t", "template": "anxiety", "fields": fields}) + "\n")
    assert load_topics(path) == [
        Topic("t", "Diagnosis: anxiety. 39-year-old patient. No dementia. tremor. HAM-A: 20.")
    ]


@pytest.mark.parametrize(
    "text",
    ["topic_id\tnct_id\tscore\tin_corpus\nt\tNCT00000102\t2\t1\n", "t 0 NCT00000102 2\n"],
    ids=["named columns", "TREC"],
)
def test_judgments_are_read_with_and_without_names(tmp_path: Path, text: str) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text(text)
    assert load_qrels(path) == {"t": {"NCT00000102": 2}}


@pytest.mark.parametrize(
    ("load", "text"),
    [
        (load_topics, ""),
        (load_topics, '{"id": "t"}\n'),
        (load_qrels, "t 0 NCT00000102 much\n"),
        (load_qrels, "t NCT00000102\n"),
        (load_queries, '{"query": "asthma"}\n'),
    ],
)
def test_other_files_are_refused(tmp_path: Path, load: object, text: str) -> None:
    path = tmp_path / "rows"
    path.write_text(text)
    assert callable(load)
    with pytest.raises(InvalidInput):
        load(path)


def test_an_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        load_qrels(tmp_path / "none.tsv")


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    path = tmp_path / "trials.jsonl"
    rows = [
        {"nct_id": "NCT00000102", "brief_title": "Drug X in Asthma", "conditions": ["Asthma"]},
        {
            "nct_id": "NCT00000104",
            "brief_title": "Severe Asthma",
            "conditions": ["Asthma"],
            "description": "A study.",
        },
        {"nct_id": "NCT00000105", "brief_title": "Flu", "conditions": ["Influenza, Human"]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


async def _measure(path: Path, vocabulary: Vocabulary, qrels: dict[str, int]) -> dict[str, object]:
    source = open_judged_trials(path, vocabulary=vocabulary)
    try:
        return await measure_retrieval(
            source,
            [Topic("serious asthma", "serious asthma"), Topic("nothing", "nothing")],
            {"serious asthma": qrels},
            find=find_by_inquiry(vocabulary),
            eligible=1,
        )
    finally:
        await source.aclose()


def test_judged_trials_become_a_registry_for_the_time(judged: Path, vocabulary: Vocabulary) -> None:
    scores = asyncio.run(_measure(judged, vocabulary, {"NCT00000104": 1, "NCT00000102": 0}))
    assert (scores["topics"], scores["topics_left_out"]) == (1, 1)
    assert scores["recip_rank"] == 1.0


def test_judgments_on_absent_trials_are_left_out_and_counted(
    judged: Path, vocabulary: Vocabulary
) -> None:
    scores = asyncio.run(_measure(judged, vocabulary, {"NCT00000104": 1, "NCT09999999": 1}))
    assert (scores["judged"], scores["judged_in_registry"]) == (2, 1)
    assert scores["recall_500"] == 1.0


def test_nothing_to_measure_is_an_error(judged: Path, vocabulary: Vocabulary) -> None:
    with pytest.raises(InvalidInput, match="No topic"):
        asyncio.run(_measure(judged, vocabulary, {"NCT09999999": 1}))


def test_the_baseline_ranks_by_words_alone(judged: Path, vocabulary: Vocabulary) -> None:
    async def find() -> Sequence[str]:
        source = open_judged_trials(judged, vocabulary=vocabulary)
        try:
            return await find_by_words(source, "flu")
        finally:
            await source.aclose()

    assert asyncio.run(find()) == ["NCT00000105"]


@pytest.mark.slow
def test_lay_queries_find_what_people_judged_right(data_dir: Path, vocabulary: Vocabulary) -> None:
    folder = data_dir / "search_queries"

    async def measure() -> dict[str, float]:
        source = open_judged_trials(folder / "judged_trials.jsonl.gz", vocabulary=vocabulary)
        topics, qrels = load_queries(folder / "lay_queries_judged.jsonl.gz")
        try:
            return await measure_retrieval(
                source, topics, qrels, find=find_by_inquiry(vocabulary), eligible=1
            )
        finally:
            await source.aclose()

    assert asyncio.run(measure())["P_10"] >= 0.60
