"""A page of items made short enough for an agent to read: texts and lists cut, none left out.

Only what is long gives way, in the order in which it is missed least: summaries,
titles, long lists. What was cut says so, and a lookup of the trial has it whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from trialyst.ctgov.excerpts import cut_at_sentence

__all__ = ["fit_items"]

ITEM_CHARACTERS = 585
"""What an item of a page may take on average: fifty of them stay under 8,000 tokens."""
MARK = 18
"""Room for the words that say that something was cut."""


class _Cut(NamedTuple):
    """How the values of a field may be cut, and to how many characters each."""

    field: str
    shorten: Callable[[Any, int], Any]
    least: int
    most: int | None = None


def fit_items(items: Sequence[dict[str, Any]], *, asked: Sequence[str] = ()) -> None:
    """Cut what is long in the items of a page until they fit.

    Args:
        asked: fields that the caller asked for, which are neither cut nor counted.
    """
    room = ITEM_CHARACTERS * len(items) - sum(_size(_counted(item, asked)) for item in items)
    for cut in (each for each in _CUTS if each.field not in asked):
        values = [item[cut.field] for item in items if cut.field in item]
        sizes = [_size(value) for value in values]
        limit = _limit(sizes, sum(sizes) + room, cut)
        for item in items:
            if limit is not None and _size(item.get(cut.field)) > limit:
                item[cut.field] = cut.shorten(item[cut.field], limit - MARK)
        room += sum(sizes) - sum(_size(item[cut.field]) for item in items if cut.field in item)


def _counted(item: Mapping[str, Any], asked: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in asked}


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _limit(sizes: Sequence[int], room: int, cut: _Cut) -> int | None:
    """Give the most characters that every value may have for all to fit; None if all do."""
    left, most = room, cut.most
    for number, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - number)
        if size > share:
            return max(cut.least, share if most is None else min(share, most))
        left -= size
    return most


def _shorten_list(values: Sequence[str], limit: int) -> list[str]:
    """Give the first values that fit, at least one, and how many there are besides."""
    kept: list[str] = []
    for value in values:
        limit -= _size(value) + 2
        if kept and limit < 0:
            return [*kept, f"and {len(values) - len(kept)} more"]
        kept.append(value)
    return kept


_CUTS = (
    _Cut("brief_summary", cut_at_sentence, least=80, most=300),
    _Cut("title", cut_at_sentence, least=120),
    _Cut("conditions", _shorten_list, least=100),
    _Cut("interventions", _shorten_list, least=100),
)
