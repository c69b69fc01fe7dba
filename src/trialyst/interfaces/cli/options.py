"""Options that several commands take, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trialyst.settings import SourceName

__all__ = ["JsonFlag", "RegistryOption", "SourceOption", "examples"]

JsonFlag = Annotated[
    bool, typer.Option("--json", help="Print one JSON value instead of text.", show_default=False)
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
RegistryOption = Annotated[
    Path | None,
    typer.Option(
        "--registry",
        metavar="DIR",
        help="Directory of the local registry.",
        show_default="$TRIALYST_REGISTRY or registry in $TRIALYST_HOME",
    ),
]


def examples(*lines: str) -> str:
    """Give the end of a command's help: its examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
