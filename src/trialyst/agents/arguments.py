"""What the tools of the agents take, by the names every interface uses."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from trialyst.repurposing.arguments import Condition, DateBefore, Drug, PointInTime
from trialyst.signatures import Whole, Wire

__all__ = ["DossierArguments", "ScoutArguments"]


class DossierArguments(TypedDict, total=False):
    """What `write_dossier` takes."""

    drug: Required[Drug]
    condition: Required[Condition]
    date_before: DateBefore
    point_in_time: PointInTime


class ScoutArguments(TypedDict, total=False):
    """What `scout_indications` takes."""

    drug: Required[Drug]
    date_before: DateBefore
    point_in_time: PointInTime
    max_results: Annotated[
        Whole,
        Wire(type="integer", minimum=1, maximum=100, default=20),
        "How many conditions.",
    ]
