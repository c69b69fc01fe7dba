"""A note as a page shows it: its sentences with their numbers, and what was read from each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from trialyst.interfaces.web.templating import clean

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Entry
    from trialyst.eligibility.reading.note import Note, Sentence
    from trialyst.matching.correcting import FormLine

__all__ = ["mark_note"]


def mark_note(note: Note, lines: Sequence[FormLine]) -> Markup:
    """Give the text with facts marked; each sentence has an id that evidence leads to."""
    entries = [entry for line in lines for entry in line.entries]
    starts = [each.start for each in note.sentences]
    bounds = [*starts, len(note.text)]
    parts = [_plain(note.text[: bounds[0]])] if starts else [_plain(note.text)]
    for sentence, (start, end) in zip(note.sentences, pairwise(bounds), strict=True):
        parts.append(_mark_sentence(note.text[start:end], sentence, entries))
    return Markup("").join(parts)


def _plain(text: str) -> Markup:
    return escape(clean(text))


def _mark_sentence(text: str, sentence: Sentence, entries: Sequence[Entry]) -> Markup:
    start, end = sentence.start, sentence.start + len(text)
    inside = sorted(
        {(e.start, e.end, e.holds) for e in entries if start <= e.start < e.end <= end},
        key=lambda each: (each[0], -each[1]),
    )
    written, at = Markup(""), start
    for first, last, holds in inside:
        if first < at:
            continue
        kind: dict[str, Any] = {} if holds else {"class": "absent"}
        written += _plain(text[at - start : first - start])
        marked = _plain(text[first - start : last - start])
        opened = Markup('<mark class="absent">') if kind else Markup("<mark>")
        written += opened + marked + Markup("</mark>")
        at = last
    written += _plain(text[at - start :])
    number = sentence.number
    return Markup('<span class="sentence" id="s{}" data-number="{}">{}</span>').format(
        number, number, written
    )
