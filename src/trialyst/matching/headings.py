"""Headings of a note's sections: which words are one, and what stands under it."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from trialyst.matching.reading.tables import read_lines

__all__ = ["Heading", "Section", "find_heading"]

_SHAPE = re.compile(
    r"[\s*#\-\u2022>]*([A-Za-z][A-Za-z0-9 /&'\u2019(),.+-]{0,60}?)\s*(?::|(?=\n)|$)[*\s]*"
)


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


@cache
def _headings() -> dict[str, Section]:
    found = {}
    for line in read_lines("headings.txt"):
        section, _, names = line.partition(":")
        for name in names.split(","):
            found[name.strip()] = Section(section.strip())
    return found
