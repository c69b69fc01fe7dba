"""The word lists that ship with matching, one entry a line."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["read_lines"]


def read_lines(name: str) -> tuple[str, ...]:
    """Give the lines of a list without blanks and comments."""
    text = files("trialyst.matching").joinpath("data", name).read_text("utf-8")
    lines = (line.partition(" #")[0].rstrip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
