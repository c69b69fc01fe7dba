"""The directory of a cohort job: parts as they are done, then the whole, byte for byte the same.

Every file is written aside and renamed, so that a job that was killed at any moment goes on from
its last part. Only its owner may read it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst.errors import InvalidInput
from trialyst.locks import try_lock
from trialyst.scale.columns import need_parquet

if TYPE_CHECKING:
    from trialyst.scale.matcher import MatchedPart

__all__ = ["CANDIDATES_FILE", "PATIENTS_FILE", "SUMMARY_FILE", "JobDirectory", "write_whole"]

CONFIG_FILE = "config.json"
CANDIDATES_FILE = "candidates.parquet"
PATIENTS_FILE = "patients.parquet"
SUMMARY_FILE = "summary.json"
_PARTS = "parts"
_OWNER_ONLY = 0o700


class JobDirectory:
    """One job's directory, held by one process at a time."""

    def __init__(self, path: Path, config: Mapping[str, Any]) -> None:
        """Take a directory, new or of the same job.

        Raises:
            InvalidInput: it holds another job, or somebody else's files, or is in use.
        """
        self.path = path
        self._lock: int | None = None
        try:
            path.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
            known = self._config()
            if known is None and any(path.iterdir()):
                raise _refusal(path, "is not empty and holds no cohort job")
            if known is not None and known != json.loads(json.dumps(config)):
                raise _refusal(path, f"holds another job: {_difference(known, config)}")
            path.chmod(_OWNER_ONLY)
            self._take()
            (path / _PARTS).mkdir(exist_ok=True)
            if known is None:
                write_whole(path / CONFIG_FILE, _to_json(config))
        except OSError as problem:
            self.close()
            raise InvalidInput(
                f"The directory {str(path)!r} cannot be written: {problem.strerror}",
                hint="Name another directory, or make room in this one.",
                invalid_input=str(path),
            ) from problem

    def _config(self) -> Any:
        try:
            return json.loads((self.path / CONFIG_FILE).read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    def _take(self) -> None:
        self._lock = os.open(self.path, os.O_RDONLY)
        # Where the file system has no locks, the job is worth more than the guard.
        with contextlib.suppress(OSError):
            if not try_lock(self._lock):
                self.close()
                raise _refusal(self.path, "is being written by another process")

    def close(self) -> None:
        """Let others write here."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def is_whole(self) -> bool:
        """Whether the job is done."""
        return (self.path / SUMMARY_FILE).exists()

    def has(self, number: int) -> bool:
        """Whether a part is done."""
        return self._part(number, PATIENTS_FILE).exists()

    def keep(self, part: MatchedPart) -> None:
        """Keep a part; its table of patients, written last, says that it is whole."""
        write_whole(self._part(part.number, CANDIDATES_FILE), part.candidates)
        write_whole(self._part(part.number, PATIENTS_FILE), part.patients)

    def _part(self, number: int, name: str) -> Path:
        return self.path / _PARTS / f"{number:07}-{name}"

    def counts(self, number: int) -> tuple[int, int]:
        """Give how many patients of a part were matched, and how many rows were bad."""
        arrow = need_parquet()
        errors = arrow.parquet.read_table(
            self._part(number, PATIENTS_FILE), columns=["error"]
        ).column(0)
        return errors.null_count, len(errors) - errors.null_count

    def join(self, name: str, parts: int) -> None:
        """Write the parts of a table as one file, a part a group."""
        arrow = need_parquet()
        target = self.path / name
        aside = target.with_suffix(".writing")
        writer = None
        try:
            for number in range(parts):
                table = arrow.parquet.read_table(self._part(number, name))
                if writer is None:
                    writer = arrow.parquet.ParquetWriter(aside, table.schema, compression="zstd")
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()
        if writer is not None:
            aside.replace(target)

    def iter_rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a joined table."""
        arrow = need_parquet()
        if not (self.path / name).exists():
            return
        with arrow.parquet.ParquetFile(self.path / name) as opened:
            for batch in opened.iter_batches():
                yield from batch.to_pylist()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Say that the job is whole, and drop its parts."""
        write_whole(self.path / SUMMARY_FILE, _to_json(summary))
        shutil.rmtree(self.path / _PARTS, ignore_errors=True)

    def summary(self) -> dict[str, Any]:
        """Give what a whole job came to."""
        found: dict[str, Any] = json.loads((self.path / SUMMARY_FILE).read_text("utf-8"))
        return found


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is either whole or not there."""
    aside = path.with_name(f"{path.name}.writing")
    with aside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    aside.replace(path)


def _to_json(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode()


def _difference(known: Any, config: Mapping[str, Any]) -> str:
    told = known if isinstance(known, dict) else {}
    names = [name for name in config if told.get(name) != config[name]]
    return f"its {', '.join(names)} was other" if names else "it was made by another version"


def _refusal(path: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"The directory {str(path)!r} {why}",
        hint="Name another directory, or remove this one.",
        invalid_input=str(path),
    )
