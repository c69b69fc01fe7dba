"""The sentences and quotes that a verdict rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.chart import Entry, Problem
from trialyst.matching.judging.result import Quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.reading.note import Note

__all__ = ["collect_evidence"]


def collect_evidence(
    note: Note, entries: Sequence[Entry]
) -> tuple[tuple[int, ...], tuple[Quote, ...]]:
    """Give the numbers of the sentences in order, and a quote for each entry."""
    sentences = {entry.sentence for entry in entries}
    for entry in entries:
        if isinstance(entry, Problem):
            sentences.update(entry.inferred_from)
    quotes = dict.fromkeys(
        Quote(entry.sentence, entry.start, entry.end, note.text[entry.start : entry.end])
        for entry in entries
        if entry.end > entry.start
    )
    return tuple(sorted(sentences)), tuple(quotes)
