"""Measure what each part of the rules judge is worth, by leaving it out.

    python tools/ablate.py criterion_readings.jsonl.gz --split check

One process a part: each table of knowledge reads as empty, each kind of leaf as words that were not
understood, each policy is switched off. Prints a table in Markdown, the dearest part first. What
stands at its end buys nothing on these rows.
"""

from __future__ import annotations

import argparse
import multiprocessing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec

from trialyst.benchmark.annotations import load_annotations_from_file
from trialyst.benchmark.metrics import compute_metrics, disqualifying_recall
from trialyst.eligibility import tables
from trialyst.eligibility.answer import Answer
from trialyst.eligibility.chart import Chart
from trialyst.eligibility.comparison import estimates
from trialyst.eligibility.reading.note import Note
from trialyst.eligibility.requirement import (
    All,
    AnyOf,
    AtLeast,
    Except,
    Given,
    Leaf,
    Not,
    Opaque,
    Requirement,
)
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import Statement
from trialyst.settings import Settings
from trialyst.vocabulary import Vocabulary, open_vocabulary
from trialyst.vocabulary.relations import Relation, Relations
from trialyst.vocabulary.term import Term

WHOLE = "nothing"
LEAVES = sorted(kind.__name__ for kind in Leaf.__args__ if kind is not Opaque)
POLICIES = (
    "silence",
    "focus of the trial",
    "inferred problems",
    "estimated values",
    "relations of terms",
)


class Part(NamedTuple):
    """What is left out."""

    sort: str
    name: str


class Figures(NamedTuple):
    """How the judge does without it."""

    accuracy: float
    disqualifying_recall: float
    met_recall: float


def main() -> None:
    """Judge the rows without each part in turn, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="check")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", help="parts whose name holds this")
    given = parser.parse_args()
    parts = [part for part in list_parts() if not given.only or given.only in " ".join(part)]
    with multiprocessing.get_context("spawn").Pool(given.processes, maxtasksperchild=1) as pool:
        asked = [(given.data, given.split, part) for part in (Part("", WHOLE), *parts)]
        whole, *others = pool.map(measure, asked, chunksize=1)
    if isinstance(whole, str):
        raise SystemExit(f"the judge as it is fails: {whole}")
    print("\n".join(to_lines(whole, dict(zip(parts, others, strict=True)))))


def list_parts() -> list[Part]:
    """Give everything that can be left out."""
    data = files("trialyst.eligibility") / "data"
    named = sorted(each.name for each in data.iterdir() if each.name.endswith(".txt"))
    return [
        *(Part("table", name) for name in named),
        *(Part("leaf", name) for name in LEAVES),
        *(Part("policy", name) for name in POLICIES),
    ]


def measure(asked: tuple[Path, str, Part]) -> Figures | str:
    """Judge the rows of a split without a part; what the judge cannot do without fails."""
    data, split, part = asked
    if part.sort == "table":
        tables.OMITTED.add(part.name)
    if part == Part("policy", "estimated values"):
        estimates.METHODS.clear()
    rows = load_annotations_from_file(data, split=split).rows
    try:
        judge = LimitedJudge(open_vocabulary(Settings.from_environment().home), part)
        charts = {note: judge.read(note) for note in {row.note for row in rows}}
        said = [judge.answer(charts[row.note], row.statement)[1].verdict for row in rows]
    except (LookupError, ValueError, TypeError, AttributeError) as problem:
        return f"{type(problem).__name__}: {problem}"
    gold = [row.verdict for row in rows]
    metrics = compute_metrics(said, gold)
    found = disqualifying_recall([row.kind for row in rows], said, gold)
    return Figures(metrics["accuracy"], found["recall"], metrics["per_class"]["MET"]["recall"])


class SameOnly(Relations):
    """Relations that know each term as itself alone."""

    def relate(self, one: Term, other: Term) -> Relation:
        """Give `SAME` for the same term."""
        return Relation.SAME if one.id == other.id else Relation.UNRELATED


class LimitedJudge(RulesJudge):
    """The rules judge without a part."""

    def __init__(self, vocabulary: Vocabulary, part: Part) -> None:
        super().__init__(vocabulary)
        self._part = part
        if self._without("relations of terms"):
            self._relations = SameOnly(vocabulary)

    def _without(self, policy: str) -> bool:
        return self._part == Part("policy", policy)

    def read(self, note: str | Note) -> Chart:
        """Read a note, with what is named in it alone if findings are to show nothing."""
        chart = super().read(note)
        if not self._without("inferred problems"):
            return chart
        named = tuple(each for each in chart.problems if not each.inferred_from)
        return replace(chart, problems=named, main=chart.main if chart.main in named else None)

    def answer(
        self, chart: Chart, statement: Statement, *, stated_only: bool = False
    ) -> tuple[Requirement, Answer]:
        """Compare what is left of a statement with a chart."""
        if self._part.sort == "leaf":
            whole = self.requirement_of(statement)
            left = without_leaf(whole, self._part.name)
            statement = replace(statement, requirement=left)
        if self._without("focus of the trial"):
            statement = replace(statement, title="", conditions=())
        return super().answer(chart, statement, stated_only=self._without("silence"))


def without_leaf(requirement: Requirement, kind: str) -> Requirement:
    """Give a requirement in which leaves of a kind are words that were not understood."""

    def down(part: Requirement) -> Requirement:
        return without_leaf(part, kind)

    match requirement:
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            return msgspec.structs.replace(requirement, parts=tuple(map(down, parts)))
        case Not(part=part):
            return msgspec.structs.replace(requirement, part=down(part))
        case Except(of=of, but=but):
            return msgspec.structs.replace(requirement, of=down(of), but=down(but))
        case Given(who=who, then=then):
            return msgspec.structs.replace(requirement, who=down(who), then=down(then))
        case _ if type(requirement).__name__ == kind:
            return Opaque(words=kind, span=requirement.span)
        case _:
            return requirement


def to_lines(whole: Figures, others: dict[Part, Figures | str]) -> list[str]:
    """Give the table, the part that costs most first; what fails without a part stands above."""

    def cost(figures: Figures | str) -> float:
        return -1.0 if isinstance(figures, str) else figures.accuracy

    rows = [
        "| left out | | accuracy | disqualifying found | met found |",
        "|---|---|---|---|---|",
        "| " + " | ".join((WHOLE, "", *(f"{value:.3f}" for value in whole))) + " |",
    ]
    for part, figures in sorted(others.items(), key=lambda pair: cost(pair[1])):
        told = ["needed", "", ""]
        if not isinstance(figures, str):
            told = [f"{mine - all_:+.3f}" for mine, all_ in zip(figures, whole, strict=True)]
        rows.append("| " + " | ".join((part.name, part.sort, *told)) + " |")
    return rows


if __name__ == "__main__":
    main()
