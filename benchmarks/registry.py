"""Measure the registry beside SQLite FTS5: `python benchmarks/registry.py --help`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

__all__ = ["main"]

DEFAULT_SECTIONS = ("ingest", "queries", "api", "cold")


def main() -> None:
    """Run the sections asked for; the exit code is 1 when a target is missed."""
    # As a script this file's folder leads the path; the package of its siblings is one above.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    given = _parser().parse_args()

    from benchmarks.report import Report, machine_facts
    from benchmarks.suite import SECTIONS, Bench

    report = Report(machine_facts())
    for name, fact in report.facts.items():
        print(f"{name:12}{fact}")
    bench = Bench(work=given.work, records=given.records, report=report)
    sections = _sections(given)
    if "ingest" not in sections:
        bench.require_built()
    for name in sections:
        SECTIONS[name](bench)
    if given.json:
        given.json.write_text(json.dumps(report.to_json(), indent=2) + "\n")
    print(f"\n{report.missed} of the targets missed")
    sys.exit(bool(report.missed))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=500_000, help="how many (500,000)")
    work = Path(tempfile.gettempdir()) / "trialyst-benchmark"
    parser.add_argument("--work", type=Path, default=work, help="where all is kept; reused")
    parser.add_argument("--skip-build", action="store_true", help="use what is built in --work")
    parser.add_argument(
        "--only",
        choices=(*DEFAULT_SECTIONS, "exactness"),
        action="append",
        help="run this section; may be repeated",
    )
    parser.add_argument(
        "--profile-none",
        action="store_true",
        help="also report what EXPANSION[None] and COVERAGE cost",
    )
    parser.add_argument("--json", type=Path, help="write everything to this file too")
    return parser


def _sections(given: argparse.Namespace) -> list[str]:
    sections = list(given.only or DEFAULT_SECTIONS)
    if given.skip_build and "ingest" in sections:
        sections.remove("ingest")
    if given.profile_none and "exactness" not in sections:
        sections.append("exactness")
    return sections


if __name__ == "__main__":
    main()
