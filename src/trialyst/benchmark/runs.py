"""Run directories: what a benchmark run judged, kept row by row and written out when done.

A run is named by what decides its result, so the same run finds its own directory again and goes
on where it was killed. `config.json`, `results.json`, `metrics.json` and `audit_table.md` hold no
time; `cost_summary.json` holds what a repetition may change.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from trialyst.benchmark.judges import Judged
from trialyst.errors import InvalidInput, NotFound
from trialyst.hints import Hint
from trialyst.paging import digest

__all__ = [
    "Interrupted",
    "Kept",
    "LoadedRun",
    "RunFiles",
    "RunStore",
    "Spent",
    "load_run",
    "to_run_id",
]

CONFIG, RESULTS, METRICS = "config.json", "results.json", "metrics.json"
COSTS, AUDIT = "cost_summary.json", "audit_table.md"
PROGRESS, SPENT = "progress.jsonl", "spent.json"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run used so far, failed and repeated calls too."""

    calls: int = 0
    usd: float = 0.0
    unpriced_calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Kept:
    """A row that was judged, by its place in the sample, and what the run had used by then."""

    index: int
    judged: Judged
    spent: Spent


@dataclass(frozen=True, slots=True)
class Interrupted:
    """What an earlier, interrupted run left: nothing where there was none."""

    kept: tuple[Kept, ...] = ()
    spent: Spent = Spent()


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What a finished run leaves."""

    results: Mapping[str, Any]
    metrics: Mapping[str, Any]
    costs: Mapping[str, Any]
    audit: str


@cache
def _kept_reader() -> TypeAdapter[Kept]:
    return TypeAdapter(Kept)


@cache
def _spent_reader() -> TypeAdapter[Spent]:
    return TypeAdapter(Spent)


def to_run_id(model: str, decides: Mapping[str, Any]) -> str:
    """Name a run by its model and a digest of all that decides its result."""
    plain = re.sub(r"[^a-z0-9.]+", "-", model.lower()).strip("-")[:60]
    return f"phase0-{plain}-{digest(decides)}"


class RunStore:
    """The directory of one run; only its owner may read it."""

    def __init__(self, output: Path, run_id: str) -> None:
        self.run_id = run_id
        self.path = output / run_id
        self._progress: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the run was finished."""
        return (self.path / COSTS).is_file() and not (self.path / PROGRESS).exists()

    def begin(self, config: Mapping[str, Any], *, fresh: bool) -> Interrupted:
        """Make the directory, and give what an interrupted run left there.

        Raises:
            InvalidInput: the directory cannot be made, or another process works on the run.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            self._progress = os.open(self.path / PROGRESS, flags, 0o600)
            fcntl.flock(self._progress, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise InvalidInput(
                f"Another process is at work on the run {self.run_id}",
                hint="Wait until it has ended.",
            ) from None
        except OSError as problem:
            raise InvalidInput(
                f"The run cannot be kept in {str(self.path)!r}: {problem.strerror}",
                hint="Name another directory as `output`, or make room in this one.",
                invalid_input=str(self.path),
            ) from problem
        if fresh:
            os.ftruncate(self._progress, 0)
            (self.path / SPENT).unlink(missing_ok=True)
        for name in (RESULTS, METRICS, COSTS, AUDIT):
            (self.path / name).unlink(missing_ok=True)
        self._write(CONFIG, _pretty(config))
        kept, whole = self._load_kept()
        os.ftruncate(self._progress, whole)
        return Interrupted(kept, self._load_spent(kept))

    def count_kept(self) -> frozenset[int]:
        """Give the places of the rows an interrupted run has judged; changes nothing."""
        return frozenset(each.index for each in self._load_kept()[0])

    def keep(self, rows: Sequence[Kept]) -> None:
        """Add judged rows, so that a crash loses none of them."""
        assert self._progress is not None
        lines = (_kept_reader().dump_json(row) + b"\n" for row in rows)
        os.write(self._progress, b"".join(lines))
        os.fsync(self._progress)

    def keep_spent(self, spent: Spent) -> None:
        """Remember what was used, also for rows that came to nothing."""
        self._write(SPENT, _spent_reader().dump_json(spent))

    def finish(self, files: RunFiles) -> None:
        """Write out the whole run; until the last file stands it counts as interrupted."""
        self._write(RESULTS, _pretty(files.results))
        self._write(METRICS, _pretty(files.metrics))
        self._write(AUDIT, files.audit.encode())
        self._write(COSTS, _pretty(files.costs))
        (self.path / SPENT).unlink(missing_ok=True)
        (self.path / PROGRESS).unlink()

    def close(self) -> None:
        """Let others at the run."""
        if self._progress is not None:
            os.close(self._progress)
            self._progress = None

    def _load_kept(self) -> tuple[tuple[Kept, ...], int]:
        """Give the rows that were kept, and how many bytes of the file are whole lines.

        A line cut off by a crash is judged again.
        """
        path = self.path / PROGRESS
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        kept: list[Kept] = []
        whole = 0
        for line in lines:
            try:
                kept.append(_kept_reader().validate_json(line))
            except ValidationError:
                break
            whole += len(line)
        return tuple(kept), whole

    def _load_spent(self, kept: Sequence[Kept]) -> Spent:
        """Give what was used; a run that was killed told it with its last row."""
        told = [kept[-1].spent] if kept else [Spent()]
        with contextlib.suppress(FileNotFoundError, ValidationError):
            told.append(_spent_reader().validate_json((self.path / SPENT).read_bytes()))
        return max(told, key=lambda spent: (spent.calls, spent.usd))

    def _write(self, name: str, content: bytes) -> None:
        aside = self.path / f"{name}.new"
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode=0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        aside.replace(self.path / name)


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A finished run read from its directory."""

    path: Path
    results: dict[str, Any]
    metrics: dict[str, Any]

    @property
    def model(self) -> str:
        """Who judged."""
        return str(self.results["model"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """What was said of each row."""
        rows: list[dict[str, Any]] = self.results["results"]
        return rows

    def load_costs(self) -> dict[str, Any]:
        """Read what the run took."""
        costs: dict[str, Any] = json.loads((self.path / COSTS).read_bytes())
        return costs


def load_run(path: Path) -> LoadedRun:
    """Read a finished run from its directory.

    Raises:
        NotFound: there is no such directory, or the run in it was not finished.
        InvalidInput: a file in it is damaged.
    """
    if not (path / METRICS).is_file() or (path / PROGRESS).exists():
        state = "was not finished" if path.is_dir() else "does not exist"
        raise NotFound(
            f"The run {str(path)!r} {state}",
            hint="Give the directory of a run, which the benchmark names when it ends.",
            invalid_input=str(path),
        )
    try:
        results, metrics = (json.loads((path / name).read_bytes()) for name in (RESULTS, METRICS))
        loaded = LoadedRun(path, results, metrics)
        _ = loaded.model, [(row["verdict"], row["expert_verdict"]) for row in loaded.rows]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InvalidInput(
            f"The run {str(path)!r} cannot be read: {problem}",
            hint=Hint("Run the benchmark again with {fresh}."),
            invalid_input=str(path),
        ) from None
    return loaded


def _pretty(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n").encode()
