"""Leaves of phrases whose kind is known: measured values, biomarkers, habits, childbearing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.phrases import STAGED, Item
from trialyst.eligibility.requirement import (
    Age,
    All,
    AnyOf,
    Childbearing,
    Habit,
    Has,
    Marker,
    Measured,
    Not,
    Requirement,
    Span,
    Tense,
    Took,
    Window,
)
from trialyst.eligibility.unnamed import HABIT_UNITS
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.leaves import Mood
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.reading.markers import FoundMarker
    from trialyst.eligibility.values import ValuePhrase

__all__ = ["build_objectless_leaf", "build_typed_leaf"]


def build_typed_leaf(item: Item, text: str, lexicon: Lexicon, mood: Mood) -> Requirement:
    """Make the node of a phrase whose kind is known."""
    span = (item.start, item.end)
    if item.kind == "value":
        return _measured_leaf(item.value, lexicon, text)
    if item.kind == "marker":
        return _marker_leaf(item.value, text)
    if item.kind == "age":
        return Age(years=item.value.interval, gestational=item.value.gestational, span=span)
    if item.kind == "childbearing":
        return _childbearing_leaf(item.value, span)
    return _habit_leaf(item, mood.when, ever=mood.tense is Tense.EVER)


def build_objectless_leaf(item: Item, text: str, lexicon: Lexicon) -> Requirement:
    """Make the leaf of an allergy, a contraindication or a stable dose of nothing named."""
    words = text[item.start : item.end]
    if item.kind == "stable":
        kind = TermKind.THERAPY
        return Took(words=words, general="any drug", kind=kind, stable=True)
    if item.kind == "allergy":
        return Has(what=lexicon.term("Hypersensitivity"), words=words)
    return Has(words=words, general="contraindication")


def _measured_leaf(values: tuple[ValuePhrase, ...], lexicon: Lexicon, text: str) -> Requirement:
    """Give measured values that share their words as one node."""
    nodes: tuple[Requirement, ...] = tuple(_measured(value, lexicon, text) for value in values)
    if len(nodes) == 1:
        return nodes[0]
    between = text[values[0].name_end : values[1].name_start].split()
    either = "or" in between or (values[-1].join == "or" and not values[0].join)
    span = nodes[0].span[0], nodes[-1].span[1]
    return AnyOf(parts=nodes, span=span) if either else All(parts=nodes, span=span)


def _measured(value: ValuePhrase, lexicon: Lexicon, text: str) -> Measured | Has | Habit:
    span = (value.name_start, value.name_end)
    if value.unit in HABIT_UNITS:
        habit, state = HABIT_UNITS[value.unit]
        return Habit(what=habit, state=state, amount=value.interval, unit=value.unit, span=span)
    behind = " ".join(text[value.name_end : value.end].lower().split())
    if "grade" in behind and value.analyte == value.words.lower():
        found = lexicon.find(value.words)
        what = found[-1].what if found else None
        return Has(what=what, words=value.words, severity=behind, span=span)
    if value.analyte in STAGED:
        what = lexicon.term(STAGED[value.analyte])
        return Has(what=what, words=value.words, stage=value.grades, span=span)
    return Measured(
        analyte=value.analyte,
        words=value.words,
        interval=value.interval,
        unit=value.unit,
        bound=value.bound,
        state=value.state,
        values=value.grades,
        span=span,
    )


def _marker_leaf(markers: tuple[FoundMarker, ...], text: str) -> Requirement:
    """Give biomarkers that share their words as one node."""
    nodes = tuple(
        Marker(
            name=marker.key,
            states=(marker.state,) if marker.state else (),
            variant=marker.variant,
            words=text[marker.start : marker.end],
            span=(marker.start, marker.end),
        )
        for marker in markers
    )
    return nodes[0] if len(nodes) == 1 else All(parts=nodes, span=nodes[0].span)


def _childbearing_leaf(state: str, span: Span) -> Requirement:
    """Give a state of childbearing or its denial: "surgically sterile", "nonpregnant"."""
    if state.startswith("not "):
        return Not(part=Childbearing(state=state[4:], span=span), span=span)
    return Childbearing(state=state, span=span)


def _habit_leaf(item: Item, when: Window | None, *, ever: bool) -> Requirement:
    """Give a habit, `what:state`; several, `alcohol,drugs:abuse`, are alternatives."""
    whats, _, state = item.value.partition(":")
    if ever and state == "current":
        state = "ever"
    span = (item.start, item.end)
    habits = tuple(Habit(what=what, state=state, when=when, span=span) for what in whats.split(","))
    return habits[0] if len(habits) == 1 else AnyOf(parts=habits, span=span)
