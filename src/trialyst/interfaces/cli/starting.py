"""The first thing that runs: it imports nothing heavy before it can be interrupted in peace."""

import sys

__all__ = ["INTERRUPTED", "main"]

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def main() -> None:
    """Run the command of this process; Ctrl-C ends it quietly, also while it is starting."""
    try:
        from trialyst.interfaces.cli import program

        program.main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
