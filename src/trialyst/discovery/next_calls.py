"""What to call next: up to three ready calls behind an answer, the most useful first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from trialyst.hints import Call

if TYPE_CHECKING:
    from trialyst.questions.reading import Question

__all__ = ["MOST_CALLS", "after_count", "after_search", "to_next"]

MOST_CALLS = 3


def to_next(calls: Iterable[Call]) -> list[dict[str, Any]]:
    """Give the first calls as an answer sends them."""
    return [call.to_dict() for call in islice(calls, MOST_CALLS)]


def after_search(
    question: Question,
    arguments: Mapping[str, Any],
    *,
    items: Sequence[Mapping[str, Any]],
    cursor: str | None,
) -> Iterator[Call]:
    """Give the calls behind a page of search results."""
    terms = {name: arguments[name] for name in question.arguments if name in arguments}
    yield from _wider("search_trials", question, terms)
    if items:
        yield Call("get_trial", {"nct_id": items[0]["id"]}, "The first trial in full.")
    if cursor:
        yield Call("search_trials", {"cursor": cursor}, "The next page.")
    if items:
        yield Call("count_trials", {**terms, "by": "phase OR status"}, "How they are spread.")


def after_count(
    question: Question, arguments: Mapping[str, Any], *, total: int, by: Sequence[str]
) -> Iterator[Call]:
    """Give the calls behind a count."""
    terms = {name: arguments[name] for name in question.arguments if name in arguments}
    yield from _wider("count_trials", question, terms)
    if total and terms:
        yield Call("search_trials", {**terms, "page_size": 20}, "The trials themselves.")
    if total and not by:
        yield Call("count_trials", {**terms, "by": "phase OR status"}, "How they are spread.")


def _wider(tool: str, question: Question, terms: Mapping[str, Any]) -> Iterator[Call]:
    """Give the calls that would find more: other spellings, and without the costliest argument."""
    for clause in question.clauses:
        reading = clause.reading
        if reading.nearest and not reading.corrected and clause.argument in terms:
            changed = {**terms, clause.argument: reading.nearest[0]}
            yield Call(tool, changed, f"If {reading.nearest[0]} was meant.")
    costs = {
        clause.argument: clause.reading.count_without
        for clause in question.clauses
        if clause.reading.count_without and clause.argument in terms
    }
    if costs:
        costliest = max(costs, key=lambda argument: (costs[argument], argument))
        rest = {name: value for name, value in terms.items() if name != costliest}
        if rest:
            yield Call(tool, rest, f"{costs[costliest]} trials without {costliest}.")
