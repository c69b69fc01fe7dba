"""How well stop reasons are told, on real texts that stand outside the repository."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from trialyst.benchmark.stop_reasons import classify_by_keywords
from trialyst.repurposing.stop_reasons import classify_stop_reason

CATEGORIES = ("safety", "efficacy", "enrollment", "business", "other")
# Of the 17 silver classes these four are ours; the rest are `other`.
SILVER = {
    "Safety_Sideeffects": "safety",
    "Negative": "efficacy",
    "Insufficient_Enrollment": "enrollment",
    "Business_Administrative": "business",
}
FLOORS = {"safety": 0.88, "efficacy": 0.75, "enrollment": 0.9, "business": 0.89, "other": 0.87}


def _rows(data_dir: Path, name: str) -> list[dict[str, Any]]:
    path = data_dir / "stop_reasons" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name} among the real records")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _by_rules(text: str) -> str:
    return classify_stop_reason(text).category.value


def _by_seed_table(text: str) -> str:
    return classify_by_keywords(text).value


def _pairs(rows: Iterable[dict[str, Any]], judge: Callable[[str], str]) -> list[tuple[str, str]]:
    return [(row["stop_category"], judge(row["why_stopped"])) for row in rows]


def _accuracy(pairs: Sequence[tuple[str, str]]) -> float:
    return sum(gold == told for gold, told in pairs) / len(pairs)


def _f1(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    gold, told = Counter(g for g, _ in pairs), Counter(t for _, t in pairs)
    right = Counter(g for g, t in pairs if g == t)
    return {name: 2 * right[name] / ((gold[name] + told[name]) or 1) for name in CATEGORIES}


@pytest.fixture(scope="module")
def hand_labelled(data_dir: Path) -> list[dict[str, Any]]:
    return _rows(data_dir, "stop_category_hand_labelled")


def test_hand_labelled_texts_are_told_right(
    hand_labelled: list[dict[str, Any]], record_property: Callable[[str, object], None]
) -> None:
    pairs = _pairs(hand_labelled, _by_rules)
    table = _pairs(hand_labelled, _by_seed_table)
    record_property("strict", _accuracy(pairs))
    record_property("f1", _f1(pairs))
    record_property("seed table f1", _f1(table))
    assert _accuracy(pairs) >= 0.88
    assert sum(_f1(pairs).values()) / len(CATEGORIES) >= 0.87
    assert _accuracy(table) == pytest.approx(0.68, abs=0.01)


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_beats_its_floor_and_the_seed_table(
    hand_labelled: list[dict[str, Any]], category: str
) -> None:
    told = _f1(_pairs(hand_labelled, _by_rules))[category]
    assert told >= FLOORS[category]
    assert told > _f1(_pairs(hand_labelled, _by_seed_table))[category]


@pytest.mark.slow
def test_silver_labels_agree_more_than_with_the_seed_table(data_dir: Path) -> None:
    rows = [
        {"stop_category": SILVER.get(row["ot_predicted"][0], "other"), **row}
        for row in _rows(data_dir, "opentargets_predicted")[::4]
        if row["ot_predicted"]
    ]
    told, table = _pairs(rows, _by_rules), _pairs(rows, _by_seed_table)
    assert _accuracy(told) >= 0.82
    assert sum(_f1(told).values()) > sum(_f1(table).values()) + 0.3


@pytest.mark.slow
def test_evidence_of_real_texts_is_quoted_from_them(data_dir: Path) -> None:
    for row in _rows(data_dir, "ctcovidstop_comparator_unlabelled")[::3]:
        text: str = row.get("why_stopped") or ""
        for evidence in classify_stop_reason(text).evidence:
            assert text[evidence.start : evidence.end] == evidence.text
