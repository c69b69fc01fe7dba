"""Options that several commands take, each written once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from trialyst.settings import SourceName

__all__ = [
    "Format",
    "FormatOption",
    "JsonFlag",
    "PathwaySourceOption",
    "RegistryOption",
    "SourceOption",
    "examples",
    "many",
    "one",
]


class Format(StrEnum):
    """How an answer is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


JsonFlag = Annotated[
    bool, typer.Option("--json", help="Print one JSON value instead of text.", show_default=False)
]
FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format",
        "-f",
        help="How to print the answer; json is the same as --json.",
        show_default="table",
        case_sensitive=False,
    ),
]
SourceOption = Annotated[
    SourceName | None,
    typer.Option(
        "--source",
        help="Where trials come from; auto is the local registry if there is one, else the "
        "synthetic starter; live is ClinicalTrials.gov.",
        show_default="$TRIALYST_SOURCE or auto",
        case_sensitive=False,
    ),
]
PathwaySourceOption = Annotated[
    SourceName | None,
    typer.Option(
        "--source",
        help="Where pathways come from; auto is what was loaded if anything was, else the starter "
        "set; live is WikiPathways.",
        show_default="$TRIALYST_SOURCE or auto",
        case_sensitive=False,
    ),
]
RegistryOption = Annotated[
    Path | None,
    typer.Option(
        "--registry",
        metavar="DIR",
        help="Directory of the local registry.",
        show_default="$TRIALYST_REGISTRY or registry in $TRIALYST_HOME",
    ),
]


def one(help_text: str, *names: str, metavar: str = "TEXT") -> Any:
    """Give the annotation of an option that takes a text, read by the tool it goes to."""
    return Annotated[
        str | None, typer.Option(*names, metavar=metavar, help=help_text, show_default=False)
    ]


def many(help_text: str, *names: str, metavar: str = "TEXT") -> Any:
    """Give the annotation of an option that may be repeated."""
    return Annotated[
        list[str] | None, typer.Option(*names, metavar=metavar, help=help_text, show_default=False)
    ]


def examples(*lines: str) -> str:
    """Give the end of a command's help: its examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
