"""A chart as JSON that a person can read, edit and give back.

What is left out has its usual value. A thing may be given by its name alone. An entry whose words
stand nowhere in the note gets a sentence of its own, so that every entry has words to quote.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.eligibility.chart import (
    AllergyEntry,
    Assertion,
    Chart,
    Entry,
    HabitEntry,
    LabValue,
    MarkerEntry,
    PatientAge,
    PersonFact,
    Problem,
    Procedure,
    SexCode,
    Therapy,
)
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.reading.note import LONGEST_NOTE, Note, Sentence, parse_note
from trialyst.errors import InvalidInput
from trialyst.folding import fold_phrase

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["chart_from_json", "chart_to_json"]

_LISTS: Mapping[str, type[Entry]] = {
    "demographics": PersonFact,
    "problems": Problem,
    "lab_values": LabValue,
    "therapies": Therapy,
    "procedures": Procedure,
    "markers": MarkerEntry,
    "allergies": AllergyEntry,
    "habits": HabitEntry,
    "person": PersonFact,
}
_PLAIN: Mapping[str, Any] = {
    "age": PatientAge | None,
    "sex": SexCode | None,
    "pregnant": bool | None,
    "as_of": date | None,
    "lists_medications": bool,
    "lists_history": bool,
    "warnings": tuple[str, ...],
}
_NAMES = ("what", "name", "state", "role", "analyte")
"""Fields that name an entry's thing, for those that quote nothing."""


def chart_to_json(chart: Chart) -> str:
    """Give a chart as indented JSON."""
    value = _value(chart)
    value["note"] = {
        "text": chart.note.text,
        "numbered": chart.note.numbered,
        "sentences": [
            [each.number, each.start, each.end, each.section.value] for each in chart.note.sentences
        ],
    }
    if chart.main in chart.problems:
        value["main"] = chart.problems.index(chart.main)
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def _value(thing: Any) -> Any:
    """Give plain values of a dataclass; what has its usual value is left out."""
    if isinstance(thing, StrEnum):
        return thing.value
    if isinstance(thing, Note):
        return None
    if dataclasses.is_dataclass(thing):
        held = ((field, getattr(thing, field.name)) for field in dataclasses.fields(thing))
        return {field.name: _value(value) for field, value in held if value != field.default}
    return [_value(each) for each in thing] if isinstance(thing, tuple) else thing


def chart_from_json(text: str | bytes, lexicon: Lexicon | None = None) -> Chart:
    """Read a chart that `chart_to_json` wrote, as it is or edited by hand.

    Args:
        lexicon: knows things given by name only; without it they are only their words.

    Raises:
        InvalidInput: it is no such JSON; the message names the place.
    """
    try:
        given = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _invalid(f"The chart is not JSON: {error}") from None
    fields = _object(given, "the chart", {*_LISTS, *_PLAIN, "note", "main"})
    reader = _EntryReader(_note(fields.get("note")), lexicon)
    entries = {
        name: tuple(
            reader.read(kind, each, f"{name}[{number}]")
            for number, each in enumerate(_list(fields.get(name, []), name))
        )
        for name, kind in _LISTS.items()
    }
    plain = {
        name: _convert(fields[name], kind, name) for name, kind in _PLAIN.items() if name in fields
    }
    main = _main(fields.get("main"), entries["problems"], reader)
    return Chart(note=reader.note(), main=main, **entries, **plain)  # type: ignore[arg-type]


