"""Headings of a note's sections: which words are one, and what stands under it."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from trialyst.eligibility.tables import read_lines

__all__ = ["Heading", "Section", "find_heading", "find_inline_headings"]

_SHAPE = re.compile(
    r"[\s*#\-\u2022>]*([A-Za-z][A-Za-z0-9 /&'\u2019(),.+-]{0,60}?)\s*(?::|(?=\n)|$)[*\s]*"
)
_COLON = re.compile(r":(?=\s)")
_NAME = re.compile(r"(?<![\w/&'\u2019])[A-Za-z][\w/&'\u2019]*")
_LONGEST, _MOST_WORDS = 40, 4


class Section(StrEnum):
    """What a part of a note is about."""

    NONE = ""
    COMPLAINT = "complaint"
    PRESENT = "present illness"
    PAST = "past history"
    SURGERY = "surgical history"
    FAMILY = "family history"
    SOCIAL = "social history"
    MEDICATION = "medication"
    ALLERGY = "allergies"
    EXAMINATION = "examination"
    RESULTS = "results"
    ASSESSMENT = "assessment"
    PLAN = "plan"
    REVIEW = "review of systems"
    OTHER = "other"


class Heading(NamedTuple):
    """A heading at the beginning of a text, and where it ends."""

    section: Section
    end: int


def find_heading(text: str) -> Heading | None:
    """Find the heading a text begins with.

    >>> find_heading("PMH: hypertension")
    Heading(section=<Section.PAST: 'past history'>, end=5)
    """
    match = _SHAPE.match(text)
    if match is None:
        return None
    words = " ".join(match.group(1).lower().replace("\u2019", "'").split()).rstrip(".")
    section = _headings().get(words)
    if section is not None:
        is_heading = ":" in match.group() or match.end() == len(text) or match.group(1).isupper()
        return Heading(section, match.end()) if is_heading else None
    if ":" in match.group() and match.group(1).isupper() and len(words) > 3:
        return Heading(Section.OTHER, match.end())
    return None


def find_inline_headings(text: str) -> list[tuple[int, Section]]:
    """Find the headings inside a text, behind a mark, where they begin.

    >>> find_inline_headings("72M, FHx: colon cancer; PMH: asthma")
    [(5, <Section.FAMILY: 'family history'>), (24, <Section.PAST: 'past history'>)]
    """
    found = []
    for colon in _COLON.finditer(text):
        near = max(0, colon.start() - _LONGEST)
        for word in list(_NAME.finditer(text, near, colon.start()))[-_MOST_WORDS:]:
            name = text[word.start() : colon.start()].strip()
            section = _headings().get(" ".join(name.lower().replace("\u2019", "'").split()))
            if section is not None and _stands_apart(text, word.start(), name):
                found.append((word.start(), section))
                break
    return found


def _stands_apart(text: str, start: int, name: str) -> bool:
    """Whether words behind a mark, or an abbreviation such as FHx, open a part of their own."""
    before = text[max(0, start - _LONGEST) : start].rstrip()
    shortened = sum(letter.isupper() for letter in name) > 1 and " " not in name
    return before != "" and (shortened or before[-1] in ",;.|)\u2022")


@cache
def _headings() -> dict[str, Section]:
    found = {}
    for line in read_lines("headings.txt"):
        section, _, names = line.partition(":")
        for name in names.split(","):
            found[name.strip()] = Section(section.strip())
    return found
