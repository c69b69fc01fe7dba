"""The sections of the benchmark and their targets, in the order they run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median

from benchmarks.fts5 import Rival, build_rival
from benchmarks.memory import Memory, PeakMemory
from benchmarks.ours import Ours, to_params, to_query
from benchmarks.questions import BROAD, THREE_WORDS, Question, build_questions
from benchmarks.race import Times, race, take_times
from benchmarks.records import Made, default_data, make_records
from benchmarks.report import Report
from benchmarks.serving import Server, time_cold_search
from trialyst.ctgov.query import TrialQuery
from trialyst.essie import parse

__all__ = ["SECTIONS", "Bench"]

MEGABYTE = 1e6
COLD_RUNS = 10
_EXACTNESS = (
    "EXPANSION[Relaxation]",
    "EXPANSION[Concept]",
    "EXPANSION[Term]",
    "EXPANSION[None]",
    "COVERAGE[Contains]",
    "COVERAGE[StartsWith]",
    "COVERAGE[EndsWith]",
    "COVERAGE[FullMatch]",
    "EXPANSION[None] COVERAGE[FullMatch]",
)


@dataclass
class Bench:
    """One run: where everything lies, and the report it fills."""

    work: Path
    records: int
    report: Report

    @cached_property
    def made(self) -> Made:
        return make_records(default_data(), self.work, count=self.records)

    @property
    def paths(self) -> list[Path]:
        return [self.work / "records" / name for name in self.made.files]

    @property
    def registry(self) -> Path:
        return self.work / "registry"

    @property
    def database(self) -> Path:
        return self.work / "fts5.db"

    @cached_property
    def questions(self) -> Mapping[str, Sequence[Question]]:
        sets = build_questions(self.paths)
        return {name: questions for name, questions in sets.items() if questions}

    @cached_property
    def ours(self) -> Ours:
        return Ours(self.registry)

    @cached_property
    def rival(self) -> Rival:
        return Rival(self.database)

    def require_built(self) -> None:
        """Refuse to compare engines that hold other records than these."""
        note = self.work / "built.json"
        if not note.exists() or json.loads(note.read_text()) != self.records:
            raise SystemExit(f"{self.work} holds no build of {self.records:,} records: build first")

    def note_built(self) -> None:
        (self.work / "built.json").write_text(json.dumps(self.records))


def run_ingest(bench: Bench) -> None:
    """Build both engines from the files, each from nothing and alone."""
    (bench.work / "built.json").unlink(missing_ok=True)
    made, report = bench.made, bench.report
    report.start_section(f"Ingest: {made.count:,} records, {made.mean_bytes:,.0f} bytes on average")
    # What others wrote before is not for either to wait for.
    os.sync()
    taken, peak = _build_ours(bench)
    report.add_figure(
        "records/s, JSON lines to searchable", made.count / taken["seconds"], "/s", at_least=1500
    )
    _add_processor(report, "processor time a record", taken["processor"] / made.count)
    _add_memory(report, "peak memory of building", peak, below=2500)
    report.add_figure("size on disk", _size(bench.registry) / MEGABYTE, "MB")
    os.sync()
    began, used = time.perf_counter(), time.process_time()
    build_rival(bench.paths, bench.database)
    report.add_figure("FTS5 records/s", made.count / (time.perf_counter() - began), "/s")
    used = time.process_time() - used
    _add_processor(report, "FTS5 processor time a record", used / made.count)
    report.add_figure("FTS5 size on disk", bench.database.stat().st_size / MEGABYTE, "MB")
    bench.note_built()


def _add_processor(report: Report, name: str, seconds: float) -> None:
    report.add_figure(name, seconds * 1000, "ms")


def _build_ours(bench: Bench) -> tuple[dict[str, float], Memory | None]:
    shutil.rmtree(bench.registry, ignore_errors=True)
    command = [sys.executable, "-m", "benchmarks.building", str(bench.registry)]
    process = subprocess.Popen(
        [*command, *map(str, bench.paths)],
        cwd=Path(__file__).resolve().parents[1],
        stdout=subprocess.PIPE,
        text=True,
    )
    with PeakMemory(process.pid) as watched:
        output, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"building ended with exit code {process.returncode}")
    return json.loads(output.splitlines()[-1]), watched.peak


def _add_memory(report: Report, name: str, memory: Memory | None, *, below: float) -> None:
    resident = memory.resident / MEGABYTE if memory else None
    private = memory.private / MEGABYTE if memory else None
    report.add_figure(name, resident, "MB", below=below)
    report.add_figure(f"{name}, without mapped files", private, "MB")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def run_queries(bench: Bench) -> None:
    """Ask both engines everything, top 50 and exact total."""
    report, ours, rival = bench.report, bench.ours, bench.rival
    report.start_section("Queries: top 50 and exact total", timed=True)
    taken: dict[str, tuple[Times, Times]] = {}
    for name, questions in bench.questions.items():
        taken[name] = _compare(
            bench, name, questions, lambda q: ours.search(q).total, lambda q: rival.search(q).total
        )
    words = bench.questions["1 broad word"]
    _compare(
        bench,
        "counts by status",
        words,
        lambda q: sum(ours.count_by_status(q).values()),
        lambda q: sum(rival.count_by_status(q).values()),
    )
    _compare(
        bench,
        "50 whole records, with the search (hits: KB)",
        words,
        lambda q: ours.fetch(ours.search(q).numbers) // 1000,
        lambda q: rival.fetch(rival.search(q).numbers) // 1000,
    )
    _add_targets(report, taken)


def _compare(
    bench: Bench,
    name: str,
    questions: Sequence[Question],
    ours: Callable[[Question], int],
    rival: Callable[[Question], int],
) -> tuple[Times, Times]:
    times = race(questions, {"ours": ours, "fts5": rival})
    bench.report.add_times(name, times["ours"], times["fts5"])
    return times["ours"], times["fts5"]


def _add_targets(report: Report, taken: Mapping[str, tuple[Times, Times]]) -> None:
    report.start_section("Query targets")
    three_words = _pool([taken[name][0] for name in THREE_WORDS])
    report.add_figure("3 words, all: median", three_words.median, "ms", below=10)
    report.add_figure("3 words, all: 95th percentile", three_words.p95, "ms", below=40)
    for name in BROAD:
        ours, rival = taken[name]
        ratio = rival.median / ours.median
        report.add_figure(f"{name}: times faster than FTS5", ratio, "x", at_least=5)


def _pool(parts: Sequence[Times]) -> Times:
    return sum(parts[1:], start=parts[0])


def run_api(bench: Bench) -> None:
    """Call the served API over loopback, whole records in the answer."""
    report = bench.report
    questions = [question for name in THREE_WORDS for question in bench.questions[name]]
    questions = questions[:: len(questions) // 150 or 1]
    report.start_section(
        "API over loopback: /studies, pageSize=50 (hits: KB of the answer)", timed=True
    )
    with Server(bench.registry) as server:
        times = take_times(questions, lambda q: len(server.get("/studies", to_params(q))) // 1000)
        report.add_times("3 words, whole records", times)
        for name, params, encoding in (
            ("3 words, whole records, by relevance", {"sort": "@relevance"}, "identity"),
            ("3 words, whole records, gzip", {}, "gzip"),
            ("3 words, fields=NCTId,BriefTitle", {"fields": "NCTId,BriefTitle"}, "identity"),
        ):
            _time_calls(report, server, questions, (name, params, encoding))
        words = bench.questions["1 broad word"]
        _time_calls(report, server, words, ("1 broad word, whole records", {}, "identity"))
        memory = server.memory()
    report.start_section("API targets")
    report.add_figure("3 words, whole records: median", times.median, "ms", below=25)
    _add_memory(report, "memory of serving", memory, below=600)


def _time_calls(
    report: Report,
    server: Server,
    questions: Sequence[Question],
    variant: tuple[str, dict[str, str], str],
) -> None:
    name, extra, encoding = variant

    def call(question: Question) -> int:
        params = to_params(question) | extra
        return len(server.get("/studies", params, encoding=encoding)) // 1000

    report.add_times(name, take_times(questions, call))


def run_cold(bench: Bench) -> None:
    """Start `trialyst search` anew each time."""
    bench.report.start_section("Cold shell: a new process each time, files in the page cache")
    questions = bench.questions[BROAD[1]][: COLD_RUNS + 1]
    words = [[text] for question in questions for _, text in question.words]
    seconds = [time_cold_search(bench.registry, each) for each in words][1:]
    bench.report.add_figure("trialyst search: median", median(seconds), "s", below=0.7)


def run_exactness(bench: Bench) -> None:
    """Say what the exact levels cost: they check the stored text of what the index finds."""
    bench.report.start_section("Cost of exactness: phrases in query.cond", timed=True)
    # Conditions are mostly written so, and the exact level minds the case.
    phrases = [text.title() for q in bench.questions["phrase"] for _, text in q.words]
    for operators in _EXACTNESS:
        queries = [
            TrialQuery(queries=(("cond", parse(f'{operators} "{phrase}"')),)) for phrase in phrases
        ]
        times = take_times(queries, lambda query: bench.ours.find(query).total)
        bench.report.add_times(operators, times)
    bare = [to_query(question) for question in bench.questions["phrase"]]
    times = take_times(bare, lambda query: bench.ours.find(query).total)
    bench.report.add_times("as written", times)


SECTIONS: Mapping[str, Callable[[Bench], None]] = {
    "ingest": run_ingest,
    "queries": run_queries,
    "api": run_api,
    "cold": run_cold,
    "exactness": run_exactness,
}
