"""The `trialyst` command: arguments in, text or one JSON value out, an exit code."""

from trialyst.interfaces.cli.starting import main

__all__ = ["main"]
