"""Where the sentences of a clinical text end: lines, lists, abbreviations and run-on notes."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from trialyst.eligibility.reading.headings import find_heading
from trialyst.eligibility.tables import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["split_sentences"]

_STOP = re.compile(r"(?<![.!?])([.!?]+)([\"'\u201d\u2019)\]]*)(\s+)(?=(\S+))")
_WORD_BEFORE = re.compile(r"[^\s(\[\"]*$")
_BULLET = re.compile(r"\s*(?:[-*\u2022\u2023\u25aa\u25cf\u00b7>#]+\s|[0-9]{1,2}[.)]\s|[a-h][.)]\s)")
_FIELD = re.compile(r"[^\W_][^:;,.?!]{0,38}[^\s:]:(?:\s|$)")
_ENDED = re.compile(r"[.!?:;][\"'\u201d\u2019)\]]*\s*$")
_LIST_NUMBER = re.compile(r"\s*[0-9]{1,2}")
_LONGEST_WORD = 40
"""Letters before a full stop that are looked at, so that no text costs more than its length."""
# A line this long was probably broken by its width, not by its writer.
_WRAPPED = 55


def split_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each sentence.

    >>> text = "Seen by Dr. Ito. BP 120/80. No fever"
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Seen by Dr. Ito.', 'BP 120/80.', 'No fever']
    """
    for start, end in _blocks(text):
        yield from _within(text, start, end)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Give runs of lines that may hold one sentence over a line's end."""
    start = at = 0
    previous = ""
    for line in text.splitlines(keepends=True):
        if at > start and _begins_anew(previous, line):
            yield start, at
            start = at
        previous = line
        at += len(line)
    if at > start:
        yield start, at


def _begins_anew(previous: str, line: str) -> bool:
    before, words = previous.strip(), line.strip()
    if not before or not words or _ENDED.search(before) or _BULLET.match(line):
        return True
    if _FIELD.match(words):
        return True
    if words[0].islower() or words[0] in ",;)" or before[-1] in ",(":
        return find_heading(words) is not None
    return len(before) < _WRAPPED or find_heading(words) is not None


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _STOP.finditer(text, start, end):
        if _ends_sentence(text[max(begin, match.start() - _LONGEST_WORD) : match.start()], match):
            yield from _trimmed(text, begin, match.end(2))
            begin = match.end()
    yield from _trimmed(text, begin, end)


def _ends_sentence(before: str, match: re.Match[str]) -> bool:
    if match.group(1)[0] != ".":
        return True
    found = _WORD_BEFORE.search(before)
    word = found.group().lower() if found else ""
    following = match.group(4)
    if _LIST_NUMBER.fullmatch(before):
        return False
    if word in _titles() or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    if word in _shortened():
        return following.strip("\"'(").lower() in _starters() and following[0].isupper()
    if following[0].islower():
        return len(word) > 3 and word.isalpha() and match.group(1) == "."
    return True


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = text[start:end]
    if words.strip(" \t\r\n-*_=\u2022"):
        yield start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())


@cache
def _lists() -> dict[str, frozenset[str]]:
    lines = (line.partition(":") for line in read_lines("abbreviations.txt"))
    return {name: frozenset(words.split()) for name, _, words in lines}


def _titles() -> frozenset[str]:
    return _lists()["titles"]


def _shortened() -> frozenset[str]:
    return _lists()["shortened"]


def _starters() -> frozenset[str]:
    return _lists()["starters"]
