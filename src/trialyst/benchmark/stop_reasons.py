"""Stop reasons as told by the rules against a person's labels, beside the bare keyword table.

A row has `why_stopped`, `stop_category` and, where other answers are right too, `also_acceptable`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialyst.benchmark.rows import read_rows
from trialyst.errors import InvalidInput
from trialyst.repurposing.stop_reasons import StopCategory, classify_stop_reason

__all__ = [
    "StopAnnotation",
    "classify_by_keywords",
    "load_stop_annotations",
    "score_stop_reasons",
]

RESAMPLES = 1000
SEED = 42
KEYWORDS = {
    StopCategory.EFFICACY: ("efficacy", "futility", "lack of efficacy", "no benefit"),
    StopCategory.SAFETY: ("safety", "adverse", "toxicity", "side effect"),
    StopCategory.ENROLLMENT: ("enrollment", "accrual", "recruitment"),
    StopCategory.BUSINESS: ("business", "strategic", "funding", "commercial"),
}
"""The contract's own table: the first category with a word in the text."""
_COLUMNS = ("why_stopped", "stop_category")


@dataclass(frozen=True, slots=True)
class StopAnnotation:
    """Why a trial stopped, as written and as a person understood it."""

    text: str | None
    category: StopCategory
    acceptable: frozenset[StopCategory]
    """Every category that is right, `category` among them."""


def load_stop_annotations(path: Path) -> tuple[StopAnnotation, ...]:
    """Read labelled stop reasons from JSON lines, plain, .gz or .xz.

    Raises:
        InvalidInput: the file is missing, damaged or empty, or a line lacks a column or has a
            label that is no category.
    """
    rows = tuple(_annotation(row, f"Line {at} of {path.name}") for at, row in read_rows(path))
    if not rows:
        raise InvalidInput(
            f"{path.name} holds no row",
            hint="Give a file with one object a line.",
            invalid_input=str(path),
        )
    return rows


def classify_by_keywords(text: str | None) -> StopCategory:
    """Give the category of the bare keyword table, which knows no negation.

    >>> classify_by_keywords("Not stopped for safety").value
    'safety'
    """
    if text is None or not text.strip():
        return StopCategory.UNKNOWN
    folded = text.lower()
    held = (name for name, words in KEYWORDS.items() if any(word in folded for word in words))
    return next(held, StopCategory.OTHER)


def score_stop_reasons(
    rows: Sequence[StopAnnotation], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Give every figure as plain values, with bootstrap intervals and the baseline."""
    told = [classify_stop_reason(row.text).category for row in rows]
    return {
        "n": len(rows),
        **_figures(rows, told),
        "labels": dict(sorted(Counter(row.category.value for row in rows).items())),
        "confusion_matrix": _confusion(rows, told),
        "intervals": _intervals(rows, told, resamples),
        "baselines": {"seed_keywords": _baseline(rows, classify_by_keywords)},
    }


def _annotation(row: dict[str, Any], place: str) -> StopAnnotation:
    missing = [name for name in _COLUMNS if name not in row]
    if missing:
        raise InvalidInput(
            f"{place} has no column {missing[0]!r}",
            hint=f"Each line needs {' and '.join(_COLUMNS)}; also_acceptable may list others.",
            invalid_input=", ".join(row),
        )
    text = row["why_stopped"]
    if not isinstance(text, str | None):
        raise InvalidInput(
            f"{place}: why_stopped is no text",
            hint="Give a text, or null where the registry has none.",
            invalid_input=str(text),
        )
    category = _category(row["stop_category"], place)
    others = row.get("also_acceptable") or []
    listed = others if isinstance(others, list) else [others]
    also = frozenset(_category(each, place) for each in listed)
    return StopAnnotation(text, category, also | {category})


def _category(label: object, place: str) -> StopCategory:
    try:
        return StopCategory(str(label).strip().lower())
    except ValueError:
        raise InvalidInput(
            f"{place} has the unknown label {label!r}",
            hint=f"Use one of {', '.join(StopCategory)}.",
            invalid_input=str(label),
        ) from None


def _baseline(
    rows: Sequence[StopAnnotation], judge: Callable[[str | None], StopCategory]
) -> dict[str, Any]:
    return _figures(rows, [judge(row.text) for row in rows])


def _figures(rows: Sequence[StopAnnotation], told: Sequence[StopCategory]) -> dict[str, Any]:
    per_category = {
        category.value: _category_figures(rows, told, category)
        for category in StopCategory
        if category in told or any(row.category is category for row in rows)
    }
    strict = sum(row.category is said for row, said in zip(rows, told, strict=True))
    lenient = sum(said in row.acceptable for row, said in zip(rows, told, strict=True))
    return {
        "accuracy": strict / len(rows),
        "accuracy_lenient": lenient / len(rows),
        "f1_macro": sum(each["f1"] for each in per_category.values()) / len(per_category),
        "per_category": per_category,
    }


def _category_figures(
    rows: Sequence[StopAnnotation], told: Sequence[StopCategory], category: StopCategory
) -> dict[str, Any]:
    n = sum(row.category is category for row in rows)
    said = sum(each is category for each in told)
    right = sum(row.category is category is each for row, each in zip(rows, told, strict=True))
    return {
        "n": n,
        "told": said,
        "precision": right / said if said else 0.0,
        "recall": right / n if n else 0.0,
        "f1": 2 * right / (n + said),
    }


def _confusion(
    rows: Sequence[StopAnnotation], told: Sequence[StopCategory]
) -> dict[str, dict[str, int]]:
    pairs = Counter((row.category, said) for row, said in zip(rows, told, strict=True))
    used = [one for one in StopCategory if any(one in pair for pair in pairs)]
    return {gold.value: {said.value: pairs[gold, said] for said in used} for gold in used}


def _intervals(
    rows: Sequence[StopAnnotation], told: Sequence[StopCategory], resamples: int
) -> dict[str, list[float]]:
    """Give the 95 % bootstrap percentiles over rows, always the same for the same rows."""
    draw = random.Random(SEED)
    drawn = []
    for _ in range(resamples):
        places = draw.choices(range(len(rows)), k=len(rows))
        drawn.append(_figures([rows[at] for at in places], [told[at] for at in places]))
    return {name: _percentiles([each[name] for each in drawn]) for name in ("accuracy", "f1_macro")}


def _percentiles(values: list[float]) -> list[float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    return [ordered[round(0.025 * last)], ordered[round(0.975 * last)]]
