"""Documents among a record's resources: text that a reader of notes reads as notes of their own."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from html import unescape
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from trialyst.eligibility.chart import Chart, Entry, TimePoint
from trialyst.eligibility.fhir.bundle import parts_of
from trialyst.eligibility.fhir.dates import date_of, first_day
from trialyst.errors import InvalidInput

if TYPE_CHECKING:
    from trialyst.eligibility.fhir.bundle import Bundle, Resource
    from trialyst.eligibility.fhir.writer import RecordWriter

__all__ = ["DOCUMENTS", "ReadNote", "write_documents"]

DOCUMENTS = ("DocumentReference", "DiagnosticReport", "Composition", "ClinicalImpression")
ReadNote: TypeAlias = Callable[[str, date | None], Chart]
"""Reads a note of a day, where that is known."""

_OLDEST = 366
"""Days before the record's after which what a document calls current no longer is."""
_MOST = 500_000
"""Characters of documents read of one record, the latest first."""
_TEXTS = ("text/plain", "text/html", "application/xhtml+xml", "text/markdown")
_BREAK = re.compile(r"</?(?:p|div|br|li|tr|h[1-6]|table|ul|ol)\b[^<>]*>", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>")
_AnyEntry = TypeVar("_AnyEntry", bound=Entry)


class _Document(NamedTuple):
    day: str
    text: str


def write_documents(
    writer: RecordWriter, bundle: Bundle, read_note: ReadNote | None
) -> tuple[str, ...]:
    """Write the documents of a record with what a reader finds in them; give what is unread."""
    documents = [
        _Document(date_of(resource), text)
        for resource in reversed(bundle.of(*DOCUMENTS))
        for text in _texts_of(resource)
    ]
    read, length = 0, 0
    for document in documents:
        day = first_day(document.day)
        old = day is not None and (writer.as_of - day).days > _OLDEST
        if read_note is not None and not old and length + len(document.text) <= _MOST:
            length += len(document.text)
            read += _write(writer, document.text, day, read_note)
    unread = len(documents) - read
    if not unread:
        return ()
    why = "" if read_note is None else ", which are older than a year, too long or no text"
    return (f"Not read: {unread:,} of {len(documents):,} documents{why}.",)


def _write(writer: RecordWriter, text: str, day: date | None, read_note: ReadNote) -> bool:
    try:
        chart = read_note(text, day)
    except InvalidInput:
        return False
    age = 0.0 if day is None else float(max(0, (writer.as_of - day).days))
    writer.copy(_of_record(chart, age))
    writer.warnings += chart.warnings
    return True


def _of_record(chart: Chart, age: float) -> Chart:
    """Give a document's chart as part of the record: its times are so many days older."""

    def moved(entries: tuple[_AnyEntry, ...]) -> tuple[_AnyEntry, ...]:
        return tuple(replace(each, when=_older(each.when, age)) for each in entries)

    return replace(
        chart,
        # Age and sex are the record's to tell.
        demographics=tuple(each for each in moved(chart.demographics) if each.role == "pregnancy"),
        problems=moved(chart.problems),
        lab_values=moved(chart.lab_values),
        therapies=moved(chart.therapies),
        procedures=moved(chart.procedures),
        markers=moved(chart.markers),
        allergies=moved(chart.allergies),
        habits=moved(chart.habits),
    )


def _older(when: TimePoint | None, age: float) -> TimePoint | None:
    if when is None:
        # What a document tells of no day is of its own.
        return TimePoint("", (age, age)) if age else None
    if when.days_ago is None:
        return when
    least, most = when.days_ago
    return replace(when, days_ago=(least + age, most + age))


def _texts_of(resource: Resource) -> Iterator[str]:
    """Give the texts of a document as plain text."""
    for name in ("conclusion", "summary", "description"):
        told = resource.get(name)
        if isinstance(told, str) and told.strip():
            yield told
    attached = [each.get("attachment") for each in parts_of(resource, "content")]
    for attachment in (*attached, *parts_of(resource, "presentedForm")):
        if isinstance(attachment, Mapping) and (text := _attached(attachment)):
            yield text
    for section in parts_of(resource, "section"):
        for narrative in parts_of(section, "text"):
            if text := _plain(str(narrative.get("div") or "")):
                yield text


def _attached(attachment: Resource) -> str:
    data, kind = attachment.get("data"), str(attachment.get("contentType") or "text/plain")
    if not isinstance(data, str) or not kind.startswith(_TEXTS) or len(data) > 2 * _MOST:
        return ""
    try:
        text = base64.b64decode(data, validate=False).decode("utf-8", errors="replace")
    except (binascii.Error, ValueError):
        return ""
    return _plain(text) if "html" in kind else text.strip()


def _plain(markup: str) -> str:
    """Give the words of a page."""
    lines = unescape(_MARKUP.sub("", _BREAK.sub("\n", markup))).splitlines()
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
