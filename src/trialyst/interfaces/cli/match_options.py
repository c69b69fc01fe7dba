"""The options of `trialyst match`, each with its help."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from trialyst.interfaces.cli.arguments import descriptions_of
from trialyst.matching.arguments import MatchArguments

__all__ = [
    "AgentOption",
    "AsOfOption",
    "CandidatesOption",
    "CompareOption",
    "CriteriaOption",
    "FirstOption",
    "JudgeOption",
    "KeepNoteFlag",
    "MaxCallsOption",
    "MaxUsdOption",
    "NearOption",
    "NoteArgument",
    "OutOption",
    "ProfileOption",
    "ResumeFlag",
    "SampleOption",
    "SamplesFlag",
    "SetOption",
    "StatusOption",
    "StudyTypeOption",
    "TopOption",
]

_TOLD = descriptions_of(MatchArguments)

AsOfOption = Annotated[
    datetime | None,
    typer.Option(
        "--as-of",
        formats=["%Y-%m-%d"],
        metavar="DATE",
        show_default=False,
        help="The day of the note: its dates are counted from it, and the end of a washout is told "
        "as a day.",
    ),
]

NoteArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="NOTE",
        help="A note as text, or a FHIR R4 bundle as JSON; - for standard input.",
        show_default=False,
    ),
]
SampleOption = Annotated[
    str | None,
    typer.Option(
        "--sample",
        metavar="NAME",
        help="Match a sample patient instead of a note.",
        show_default=False,
    ),
]
SamplesFlag = Annotated[bool, typer.Option("--samples", help="List the sample patients and stop.")]
ProfileOption = Annotated[
    Path | None,
    typer.Option(
        "--profile",
        metavar="FILE",
        help="What was read, corrected: the form that ingest --form writes, edited. Without a "
        "note it describes the patient alone.",
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Correct one fact, such as ecog=1, asthma=no or 'hemoglobin=10.2 g/dL'; may be "
        "repeated.",
        show_default=False,
    ),
]
TopOption = Annotated[int, typer.Option("--top", "-n", metavar="N", help=_TOLD["top"])]
FirstOption = Annotated[int, typer.Option("--first", metavar="RANK", help=_TOLD["first"])]
CriteriaOption = Annotated[
    int, typer.Option("--criteria", metavar="N", help="How many criteria of each trial.")
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Directory for report.html, .md and .json, which hold all trials, and profile.yaml, "
        "the patient as read, to correct.",
        show_default=False,
    ),
]
CompareOption = Annotated[
    list[str] | None,
    typer.Option(
        "--compare",
        metavar="ID",
        help="A trial that report.html sets side by side with others; may be repeated.",
        show_default="the first three that do not conflict",
    ),
]
NearOption = Annotated[
    str | None,
    typer.Option(
        "--near",
        metavar="PLACE",
        help=_TOLD["near"],
        show_default=False,
    ),
]
StatusOption = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="TEXT",
        help="Status to look in, may be repeated; any for all.",
        show_default="recruiting, not yet recruiting",
    ),
]
StudyTypeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--study-type",
        metavar="TEXT",
        help="Type to look in, may be repeated; any for all.",
        show_default="interventional",
    ),
]
CandidatesOption = Annotated[
    int | None,
    typer.Option("--candidates", metavar="N", help=_TOLD["candidates"], show_default="200"),
]
JudgeOption = Annotated[
    str,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="Who judges: rules, on this machine; rules+provider:model, a model for what the rules "
        "leave open; provider:model for everything; or two models joined by +.",
    ),
]
AgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="NAME",
        help="A model that searches, provider:model; of two joined by + the first reasons.",
        show_default="no model searches",
    ),
]
MaxCallsOption = Annotated[
    int | None,
    typer.Option(
        "--max-calls", metavar="N", help="Calls models may take.", show_default="no limit"
    ),
]
MaxUsdOption = Annotated[
    float | None,
    typer.Option(
        "--max-usd", metavar="USD", help="Money models may take.", show_default="no limit"
    ),
]
ResumeFlag = Annotated[
    bool, typer.Option("--resume", help="Go on with an interrupted run of the same inputs.")
]
KeepNoteFlag = Annotated[
    bool, typer.Option("--keep-note", help="Keep the note itself in the run's directory.")
]
