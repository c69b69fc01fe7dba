"""The word lists that ship with eligibility and matching, one entry a line."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["OMITTED", "read_lines"]

OMITTED: set[str] = set()
"""Lists that read as empty: how `tools/ablate.py` measures what each of them is worth."""


def read_lines(name: str, *, package: str = "trialyst.eligibility") -> tuple[str, ...]:
    """Give the lines of a list without blanks and comments."""
    if name in OMITTED:
        return ()
    text = files(package).joinpath("data", name).read_text("utf-8")
    lines = (line.partition(" #")[0].rstrip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
