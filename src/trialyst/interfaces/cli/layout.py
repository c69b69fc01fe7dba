"""Tables as text, Markdown and CSV: pure, and none of them loses a value.

In a width that is too small columns wrap, the leading ones last; where even that does not do, each
row becomes a block of lines.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Screen", "Table", "clean", "render_csv", "render_markdown", "render_table", "wrap"]

GAP = "  "
LEAST = 10
"""Characters below which a wrapped column is not readable."""
LONGEST = 120
"""Characters to which columns are aligned in a pipe; a longer cell moves the rest of its row."""
_BOLD, _PLAIN = "\033[1m", "\033[0m"


class Screen(NamedTuple):
    """What text is written for: the columns of a terminal, None for a pipe, and its colours."""

    width: int | None = None
    colours: bool = False


PIPE = Screen()


@dataclass(frozen=True, slots=True)
class Table:
    """Column names and rows of texts; the first `firm` columns, the ids, are never wrapped."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    firm: int = 1

    def without_empty_columns(self) -> Table:
        """Leave out the columns in which no row has a value."""
        kept = [
            number
            for number in range(len(self.columns))
            if number < self.firm or any(row[number] for row in self.rows)
        ]
        rows = [[row[number] for number in kept] for row in self.rows]
        return Table([self.columns[number] for number in kept], rows, self.firm)


def render_table(table: Table, screen: Screen = PIPE) -> str:
    """Draw a table, in a pipe as wide as it needs; nothing where it has no rows."""
    if not table.rows:
        return ""
    clear = [[clean(cell) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(map(_cells, column)) for column in zip(*clear, strict=True)]
    if screen.width is None:
        return "\n".join(_pad(row, [min(each, LONGEST) for each in widths]) for row in clear)
    fitted = _fit(widths, clear[0], table.firm, screen.width)
    if fitted is None:
        return "\n\n".join(_block(clear[0], row, screen.width) for row in clear[1:])
    head, *lines = (list(_lines(row, fitted)) for row in clear)
    shown = [f"{_BOLD}{line}{_PLAIN}" for line in head] if screen.colours else head
    return "\n".join([*shown, *(line for row in lines for line in row)])


def render_markdown(table: Table) -> str:
    """Write a table of Markdown; pipes and line ends inside a value do not break it."""
    rows = [table.columns, ["---"] * len(table.columns), *table.rows]
    return "\n".join(f"| {' | '.join(map(_escape, row))} |" for row in rows)


def render_csv(table: Table) -> str:
    """Write comma-separated values as RFC 4180 says: CRLF, quotes where needed; no formulas."""
    import csv
    import io

    from trialyst.interfaces.spreadsheets import guard_cell

    written = io.StringIO()
    guarded = ([guard_cell(cell) for cell in row] for row in table.rows)
    csv.writer(written, lineterminator="\r\n").writerows([table.columns, *guarded])
    return written.getvalue()


def clean(text: str) -> str:
    """Give a text on one line, without characters that would steer a terminal."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def wrap(text: str, width: int, *, indent: str = "", hanging: str | None = None) -> str:
    """Wrap each line of a text, none of its words cut."""
    later = indent if hanging is None else hanging
    shown = (
        textwrap.fill(
            clean(line),
            width,
            initial_indent=indent + _lead(line),
            subsequent_indent=later + _lead(line),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )
    return "\n".join(shown)


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _escape(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\r", "").replace("\n", "<br>")


def _cells(text: str) -> int:
    """Count the places a text takes on a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def _fit(widths: Sequence[int], heads: Sequence[str], firm: int, width: int) -> list[int] | None:
    """Narrow the widest columns until the row fits; None where it cannot."""
    fitted = list(widths)
    least = [
        each if number < firm else min(each, max(LEAST, len(heads[number])))
        for number, each in enumerate(widths)
    ]
    room = width - len(GAP) * (len(fitted) - 1)
    if sum(least) > room:
        return None
    while sum(fitted) > room:
        loose = [number for number in range(len(fitted)) if fitted[number] > least[number]]
        fitted[max(loose, key=fitted.__getitem__)] -= 1
    return fitted


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [_fold(cell, width) for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, cells))):
        yield _pad([cell[number] if number < len(cell) else "" for cell in cells], widths)


def _pad(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = zip(row, widths, strict=True)
    return GAP.join(cell + " " * (width - _cells(cell)) for cell, width in cells).rstrip()


def _fold(cell: str, width: int) -> list[str]:
    """Break a cell into lines that fit, between words where there is a way."""
    if _cells(cell) <= width:
        return [cell]
    lines, line = [], ""
    for word in cell.split(" "):
        joined = f"{line} {word}" if line else word
        if _cells(joined) > width and line:
            lines.append(line)
            joined = word
        while _cells(joined) > width:
            cut = _cut(joined, width)
            lines.append(joined[:cut])
            joined = joined[cut:]
        line = joined
    return [*lines, line]


def _cut(text: str, width: int) -> int:
    """Give how many characters fit, at least one."""
    taken = 1
    while taken < len(text) and _cells(text[: taken + 1]) <= width:
        taken += 1
    return taken


def _block(heads: Sequence[str], row: Sequence[str], width: int) -> str:
    named = (f"{head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell)
    lines = (wrap(line, width, indent=GAP, hanging=GAP * 2) for line in named)
    return "\n".join([row[0], *lines])
