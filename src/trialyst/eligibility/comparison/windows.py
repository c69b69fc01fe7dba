"""Whether something that is dated falls into a window of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.eligibility.chart import TimePoint
    from trialyst.eligibility.requirement import Window

__all__ = ["fits_window"]


def fits_window(window: Window, when: TimePoint | None, *, current: bool) -> bool | None:
    """Say whether a time lies in a window; None where that is not told.

    Args:
        current: whether the thing goes on today, so that it lies in every window up to now.
    """
    checks = (
        _within(window, when, current=current),
        _beyond(window, when, current=current),
        _lasting(window, when),
    )
    if False in checks:
        return False
    return None if None in checks else True


def _within(window: Window, when: TimePoint | None, *, current: bool) -> bool | None:
    if window.within is None:
        return True
    if current:
        return True
    if when is None or when.days_ago is None:
        return None
    nearest, farthest = when.days_ago
    if farthest <= window.within:
        return True
    return False if nearest > window.within else None


def _beyond(window: Window, when: TimePoint | None, *, current: bool) -> bool | None:
    if window.beyond is None:
        return True
    if when is None or when.days_ago is None:
        return False if current else None
    nearest, farthest = when.days_ago
    if nearest >= window.beyond:
        return True
    return False if farthest < window.beyond else None


def _lasting(window: Window, when: TimePoint | None) -> bool | None:
    if window.lasting_at_least is None and window.lasting_at_most is None:
        return True
    told = None if when is None else (when.lasting or when.days_ago)
    if told is None:
        return None
    shortest, longest = told
    if window.lasting_at_least is not None and longest < window.lasting_at_least:
        return False
    if window.lasting_at_most is not None and shortest > window.lasting_at_most:
        return False
    sure_least = window.lasting_at_least is None or shortest >= window.lasting_at_least
    sure_most = window.lasting_at_most is None or longest <= window.lasting_at_most
    return True if sure_least and sure_most else None
