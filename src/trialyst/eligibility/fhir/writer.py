"""Writes a record as a note, one sentence a resource, and makes the entries each one states.

The sentences are there to be quoted. What a resource states comes from its codes; nobody reads
the sentence again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from trialyst.eligibility.chart import Entry
from trialyst.eligibility.fhir.bundle import one_line
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.reading.note import Note, Sentence

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Chart
    from trialyst.eligibility.fhir.terms import CodedTerms

__all__ = ["RecordWriter", "Stated"]

_Kind = TypeVar("_Kind", bound=Entry)


class Stated(NamedTuple):
    """An entry in the making: its words are somewhere in the sentence."""

    kind: type[Entry]
    words: str
    fields: dict[str, Any]


class RecordWriter:
    """A note under writing, with the day it is of."""

    def __init__(self, terms: CodedTerms, as_of: date) -> None:
        self.terms = terms
        self.as_of = as_of
        self.warnings: list[str] = []
        self._sentences: list[Sentence] = []
        self._pieces: list[str] = []
        self._length = 0
        self._entries: list[Entry] = []

    def add(self, text: str, stated: Sequence[Stated], *, section: Section = Section.NONE) -> None:
        """Write a sentence; each entry is placed on its words, or on the sentence."""
        text = one_line(text)
        number, start = self._write(text, section)
        for kind, words, fields in stated:
            at = text.find(words) if words else -1
            first, last = (at, at + len(words)) if at >= 0 else (0, len(text))
            self._entries.append(
                kind(
                    text=text[first:last],
                    sentence=number,
                    start=start + first,
                    end=start + last,
                    **fields,
                )
            )

    def copy(self, chart: Chart) -> None:
        """Write the sentences of another chart's note, and keep its entries on them."""
        places = {
            sentence.number: (*self._write(sentence.text, sentence.section), sentence.start)
            for sentence in chart.note.sentences
        }
        for entry in chart.entries():
            number, start, before = places[entry.sentence]
            moved = start - before
            self._entries.append(
                replace(entry, sentence=number, start=entry.start + moved, end=entry.end + moved)
            )

    def _write(self, text: str, section: Section) -> tuple[int, int]:
        number, start = len(self._sentences), self._length
        self._sentences.append(Sentence(number, start, start + len(text), text, section))
        self._pieces.append(text)
        self._length = start + len(text) + 1
        return number, start

    def note(self) -> Note:
        """Give the note as written so far."""
        return Note("\n".join(self._pieces), tuple(self._sentences))

    def of(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """Give the entries of a kind, in the order of the note."""
        return tuple(each for each in self._entries if isinstance(each, kind))
