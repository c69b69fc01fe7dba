"""Windows of time in a criterion: which of the things said they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.elements import Element
from trialyst.eligibility.requirement import (
    Age,
    All,
    AnyOf,
    Habit,
    Has,
    Interval,
    Measured,
    Not,
    Person,
    Requirement,
    Took,
    Underwent,
    Window,
)

if TYPE_CHECKING:
    from trialyst.eligibility.phrases import Item

__all__ = ["before_parenthesis", "time_at_end", "time_last"]


def before_parenthesis(out: list[Element]) -> list[Element]:
    """Give the elements without a parenthesis at their end."""
    if not out or out[-1].kind != ")":
        return out
    opened = max((at for at, each in enumerate(out) if each.kind == "("), default=0)
    return out[:opened] if opened else out


def time_last(out: list[Element], item: Item, text: str) -> bool:
    """Time the thing said last; give whether there is one."""
    old = bool(out) and out[-1].kind == "if" and "year" in text[item.start : item.end]
    age = _age_of_window(item.value) if old else None
    if age is not None:
        node: Requirement = msgspec.structs.replace(age, span=(item.start, item.end))
        out.append(Element("leaf", item.start, item.end, node))
        return True
    # "Surgery (open or closed) within 6 months" times the surgery.
    said = before_parenthesis(out)
    ends = (each for each in reversed(said) if each.kind in ("leaf", "stop", ":", ";"))
    last = next(ends, None)
    if last is None or last.kind != "leaf" or last.node is None:
        return False
    place = next(at for at, each in enumerate(said) if each is last)
    if place > 1 and said[place - 1].kind == "except" and said[place - 2].node is not None:
        # "Steroids other than inhaled ones within 4 weeks": the steroids are timed.
        last = said[place - 2]
    if last.node is None:
        return False
    timed = _attach(_lasting(last.node, text[item.start : item.end]), item.value)
    operation = said[-2] if last.reason and len(said) > 1 else None
    if operation is not None and operation.node is not None:
        # "Surgery for cancer within 6 months": it is the surgery that is timed.
        last, timed = operation, _attach(operation.node, item.value)
    last.node = timed or last.node
    return timed is not None


def time_at_end(out: list[Element], window: Window | None, text: str) -> None:
    """Give a window that found nothing to the one thing said, or to what the list is about."""
    if window is None:
        return
    told = [each for each in out if each.kind == "leaf"]
    if not told:
        # "For at least 3 months" tells how long what the list is about has to have lasted.
        words, span = text.replace(window.words, "").strip(" .,;"), (0, len(text))
        node = Has(words=words, general="symptoms", when=window, span=span)
        out.append(Element("leaf", *span, node))
    elif len(told) == 1 and told[0].node is not None:
        told[0].node = _attach(told[0].node, window) or told[0].node


def _lasting(node: Requirement, words: str) -> Requirement:
    """Read "disease duration" as that of the patient's own disease."""
    if not isinstance(node, Has) or node.general != "disease" or node.what is not None:
        return node
    if not words.lower().startswith("duration"):
        return node
    return msgspec.structs.replace(node, general="symptoms")


def _age_of_window(window: Window) -> Age | None:
    """Read a duration as an age where only that makes sense: "60 if over 16 years"."""
    low, high = window.lasting_at_least, window.lasting_at_most
    if low is None and high is None:
        return None
    years = [None if days is None else round(days / 365.25, 2) for days in (low, high)]
    return Age(years=Interval(low=years[0], high=years[1]))


def _attach(node: Requirement, window: Window) -> Requirement | None:
    """Give a leaf with its window; None for one that takes none."""
    match node:
        case Has() | Took() | Underwent() | Measured() | Habit():
            return msgspec.structs.replace(node, when=window)
        case Person(role="life expectancy"):
            low, high = window.lasting_at_least, window.lasting_at_most
            interval = Interval(low=low or window.beyond, high=high or window.within)
            return msgspec.structs.replace(node, interval=interval)
        case AnyOf(parts=parts) | All(parts=parts):
            inners = tuple(_attach(part, window) or part for part in parts)
            return msgspec.structs.replace(node, parts=inners)
        case Not(part=part):
            inner = _attach(part, window)
            return None if inner is None else msgspec.structs.replace(node, part=inner)
        case _:
            return None
