"""What the tools of trials answer: the keys, and which of them may be absent.

The sections of a trial are in `trial_answers`. Contracts and the reference page are made from this.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from trialyst.ctgov.answers import (
    Count,
    DateText,
    Pagination,
    PhaseCode,
    Told,
    TrialId,
    Words,
)

__all__ = [
    "Breakdown",
    "Candidate",
    "CompareAnswer",
    "ComparedTrial",
    "Comparison",
    "Contact",
    "CountAnswer",
    "LocationsAnswer",
    "NearestSite",
    "SearchAnswer",
    "Site",
    "SlimCandidate",
]

BreakdownName = Literal[
    "phase",
    "status",
    "sponsor_class",
    "country",
    "start_year",
    "condition",
    "intervention",
    "age_group",
    "sex",
    "has_results",
]


class NearestSite(TypedDict):
    """The site of a trial that is nearest to `near`."""

    facility: NotRequired[Words]
    city: NotRequired[Words]
    status: NotRequired[Words]
    distance_km: Annotated[float, Field(ge=0)]
    approximate: NotRequired[
        Annotated[Literal[True], Field(description="Measured from the middle of the city.")]
    ]


class SlimCandidate(TypedDict):
    """A trial to choose by its title; what follows `status` comes with fields, sort or near."""

    id: TrialId
    title: NotRequired[Annotated[Words, Field(description="Official title, else the brief one.")]]
    phase: NotRequired[PhaseCode]
    status: NotRequired[Words]
    acronym: NotRequired[Words]
    brief_title: NotRequired[Words]
    start_date: NotRequired[DateText]
    primary_completion_date: NotRequired[DateText]
    completion_date: NotRequired[DateText]
    first_posted: NotRequired[DateText]
    last_updated: NotRequired[DateText]
    enrollment: NotRequired[Count]
    sponsor: NotRequired[Words]
    study_type: NotRequired[Words]
    has_results: NotRequired[bool]
    why_stopped: NotRequired[Words]
    countries: NotRequired[list[Words]]
    sites: NotRequired[Count]
    keywords: NotRequired[list[Words]]
    minimum_age: NotRequired[Words]
    maximum_age: NotRequired[Words]
    sex: NotRequired[Words]
    summary: NotRequired[Annotated[Words, Field(description="The brief summary, whole.")]]
    sorted_by: NotRequired[
        Annotated[dict[str, Any], Field(description="By piece, what the page is sorted by.")]
    ]
    nearest_site: NotRequired[NearestSite]


class Candidate(SlimCandidate):
    """A trial that was found."""

    brief_summary: NotRequired[
        Annotated[Words, Field(description="Its beginning; fields=summary gives it whole.")]
    ]
    conditions: list[Words]
    interventions: list[Words]


class SearchAnswer(Told):
    """Trials, best first."""

    items: list[Candidate | SlimCandidate]
    pagination: Pagination


class Breakdown(TypedDict):
    """Trials by value."""

    counts: dict[str, Annotated[int, Field(ge=1)]]
    without_value: Annotated[
        Count, Field(description="Trials of the total that have no value here.")
    ]


class CountAnswer(Told):
    """How many trials there are."""

    total_count: Count
    breakdowns: dict[BreakdownName, Breakdown]


class Contact(TypedDict, total=False):
    """Someone to ask."""

    name: Words
    role: Words
    phone: Words
    phone_ext: Words
    email: Words
    affiliation: Words


class Site(TypedDict, total=False):
    """Where a trial takes place."""

    facility: Words
    status: Words
    city: Words
    state: Words
    zip: Words
    country: Words
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    approximate: Annotated[
        Literal[True], Field(description="The point is the city's, not the site's.")
    ]
    distance_km: Annotated[float, Field(ge=0, description="From the place asked for.")]
    contacts: list[Contact]


class LocationsAnswer(Told):
    """The sites of a trial."""

    id: TrialId
    items: list[Site]
    nearest_recruiting: NotRequired[
        Annotated[
            Site, Field(description="With near: the nearest that recruits, whatever the filters.")
        ]
    ]
    pagination: Pagination


class ComparedTrial(TypedDict):
    """A trial of a comparison."""

    id: TrialId
    title: NotRequired[Words]


class Comparison(TypedDict):
    """One aspect of the trials."""

    aspect: Words
    values: Annotated[
        dict[str, bool | int | str | list[str]],
        Field(
            description="By trial id; a trial without a value is left out.",
            json_schema_extra={"propertyNames": {"pattern": "^NCT:[0-9]{8}$"}},
        ),
    ]
    differs: bool


class CompareAnswer(Told):
    """Trials side by side."""

    items: list[ComparedTrial]
    rows: list[Comparison]
    not_found: Annotated[list[TrialId], Field(description="Ids asked for that name no trial here.")]
