"""What a run says: the machine, rows of times beside the rival's, figures beside their targets."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.race import Times

__all__ = ["Report", "machine_facts"]

_HEADING = (
    f"{'':46}{'ours ms':>18}{'FTS5 ms':>20}{'':>8}{'median hits':>18}\n"
    f"{'':46}{'median':>9}{'p95':>9}{'median':>11}{'p95':>9}{'ratio':>8}{'ours':>9}{'FTS5':>9}"
)
_VERDICTS = {None: "", True: "PASS", False: "MISS"}


@dataclass(slots=True)
class Report:
    """Prints as it is filled, and keeps everything for the JSON file."""

    facts: dict[str, str]
    rows: list[dict[str, Any]] = field(default_factory=list)
    figures: list[dict[str, Any]] = field(default_factory=list)

    def start_section(self, title: str, *, timed: bool = False) -> None:
        print(f"\n{title}")
        if timed:
            print(_HEADING)

    def add_times(self, name: str, ours: Times, rival: Times | None = None) -> None:
        """Show a set of questions; the ratio says how many times faster we are."""
        row: dict[str, Any] = {"name": name, "calls": len(ours.milliseconds)}
        row |= {"ours": [ours.median, ours.p95], "hits": ours.median_hits}
        text = f"  {name:44}{ours.median:9.2f}{ours.p95:9.2f}"
        if rival:
            ratio = rival.median / ours.median
            row |= {"fts5": [rival.median, rival.p95], "fts5_hits": rival.median_hits}
            row["ratio"] = ratio
            text += f"{rival.median:11.2f}{rival.p95:9.2f}{ratio:7.2f}x"
            text += f"{ours.median_hits:9,}{rival.median_hits:9,}"
        else:
            text += f"{'':28}{ours.median_hits:9,}"
        print(text, flush=True)
        self.rows.append(row)

    def add_figure(
        self,
        name: str,
        value: float | None,
        unit: str,
        *,
        below: float | None = None,
        at_least: float | None = None,
    ) -> None:
        """Show one figure with its target, if it has one, and whether it was met."""
        target, met = _judge(value, below=below, at_least=at_least)
        shown = "unknown" if value is None else f"{value:,.2f} {unit}"
        print(f"  {name:60}{shown:>22}  {target:14} {_VERDICTS[met]}".rstrip(), flush=True)
        figure = {"name": name, "value": value, "unit": unit, "target": target, "met": met}
        self.figures.append(figure)

    @property
    def missed(self) -> int:
        return sum(figure["met"] is False for figure in self.figures)

    def to_json(self) -> dict[str, Any]:
        return {"machine": self.facts, "times": self.rows, "figures": self.figures}


def _judge(
    value: float | None, *, below: float | None, at_least: float | None
) -> tuple[str, bool | None]:
    if below is not None:
        return f"< {below:,g}", None if value is None else value < below
    if at_least is not None:
        return f">= {at_least:,g}", None if value is None else value >= at_least
    return "", None


def machine_facts() -> dict[str, str]:
    """Name what the figures depend on."""
    return {
        "command": " ".join(["python", *sys.argv]),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": _memory(),
        "load": ", ".join(f"{load:.1f}" for load in os.getloadavg()),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **dict(_packages()),
    }


def _packages() -> Iterator[tuple[str, str]]:
    for name in ("trialyst", "tantivy", "msgspec", "starlette", "uvicorn", "zstandard"):
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, "not installed"


def _processor() -> str:
    return _first_line(Path("/proc/cpuinfo"), "model name") or platform.processor()


def _memory() -> str:
    return _first_line(Path("/proc/meminfo"), "MemTotal") or "unknown"


def _first_line(path: Path, key: str) -> str:
    if not path.exists():
        return ""
    found = (line for line in path.read_text().splitlines() if line.startswith(key))
    return next(found, "").partition(":")[2].strip()
