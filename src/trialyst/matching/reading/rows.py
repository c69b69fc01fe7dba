"""A row of a table of results: `| Hemoglobin | 10.2 | g/dL |`, its columns in any order."""

from __future__ import annotations

import re

from trialyst.eligibility.numbers import Figure, find_figure
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.units import find_unit

__all__ = ["read_row"]

_OPENS = re.compile(r"[ \t]*(?:[(,\[]([^|\n()\[\]]{1,20})[)\]]?)?[ \t*_]*\|")
_CELL = re.compile(r"[ \t*_]*([^|\n]*?)[ \t*_]*(?:\||(?=\n)|$)")
_FLAG = re.compile(
    r"[\s*(\[]*(?:HH?|LL?|high|low|abnormal|[\u2191\u2193!*])?[\s*)\]]*$", re.IGNORECASE
)


def read_row(text: str, at: int) -> Figure | None:
    """Give the value of the row whose name ends at a place, None where that is no such row.

    Of several numbers the first counts that is no range: a range is the laboratory's own.

    >>> read_row("| Hemoglobin | 12-16 | 10.2 | g/dL |", 12).quantity
    Quantity(number=10.2, unit='g/dL', comparator='=', upper=None)
    """
    opening = _OPENS.match(text, at)
    if opening is None:
        return None
    value: Figure | None = None
    unit = _whole_unit(opening.group(1) or "")
    for cell in _CELL.finditer(text, opening.end()):
        if text[cell.start() - 1 : cell.start()] == "\n" or not cell.group():
            break
        unit = unit or _whole_unit(cell.group(1))
        figure = _whole_figure(text, *cell.span(1))
        if figure is not None and (value is None or _is_range(value)):
            value = figure
    if value is None or _is_range(value) or value.quantity.unit or unit is None:
        return value
    told = value.quantity
    return value._replace(quantity=Quantity(told.number, unit, told.comparator, told.upper))


def _is_range(figure: Figure) -> bool:
    return figure.quantity.upper is not None


def _whole_unit(cell: str) -> str | None:
    found = find_unit(cell, 0) if cell else None
    return None if found is None or cell[found[1] :].strip() else found[0]


def _whole_figure(text: str, start: int, end: int) -> Figure | None:
    figure = find_figure(text, start) if start < end else None
    if figure is None or figure.end > end or not _FLAG.match(text[figure.end : end]):
        return None
    return figure
