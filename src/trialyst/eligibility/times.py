"""Times: windows and durations of a criterion, and when a note says something was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.chart import TimePoint
from trialyst.eligibility.requirement import Window

if TYPE_CHECKING:
    from datetime import date

__all__ = ["NotedTime", "TimePhrase", "find_times", "find_windows"]


class TimePhrase(NamedTuple):
    """A window or duration at `text[start:end]`."""

    start: int
    end: int
    window: Window


class NotedTime(NamedTuple):
    """When something was, at `text[start:end]`."""

    start: int
    end: int
    when: TimePoint
    future: bool = False
    """Whether it lies after the day of the note."""


def find_windows(text: str) -> list[TimePhrase]:
    """Find the windows and durations of a criterion, in its order."""
    return []


def find_times(text: str, as_of: date | None = None) -> list[NotedTime]:
    """Find when a note says something was; dates need `as_of`, the day of the note."""
    return []
