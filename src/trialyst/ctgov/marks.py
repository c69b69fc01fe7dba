"""Marks that begin an item of a list: bullets, numbers and letters of eligibility texts.

Owns what counts as a mark, and where a run-on line hides a list. Knows nothing of what items mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Mark", "find_breaks", "read_mark"]

Span = tuple[int, int]

_BULLET = r"\\?[*•·●○▪■◦‣⁃\uf0b7\uf0a7\u25cb➢►✓✔]{1,2}|\\?[-–—]{1,2}(?!\s*\d)|o(?=\s)"
_MARK = re.compile(
    rf"(?P<bullet>{_BULLET})\s*"
    r"|(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}\s?\\?[.)](?!\d)|\d{1,2}-(?=\s))\s*"
    r"|(?P<bracket>\\?\((?:\d{1,2}|[A-Za-z]|[ivx]{2,4})\\?\))\s*"
    r"|(?P<roman>[ivx]{2,4}\\?[.)])\s+"
    r"|(?P<letter>[A-Za-z]\\?\)|[a-z]\\?\.(?=\s)|[A-Z]\\?\.(?=\s+[A-Z0-9]))\s*"
)
_MOST_MARKS = 4
"""Marks stand in a row, as in `* 1.`; more than these are text."""
_SENTENCE_END = re.compile(r"[.!?][)\]]?(?=\s+\S)")
_INLINE = re.compile(
    r"(?:(?<=\s)|^)(\\?\(?(\d{1,2}|[a-z]|[ivx]{2,4})(?:\\?\)(?=\s*\S)|\\?\.(?=\s+\S)))"
)
_DASH = re.compile(r"(?<=\s)[-–•*·●](?=\s+\S)")
# A dash right behind a semicolon begins an item wherever it stands.
_BEHIND = re.compile(r"(?<=;)\s*[-–•*·●](?=\s+\S)")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
# What ends in a full stop but not a sentence.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.?g|i\.?e|vs|etc|approx|no|nos|dr|st|fig|resp|incl|excl|max|min|subj|pts?|yrs?|mos?"
    r"|hrs?|wks?|cf|ca|al)|\b[A-Za-z]|(?:^|\s)\(?\d{1,2})\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 10


@dataclass(frozen=True, slots=True)
class Mark:
    """What begins an item: where the item's own text starts, and the style of its last sign."""

    end: int
    style: str


def read_mark(line: str, start: int, end: int) -> Mark | None:
    """Read the marks at a place of a text, up to its end; None where there is no mark.

    >>> read_mark("1) Aged 18 or older", 0, 19)
    Mark(end=3, style='9)')
    """
    mark: Mark | None = None
    for _ in range(_MOST_MARKS):
        found = _MARK.match(line, start, end)
        if not found or (found.end() == end and mark):
            break
        mark = Mark(found.end(), _style(found))
        start = found.end()
    return mark


def _style(found: re.Match[str]) -> str:
    sign = found.group().strip()
    return sign.replace("\\", "") if found["bullet"] else _shape(sign)


def _shape(sign: str) -> str:
    """The look of a sign that counts; Roman numbers look like letters, as "i" may be either."""
    sign = sign.replace("\\", "")
    for signs, stands_for in ((r"[\d.]*\d", "9"), (r"[a-z]+", "a"), (r"[A-Z]", "A")):
        sign = re.sub(signs, stands_for, sign)
    return sign


def find_breaks(text: str, start: int, end: int, *, style: str, alone: bool) -> list[Span]:
    """Find the signs that part a run-on item into several; none when it is one.

    An item whose own mark counts is parted where the count goes on. One that stands alone under
    its heading is parted at numbers, dashes, semicolons or the ends of sentences, by the first
    of these that it holds enough of.
    """
    counts = "9" in style or "a" in style
    if counts and (going_on := _counted(text, start, end, style)):
        return going_on
    if not alone:
        return [found.span() for found in _BEHIND.finditer(text, start, end)]
    for find in (_listed, _dashed, _semicolons, _sentences):
        if breaks := find(text, start, end):
            return breaks
    return []


def _listed(text: str, start: int, end: int) -> list[Span]:
    return _counted(text, start, end, "")


def _counted(text: str, start: int, end: int, style: str) -> list[Span]:
    """Signs that count up: 1. 2. 3., (a) (b) (c), i) ii) iii); on from a mark of the same look."""
    runs: dict[str, list[Span]] = {"9": [], "a": [], "i": []}
    first = 1 if style else 0
    for found in _INLINE.finditer(text, start, end):
        if style and _shape(found.group(1)) != style:
            continue
        for kind, run in runs.items():
            if found.group(2) == _nth(kind, len(run) + first):
                run.append(found.span())
                break
    best = max(runs.values(), key=len)
    return best if len(best) > (0 if ")" in style else 1) else []


def _nth(kind: str, index: int) -> str:
    if kind == "9":
        return str(index + 1)
    if kind == "a":
        return chr(ord("a") + index) if index < 26 else ""
    return _ROMAN[index] if index < len(_ROMAN) else ""


def _dashed(text: str, start: int, end: int) -> list[Span]:
    """Dashes in a line, where the passage itself began with one or has many."""
    found = [match.span() for match in _DASH.finditer(text, start, end)]
    return found if len(found) > 2 else []


def _semicolons(text: str, start: int, end: int) -> list[Span]:
    depth, found = 0, []
    for place in range(start, end):
        letter = text[place]
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth = max(0, depth - 1)
        elif letter == ";" and not depth and place + 1 < end:
            found.append((place, place + 1))
    return found if len(found) > 1 else []


def _sentences(text: str, start: int, end: int) -> list[Span]:
    found = []
    for match in _SENTENCE_END.finditer(text, start, end):
        before = text[max(start, match.start() - _LONGEST_ABBREVIATION) : match.start() + 1]
        if not _ABBREVIATION.search(before):
            found.append((match.end(), match.end()))
    return found if len(found) > 1 else []
