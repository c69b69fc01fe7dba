"""What each tool takes, by the names every interface uses; all of it optional but the ids.

The types say what is understood, not only what is canonical: lists may come as text, numbers as
strings, codes as labels. `trialyst.discovery.inputs` does the reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

__all__ = [
    "CompareArguments",
    "CountArguments",
    "GetArguments",
    "LocationArguments",
    "SearchArguments",
    "TermArguments",
]

Texts = str | Sequence[str]
Number = int | float | str


class TermArguments(TypedDict, total=False):
    """What to find; everything given must hold, a list means any of it."""

    query: str | None
    """Words anywhere in the searched text of a trial; plain text, never operators."""
    condition: str | None
    """Disease or condition."""
    intervention: str | None
    """Drug or other treatment."""
    status: Texts | None
    """Recruitment status, one or a list: RECRUITING, Completed, ..."""
    location: str | None
    """City, state or country, such as `Boston, MA`."""
    phase: Texts | int | None
    """Phase, one or a list: PHASE2, Phase 3, NA; PHASE1/PHASE2 asks for both at once."""
    advanced: str | None
    """An expression in Essie, the registry's query language."""
    near: str | Sequence[float] | None
    """A place, or a point `lat,lon`: trials with a site there."""
    within: Number | None
    """Radius around `near` in km, 1 to 805 (default 80)."""
    age: Number | None
    """The patient's age: 63 (years) or `6 months`; trials that state no bound stay in."""
    sex: str | None
    """The patient's sex, FEMALE or MALE; trials open to all stay in."""
    date_before: str | None
    """First posted by this day, included: yyyy-MM-dd, yyyy-MM or yyyy."""


class SearchArguments(TermArguments, total=False):
    """What `search_trials` takes."""

    sort: str | None
    """A date or number piece with :asc or :desc; relevance if not given."""
    slim: bool | str | None
    """Only id, title, phase and status."""
    page_size: int | str | None
    """1 to 200, default 50."""
    cursor: str | None
    """`pagination.cursor` of the previous page; belongs to the same query."""


class CountArguments(TermArguments, total=False):
    """What `count_trials` takes."""

    by: Texts | None
    """Breakdowns, one or a list: phase, status, sponsor_class, country, start_year."""


class GetArguments(TypedDict, total=False):
    """What `get_trial` takes besides the ids."""

    sections: Texts | None
    """Which parts to give; all for one id, the short ones for several, if not given."""


class LocationArguments(TypedDict, total=False):
    """What `get_trial_locations` takes besides the id."""

    country: str | None
    """Country, in any common spelling."""
    near: str | Sequence[float] | None
    """A place, or a point `lat,lon`: distances are from here, nearest first."""
    within: Number | None
    """Only sites within this many km of `near`; all of them if not given."""
    status: Texts | None
    """Status at the site, one or a list."""
    page_size: int | str | None
    """1 to 200, default 50."""
    cursor: str | None
    """`pagination.cursor` of the previous page; belongs to the same question."""


class CompareArguments(TypedDict):
    """What `compare_trials` takes."""

    nct_ids: Texts
    """Two to ten NCT ids, in any spelling."""
