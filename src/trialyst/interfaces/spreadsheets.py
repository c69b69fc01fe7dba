"""Cells of tables that a spreadsheet opens."""

from __future__ import annotations

import re

__all__ = ["guard_cell"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


def guard_cell(value: object) -> object:
    """Give a value as a cell that no spreadsheet takes for a formula; numbers stay as they are.

    >>> guard_cell("=1+1"), guard_cell("a"), guard_cell("-3")
    ("'=1+1", 'a', '-3')
    """
    if not isinstance(value, str) or not value.startswith(_FORMULA) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"
