"""Leaves of phrases whose kind is known: measured values, biomarkers, habits, childbearing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.phrases import STAGED, Item
from trialyst.eligibility.requirement import (
    Age,
    All,
    AnyOf,
    Childbearing,
    Habit,
    Has,
    Interval,
    Marker,
    Measured,
    Not,
    Person,
    Requirement,
    Span,
    Tense,
    Took,
    Underwent,
    Window,
)

if TYPE_CHECKING:
    from trialyst.eligibility.leaves import Mood
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.reading.markers import FoundMarker
    from trialyst.eligibility.values import ValuePhrase

__all__ = ["age_of_window", "attach_window", "build_typed_leaf"]


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


def _measured_leaf(values: tuple[ValuePhrase, ...], lexicon: Lexicon, text: str) -> Requirement:
    """Give measured values that share their words as one node."""
    nodes: tuple[Requirement, ...] = tuple(_measured(value, lexicon, text) for value in values)
    if len(nodes) == 1:
        return nodes[0]
    between = text[values[0].name_end : values[1].name_start].split()
    either = "or" in between or (values[-1].join == "or" and not values[0].join)
    span = nodes[0].span[0], nodes[-1].span[1]
    return AnyOf(parts=nodes, span=span) if either else All(parts=nodes, span=span)


def _measured(value: ValuePhrase, lexicon: Lexicon, text: str) -> Measured | Has:
    span = (value.name_start, value.name_end)
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
    """Give a state of childbearing; "surgically sterile" is not being able to bear."""
    if state == "not able":
        return Not(part=Childbearing(state="able", span=span), span=span)
    return Childbearing(state=state, span=span)


def _habit_leaf(item: Item, when: Window | None, *, ever: bool) -> Requirement:
    """Give a habit, `what:state`; several, `alcohol,drugs:abuse`, are alternatives."""
    whats, _, state = item.value.partition(":")
    if ever and state == "current":
        state = "ever"
    span = (item.start, item.end)
    habits = tuple(Habit(what=what, state=state, when=when, span=span) for what in whats.split(","))
    return habits[0] if len(habits) == 1 else AnyOf(parts=habits, span=span)


def age_of_window(window: Window) -> Age | None:
    """Read a duration as an age where only that makes sense: "60 if over 16 years"."""
    low, high = window.lasting_at_least, window.lasting_at_most
    if low is None and high is None:
        return None
    years = [None if days is None else round(days / 365.25, 2) for days in (low, high)]
    return Age(years=Interval(low=years[0], high=years[1]))


def attach_window(node: Requirement, window: Window) -> Requirement | None:
    """Give a leaf with its window; None for one that takes none."""
    match node:
        case Has() | Took() | Underwent() | Measured() | Habit():
            return msgspec.structs.replace(node, when=window)
        case Person(role="life expectancy"):
            low, high = window.lasting_at_least, window.lasting_at_most
            interval = Interval(low=low or window.beyond, high=high or window.within)
            return msgspec.structs.replace(node, interval=interval)
        case AnyOf(parts=parts) | All(parts=parts):
            inners = tuple(attach_window(part, window) or part for part in parts)
            return msgspec.structs.replace(node, parts=inners)
        case Not(part=part):
            inner = attach_window(part, window)
            return None if inner is None else msgspec.structs.replace(node, part=inner)
        case _:
            return None
