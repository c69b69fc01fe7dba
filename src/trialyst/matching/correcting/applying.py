"""Corrections applied to a chart: lines taken out, words read and put in, conclusions drawn anew.

What was put in is a sentence of its own behind the note, so that a verdict can quote it; what was
taken out is told there too, for a reader who has only the note, such as a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.ages import AgeUnit
from trialyst.ctgov.suggest import nearest, unknown_value
from trialyst.eligibility.chart import (
    AllergyEntry,
    Assertion,
    Chart,
    Entry,
    HabitEntry,
    PatientAge,
    PersonFact,
    Problem,
    Procedure,
    SexCode,
    Therapy,
)
from trialyst.eligibility.implications import Implications
from trialyst.eligibility.reading.main import choose_main
from trialyst.eligibility.reading.note import Note, Sentence
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.errors import InvalidInput
from trialyst.matching.correcting.lines import Correction, FormSection, form_lines
from trialyst.vocabulary.relations import Relations
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["Corrected", "Corrector"]

_LISTS = (
    "problems",
    "lab_values",
    "therapies",
    "procedures",
    "markers",
    "allergies",
    "habits",
    "person",
)
_LEAD = "Correction: "
_BEFORE = {FormSection.ALLERGIES: "allergic to ", FormSection.ECOG: "ECOG "}
"""Words that a line needs before it to be read as what it stands under."""
_AGE = re.compile(r"(\d{1,5}(?:\.\d+)?)(?:\s*(?:-|to)\s*(\d{1,5}))?\s*([a-z]*)", re.IGNORECASE)
_UNITS = {"y": AgeUnit.YEAR, "m": AgeUnit.MONTH, "w": AgeUnit.WEEK, "d": AgeUnit.DAY}
_OLDEST = 130
_SEXES = {
    **dict.fromkeys(("female", "f", "woman", "girl"), SexCode.FEMALE),
    **dict.fromkeys(("male", "m", "man", "boy"), SexCode.MALE),
}
_ANSWERS = {"yes": True, "true": True, "no": False, "false": False}
_ROLES = {FormSection.AGE: "age", FormSection.SEX: "sex", FormSection.PREGNANT: "pregnancy"}
_FIELDS = {FormSection.AGE: "age", FormSection.SEX: "sex", FormSection.PREGNANT: "pregnant"}
_HABIT = re.compile(r"^(smoking|alcohol|drugs) (never|former|current|occasional|abuse)\b")
_HABITS = {"smoking": "smoker", "alcohol": "drinker", "drugs": "drug user"}
_NAMED = {
    FormSection.CONDITIONS: "problems",
    FormSection.DIAGNOSIS: "problems",
    FormSection.MEDICATIONS: "therapies",
    FormSection.PROCEDURES: "procedures",
    FormSection.ALLERGIES: "allergies",
    FormSection.HABITS: "habits",
    FormSection.OTHER: "person",
}
"""Where a thing goes that only its words name."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A chart after its corrections, and what they did, in words."""

    chart: Chart
    changes: tuple[str, ...]


class _Place(NamedTuple):
    """Where words stand that were put behind the note."""

    sentence: int
    start: int


