"""What the tools about a drug and a condition take, by the names every interface uses."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from trialyst.paging import Cursor, PageOf20
from trialyst.repurposing.queries import ORDERS
from trialyst.signatures import Flag, Several, Text, Whole, Wire

__all__ = [
    "DrugTrialsArguments",
    "LandscapeArguments",
    "TerminatedArguments",
    "WhitespaceArguments",
]

MOST_LISTED = 10_000
"""What a list may have in all its pages."""

Drug = Annotated[Text, "Generic, brand or code name."]
Condition = Annotated[Text, "Disease or condition."]
DateBefore = Annotated[Text, "First posted by then: yyyy[-MM[-dd]]."]
PointInTime = Annotated[Flag, "Also hide what was learned later."]


class DrugTrialsArguments(TypedDict, total=False):
    """What `search_drug_trials` takes."""

    drug: Required[Drug]
    condition: Condition
    date_before: DateBefore
    point_in_time: PointInTime
    phase_filter: Annotated[Several, "Phases with AND, OR, NOT: `PHASE2 OR PHASE3`."]
    include_mentioned: Annotated[Flag, "Also trials that only name the drug, last."]
    slim: Annotated[
        Flag,
        Wire(type="boolean", default=True),
        "Long texts and lists cut; false gives them whole.",
    ]
    max_results: Annotated[
        Whole,
        Wire(type="integer", minimum=1, maximum=MOST_LISTED, default=200),
        "Most trials in all.",
    ]
    page_size: Annotated[PageOf20, "Trials on a page."]
    cursor: Cursor


class WhitespaceArguments(TypedDict, total=False):
    """What `detect_whitespace` takes."""

    drug: Required[Drug]
    condition: Required[Condition]
    date_before: DateBefore
    point_in_time: PointInTime


class LandscapeArguments(TypedDict, total=False):
    """What `get_landscape` takes."""

    condition: Required[Condition]
    date_before: DateBefore
    point_in_time: PointInTime
    top_n: Annotated[
        Whole,
        Wire(type="integer", minimum=1, maximum=MOST_LISTED, default=50),
        "Most competitors in all.",
    ]
    order: Annotated[
        Text,
        Wire(type="string", values=ORDERS, default="phase"),
        "What competitors are ordered by.",
    ]
    page_size: Annotated[PageOf20, "Competitors on a page."]
    cursor: Cursor


class TerminatedArguments(TypedDict, total=False):
    """What `get_terminated` takes."""

    query: Required[Annotated[Text, "Drug, drug class or condition."]]
    date_before: DateBefore
    point_in_time: PointInTime
    max_results: Annotated[
        Whole,
        Wire(type="integer", minimum=1, maximum=MOST_LISTED, default=100),
        "Most trials in all.",
    ]
    page_size: Annotated[PageOf20, "Trials on a page."]
    cursor: Cursor
