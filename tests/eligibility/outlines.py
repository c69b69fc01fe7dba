"""A requirement on one line: what each leaf is, and how leaves are joined."""

from __future__ import annotations

from pathlib import Path

from trialyst.eligibility.requirement import (
    All,
    AnyOf,
    AtLeast,
    Bound,
    Except,
    Given,
    Interval,
    Leaf,
    Not,
    Requirement,
    Tense,
    Window,
)
from trialyst.vocabulary.term import Term

__all__ = ["outline", "read_criteria"]

_FIXTURE = Path(__file__).parents[1] / "fixtures" / "eligibility" / "criteria.txt"
_PLAIN = frozenset(("state", "role", "topic", "sex", "what", "tense", "bound"))
_LEFT_OUT = frozenset(("span", "kind", "words", "modifiers"))


def read_criteria() -> list[tuple[str, str]]:
    """Give the criteria of the fixture, each with its outline; `a || b` is b in a list a opens,
    and `exclusion: a` one that excludes."""
    blocks = _FIXTURE.read_text("utf-8").rstrip("\n").split("\n\n")
    return list(zip(blocks[::2], blocks[1::2], strict=True))


def outline(node: Requirement) -> str:
    """Give a requirement on one line."""
    match node:
        case All(parts=parts):
            return f"all({'; '.join(map(outline, parts))})"
        case AnyOf(parts=parts):
            return f"any({'; '.join(map(outline, parts))})"
        case AtLeast(count=count, parts=parts):
            return f"{count} of({'; '.join(map(outline, parts))})"
        case Not(part=part, left_out=left_out):
            return f"{'left out' if left_out else 'not'}({outline(part)})"
        case Except(of=of, but=but):
            return f"{outline(of)} except {outline(but)}"
        case Given(who=who, then=then):
            return f"given({outline(who)}: {outline(then)})"
        case _:
            return _leaf(node)


def _leaf(node: Leaf) -> str:
    kind = type(node).__name__
    told = [] if getattr(node, "what", None) else [f"'{getattr(node, 'words', '')}'"]
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name not in _LEFT_OUT and value not in (None, "", (), False):
            told.append(_field(name, value))
    return " ".join([kind, *(each for each in told if each not in ("''", ""))])


def _field(name: str, value: object) -> str:
    match value:
        case Term(name=called):
            return called
        case Interval(low=low, high=high):
            start, end = "[" if value.low_included else "(", "]" if value.high_included else ")"
            ends = ("" if each is None else f"{each:g}" for each in (low, high))
            return f"{start}{'..'.join(ends)}{end}"
        case Window():
            spans = ("within", "beyond", "lasting_at_least", "lasting_at_most")
            days = {span: getattr(value, span) for span in spans}
            return ", ".join(f"{span} {had:g}" for span, had in days.items() if had is not None)
        case tuple():
            return f"{name} {','.join(value)}"
    plain = "" if value in (Tense.NOW, Bound.UNIT) else str(value)
    return plain if name in _PLAIN else f"{name} {plain}"
