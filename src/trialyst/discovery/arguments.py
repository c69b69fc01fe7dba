"""What each tool takes, by the names every interface uses."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from trialyst.paging import Cursor, PageOf20
from trialyst.questions.arguments import TermArguments
from trialyst.signatures import Flag, Number, Several, Text, Whole, Wire

__all__ = [
    "CompareArguments",
    "CountArguments",
    "GetArguments",
    "GetOptions",
    "LocationArguments",
    "LocationOptions",
    "PageSize",
    "ResultsArguments",
    "ResultsOptions",
    "SearchArguments",
    "TermArguments",
]

PageSize = Annotated[Whole, Wire(type="integer", minimum=1, maximum=200, default=50)]


class SearchArguments(TermArguments, total=False):
    """What `search_trials` takes."""

    sort: Annotated[Text, "Date or number piece such as StartDate:desc; else by relevance."]
    fields: Annotated[
        Several, "More of each item: acronym, brief_title, start_date, enrollment, sponsor..."
    ]
    slim: Annotated[Flag, "Only id, title, phase and status of each item."]
    page_size: Annotated[PageSize, "Items on a page."]
    cursor: Cursor


class CountArguments(TermArguments, total=False):
    """What `count_trials` takes."""

    by: Annotated[
        Several,
        "Break down by phase, status, sponsor_class, country, start_year, condition, intervention, "
        "age_group, sex, has_results; joined by OR.",
    ]


class GetOptions(TypedDict, total=False):
    """What `get_trial` takes besides the ids."""

    sections: Annotated[
        Several, "Only these parts, whole: eligibility, outcomes, arms...; joined by commas."
    ]
    page_size: Annotated[PageOf20, "Trials on a page."]
    cursor: Cursor


class GetArguments(GetOptions, total=False):
    """What `get_trial` takes."""

    nct_id: Required[Annotated[Several, "NCT id, or up to 20 joined by commas."]]


class LocationOptions(TypedDict, total=False):
    """What `get_trial_locations` takes besides the id."""

    country: Annotated[Text, "Country, in any common spelling."]
    near: Annotated[Text, "Place or `lat,lon`: nearest sites first."]
    within: Annotated[Number, "Only sites within this many km of near."]
    status: Annotated[Several, "Status at the site; several joined by OR."]
    page_size: Annotated[PageSize, "Sites on a page."]
    cursor: Cursor


class LocationArguments(LocationOptions, total=False):
    """What `get_trial_locations` takes."""

    nct_id: Required[Annotated[Text, "NCT id."]]


class ResultsOptions(TypedDict, total=False):
    """What `get_results` takes besides the id."""

    sections: Annotated[
        Several, "participants, baseline, primary_outcomes, outcomes, events...; else all."
    ]
    page_size: Annotated[
        Whole, Wire(type="integer", minimum=1, maximum=50, default=4), "Tables on a page."
    ]
    cursor: Cursor


class ResultsArguments(ResultsOptions, total=False):
    """What `get_results` takes."""

    nct_id: Required[Annotated[Text, "NCT id."]]


class CompareArguments(TypedDict):
    """What `compare_trials` takes."""

    nct_ids: Annotated[Several, Wire(type="array", items="string"), "Two to ten NCT ids."]
