"""The commands of the vocabulary: what a name means."""

from __future__ import annotations

from typing import Annotated

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look up names of conditions, drugs and genes.",
)
