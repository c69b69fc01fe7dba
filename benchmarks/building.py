"""Builds a registry in a process of its own, so that its memory can be watched.

Run as `python -m benchmarks.building DIRECTORY PATH...`; prints the seconds as JSON, by the clock
and of processor.
"""

from __future__ import annotations

import json
import os
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
    seconds = time.perf_counter() - began
    # The children are done and waited for: what they used is known by now.
    used = sum(os.times()[:4])
    print(json.dumps({"seconds": seconds, "processor": used, "report": str(report)}))


if __name__ == "__main__":
    main(sys.argv[1:])
