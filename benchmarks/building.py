"""Builds a registry in a process of its own, so that its memory can be watched.

Run as `python -m benchmarks.building DIRECTORY PATH...`; prints the seconds as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from trialyst.registry import build_registry

__all__ = ["main"]


def main(arguments: list[str]) -> None:
    """Build from nothing and print how long it took."""
    directory, *paths = map(Path, arguments)
    began = time.perf_counter()
    report = build_registry(paths, directory)
    print(json.dumps({"seconds": time.perf_counter() - began, "report": str(report)}))


if __name__ == "__main__":
    main(sys.argv[1:])
