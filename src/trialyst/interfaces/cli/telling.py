"""What a person should know beside an answer: how it was understood, and what to ask next.

Both stand in every answer, as values. Here they become lines: one for each reading that is not
plainly what was typed, and a command for each next step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.interfaces.cli.views import to_label

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["next_lines", "understood_lines"]

LONGEST_ASKED = 40
"""Characters of what was typed that are repeated beside what it was read as."""

Reading = Mapping[str, Any]

_ANSWERS = {"true": "yes", "false": "no"}


def understood_lines(answer: Answer) -> Iterator[str]:
    """Say how arguments were read, where that is not plain."""
    understood: Mapping[str, Any] = answer.body.get("understood") or {}
    for name, readings in understood.items():
        for reading in [readings] if isinstance(readings, Mapping) else readings:
            yield from _reading_lines(to_label(name), reading)


def _reading_lines(label: str, reading: Reading) -> Iterator[str]:
    parts = [part for tell in _PARTS if (part := tell(reading))]
    if parts:
        yield f"{label}: {'; '.join(parts)}"
    if dropped := reading.get("dropped"):
        yield f"Dropped: {_listed(dropped)}"


def _meaning(reading: Reading) -> str:
    """Say what was taken for what was asked, unless it is the same."""
    asked = str(reading.get("asked", ""))
    corrected = reading.get("corrected")
    meant = corrected or reading.get("name")
    if not meant or _same(asked, meant):
        return ""
    remarks = ["corrected"] if corrected else []
    remarks += ["approximately"] if reading.get("approximate") else []
    repeated = f"{asked!r} " if len(asked) <= LONGEST_ASKED else ""
    return f"{repeated}read as {meant}" + (f" ({', '.join(remarks)})" if remarks else "")


def _doubt(reading: Reading) -> str:
    others: Sequence[str] = reading.get("may_mean", ())
    return f"{reading['asked']!r} may mean {_listed(others)}" if others else ""


def _nearest(reading: Reading) -> str:
    alike: Sequence[str] = reading.get("nearest", ())
    if not alike or reading.get("corrected"):
        return ""
    return f"{reading['asked']!r} is not known; names like it are {_listed(alike)}"


def _members(reading: Reading) -> str:
    members: Sequence[str] = reading.get("members") or ()
    return f"with {_listed(members)}" if members else ""


def _note(reading: Reading) -> str:
    return str(reading.get("note") or "").rstrip(".")


def _without(reading: Reading) -> str:
    count: int = reading.get("count_without") or 0
    return f"without it there are {count:,} trials" if count else ""


_PARTS = (_meaning, _doubt, _nearest, _members, _note, _without)


def _listed(names: Sequence[str]) -> str:
    return names if isinstance(names, str) else ", ".join(names)


def _same(asked: str, meant: str) -> bool:
    from trialyst.folding import fold_phrase

    said = _ANSWERS.get(asked.lower(), asked)
    return fold_phrase(said) == fold_phrase(meant)


def next_lines(answer: Answer) -> Iterator[str]:
    """Give next steps as commands to paste, each with what it would bring."""
    steps = [step for step in answer.body.get("next") or () if "cursor" not in step["arguments"]]
    if not steps:
        return
    from trialyst.hints import Call
    from trialyst.interfaces.cli.wording import CommandWording

    wording = CommandWording()
    for step in steps:
        line = wording.line(Call(step["tool"], step["arguments"]))
        if line is not None:
            yield f"Next: {line}" + (f"  # {step['why']}" if step.get("why") else "")
