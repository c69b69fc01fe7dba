"""Run directories: what a match searched, judged and reported, kept as it goes.

A directory is named by its inputs, so the same match finds its own again. Only its owner may read
it; the note is in it only where the user asked for that, else its hash and the cited sentences.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from trialyst.errors import InvalidInput
from trialyst.matching.report import MatchedTrial
from trialyst.paging import digest

if TYPE_CHECKING:
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.prescreen.candidates import PresearchResult
    from trialyst.matching.report import MatchReport

__all__ = ["RunDirectory", "hash_note", "to_run_id"]

CONFIG = "config.json"
SEARCH = "prescreen.json"
RESULTS = "results.jsonl"
REPORT = "report.json"
SENTENCES = "sentences.json"
NOTE = "note.txt"
COSTS = "cost_summary.json"


def to_run_id(config: Mapping[str, Any]) -> str:
    """Name a run by everything that decides its result."""
    return f"match-{digest(config)}"


class RunDirectory:
    """The directory of one run; see `Keeping`."""

    def __init__(self, runs: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.run_id = to_run_id(config)
        self.path = runs / self.run_id
        try:
            runs.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.mkdir(mode=0o700, exist_ok=True)
        except OSError as problem:
            raise InvalidInput(
                f"The run cannot be kept in {str(self.path)!r}: {problem.strerror}",
                hint="Name another directory, or make room in this one.",
                invalid_input=str(runs),
            ) from problem
        if not resume:
            self._drop_all()
        self._write(CONFIG, _pretty(config))

    def _drop_all(self) -> None:
        for name in (SEARCH, RESULTS, REPORT, SENTENCES, NOTE, COSTS):
            (self.path / name).unlink(missing_ok=True)

    def kept(self) -> Sequence[MatchedTrial]:
        """Give what an interrupted run kept; a line cut off by a crash is judged again."""
        file = self.path / RESULTS
        lines = file.read_bytes().splitlines() if file.exists() else []
        kept: list[MatchedTrial] = []
        for line in lines:
            try:
                kept.append(MatchedTrial.model_validate_json(line))
            except ValidationError:
                break
        if len(kept) < len(lines):
            self._write(RESULTS, b"".join(lines_of(kept)))
        return kept

    def keep(self, trials: Sequence[MatchedTrial]) -> None:
        """Add judged trials, so that a crash loses none of them."""
        with self._open(RESULTS, os.O_APPEND) as file:
            file.write(b"".join(lines_of(trials)))
            file.flush()
            os.fsync(file.fileno())

    def keep_search(self, found: PresearchResult) -> None:
        """Keep the trace of the search."""
        self._write(SEARCH, _pretty(found.model_dump(mode="json", exclude_none=True)))

    def keep_note(self, profile: PatientProfile) -> None:
        """Keep the note itself, which only a user's own wish allows."""
        self._write(NOTE, profile.note.text.encode())

    def keep_report(self, report: MatchReport, profile: PatientProfile) -> None:
        """Keep the report, the sentences it cites, and apart from them what it cost."""
        cited = {
            number
            for trial in report.trials
            for result in trial.assessment.results
            for number in result.sentences
        }
        sentences = {
            str(each.number): each.text for each in profile.note.sentences if each.number in cited
        }
        values = report.to_dict()
        self._write(COSTS, _pretty(values.pop("costs")))
        self._write(SENTENCES, _pretty(sentences))
        self._write(REPORT, _pretty(values))

    def _write(self, name: str, content: bytes) -> None:
        aside = f"{name}.new"
        with self._open(aside, os.O_TRUNC) as file:
            file.write(content)
        (self.path / aside).replace(self.path / name)

    def _open(self, name: str, how: int) -> Any:
        flags = os.O_WRONLY | os.O_CREAT | how
        return os.fdopen(os.open(self.path / name, flags, mode=0o600), "wb")


def hash_note(text: str) -> str:
    """Give the hash by which a run remembers its note."""
    return hashlib.sha256(text.encode()).hexdigest()


def lines_of(trials: Sequence[MatchedTrial]) -> list[bytes]:
    """Give one line of JSON a trial."""
    return [trial.model_dump_json(exclude_none=True).encode() + b"\n" for trial in trials]


def _pretty(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n").encode()