class Corrector:
    """Applies corrections with one lexicon; keep one for many charts."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._reader = NoteReader(lexicon)
        self._implications = Implications(lexicon, Relations(lexicon.vocabulary))

    def apply(self, chart: Chart, corrections: Sequence[Correction]) -> Corrected:
        """Give the chart as it is after the corrections, in their order.

        Raises:
            InvalidInput: a line to take out is not there, or words to put in cannot be read.
        """
        if not corrections:
            return Corrected(chart, ())
        work = _Work(chart, self._lexicon, self._reader)
        for correction in corrections:
            if correction.removed is not None:
                work.remove(correction.section, correction.removed)
            if correction.added is not None and correction.added.strip():
                work.add(correction.section, " ".join(correction.added.split()))
        concluded = self._conclude(work)
        changes = [str(each) for each in corrections]
        return Corrected(concluded, (*changes, *work.remarks))

    def _conclude(self, work: _Work) -> Chart:
        """Draw again what follows from the entries: conditions findings show, the main one."""
        chart = work.chart
        told = tuple(each for each in chart.problems if not each.inferred_from)
        chart = replace(chart, problems=told)
        chart = replace(chart, problems=(*told, *self._implications.imply(chart)))
        main = work.chosen_main
        if main is None and chart.main in chart.problems:
            main = chart.main
        if main is None:
            main = choose_main(chart.note, chart.problems, chart.therapies, chart.markers)
        return replace(chart, main=main)


class _Work:
    """A chart under correction."""

    def __init__(self, chart: Chart, lexicon: Lexicon, reader: NoteReader) -> None:
        self.chart = chart
        self.chosen_main: Problem | None = None
        self.remarks: list[str] = []
        self._lexicon = lexicon
        self._reader = reader

    def remove(self, section: FormSection, text: str) -> None:
        """Take out every entry that a line stands for."""
        lines = {line.text: line for line in form_lines(self.chart) if line.section is section}
        line = lines.get(text)
        if line is None:
            near = nearest(text, lines) if lines else None
            raise InvalidInput(
                f"Nothing under {section} reads {text!r}",
                hint=f"Did you mean {near!r}?" if near else f"Nothing was read under {section}.",
                invalid_input=text,
            )
        self._append(f"{_LEAD}not {section} {text}")
        if section is FormSection.DIAGNOSIS:
            self.chart = replace(self.chart, main=None)
            return
        if section in _FIELDS:
            kept = tuple(e for e in self.chart.demographics if e.role != _ROLES[section])
            emptied: dict[str, Any] = {_FIELDS[section]: None}
            self.chart = replace(self.chart, demographics=kept, **emptied)
            return
        gone = set(map(id, line.entries))
        changed: dict[str, Any] = {
            name: tuple(each for each in getattr(self.chart, name) if id(each) not in gone)
            for name in _LISTS
        }
        main = None if id(self.chart.main) in gone else self.chart.main
        self.chart = replace(self.chart, main=main, **changed)

    def add(self, section: FormSection, words: str) -> None:
        """Read words and put them in."""
        match section:
            case FormSection.AGE:
                self._add_person(section, words, _read_age(words))
            case FormSection.SEX:
                self._add_person(section, words, _read_word("sex", words, _SEXES))
            case FormSection.PREGNANT:
                self._add_person(section, words, _read_word("pregnant", words, _ANSWERS))
            case FormSection.DIAGNOSIS:
                self._add_main(words)
            case _:
                self._add_entries(section, words)

    def _add_person(self, section: FormSection, words: str, value: object) -> None:
        place = self._append(f"{_LEAD}{section} {words}")
        end = place.start + len(f"{section} {words}")
        fact = PersonFact(
            text=self.chart.note.text[place.start : end],
            sentence=place.sentence,
            start=place.start,
            end=end,
            role=_ROLES[section],
            negated=value is False,
            assertion=Assertion.ABSENT if value is False else Assertion.PRESENT,
        )
        told = tuple(e for e in self.chart.demographics if e.role != fact.role)
        changed: dict[str, Any] = {_FIELDS[section]: value}
        self.chart = replace(self.chart, demographics=(*told, fact), **changed)

    def _add_main(self, words: str) -> None:
        """Choose what the patient's care is about: a problem that is told, or one that is new."""
        wanted = {self._lexicon.term(words).id, *(e.what.id for e in self._lexicon.find(words))}
        for problem in self.chart.problems:
            if problem.holds and (problem.what.id in wanted or _same(problem.text, words)):
                self.chosen_main = problem
                self._append(f"{_LEAD}the diagnosis is {words}")
                return
        before = set(map(id, self.chart.problems))
        self._add_entries(FormSection.DIAGNOSIS, words)
        new = [each for each in self.chart.problems if id(each) not in before and each.holds]
        self.chosen_main = next(iter(new), None)
        if self.chosen_main is None:
            raise InvalidInput(
                f"{words!r} names no condition that the patient has",
                hint="Give the diagnosis by its name.",
                invalid_input=words,
            )

    def _add_entries(self, section: FormSection, words: str) -> None:
        said = _HABIT.sub(_say_habit, words) if section is FormSection.HABITS else words
        read = self._reader.read(f"{_BEFORE.get(section, '')}{said}", as_of=self.chart.as_of)
        found = {name: [e for e in getattr(read, name) if not _is_shown(e)] for name in _LISTS}
        line = _line(read)
        if not any(found.values()):
            name = _NAMED.get(section)
            if name is None or (section is FormSection.HABITS and not _HABIT.match(words)):
                raise self._unreadable(section, words)
            line = words
            found[name] = [self._named(section, words)]
        place = self._append(f"{_LEAD}{line}")
        changed: dict[str, Any] = {
            name: (*getattr(self.chart, name), *(_moved(each, place) for each in entries))
            for name, entries in found.items()
            if entries
        }
        self.chart = replace(self.chart, **changed)

    def _named(self, section: FormSection, words: str) -> Entry:
        """Give an entry of words that no name was found in, which is compared by them alone."""
        denied = words.lower().startswith("no ")
        name = words[3:] if denied else words
        if section not in (FormSection.OTHER, FormSection.HABITS):
            self.remarks.append(f"{name!r} is no name that is known: it is compared by its words.")
        place: dict[str, Any] = {"text": name, "sentence": 0, "start": len(words) - len(name)}
        place |= {"end": len(words), "negated": denied}
        place["assertion"] = Assertion.ABSENT if denied else Assertion.PRESENT
        what = self._lexicon.term(name)
        match section:
            case FormSection.MEDICATIONS:
                return Therapy(what=what, kind=TermKind.THERAPY, **place)
            case FormSection.PROCEDURES:
                return Procedure(what=what, **place)
            case FormSection.ALLERGIES:
                return AllergyEntry(what=what, **place)
            case FormSection.HABITS:
                habit, state, *_ = name.replace(",", " ").split()
                return HabitEntry(what=habit, state=state, **place)
            case FormSection.OTHER:
                role, _, detail = name.partition(":")
                return PersonFact(role=role.strip(), detail=detail.strip(), **place)
        return Problem(what=what, **place)

    def _unreadable(self, section: FormSection, words: str) -> InvalidInput:
        return InvalidInput(
            f"{words!r} cannot be read under {section}",
            hint="Write it as a note would: 'hemoglobin 10.2 g/dL', 'HER2 positive', "
            "'former smoker', '1' under ecog.",
            invalid_input=words,
        )

    def _append(self, text: str) -> _Place:
        """Put a sentence behind the note; give where its words begin."""
        note = self.chart.note
        number = max((each.number for each in note.sentences), default=-1) + 1
        start = len(note.text) + 1 if note.text else 0
        whole = f"{note.text}\n{text}" if note.text else text
        sentence = Sentence(number, start, start + len(text), text)
        grown = Note(whole, (*note.sentences, sentence), note.numbered)
        self.chart = replace(self.chart, note=grown)
        return _Place(number, start + len(_LEAD))


