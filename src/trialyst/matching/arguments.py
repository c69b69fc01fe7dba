"""What the tools of matching take, by the names every interface uses."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from trialyst.signatures import Flag, Several, Text, Whole, Wire

__all__ = ["CriterionArguments", "MatchArguments", "ProfileArguments"]

Note = Annotated[Text, "Note as text, or a FHIR R4 bundle."]
AsOf = Annotated[Text, "A bundle's day, yyyy-MM-dd."]
Profile = Annotated[Text, "The edited form."]
Settings = Annotated[Several, "Corrections: `ecog=1 | asthma=no`."]


class ProfileArguments(TypedDict, total=False):
    """What `profile_patient` takes."""

    note: Required[Note]
    as_of: AsOf
    slim: Annotated[Flag, "Key facts only."]
    form: Annotated[Flag, "Add a form to edit."]


class MatchArguments(TypedDict, total=False):
    """What `match_patient` takes."""

    note: Required[Note]
    as_of: AsOf
    profile: Profile
    set: Settings
    near: Annotated[Text, "Place or `lat,lon`: sites nearby."]
    status: Annotated[Several, "Else recruiting or soon to; or `any`."]
    study_type: Annotated[Several, "Else INTERVENTIONAL; or `any`."]
    candidates: Annotated[
        Whole, Wire(type="integer", minimum=1, maximum=10_000, default=200), "How many judged."
    ]
    first: Annotated[Whole, Wire(type="integer", minimum=1, default=1), "First rank."]
    top: Annotated[
        Whole, Wire(type="integer", minimum=1, maximum=200, default=10), "How many trials."
    ]
    criteria: Annotated[
        Whole, Wire(type="integer", minimum=0, maximum=500, default=3), "How many of each."
    ]


class CriterionArguments(TypedDict):
    """What `evaluate_criterion` takes."""

    note: Note
    criterion: Annotated[Text, "One criterion."]
    criterion_type: Annotated[
        Text,
        Wire(type="string", values=("inclusion", "exclusion", "other")),
        "MET on an exclusion excludes.",
    ]
