"""The registry under test: questions as `TrialQuery` values, and as URL parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.questions import Question
from trialyst.ctgov.query import RELEVANCE, Circle, SortKey, TrialQuery
from trialyst.essie import parse
from trialyst.registry import Registry

__all__ = ["TOP", "Found", "Ours", "to_params", "to_query"]

TOP = 50
"""Hits wanted of every question."""


_ORDERS = {
    "relevance": (SortKey(RELEVANCE, descending=True),),
    "newest": (SortKey("StartDate", descending=True),),
    "any": (),
}


class Found(NamedTuple):
    """The best hits, by the engine's own record numbers, and how many there are in all."""

    numbers: Sequence[int]
    total: int


class Ours:
    """An open registry."""

    def __init__(self, directory: Path) -> None:
        self._registry = Registry.open(directory)

    def search(self, question: Question) -> Found:
        """Find the top hits and the exact total; parsing the words is part of the work."""
        return self.find(to_query(question), offset=question.offset)

    def find(self, query: TrialQuery, *, offset: int = 0) -> Found:
        hits = self._registry.find(query, offset=offset, limit=TOP)
        return Found(hits.numbers, hits.total)

    def count_by_status(self, question: Question) -> Mapping[str, int]:
        return self._registry.count_by(to_query(question), "OverallStatus")

    def fetch(self, numbers: Sequence[int]) -> int:
        """Read whole records; give their size in bytes."""
        return sum(len(record) for record in self._registry.raw(numbers))


def to_query(question: Question) -> TrialQuery:
    """Say a question to the registry."""
    return TrialQuery(
        queries=tuple((param, parse(_text(question, words))) for param, words in question.words),
        filters=tuple(parse(text) for text in _advanced(question)),
        statuses=question.statuses,
        circle=Circle(*question.near) if question.near else None,
        sort=_ORDERS[question.order],
        page_size=TOP,
    )


def to_params(question: Question) -> dict[str, str]:
    """Say a question as parameters of `/studies`."""
    params = {f"query.{param}": _text(question, words) for param, words in question.words}
    if question.statuses:
        params["filter.overallStatus"] = ",".join(question.statuses)
    if advanced := _advanced(question):
        params["filter.advanced"] = " AND ".join(advanced)
    return params | {"pageSize": str(TOP), "countTotal": "true"}


def _text(question: Question, words: str) -> str:
    return f'"{words}"' if question.phrase else words


def _advanced(question: Question) -> list[str]:
    texts = []
    if question.phases:
        texts.append(f"AREA[Phase]({' OR '.join(question.phases)})")
    if question.started:
        texts.append("AREA[StartDate]RANGE[{},{}]".format(*question.started))
    if question.site:
        city, status = question.site
        texts.append(
            f'SEARCH[Location](AREA[LocationCity]"{city}" AND AREA[LocationStatus]{status})'
        )
    return texts
