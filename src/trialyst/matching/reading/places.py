"""Where the patient lives and what the note says of ethnicity."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trialyst.ctgov.places import resolve_place
from trialyst.errors import InvalidInput
from trialyst.matching.context import Effect
from trialyst.matching.patient import Assertion, FactKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage

__all__ = ["read_ethnicity", "read_place"]

_PERSON = r"(?:wo)?man|(?:fe)?male|boy|girl|gentleman|lady|patient|child|infant"
_NAME = (
    r"([A-Z][\w'.-]+(?:\s+(?:(?:de|of|la|los|el|am|upon)\s+)?[A-Z][\w'-]+){0,2}(?:,\s*[A-Z]{2}\b)?)"
)
_PLACE = re.compile(
    r"\b(?:lives?|living|resides?|residing|resident|based)\s+(?:alone\s+|currently\s+)?(?:in|of|near)"
    rf"\s+{_NAME}|\b(?:{_PERSON})\s+from\s+{_NAME}"
)
_MAYBE = re.compile(
    rf"\b(?:{_PERSON}),\s+{_NAME}(?=[.,]|$)"
    rf"|\b(?:retired|works?|working|employed|worker|teacher|librarian|student)\b[^.]{{0,30}}"
    rf"(?:\bin|,)\s+{_NAME}(?=[.,]|$)"
)
_ETHNICITY = re.compile(
    r"\b(African[-\s]American|Afro-Caribbean|Caucasian|Hispanic|Latin[oa]|South Asian|East Asian"
    r"|Asian(?:[-\s]American)?|Native American|Pacific Islander|Ashkenazi(?: Jewish)?|black|white)"
    rf"(?=[-\s]+(?:\w+\s+)?(?:{_PERSON})\b)",
    re.IGNORECASE,
)


def read_place(passage: Passage) -> Iterator[Fact]:
    """Find where the patient lives."""
    for match in (*_PLACE.finditer(passage.text), *_MAYBE.finditer(passage.text)):
        start, end = match.span(1 if match.group(1) else 2)
        if match.re is _MAYBE and not _is_city(passage.text[start:end]):
            continue
        yield passage.fact(
            FactKind.PLACE,
            start + passage.start,
            end + passage.start - (passage.text[end - 1] == "."),
            assertion=Assertion.PRESENT,
        )


def _is_city(name: str) -> bool:
    """Say whether a name that may be anything is a city's."""
    try:
        resolve_place(name.rstrip("."))
    except InvalidInput:
        return False
    return True


def read_ethnicity(passage: Passage) -> Iterator[Fact]:
    """Find what the note says of ethnicity."""
    for match in _ETHNICITY.finditer(passage.text):
        start, end = match.start(1) + passage.start, match.end(1) + passage.start
        if Effect.FAMILY not in passage.effects(start, end):
            yield passage.fact(FactKind.ETHNICITY, start, end, assertion=Assertion.PRESENT)