def _say_habit(line: re.Match[str]) -> str:
    """Say the line of a habit as a note does: "smoking former" is a former smoker."""
    return f"{line[2]} {_HABITS[line[1]]}"


def _line(read: Chart) -> str:
    return " ".join(read.note.text.split())


def _is_shown(entry: Entry) -> bool:
    return isinstance(entry, Problem) and bool(entry.inferred_from)


def _moved(entry: Entry, place: _Place) -> Entry:
    return replace(
        entry,
        sentence=place.sentence,
        start=entry.start + place.start,
        end=entry.end + place.start,
    )


def _same(one: str, other: str) -> bool:
    return " ".join(one.lower().split()) == " ".join(other.lower().split())


def _read_age(words: str) -> PatientAge:
    match = _AGE.fullmatch(words.strip())
    unit = _UNITS.get(match[3][:1].lower() or "y") if match else None
    if match is None or unit is None or float(match[1]) * unit.days > _OLDEST * AgeUnit.YEAR.days:
        raise InvalidInput(
            f"{words!r} is no age",
            hint="Write it as 61, 61 years, 18 months or 50-59.",
            invalid_input=words,
        )
    return PatientAge(float(match[1]), unit, float(match[2]) if match[2] else None)


def _read_word(name: str, words: str, known: dict[str, Any]) -> Any:
    found = known.get(words.strip().lower())
    if found is None:
        raise unknown_value(name, words, list(known))
    return found
