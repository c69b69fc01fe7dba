"""A patient note as text: its sentences with their numbers, places and sections.

Reads plain text and the numbered form of the benchmarks (`0. ...`, one sentence a line). Offsets
are those of `Note.text`, which differs from what was given only in characters no text has.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from trialyst.eligibility.reading.headings import Section, find_heading
from trialyst.eligibility.reading.sentences import split_sentences
from trialyst.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LONGEST_FILE", "LONGEST_NOTE", "Note", "Sentence", "decode_note", "parse_note"]

LONGEST_NOTE = 500_000
"""Characters, some 160 pages: what is judged within a minute, however much it says."""
LONGEST_FILE = 100_000_000
"""Bytes; a FHIR bundle of a whole life may have tens of megabytes."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_MOST_CONTROL = 0.05
_MOSTLY = 0.8
_SUBJECT = re.compile(
    r"(?:(he|she|his|her)|(?:the |this |our )?(?:patient|pt)|on (?:exam|examination|admission)"
    r"|(?:currently|now|today|denies|reports|presents|presented|complains)(?= ))\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:(?:grand)?(?:mother|father|son|daughter|parents?|child(?:ren)?)|brothers?|sisters?"
    r"|siblings?|aunts?|uncles?|cousins?|nieces?|nephews?|relatives?|family|maternal|paternal"
    r"|mom|dad|twin)\b",
    re.IGNORECASE,
)
_NUMBERED_LINE = re.compile(r"^[ \t]*([0-9]{1,4})[.)][ \t]+(?=\S)", re.MULTILINE)
_NUMBERED = re.compile(r"(?:^|(?<=\s))([0-9]{1,4})[.)][ \t]+(?=\S)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a note, `note.text[start:end] == text`, under its section's heading if any."""

    number: int
    start: int
    end: int
    text: str
    section: Section = Section.NONE


@dataclass(frozen=True, slots=True)
class Note:
    """A note cut into sentences, in their order."""

    text: str
    sentences: tuple[Sentence, ...]
    numbered: bool = False
    """Whether the sentences had numbers of their own."""

    def sentence_at(self, offset: int) -> Sentence:
        """Give the sentence that holds an offset, or the one before it."""
        at = bisect_right(self.sentences, offset, key=lambda sentence: sentence.start)
        return self.sentences[max(at - 1, 0)]

    def sentence(self, number: int) -> Sentence | None:
        """Give a sentence by its number."""
        at = bisect_right(self.sentences, number, key=lambda sentence: sentence.number) - 1
        found = self.sentences[at] if at >= 0 else None
        return found if found is not None and found.number == number else None


def decode_note(data: bytes) -> str:
    """Give the text of a file: UTF-8, UTF-16, UTF-32 with its mark, or Windows' Latin letters.

    Raises:
        InvalidInput: the file is too long, or no text.
    """
    if len(data) > LONGEST_FILE:
        raise InvalidInput(
            f"The file has more than {LONGEST_FILE:,} bytes",
            hint="Give one patient's note or bundle.",
        )
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return data.decode("utf-32", errors="replace")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if b"\x00" in data:
        return _decode_wide(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _decode_wide(data: bytes) -> str:
    """Read UTF-16 that lacks its mark: of Latin letters every other byte is 0."""
    for name, zeros, letters in (("le", data[1::2], data[::2]), ("be", data[::2], data[1::2])):
        if 0 not in letters and zeros.count(0) > len(zeros) * _MOSTLY:
            return data.decode(f"utf-16-{name}", errors="replace")
    raise _no_text()


def _no_text() -> InvalidInput:
    return InvalidInput(
        "The note is not text: it holds too many control characters",
        hint="Give a text file in UTF-8, or a FHIR bundle in JSON.",
    )


def parse_note(text: str) -> Note:
    """Cut a note into sentences.

    Raises:
        InvalidInput: the note is empty, too long, or no text at all.
    """
    text = _clean(text)
    starts = _numbered_starts(text)
    pieces = (
        list(_numbered_pieces(text, starts)) if starts else list(enumerate(split_sentences(text)))
    )
    return Note(text, tuple(_in_sections(text, pieces)), numbered=bool(starts))


def _clean(text: str) -> str:
    if not text.strip():
        raise InvalidInput("The note is empty", hint="Give the text of a patient note.")
    if len(text) > LONGEST_NOTE:
        raise InvalidInput(
            f"The note has {len(text):,} characters, more than {LONGEST_NOTE:,}",
            hint="Give one patient's note, or the part of it that tells of the present illness.",
        )
    if len(_CONTROL.findall(text)) > max(3, _MOST_CONTROL * len(text)):
        raise _no_text()
    return _CONTROL.sub(" ", text)


def _numbered_starts(text: str) -> list[tuple[int, int, int]]:
    """Give number, start and start of the words of each numbered sentence, none if not numbered."""
    for pattern in (_NUMBERED_LINE, _NUMBERED):
        if not pattern.match(text.lstrip()):
            continue
        found: list[tuple[int, int, int]] = []
        for match in pattern.finditer(text):
            if int(match.group(1)) == len(found):
                found.append((len(found), match.start(), match.end()))
        if len(found) > 1 and not text[: found[0][1]].strip():
            return found
    return []


def _numbered_pieces(
    text: str, starts: list[tuple[int, int, int]]
) -> Iterator[tuple[int, tuple[int, int]]]:
    for (number, _, begin), (_, following, _) in pairwise([*starts, (0, len(text), 0)]):
        yield number, (begin, begin + len(text[begin:following].rstrip()))


def _in_sections(text: str, pieces: list[tuple[int, tuple[int, int]]]) -> Iterator[Sentence]:
    section, until_line_end = Section.NONE, False
    previous_end, before = 0, ""
    for number, (start, end) in pieces:
        words = text[start:end]
        if until_line_end and "\n" in text[previous_end:start]:
            section = Section.NONE
        heading = find_heading(words)
        if heading is not None:
            section = heading.section
            until_line_end = bool(words[heading.end :].strip())
        elif until_line_end and section is Section.FAMILY and _is_of_patient(words, before):
            section = Section.NONE
        yield Sentence(number, start, end, words, section)
        before = words
        previous_end = end


def _is_of_patient(words: str, before: str) -> bool:
    """Whether a sentence behind "FHx: ..." is of the patient again, and of no relative."""
    subject = _SUBJECT.match(words)
    if subject is None or _RELATIVE.search(words):
        return False
    return subject.group(1) is None or _RELATIVE.search(before) is None
