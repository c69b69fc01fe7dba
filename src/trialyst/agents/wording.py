"""How records are put into words: phases, statuses, people and dates, the same everywhere."""

from __future__ import annotations

import datetime

from trialyst.agents.sentences import of
from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.phases import phase_rank
from trialyst.ctgov.vocab import Status, label_of

__all__ = [
    "COMPLETED",
    "ONGOING",
    "STOPPED",
    "last_day",
    "people",
    "rank_of",
    "shorten",
    "status_words",
]

COMPLETED = frozenset({"COMPLETED"})
ONGOING = frozenset(
    {"RECRUITING", "NOT_YET_RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING"}
)
STOPPED = frozenset({"TERMINATED", "WITHDRAWN", "SUSPENDED"})
LONGEST_QUOTE = 300


def rank_of(phase: str | None) -> int:
    """Give the rank of a phase label; 0 without one.

    >>> rank_of("Phase 1/Phase 2"), rank_of("Early Phase 1"), rank_of("Not Applicable")
    (3, 1, 0)
    """
    codes = (phase or "").upper().replace("EARLY ", "EARLY_").replace("PHASE ", "PHASE")
    return phase_rank(codes.split("/"))


def status_words(status: str | None) -> str:
    """Say a status in lower case.

    >>> status_words("ACTIVE_NOT_RECRUITING"), status_words(None)
    ('active, not recruiting', 'status not known')
    """
    if status is None:
        return "status not known"
    known = Status(status) if status in set(Status) else status
    return "status unknown" if status == "UNKNOWN" else label_of(known).lower()


def people(enrollment: int | None, kind: str | None = None) -> str:
    """Say how many people, planned or enrolled.

    >>> people(1200, "ESTIMATED"), people(1), people(None)
    ('1,200 people planned', '1 person', 'number of people not known')
    """
    if enrollment is None:
        return "number of people not known"
    return of(enrollment, "person", "people") + (" planned" if kind == "ESTIMATED" else "")


def last_day(text: str | None) -> datetime.date | None:
    """Give the last day a date may mean, or None."""
    try:
        return PartialDate.parse(text).last_day if text else None
    except ValueError:
        return None


def shorten(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Put a text on one line, cut between words where it is too long.

    >>> shorten("one two  three", 9)
    'one two …'
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return f"{line[: longest - 1].rsplit(' ', 1)[0]} …"
