"""Errors at the edge of the command line: one place that prints them and picks the exit code."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from trialyst.errors import InvalidInput, RateLimited, TrialystError, UpstreamError
from trialyst.hints import Argument, Hint, ToolWording
from trialyst.interfaces.cli.output import note, show_json
from trialyst.interfaces.cli.wording import CommandWording

__all__ = ["report", "system_error", "usage_error"]


def report(error: TrialystError, *, as_json: bool, called: Sequence[str] = ()) -> int:
    """Tell the user what went wrong and give the exit code.

    Args:
        called: the words after `trialyst`, in whose options a hint is worded.
    """
    wording = CommandWording(*called)
    if as_json:
        from trialyst.discovery.envelope import to_error_envelope

        # What asks a tool answers as the tool does.
        show_json(to_error_envelope(error, ToolWording() if wording.asks_a_tool else wording))
    else:
        from trialyst.essie.errors import EssieError

        message, hint = error.worded(wording)
        note(f"Error: {message}")
        if isinstance(error, EssieError):
            note(error.caret)
        if isinstance(error, RateLimited | UpstreamError) and wording.takes("source"):
            hint = f"{hint} Or use --source local, or starter if nothing is on this machine yet."
        if hint:
            note(f"Hint: {hint}")
    return error.exit_code


def usage_error(error: typer.TyperException) -> InvalidInput:
    """Give a wrong call of a command as an error of ours."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "trialyst"
    see = f"See `{command} --help` for how to call it."
    if meant := _meant(error):
        hint = Hint("Use {meant} for it. {see}", meant=Argument(meant), see=see)
        return InvalidInput(getattr(error, "message", str(error)), hint=hint)
    return InvalidInput(error.format_message().rstrip("."), hint=see)


def _meant(error: typer.TyperException) -> str | None:
    """Give the argument that an unknown option is another name of, where the command has it."""
    from trialyst.questions.arguments import ALIASES

    option, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    meant = ALIASES.get(option.lstrip("-").replace("-", "_")) if option else None
    declared = [each.name for each in context.command.params] if context else []
    return meant if meant in declared else None


def system_error(error: OSError) -> TrialystError:
    """Give what the file system refused as an error of ours."""
    return TrialystError(
        f"The system refused: {error}",
        hint="Check that the directory exists, may be written and has room; TRIALYST_HOME names "
        "another.",
    )
