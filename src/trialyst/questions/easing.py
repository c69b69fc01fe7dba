"""When nothing or little is found: words left out one by one, and what each argument costs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.questions.clauses import Clause, Element, text_clause
from trialyst.questions.readings import ArgumentReading

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.questions.reading import Question

__all__ = ["FEW", "count_without_each", "leave_out_words"]

FEW = 2
"""So few trials, or none, are told with what would bring more."""
MOST_REMOTE = 3
"""Questions that a remote service is asked about one answer, a second each."""

_NOT_YET = ArgumentReading(asked="", kind="words", known=True)


async def leave_out_words(source: TrialSource, question: Question) -> Question:
    """Give a question that finds something, without the words that say least, if there is one.

    Words go before names, those that no trial has first, then the most frequent. What turns out
    not to have been in the way comes back. At least one part of the text stays.
    """
    texts = [clause for clause in question.clauses if len(clause.elements) > 1]
    # Without its misspelt word, "brest cancer" would be any cancer: the name is offered instead.
    texts = [each for each in texts if each.argument == "query" or not each.reading.nearest]
    for clause in texts:
        eased = await _ease(source, question, clause)
        if eased is not None:
            return eased
    return question


async def _ease(source: TrialSource, question: Question, clause: Clause) -> Question | None:
    ordered = await _least_telling_first(source, clause.elements)
    if source.is_remote:
        ordered = ordered[:MOST_REMOTE]
    for number in range(1, len(ordered) + 1):
        dropped = ordered[:number]
        if len(dropped) == len(clause.elements):
            return None
        if await source.count(_without(question, clause, dropped).to_query()):
            return _without(question, clause, await _needed(source, question, clause, dropped))
    return None


async def _needed(
    source: TrialSource, question: Question, clause: Clause, dropped: Sequence[Element]
) -> list[Element]:
    """Give those of the dropped parts without which nothing is found; the last certainly is."""
    needed = list(dropped)
    if source.is_remote:
        return needed
    for element in dropped[:-1]:
        fewer = [each for each in needed if each != element]
        if await source.count(_without(question, clause, fewer).to_query()):
            needed = fewer
    return needed


def _without(question: Question, clause: Clause, dropped: Sequence[Element]) -> Question:
    return question.replacing(clause.dropping(dropped))


async def _least_telling_first(source: TrialSource, elements: Sequence[Element]) -> list[Element]:
    if source.is_remote:
        return sorted(elements, key=lambda each: (each.node is not None, len(each.text)))
    counts = await asyncio.gather(*(_count(source, each) for each in elements))
    found = dict(zip(elements, counts, strict=True))
    return sorted(elements, key=lambda each: (each.node is not None, found[each] > 0, -found[each]))


async def _count(source: TrialSource, element: Element) -> int:
    return await source.count(text_clause("", _NOT_YET, [[element]]).part)


async def count_without_each(source: TrialSource, question: Question) -> Question:
    """Say of each argument how many trials there would be without it."""
    arguments = question.arguments
    if len(arguments) < 2:
        return question
    if source.is_remote:
        arguments = arguments[:MOST_REMOTE]
    counts = await asyncio.gather(
        *(source.count(question.to_query(without=each)) for each in arguments)
    )
    found = dict(zip(arguments, counts, strict=True))
    return replace(
        question,
        clauses=tuple(
            replace(
                each,
                reading=each.reading.model_copy(update={"count_without": found.get(each.argument)}),
            )
            for each in question.clauses
        ),
    )
