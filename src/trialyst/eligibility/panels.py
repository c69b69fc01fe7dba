"""Groups of tests that go by one name, such as renal function, from `data/panels.txt`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable, split_words

__all__ = ["Panel", "find_panel", "panel_names"]


class Panel(NamedTuple):
    """What is measured under one name."""

    analytes: tuple[str, ...]
    failing: tuple[str, ...] = ()
    """Tree numbers of the conditions in which it is disturbed, whatever its values."""


@cache
def panel_names() -> PhraseTable[Panel]:
    """Give every name of a group, to find in a text."""
    entries = []
    for line in read_lines("panels.txt"):
        names, analytes, *rest = (part.strip() for part in line.split("|"))
        panel = Panel(_listed(analytes), _listed(rest[0]) if rest else ())
        entries += [(name, panel) for name in _listed(names)]
    return PhraseTable(entries)


def find_panel(name: str) -> Panel | None:
    """Give the group that a name stands for."""
    words = split_words(name)
    found = [each for each in panel_names().find(words) if each.last == len(words)]
    return found[-1].value if found else None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(";"))))
