"""Rows as a source gives them, and the past of rows written down for comparison."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from trialyst.annotation.drugs import DrugNames
from trialyst.repurposing.backtest.conditions import Conditions
from trialyst.repurposing.backtest.past import Past, bits
from trialyst.repurposing.backtest.reading import BACKTEST_PIECES, Reader
from trialyst.repurposing.rows import TrialRow
from trialyst.vocabulary import Vocabulary

CUTOFF = date(2015, 6, 30)

Record = dict[str, Any]
"""Pieces of a trial: one value, or a list of them."""


def to_row(record: Record) -> TrialRow:
    """Give the row of a record; pieces it lacks are empty."""
    return TrialRow(tuple(_values(record.get(piece)) for piece in BACKTEST_PIECES))


def _values(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list) else (value,)


def reader_of(vocabulary: Vocabulary, *, until: date = date.max) -> Reader:
    """Give a reader at the cutoff."""
    return Reader(DrugNames(vocabulary), Conditions(vocabulary), CUTOFF, until)


def past_of(records: Iterable[Record], reader: Reader) -> Past:
    """Give what was known of some records at the cutoff."""
    seen = [reader.sighting(to_row(record)) for record in records]
    return Past([each for each in seen if each], reader)


def written(past: Past) -> bytes:
    """Write down every pair with its grade and its signals."""
    names = sorted(past.places, key=past.places.__getitem__)
    lines = []
    for drug in past.iter_drugs():
        grades = {grade.value: conditions for grade, conditions in drug.grades.items()}
        signals = {signal.value: conditions for signal, conditions in drug.signals.items()}
        marks = grades | signals
        for mark in sorted(marks):
            held = ", ".join(names[place] for place in bits(marks[mark]))
            lines.append(f"{drug.key}\t{mark}\t{held}")
    return "\n".join(lines).encode()
