"""`trialyst changes`: which trials are new, changed or gone since a day, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from trialyst.discovery.changes import ChangeArguments
from trialyst.interfaces.cli.arguments import options_of, to_arguments
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.layout import Table
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.views import TableView, bare_id, more

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["CHANGES", "add_to", "change_rows", "changes"]

MOST_TOLD = 5
"""Changes of a trial that a table tells; --json and CSV tell all."""


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst changes --since 2026-10-01",
            "trialyst changes --condition melanoma --since 2026-10-01 --until 2026-10-31",
            "trialyst changes --drug semaglutide --status TERMINATED --since 2026 --json",
        )
    )(changes)


def change_rows(items: list[Mapping[str, Any]]) -> list[list[str]]:
    """Give a row for each trial: id, what became of it, title, and its changes in words."""
    rows = []
    for item in items:
        told = [each["what"] for each in item["changes"]]
        left = len(told) - MOST_TOLD
        words = "; ".join(told[:MOST_TOLD]) + (f"; and {left} more" if left > 0 else "")
        rows.append([bare_id(item["id"]), _kind(item), item.get("title", ""), words])
    return rows


def _kind(item: Mapping[str, Any]) -> str:
    asked = {"entered": "now found", "left": "no longer found"}.get(item.get("question", ""))
    return f"{item['kind']}, {asked}" if asked else str(item["kind"])


def _table(answer: Answer) -> Table:
    return Table(("NCT id", "Kind", "Title", "Changes"), change_rows(answer["items"]))


def _sheet(answer: Answer) -> Table:
    names = ("nct_id", "kind", "question", "seen", "title", "field", "what", "before", "after")
    rows = [
        [
            bare_id(item["id"]),
            *(item.get(name, "") for name in ("kind", "question", "seen", "title")),
            *(each.get(name, "") for name in ("field", "what", "before", "after")),
        ]
        for item in answer["items"]
        for each in item["changes"]
    ]
    return Table(names, rows)


def _closing(answer: Answer) -> Iterator[str]:
    counts, period = answer["counts"], answer["period"]
    told = ", ".join(f"{number:,} {kind}" for kind, number in counts.items())
    yield f"{told}: {period['until']} compared with {period['compared_with']}."
    yield from more(answer, "trials")


CHANGES = TableView(_table, _sheet, _closing)


@asks(options_of(ChangeArguments, bare=["query"]))
def changes(given: Mapping[str, Any], form: Format) -> Question:
    """Tell which trials are new, changed or gone since a day, the weightiest changes first.

    Compared are two states of the registry, which keeps what each sync, build and change replaced.
    With words and filters as of search, trials count that these find in either state.
    """
    return Question("get_changes", to_arguments(given), CHANGES)
