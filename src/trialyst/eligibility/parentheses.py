"""What stands in parentheses and asks nothing by itself: short forms, notes, times of others."""

from __future__ import annotations

from trialyst.eligibility.leaves import MODIFIERS, NOUNS
from trialyst.eligibility.measures import PERIODS
from trialyst.eligibility.phrases import Item
from trialyst.eligibility.requirement import Window
from trialyst.eligibility.tokens import is_short_for
from trialyst.vocabulary.term import TermKind

__all__ = ["read_parenthesis"]

_NOTES = ("note", "nb", "note that")
_TIMES_BACK = 12
"""Words back in which another time is looked for."""
_RULING = frozenset("allowed left_out except unless".split())
"""Words that rule who may take part."""
_BEFORE = 80
"""Letters before a parenthesis in which the words stand that a short form is short for."""


def read_parenthesis(text: str, items: list[Item], at: int, out: list[Item]) -> int:
    """Read a parenthesis that is no aside; give where reading goes on, 0 where it is one."""
    if _is_gloss(text, items, at, out):
        return at + 3
    end = _end_of_note(text, items, at)
    if end:
        return end
    if _is_time_of_next(items, at, out):
        out.append(items[at + 1]._replace(kind="leading"))
        return at + 3
    other = _other_time(text, items, at, out)
    if other is None:
        return 0
    out += [items[at], other[0]]
    return other[1]


def _end_of_note(text: str, items: list[Item], at: int) -> int:
    """Give where "(note: ...)" ends, which explains and asks nothing; else 0."""
    if at + 1 == len(items) or text[items[at + 1].start : items[at + 1].end].lower() not in _NOTES:
        return 0
    end = at + 1
    while end < len(items) and items[end].kind not in _RULING and items[end].kind != ")":
        end += 1
    return end + 1 if end < len(items) and items[end].kind == ")" else 0


def _is_time_of_next(items: list[Item], at: int, out: list[Item]) -> bool:
    """Tell whether a time in parentheses is of what follows: "recent (< 6 weeks) surgery"."""
    if at + 2 >= len(items) or [each.kind for each in items[at + 1 : at + 3]] != ["window", ")"]:
        return False
    return bool(out) and out[-1].kind in ("recent", "tense")


def _other_time(text: str, items: list[Item], at: int, out: list[Item]) -> tuple[Item, int] | None:
    """Read "(6 weeks for nitrosoureas)" behind another time, and give where reading goes on."""
    timed = any(each.kind == "window" for each in out[-_TIMES_BACK:])
    place = at + 1 + (items[at + 1 : at + 2] != [] and items[at + 1].kind == "number")
    if not timed or place + 2 >= len(items) or items[place + 1].kind not in ("prep", "if"):
        return None
    told, words = items[place], text[items[at + 1].start : items[place].end]
    if items[place + 1].kind == "prep" and text[items[place + 1].start :][:4] != "for ":
        return None
    window = told.value if told.kind == "window" else None
    days = (window.within or window.lasting_at_least) if window is not None else None
    period = text[told.start : told.end].lower().rstrip("s")
    if window is None and period in PERIODS:
        days = PERIODS[period] * float(items[at + 1].value)
    if not days:
        return None
    when = Window(within=days, words=words if window is not None else f"within {words}")
    return Item("leading", when, items[at + 1].start, told.end), place + 2


def _is_gloss(text: str, items: list[Item], at: int, out: list[Item]) -> bool:
    """Tell whether a parenthesis holds but the short form of the words before it."""
    if at + 2 >= len(items) or items[at + 2].kind != ")":
        return False
    inner, start = items[at + 1], items[at].start
    before = text[max(0, start - _BEFORE) : start]
    if not is_short_for(text[inner.start : inner.end], before):
        return False
    if inner.kind != "name" or inner.value.kind is not TermKind.CONDITION:
        return True
    # A condition's short form counts where the long one is not known.
    for item in reversed(out):
        if item.kind in ("name", "analyte"):
            return True
        if item.kind not in NOUNS and item.kind not in MODIFIERS:
            break
    return not out or (out[-1].kind not in NOUNS and out[-1].kind not in MODIFIERS)
