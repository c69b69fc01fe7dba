"""The group `benchmark`: a module of commands joins it by its name in `COMMANDS`."""

from __future__ import annotations

from importlib import import_module

import typer

__all__ = ["add_to", "create_group"]

COMMANDS = (
    *("phase0", "compare", "criteria", "retrieval", "stop_reasons", "extraction"),
    "scouting",
)
"""Modules of this package, in the order of the help; each has `add_to(group)`."""


def add_to(program: typer.Typer) -> None:
    """Give the program the commands that measure."""
    program.add_typer(create_group(), name="benchmark")


def create_group() -> typer.Typer:
    """Give the group with all its commands."""
    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Measure what Trialyst tells against labels made by experts.",
    )
    # A group of one command would otherwise be that command.
    group.callback()(_benchmark)
    for name in COMMANDS:
        import_module(f"trialyst.interfaces.cli.benchmark.{name}").add_to(group)
    return group


def _benchmark() -> None:
    """Measure what Trialyst tells against labels made by experts."""
