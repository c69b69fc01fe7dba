"""The day of a note, where its head tells it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trialyst.eligibility.dates import find_dates
from trialyst.eligibility.signs import to_plain

if TYPE_CHECKING:
    from datetime import date

__all__ = ["find_note_day"]

_HEAD = 600
"""Letters in which a note is dated."""
_LABEL = re.compile(
    r"(?:^|[\n.;|])[\s*#]*(?:date(?: of (?:the )?(?:visit|service|note|encounter|consultation"
    r"|exam(?:ination)?))?|(?:visit|note|encounter|clinic|consultation) date"
    r"|(?:note|visit) of|seen(?: in clinic)? on)\s*[:*-]*\s*$",
    re.IGNORECASE,
)


def find_note_day(text: str) -> date | None:
    """Give the day that the head of a note says it is of; None where no label tells it.

    >>> str(find_note_day("Date of visit: 2026-08-01. A 58-year-old woman."))
    '2026-08-01'
    >>> find_note_day("Date of birth: 1968-08-01. A 58-year-old woman.")
    """
    head = text[:_HEAD]
    for found in find_dates(to_plain(head)):
        if found.first == found.last and _LABEL.search(head[: found.start]):
            return found.first
    return None
