"""The command that measures how well trials are found for patients and for lay queries."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_table

if TYPE_CHECKING:
    from trialyst.benchmark.retrieval import Finder
    from trialyst.benchmark.retrieval_data import Qrels, Topic
    from trialyst.ctgov.source import OpenSource
    from trialyst.vocabulary import Vocabulary

__all__ = ["Method", "add_to", "retrieval"]

_FIGURES = {
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "recip_rank": "RR",
    "recall_500": "Recall@500",
    "recall_1000": "Recall@1000",
}


class Method(StrEnum):
    """What finds the trials."""

    PLANNER = "planner"
    WORDS = "words"


def add_to(group: typer.Typer) -> None:
    """Give the group this command."""
    group.command(
        "retrieval",
        epilog=examples(
            "trialyst benchmark retrieval --topics topics.jsonl.gz --qrels qrels.tsv.gz "
            "--registry DIR",
            "trialyst benchmark retrieval --queries queries.jsonl.gz --trials trials.jsonl.gz",
        ),
    )(retrieval)


def retrieval(
    topics: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Patients: JSON lines with id and text; plain, gz or xz."
        ),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Their judgments: topic_id, nct_id, score (0, 1, 2)."),
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Lay queries: JSON lines with query and judgments."),
    ] = None,
    trials: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The judged trials, made a registry for the time."),
    ] = None,
    registry: RegistryOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--topic", metavar="ID", help="Measure this topic only; may be repeated."),
    ] = None,
    method: Annotated[
        Method,
        typer.Option(help="planner, or words: any word of the text, ranked by the index alone."),
    ] = Method.PLANNER,
    json: JsonFlag = False,
) -> None:
    """Measure how well trials are found, against judged ones.

    Recall, P and RR count eligible trials only (score 2; of lay queries 1), nDCG takes the scores
    as gains. Give --topics with --qrels, or --queries with --trials or a registry.
    """
    from trialyst.settings import Settings
    from trialyst.vocabulary import open_vocabulary

    vocabulary = open_vocabulary(Settings.from_environment().home)
    task = _read_task(topics, qrels, queries, vocabulary)
    if only:
        task.topics[:] = [topic for topic in task.topics if topic.id in only]

    async def measure() -> dict[str, Any]:
        from trialyst.benchmark.retrieval import find_by_words, measure_retrieval

        find = find_by_words if method is Method.WORDS else task.find
        source = await asyncio.to_thread(_open, trials, registry, vocabulary)
        try:
            return await measure_retrieval(
                source, task.topics, task.qrels, find=find, eligible=task.eligible
            )
        finally:
            await source.aclose()

    _show(asyncio.run(measure()), as_json=json)


class _Task(NamedTuple):
    topics: list[Topic]
    qrels: Qrels
    find: Finder
    eligible: int


def _read_task(
    topics: Path | None, qrels: Path | None, queries: Path | None, vocabulary: Vocabulary
) -> _Task:
    from trialyst.benchmark import retrieval as measuring
    from trialyst.benchmark.retrieval_data import load_qrels, load_queries, load_topics

    if queries is not None and topics is None and qrels is None:
        asked, judged = load_queries(queries.expanduser())
        return _Task(asked, judged, measuring.find_by_inquiry(vocabulary), 1)
    if topics is not None and qrels is not None and queries is None:
        asked, judged = load_topics(topics.expanduser()), load_qrels(qrels.expanduser())
        return _Task(asked, judged, measuring.find_by_plan(vocabulary), measuring.ELIGIBLE)
    raise InvalidInput(
        "Nothing to measure on", hint="Give --topics with --qrels, or --queries with --trials."
    )


def _open(trials: Path | None, registry: Path | None, vocabulary: Vocabulary) -> OpenSource:
    from trialyst.benchmark.retrieval import open_judged_trials
    from trialyst.interfaces.runtime import open_registry
    from trialyst.settings import Settings

    if trials is not None:
        return open_judged_trials(trials.expanduser(), vocabulary=vocabulary)
    directory = None if registry is None else registry.expanduser().absolute()
    return open_registry(Settings.from_environment(), registry=directory)


def _show(scores: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(scores)
        return
    judged = scores["judged_only"]
    rows = [
        (label, f"{scores[name]:.3f}", f"{judged[name]:.3f}" if name in judged else "")
        for name, label in _FIGURES.items()
    ]
    show_table(("Figure", "All", "Judged trials only"), rows)
    note(
        f"{scores['topics']:,} topics, {scores['judged_in_registry']:,} of {scores['judged']:,} "
        f"judged trials in the registry, {scores['seconds']:.1f} s."
    )
