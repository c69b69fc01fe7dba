"""What to ask after each answer about a drug and a condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from trialyst.hints import Call
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.questions.readings import ArgumentReading
    from trialyst.repurposing.models import (
        ConditionLandscape,
        TerminatedTrial,
        Trial,
        WhitespaceResult,
    )

__all__ = [
    "after_drug_trials",
    "after_landscape",
    "after_stopped",
    "after_whitespace",
]

_SHOWN = 5
"""Trials to look up at once."""


def _respelt(tool: str, names: Mapping[str, ArgumentReading]) -> Iterator[Call]:
    """Give the same question with the names that are written most like unknown ones."""
    nearest = {name: reading.nearest[0] for name, reading in names.items() if reading.nearest}
    if nearest:
        asked = {name: reading.asked for name, reading in names.items()}
        yield Call(tool, {**asked, **nearest}, f"If {' and '.join(nearest.values())} was meant.")


def _look_up(ids: Sequence[str], why: str) -> Iterator[Call]:
    if ids:
        chosen = ",".join(NctId.parse(each).curie for each in ids[:_SHOWN])
        yield Call("get_trial", {"nct_id": chosen}, why)


def after_drug_trials(
    names: Mapping[str, ArgumentReading], items: Sequence[Trial]
) -> Iterator[Call]:
    """Say what follows a list of a drug's trials."""
    asked = {name: reading.asked for name, reading in names.items()}
    if not items:
        yield from _respelt("search_drug_trials", names)
    if len(asked) > 1:
        yield Call("detect_whitespace", asked, "How far the drug has come there, graded.")
    with_results = [each.nct_id for each in items if each.results_posted]
    if with_results:
        first = NctId.parse(with_results[0]).curie
        yield Call("get_results", {"nct_id": first}, "What the first with posted results found.")
    yield from _look_up([each.nct_id for each in items], "The first of these in more detail.")
    yield Call("get_terminated", {"query": asked["drug"]}, "What stopped early, and why.")


def after_whitespace(result: WhitespaceResult) -> Iterator[Call]:
    """Say what follows a grade."""
    names = {"drug": result.drug, "condition": result.condition}
    drug, condition = result.drug.asked, result.condition.asked
    yield from _respelt("detect_whitespace", names)
    yield from _look_up([each.nct_id for each in result.hits], "The furthest trials.")
    yield Call("get_terminated", {"query": drug}, "What stopped early for the drug, and why.")
    yield Call("get_landscape", {"condition": condition}, "Who works on the condition.")
    yield Call("scout_indications", {"drug": drug}, "Other conditions to look at.")


def after_landscape(found: ConditionLandscape) -> Iterator[Call]:
    """Say what follows a survey."""
    condition = found.condition.asked
    yield from _respelt("get_landscape", {"condition": found.condition})
    if found.competitors:
        first = found.competitors[0]
        yield Call(
            "detect_whitespace",
            {"drug": first.drug_name, "condition": condition},
            "How far the first competitor's drug has come.",
        )
    yield Call("get_terminated", {"query": condition}, "What stopped early, and why.")
    yield Call(
        "search_trials", {"condition": condition, "status": "RECRUITING"}, "What recruits now."
    )


def after_stopped(reading: ArgumentReading, items: Sequence[TerminatedTrial]) -> Iterator[Call]:
    """Say what follows a list of stopped trials."""
    yield from _respelt("get_terminated", {"query": reading})
    yield from _look_up([each.nct_id for each in items], "The first of these in more detail.")
    if reading.kind == "drug":
        yield Call("search_drug_trials", {"drug": reading.asked}, "All its trials.")
    if reading.kind == "condition":
        yield Call("get_landscape", {"condition": reading.asked}, "Who works on it.")
    yield Call("search_trials", {"query": reading.asked}, "What is or was tried besides.")
