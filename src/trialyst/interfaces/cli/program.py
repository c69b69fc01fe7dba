"""The program as a whole: its commands, its version, and the one way out."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Annotated

import typer
from typer.models import CommandInfo

from trialyst import __version__
from trialyst.errors import InvalidInput, TrialystError
from trialyst.interfaces.cli.failures import report, system_error, usage_error
from trialyst.interfaces.cli.options import examples
from trialyst.interfaces.cli.output import is_output_full, lose_output, note, show_text
from trialyst.interfaces.cli.starting import INTERRUPTED

__all__ = ["create_app", "main", "run", "trialyst"]

COLLECT_AFTER = 50_000
"""Objects made between two looks for garbage."""

_HOMES = {
    "trials": ("search", "trial", "locations", "count", "compare"),
    "results": ("results",),
    "changes": ("changes",),
    "watch": ("watch",),
    "fields": ("fields",),
    "repurposing": ("drug-trials", "whitespace", "landscape", "terminated"),
    "serving": ("serve",),
    "dossier": ("dossier",),
    "scout": ("scout",),
    "backtest": ("backtest",),
    "criteria": ("criteria",),
    "ingest": ("ingest",),
    "match": ("match",),
    "purge": ("purge",),
    "cohort": ("match-cohort",),
    "feasibility": ("feasibility",),
    "models": ("models",),
    "agents": ("mcp",),
    "pathways": ("pathways",),
    "registry": ("registry",),
    "vocabulary": ("vocabulary",),
    "benchmark": ("benchmark",),
}
"""The modules of commands, and what they add to the program."""


def _print_version(wanted: bool) -> None:
    if wanted:
        show_text(f"trialyst {__version__}")
        raise typer.Exit()


def trialyst(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Clinical-trial intelligence on your own machine.

    Searches a local copy of ClinicalTrials.gov, or a synthetic starter registry until you have
    built one. Every command takes --json. Exit codes: 0 done, 1 no (verify) or news (watch run),
    2 wrong input, 3 not found, 4 source failed, 5 budget spent, 130 interrupted.
    """


@cache
def create_app(command: str | None = None) -> typer.Typer:
    """Give the program, or no more of it than a command needs: each option costs time."""
    app = typer.Typer(
        name="trialyst",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(
        epilog=examples(
            "trialyst search --condition melanoma --status recruiting",
            "trialyst registry sync --condition melanoma",
            "trialyst serve --port 8080",
        )
    )(trialyst)
    homes = [home for home, names in _HOMES.items() if command in names] or _HOMES
    for home in homes:
        import_module(f"trialyst.interfaces.cli.{home}").add_to(app)
    called = [each for each in app.registered_commands if _name(each) == command]
    app.registered_commands = called or app.registered_commands
    return app


def _name(command: CommandInfo) -> str | None:
    return command.name or getattr(command.callback, "__name__", None)


def main() -> None:
    """Run the command of this process and end it with the exit code."""
    # Looking for plugins of pydantic reads the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Importing makes many objects and no garbage; a search is mostly imports.
    gc.set_threshold(COLLECT_AFTER)
    _prepare_streams()
    code = run(sys.argv[1:])
    # The process ends: nothing is left to collect.
    gc.freeze()
    sys.exit(code)


def _prepare_streams() -> None:
    """Write what a terminal cannot show as `?`, and to nowhere what is closed, as by `2>&-`."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), "utf-8"))
        getattr(sys, name).reconfigure(errors="replace")


def _is_help(error: typer.TyperException) -> bool:
    # The class is not public: what a command without its arguments raises to show its help.
    return type(error).__name__ == "NoArgsIsHelpError"


def _wants_json(arguments: Sequence[str]) -> bool:
    """Say whether an error is to be JSON, even where the command line cannot be read."""
    words = [word.lower() for word in arguments]
    spelled = {"--json", "--format=json", "-fjson"}
    return not spelled.isdisjoint(words) or any(
        pair in (("--format", "json"), ("-f", "json")) for pair in pairwise(words)
    )


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code."""
    as_json = _wants_json(arguments)
    try:
        app = create_app(arguments[0] if arguments else None)
        code = app(list(arguments), prog_name="trialyst", standalone_mode=False)
    except TrialystError as error:
        return report(error, as_json=as_json, called=arguments)
    except typer.TyperException as error:
        if _is_help(error):
            note(error.format_message())
            if not arguments:
                note("To look instead of read, open the web site: trialyst serve --open")
            return InvalidInput.exit_code
        return report(usage_error(error), as_json=as_json, called=arguments)
    except OSError as error:
        if error.errno == errno.ENOSPC and error.filename is None and is_output_full():
            # Help is written by the library, which knows nothing of `show_text`.
            return lose_output(error)
        return report(system_error(error), as_json=as_json, called=arguments)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return code if isinstance(code, int) else 0
