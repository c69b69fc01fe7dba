"""A build in a process of its own that can be told to die: `python -m tests.registry.doomed JSON`.

Prints a line `read N` for each step and the report at the end. With `die_at`, an operation, a file
name's beginning and which time, it kills itself as `kill -9` would just before that operation.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trialyst.registry import BuildProgress, build_registry


def die_before(operation: str, name: str, time: int) -> None:
    """Watch file operations through the interpreter's audit events, and die at one of them."""
    seen = 0

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal seen
        if event == operation and Path(str(args[0])).name.startswith(name):
            seen += 1
            if seen == time:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tell(progress: BuildProgress) -> None:
    say(f"read {progress.records}")


def main(order: dict[str, Any]) -> None:
    directory = order["directory"]
    if "die_at" in order:
        die_before(*order["die_at"])
    report = build_registry(
        [order["input"]],
        Path(directory),
        progress=tell,
        checkpoint_every=order["checkpoint_every"],
    )
    say(json.dumps(asdict(report)))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
