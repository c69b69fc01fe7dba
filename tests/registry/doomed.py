"""A build in a process of its own that can be told to die: `python -m tests.registry.doomed JSON`.

Prints a line `read N` for each step and the report at the end. With `die_at`, an operation, a file
name's beginning and which time, it kills itself as `kill -9` would just before that operation.
Without `input` it upgrades the registry from its own records.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.shipped import shipped_vocabulary
from trialyst.registry import (
    BuildProgress,
    BuildReport,
    UpgradeReport,
    build_registry,
    upgrade_registry,
)


def die_before(
    operation: str, name: str, time: int, *, by: signal.Signals = signal.SIGKILL
) -> None:
    """Watch file operations through the interpreter's audit events, and die at one of them."""
    seen = 0

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal seen
        if event == operation and Path(str(args[0])).name.startswith(name):
            seen += 1
            if seen == time:
                os.kill(os.getpid(), by)

    sys.addaudithook(hook)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tell(progress: BuildProgress) -> None:
    say(f"read {progress.records}")


def main(order: dict[str, Any]) -> None:
    if "die_at" in order:
        die_before(*order["die_at"])
    say(json.dumps(asdict(_run(order))))


def _run(order: dict[str, Any]) -> BuildReport | UpgradeReport:
    directory, every = Path(order["directory"]), order["checkpoint_every"]
    if "input" in order:
        return build_registry([order["input"]], directory, progress=tell, checkpoint_every=every)
    names = shipped_vocabulary()
    return upgrade_registry(directory, vocabulary=names, progress=tell, checkpoint_every=every)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
