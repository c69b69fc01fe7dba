"""`trialyst fields`: what can be searched, and the values that trials have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from trialyst.discovery.fields import FieldsArguments
from trialyst.interfaces.cli.arguments import options_of, to_arguments
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.layout import Table
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.views import TableView, as_cell, as_field, more, to_label

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["FIELDS", "add_to", "fields"]

_COLUMNS = {
    "value": ("value", "label", "count"),
    "weight": ("name", "weight", "synonyms", "meaning"),
    "kind": ("name", "kind", "type", "meaning", "example", "codes"),
}
"""What is shown of values, of the pieces of an area, and of areas and pieces, by a key of each."""
_SHEETS = {**_COLUMNS, "kind": (*_COLUMNS["kind"], "repeated", "searched_by", "pieces")}


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst fields enrollment",
            "trialyst fields --field Phase --condition asthma",
            "trialyst fields --field InterventionSearch --format csv",
        )
    )(fields)


def _kind(answer: Answer) -> str:
    """Say what is listed, also where nothing is."""
    if answer["items"]:
        return next(key for key in _COLUMNS if key in answer["items"][0])
    chosen = answer.body.get("field")
    return "kind" if chosen is None else "value" if chosen["kind"] == "piece" else "weight"


def _table(answer: Answer) -> Table:
    columns = _COLUMNS[_kind(answer)]
    rows = [[_cell(item.get(name)) for name in columns] for item in answer["items"]]
    return Table([to_label(name) for name in columns], rows)


def _cell(value: Any) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else as_cell(value, between=", ")


def _sheet(answer: Answer) -> Table:
    columns = _SHEETS[_kind(answer)]
    rows = [[as_field(item.get(name)) for name in columns] for item in answer["items"]]
    return Table(columns, rows)


def _closing(answer: Answer) -> Iterator[str]:
    chosen = answer.body.get("field")
    if chosen is not None:
        yield f"{chosen['name']}: {chosen['meaning']}"
        yield f"For --advanced: {chosen['example']}"
    what = {"value": "values", "weight": "pieces", "kind": "areas and pieces"}[_kind(answer)]
    yield from more(answer, what)
    if "trial_count" in answer:
        without = answer["without_value"]
        yield f"Among {answer['trial_count']:,} trials, {without:,} of them without a value."


FIELDS = TableView(_table, _sheet, _closing)


@asks(options_of(FieldsArguments, bare=["query"]))
def fields(given: Mapping[str, Any], form: Format) -> Question:
    """List search areas and pieces by their names and meanings, or the values of one with counts.

    What is listed can stand in the expression after --advanced of a search.
    """
    return Question("explore_fields", to_arguments(given), FIELDS)
