"""Run directories: what a match searched, judged and reported, kept as it goes.

A directory is named by its inputs, so the same match finds its own again. Only its owner may read
it; the note is in it only where the user asked for that, else its hash and the cited sentences.
Times stand in the summary of costs alone, so equal runs leave equal files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from pydantic import ValidationError

from trialyst.errors import InvalidInput
from trialyst.hints import Hint
from trialyst.locks import try_lock
from trialyst.matching.prescreen.candidates import PresearchResult
from trialyst.matching.prescreen.planning import WORDS
from trialyst.matching.report import MatchedTrial
from trialyst.paging import digest

if TYPE_CHECKING:
    from trialyst.matching.judging.model import RawAnswer
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.report import MatchReport

__all__ = ["RunDirectory", "hash_note", "to_run_id", "without_words"]

CONFIG = "config.json"
SEARCH = "prescreen.json"
RESULTS = "results.jsonl"
REPORT = "report.json"
SENTENCES = "sentences.json"
NOTE = "note.txt"
ANSWERS = "answers.jsonl"
COSTS = "cost_summary.json"

_OWNER_ONLY = 0o700
_TIMED = {"__all__": {"latency_seconds"}}
_UNTIMED_TRIAL: Any = {"assessment": {"results": _TIMED, "deciding": _TIMED, "to_confirm": _TIMED}}
_UNTIMED_SEARCH: Any = {"tool_call_trace": {"__all__": {"latency_ms"}}}


def without_words(found: PresearchResult) -> PresearchResult:
    """Leave out which words of the note were searched for: a note may name anybody."""
    words = f"{WORDS}:"

    def clear(text: str) -> str:
        return WORDS if text.startswith(words) else text

    candidates = tuple(
        each.model_copy(update={"found_by_query": tuple(map(clear, each.found_by_query))})
        for each in found.candidates
    )
    trace = tuple(
        call.model_copy(
            update={
                "args": {
                    name: clear(value) if isinstance(value, str) else value
                    for name, value in call.args.items()
                }
            }
        )
        for call in found.tool_call_trace
    )
    return found.model_copy(update={"candidates": candidates, "tool_call_trace": trace})


def to_run_id(config: Mapping[str, Any]) -> str:
    """Name a run by everything that decides its result."""
    return f"match-{digest(config)}"


class RunDirectory:
    """The directory of one run; see `Keeping`.

    Once it cannot be written any more, `problem` says why and nothing more is kept: an answer is
    worth more than its trace.
    """

    def __init__(self, runs: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.run_id = to_run_id(config)
        self.path = runs / self.run_id
        self.problem: str | None = None
        self._seconds: dict[str, float] = {}
        self._searches: list[dict[str, Any]] = []
        self._lock: int | None = None
        try:
            runs.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
            self.path.mkdir(mode=_OWNER_ONLY, exist_ok=True)
            self.path.chmod(_OWNER_ONLY)
            self._take()
            self._begin(config, resume=resume)
        except OSError as problem:
            self.close()
            raise InvalidInput(
                f"The run cannot be kept in {str(self.path)!r}: {problem.strerror}",
                hint="Name another directory with TRIALYST_HOME, or make room in this one.",
                invalid_input=str(runs),
            ) from problem
        except InvalidInput:
            self.close()
            raise

    def _take(self) -> None:
        """Be the only one that writes here: a second run would drop what the first has kept."""
        self._lock = os.open(self.path, os.O_RDONLY)
        # Where the file system has no locks, the run is worth more than the guard.
        with contextlib.suppress(OSError):
            if not try_lock(self._lock):
                raise InvalidInput(
                    f"Another process is doing this very run, in {str(self.path)!r}",
                    hint=Hint(
                        "Wait until it has ended, or end it; then go on with {resume}, which keeps "
                        "what it judged."
                    ),
                    invalid_input=str(self.path),
                )

    def _begin(self, config: Mapping[str, Any], *, resume: bool) -> None:
        if resume:
            self._check_config(config)
            self._load_times()
        else:
            self._drop_all()
        self._write(CONFIG, _pretty(config))

    def close(self) -> None:
        """Let another process go on with this run."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _check_config(self, config: Mapping[str, Any]) -> None:
        file = self.path / CONFIG
        if file.exists() and file.read_bytes() != _pretty(config):
            raise InvalidInput(
                f"The directory {str(self.path)!r} holds a run of other inputs",
                hint=Hint("Run without {resume} to begin anew."),
                invalid_input=str(self.path),
            )

    def _load_times(self) -> None:
        try:
            held = json.loads((self.path / COSTS).read_bytes())
            self._seconds = dict(held["judging_seconds"])
            self._searches = list(held["searches"])
        except (OSError, ValueError, LookupError, TypeError):
            # Only how long an interrupted part took is lost.
            return

    def _drop_all(self) -> None:
        for name in (SEARCH, RESULTS, REPORT, SENTENCES, NOTE, COSTS, ANSWERS):
            (self.path / name).unlink(missing_ok=True)

    def kept(self) -> Sequence[MatchedTrial]:
        """Give what an interrupted run kept; a line cut off by a crash is judged again.

        Of a trial that was judged anew the later line counts.
        """
        file = self.path / RESULTS
        lines = file.read_bytes().splitlines() if file.exists() else []
        kept: dict[str, MatchedTrial] = {}
        for line in lines:
            try:
                trial = MatchedTrial.model_validate_json(line)
            except ValidationError:
                break
            kept[trial.nct_id] = trial
        trials = list(kept.values())
        if len(trials) < len(lines):
            self._attempt(lambda: self._write(RESULTS, b"".join(_lines_of(trials))))
        return trials

    def keep(self, trials: Sequence[MatchedTrial]) -> None:
        """Add judged trials, so that a crash loses none of them."""
        for trial in trials:
            seconds = sum(result.latency_seconds for result in trial.assessment.results)
            self._seconds[trial.nct_id] = round(seconds, 6)

        def write() -> None:
            self._write(COSTS, _pretty(self._costs({})))
            with self._open(RESULTS, os.O_APPEND) as file:
                file.write(b"".join(_lines_of(trials)))
                file.flush()
                os.fsync(file.fileno())

        self._attempt(write)

    def keep_answers(self, answers: Sequence[RawAnswer]) -> None:
        """Add what models wrote, word for word, so that an odd verdict can be looked up."""
        if not answers:
            return
        lines = b"".join(
            json.dumps(asdict(each), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
            for each in answers
        )

        def write() -> None:
            with self._open(ANSWERS, os.O_APPEND) as file:
                file.write(lines)

        self._attempt(write)

    def kept_search(self) -> PresearchResult | None:
        """Give what an interrupted run found, if it came so far."""
        try:
            return PresearchResult.model_validate_json((self.path / SEARCH).read_bytes())
        except (OSError, ValidationError):
            return None

    def keep_search(self, found: PresearchResult) -> None:
        """Keep the trace of the search."""
        self._searches = [
            {"call_index": call.call_index, "latency_ms": call.latency_ms}
            for call in found.tool_call_trace
        ]
        values = found.model_dump(mode="json", exclude_none=True, exclude=_UNTIMED_SEARCH)
        self._attempt(lambda: self._write(SEARCH, _pretty(values)))

    def keep_note(self, profile: PatientProfile) -> None:
        """Keep the note itself, which only a user's own wish allows."""
        self._attempt(lambda: self._write(NOTE, profile.note.text.encode()))

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
        costs = self._costs(values.pop("costs"))

        def write() -> None:
            self._write(COSTS, _pretty(costs))
            self._write(SENTENCES, _pretty(sentences))
            self._write(REPORT, _pretty(values))

        self._attempt(write)

    def _costs(self, costs: Mapping[str, Any]) -> dict[str, Any]:
        return {**costs, "searches": self._searches, "judging_seconds": self._seconds}

    def _attempt(self, write: Callable[[], None]) -> None:
        if self.problem is None:
            try:
                write()
            except OSError as problem:
                self.problem = problem.strerror or str(problem)

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


def _lines_of(trials: Sequence[MatchedTrial]) -> list[bytes]:
    """Give one line of JSON a trial."""
    return [
        trial.model_dump_json(exclude_none=True, exclude=_UNTIMED_TRIAL).encode() + b"\n"
        for trial in trials
    ]


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=1) + b"\n"
