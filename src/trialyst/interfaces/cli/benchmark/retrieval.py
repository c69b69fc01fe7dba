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

__all__ = ["Method", "Stage", "add_to", "retrieval"]

_FIGURES = {
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "recip_rank": "RR",
    "recall_500": "Recall@500",
    "recall_1000": "Recall@1000",
}
_MATCH_FIGURES = {
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "excluded_rank": "Place of excluded trials (0 first, 1 last)",
    "pairs": "Eligible above excluded",
}

_Topics = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Patients: JSON lines with id and text; plain, gz or xz; may be repeated.",
    ),
]
_Only = Annotated[
    list[str] | None,
    typer.Option("--topic", metavar="ID", help="Measure this topic only; may be repeated."),
]
_Queries = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Lay queries: JSON lines with query and judgments."),
]
_Trials = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The judged trials, made a registry for the time."),
]
_Qrels = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Their judgments: topic_id, nct_id, score (0, 1, 2); may be repeated.",
    ),
]


class Method(StrEnum):
    """What finds the trials."""

    PLANNER = "planner"
    WORDS = "words"


class Stage(StrEnum):
    """Which list is measured."""

    SEARCH = "search"
    MATCH = "match"


_SEARCH = Stage.SEARCH
_Stage = Annotated[
    Stage,
    typer.Option(help="search, or match: the list after judging, beside that of the search."),
]


def add_to(group: typer.Typer) -> None:
    """Give the group this command."""
    group.command(
        "retrieval",
        epilog=examples(
            "trialyst benchmark retrieval --topics topics.jsonl.gz --qrels qrels.tsv.gz "
            "--registry DIR",
            "trialyst benchmark retrieval --topics topics.jsonl.gz --qrels qrels.tsv.gz "
            "--registry DIR --stage match",
            "trialyst benchmark retrieval --queries queries.jsonl.gz --trials trials.jsonl.gz",
        ),
    )(retrieval)


def retrieval(
    topics: _Topics = None,
    qrels: _Qrels = None,
    queries: _Queries = None,
    trials: _Trials = None,
    registry: RegistryOption = None,
    only: _Only = None,
    method: Annotated[
        Method,
        typer.Option(help="planner, or words: any word of the text, ranked by the index alone."),
    ] = Method.PLANNER,
    stage: _Stage = _SEARCH,
    presentations: Annotated[
        bool,
        typer.Option(help="Whether the search may use the table of how conditions present."),
    ] = True,
    json: JsonFlag = False,
) -> None:
    """Measure how well trials are found, against judged ones.

    Recall, P and RR count eligible trials only (score 2; of lay queries 1), nDCG takes the scores
    as gains. Give --topics with --qrels, or --queries with --trials or a registry. Patients that
    weights were learned on are ordered by weights that did not see them.
    """
    from trialyst.settings import Settings
    from trialyst.vocabulary import open_vocabulary

    vocabulary = open_vocabulary(Settings.from_environment().home)
    task = _read_task(topics or [], qrels or [], queries, vocabulary, guessing=presentations)
    if stage is Stage.MATCH:
        _check_match(task, plain=method is Method.PLANNER and presentations)
    if only:
        task.topics[:] = [topic for topic in task.topics if topic.id in only]

    async def measure() -> dict[str, Any]:
        from trialyst.benchmark.final_list import match_topic, measure_matches
        from trialyst.benchmark.retrieval import find_by_words, measure_retrieval

        find = find_by_words if method is Method.WORDS else task.find
        source = await asyncio.to_thread(_open, trials, registry, vocabulary)
        try:
            if stage is Stage.MATCH:
                return await measure_matches(
                    source, task.topics, task.qrels, match=match_topic(vocabulary)
                )
            return await measure_retrieval(
                source, task.topics, task.qrels, find=find, eligible=task.eligible
            )
        finally:
            await source.aclose()

    figures = asyncio.run(measure())
    if json:
        show_json(figures)
    elif stage is Stage.MATCH:
        _show_match(figures)
    else:
        _show(figures)


def _check_match(task: _Task, *, plain: bool) -> None:
    if task.eligible == 1 or not plain:
        raise InvalidInput(
            "Only patients are matched, and as match does it",
            hint="Give --topics with --qrels, without --method and --no-presentations.",
        )


class _Task(NamedTuple):
    topics: list[Topic]
    qrels: Qrels
    find: Finder
    eligible: int


def _read_task(
    topics: list[Path],
    qrels: list[Path],
    queries: Path | None,
    vocabulary: Vocabulary,
    *,
    guessing: bool,
) -> _Task:
    from trialyst.benchmark import retrieval as measuring
    from trialyst.benchmark.retrieval_data import load_qrels, load_queries, load_topics

    if queries is not None and not topics and not qrels:
        asked, judged = load_queries(queries.expanduser())
        return _Task(asked, judged, measuring.find_by_inquiry(vocabulary), 1)
    if topics and qrels and queries is None:
        asked = [topic for path in topics for topic in load_topics(path.expanduser())]
        judged = {}
        for path in qrels:
            judged |= load_qrels(path.expanduser())
        find = measuring.find_by_plan(vocabulary, guessing=guessing)
        return _Task(asked, judged, find, measuring.ELIGIBLE)
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


def _show_match(scores: dict[str, Any]) -> None:
    rows = []
    for name, label in _MATCH_FIGURES.items():
        gain = scores["gain"][name]
        if gain is not None:
            span = f"{gain['mean']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f})"
            told = (f"{scores[each][name]:.3f}" for each in ("search", "match"))
            rows.append((label, *told, span, str(gain["topics"])))
    show_table(("Judged trials only", "Search", "Match", "Gain (95 %)", "Topics"), rows)
    note(f"{scores['topics']:,} topics, {scores['judged_in_registry']:,} judged trials.")


def _show(scores: dict[str, Any]) -> None:
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