class _EntryReader:
    """Reads entries and gives those without a place in the note a sentence."""

    def __init__(self, note: Note, lexicon: Lexicon | None) -> None:
        self._note = note
        self._lexicon = lexicon
        self._added: list[Sentence] = []
        self._end = len(note.text)

    def note(self) -> Note:
        """Give the note with what was added to it."""
        text = "".join((self._note.text, *(f"\n{each.text}" for each in self._added)))
        return dataclasses.replace(
            self._note, text=text, sentences=(*self._note.sentences, *self._added)
        )

    def read(self, kind: type[Entry], given: object, place: str) -> Entry:
        """Read one entry."""
        known = {field.name for field in dataclasses.fields(kind)}
        fields = dict(_object(given, place, known))
        if isinstance(fields.get("what"), str) and kind is not HabitEntry:
            fields["what"] = self._term(fields["what"])
        if fields.get("assertion") == Assertion.ABSENT:
            fields.setdefault("negated", True)
        fields |= self._quote(fields, place)
        entry = _convert(fields, kind, place)
        assert isinstance(entry, Entry)
        return entry

    def _term(self, name: str) -> dict[str, Any]:
        if self._lexicon is None:
            return {"id": f"term:{fold_phrase(name)}", "name": name}
        return dict(_value(self._lexicon.term(name)))

    def _quote(self, fields: Mapping[str, Any], place: str) -> dict[str, Any]:
        """Give where an entry's words stand: where it says, elsewhere, or in a new sentence."""
        words, start, end = (fields.get(name) for name in ("text", "start", "end"))
        if isinstance(words, str) and words:
            at = start if isinstance(start, int) and not isinstance(start, bool) else -1
            if at < 0 or self._note.text[at : at + len(words)] != words:
                at = self._note.text.find(words)
            if at >= 0:
                held = fields.get("sentence")
                kept = at == start and at + len(words) == end and isinstance(held, int)
                number = held if kept else self._note.sentence_at(at).number
                return {"text": words, "start": at, "end": at + len(words), "sentence": number}
        return self._add(words if isinstance(words, str) and words else _named(fields, place))

    def _add(self, words: str) -> dict[str, Any]:
        line = " ".join(words.split())
        number = max((each.number for each in self._note.sentences[-1:]), default=-1)
        number += 1 + len(self._added)
        start = self._end + 1
        self._end = start + len(line)
        self._added.append(Sentence(number, start, self._end, line))
        return {"text": line, "start": start, "end": self._end, "sentence": number}


def _named(fields: Mapping[str, Any], place: str) -> str:
    for name in _NAMES:
        told = fields.get(name)
        words = told.get("name") if isinstance(told, Mapping) else told
        if isinstance(words, str) and words.strip():
            return f"No {words}" if fields.get("negated") is True else words
    raise _invalid(f"{place} names nothing")


def _note(given: object) -> Note:
    if given is None:
        return Note("", ())
    fields = _object(given, "note", {"text", "numbered", "sentences"})
    text = _convert(fields.get("text", ""), str, "note.text")
    if len(text) > LONGEST_NOTE:
        raise _invalid(f"The note has {len(text):,} characters, more than {LONGEST_NOTE:,}")
    numbered = _convert(fields.get("numbered", False), bool, "note.numbered")
    if "sentences" not in fields:
        return parse_note(text) if text.strip() else Note("", ())
    spans = _convert(fields["sentences"], list[tuple[int, int, int, Section]], "note.sentences")
    previous = 0
    for number, start, end, _ in spans:
        if not previous <= start < end <= len(text):
            raise _invalid(f"Sentence {number} of the note does not lie in it, in order")
        previous = start
    return Note(
        text,
        tuple(
            Sentence(number, start, end, text[start:end], section)
            for number, start, end, section in spans
        ),
        numbered,
    )


def _main(given: object, problems: Sequence[Any], reader: _EntryReader) -> Problem | None:
    if given is None:
        return None
    if isinstance(given, int) and not isinstance(given, bool):
        if 0 <= given < len(problems):
            return problems[given]  # type: ignore[no-any-return]
        raise _invalid(f"main is {given}, but there are {len(problems)} problems, from 0")
    read = reader.read(Problem, given, "main")
    assert isinstance(read, Problem)
    return read


def _object(given: object, place: str, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise _invalid(f"{place} is no object")
    unknown = sorted(set(given) - known)
    if unknown:
        raise _invalid(
            f"{place} has no field {unknown[0]!r}; its fields are {', '.join(sorted(known))}"
        )
    return given


def _list(given: object, place: str) -> list[Any]:
    if not isinstance(given, list):
        raise _invalid(f"{place} is no list")
    return given


def _convert(given: object, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise _invalid(f"{place}: {error}") from None


def _invalid(message: str) -> InvalidInput:
    return InvalidInput(message, hint="Give a chart as `chart_to_json` writes it, edited by hand.")
