"""The commands that measure reading: what is found in texts, and how criteria are told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table

__all__ = ["add_to", "extraction", "segmentation"]


def add_to(group: typer.Typer) -> None:
    """Give the group these commands."""
    group.command(
        epilog=examples("trialyst benchmark extraction --data chia_with_scope.jsonl.gz --json"),
    )(extraction)
    group.command(
        epilog=examples(
            "trialyst benchmark segmentation --data annotations.jsonl.gz --trials pairs.jsonl.gz",
            "trialyst benchmark segmentation --data chia_with_scope.jsonl.gz --json",
        ),
    )(segmentation)


def extraction(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="FILE",
            help="JSON lines with text and entities, text and spans, or sentence, concept and "
            "negation; plain, gz or xz.",
        ),
    ],
    json: JsonFlag = False,
) -> None:
    """Measure what the readers find in texts against what experts marked.

    A thing counts as found where something of the same field overlaps it.
    """
    from trialyst.benchmark.extraction import measure_extraction
    from trialyst.settings import Settings
    from trialyst.vocabulary import open_vocabulary

    vocabulary = open_vocabulary(Settings.from_environment().home)
    scores = measure_extraction(data.expanduser(), vocabulary)
    if json:
        show_json(scores)
        return
    rows = [*scores["per_field"].items(), ("all", scores)]
    show_table(
        ("Field", "n", "Told", "Precision", "Recall", "F1"),
        [(name, f"{held['n']:,}", f"{held['told']:,}", *_rates(held)) for name, held in rows],
    )
    low, high = scores["intervals"]["f1"]
    note(
        f"{scores['texts']:,} texts, F1 {low:.3f}-{high:.3f} in 95 % of resamples, "
        f"{scores['seconds']:.1f} s."
    )


def _rates(held: Mapping[str, Any]) -> Iterator[str]:
    return (f"{held[rate]:.3f}" for rate in ("precision", "recall", "f1"))


def segmentation(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Criterion annotations, or eligibility texts with a criterion a line; plain, gz "
            "or xz.",
        ),
    ],
    trials: Annotated[
        Path | None,
        typer.Option(
            "--trials", metavar="FILE", help="The trials of the annotations, with their texts."
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure how many annotated criteria are found whole in eligibility texts.

    Beside those that are one criterion of ours, those that are one with items of its list.
    """
    from trialyst.benchmark.segmentation import load_wanted, measure_segmentation

    own = None if trials is None else trials.expanduser()
    scores = measure_segmentation(load_wanted(data.expanduser(), own))
    if json:
        show_json(scores)
        return
    rows = [*scores["per_kind"].items(), ("all", scores)]
    show_table(
        ("Kind", "n", "Found whole", "Share"),
        [
            (name, f"{held['n']:,}", f"{held['found']:,}", f"{held['share']:.3f}")
            for name, held in rows
        ],
    )
    note(
        f"{scores['records']:,} records. With the items of their lists "
        f"{scores['found_with_items']:,} are found ({scores['share_with_items']:.3f})."
    )
