"""Labelled stop reasons are read strictly, and scored as arithmetic says."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.benchmark.stop_reasons import (
    StopAnnotation,
    classify_by_keywords,
    load_stop_annotations,
    score_stop_reasons,
)
from trialyst.errors import InvalidInput
from trialyst.repurposing.stop_reasons import StopCategory

ROWS: Sequence[Mapping[str, Any]] = [
    {"why_stopped": "Slow accrual", "stop_category": "enrollment"},
    {"why_stopped": "Not for safety: futility", "stop_category": "efficacy"},
    {"why_stopped": "No funding", "stop_category": "other", "also_acceptable": ["business"]},
    {"why_stopped": None, "stop_category": "Unknown"},
]
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def call(text: str) -> Path:
        path = tmp_path / "rows.jsonl"
        path.write_text(text, "utf-8")
        return path

    return call


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_rows_are_read_alike_plain_and_compressed(write: Write, tmp_path: Path) -> None:
    packed, squeezed = tmp_path / "rows.jsonl.gz", tmp_path / "rows.jsonl.xz"
    packed.write_bytes(gzip.compress(_lines(ROWS).encode()))
    squeezed.write_bytes(lzma.compress(_lines(ROWS).encode()))
    plain = load_stop_annotations(write(_lines(ROWS)))
    assert len(plain) == len(ROWS)
    assert load_stop_annotations(packed) == load_stop_annotations(squeezed) == plain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no row"),
        ("\n\n", "holds no row"),
        ("why_stopped,stop_category\n", "Line 1 .* is not a JSON object"),
        ('{"why_stopped": "x"}\n', "Line 1 .* has no column 'stop_category'"),
        ('\n{"stop_category": "other"}\n', "Line 2 .* has no column 'why_stopped'"),
        ('{"why_stopped": "x", "stop_category": "money"}', "Line 1 .* unknown label 'money'"),
        ('{"why_stopped": 5, "stop_category": "other"}', "Line 1 .* why_stopped is no text"),
        (
            '{"why_stopped": "x", "stop_category": "other", "also_acceptable": ["odd"]}',
            "Line 1 .* unknown label 'odd'",
        ),
    ],
)
def test_a_file_that_is_not_labelled_rows_says_where(write: Write, text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message.replace(" .* ", " .*")):
        load_stop_annotations(write(text))


def test_a_missing_file_and_a_cut_one_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="There is no file"):
        load_stop_annotations(tmp_path / "none.jsonl")
    cut = tmp_path / "rows.jsonl.gz"
    cut.write_bytes(gzip.compress(_lines(ROWS).encode())[:-12])
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_stop_annotations(cut)


def test_strict_lenient_and_baseline_are_counted(write: Write) -> None:
    scores = score_stop_reasons(load_stop_annotations(write(_lines(ROWS))), resamples=20)
    assert (scores["n"], scores["accuracy"], scores["accuracy_lenient"]) == (4, 0.75, 1.0)
    assert scores["per_category"]["business"] == {
        "n": 0,
        "told": 1,
        "precision": 0.0,
        "recall": 0.0,
        "f1": 0.0,
    }
    assert scores["f1_macro"] == pytest.approx(3 / 5)
    assert scores["confusion_matrix"]["other"]["business"] == 1
    assert scores["baselines"]["seed_keywords"]["accuracy"] == 0.75


def test_the_keyword_table_takes_the_first_word_and_no_negation() -> None:
    assert classify_by_keywords("No SAFETY concern") is StopCategory.SAFETY
    assert classify_by_keywords("Safety and futility") is StopCategory.EFFICACY
    assert classify_by_keywords("PI left") is StopCategory.OTHER
    assert classify_by_keywords(" ") is StopCategory.UNKNOWN


TEXTS = ("Slow accrual", "Toxicity", "Futility", "Sponsor decision", "PI left", None)


@given(
    st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(StopCategory)), min_size=1),
)
def test_figures_are_shares_and_the_same_each_time(
    labelled: list[tuple[str | None, StopCategory]],
) -> None:
    rows = [StopAnnotation(text, category, frozenset({category})) for text, category in labelled]
    scores = score_stop_reasons(rows, resamples=10)
    assert scores == score_stop_reasons(rows, resamples=10)
    assert scores["accuracy"] == scores["accuracy_lenient"]
    low, high = scores["intervals"]["accuracy"]
    assert 0 <= low <= high <= 1
    assert sum(each["n"] for each in scores["per_category"].values()) == len(rows)
    assert sum(each["told"] for each in scores["per_category"].values()) == len(rows)
