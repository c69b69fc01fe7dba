"""A chart as lines that a person reads and edits: one line a thing, however often it is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from trialyst.eligibility.chart import (
    AllergyEntry,
    Assertion,
    Chart,
    Entry,
    HabitEntry,
    LabValue,
    MarkerEntry,
    PersonFact,
    Problem,
    Procedure,
    Therapy,
)
from trialyst.eligibility.reading.markers import marker_title
from trialyst.vocabulary.term import Term

__all__ = ["SINGLE", "Correction", "FormLine", "FormSection", "form_lines", "thing_of"]

_LONGEST_QUOTE = 60
_ECOG = "ecog"
_ANY_ALLERGY = "term:allergy"
_DENIED = "no "
_OPEN_ENDS = ("", "to", "of", "with", "for")
"""Words that no name ends in."""


class FormSection(StrEnum):
    """A heading of the form."""

    AGE = "age"
    SEX = "sex"
    PREGNANT = "pregnant"
    DIAGNOSIS = "diagnosis"
    ECOG = "ecog"
    CONDITIONS = "conditions"
    MEDICATIONS = "medications"
    PROCEDURES = "procedures"
    LABS = "labs"
    MARKERS = "markers"
    ALLERGIES = "allergies"
    HABITS = "habits"
    OTHER = "other"


SINGLE = (
    FormSection.AGE,
    FormSection.SEX,
    FormSection.PREGNANT,
    FormSection.DIAGNOSIS,
    FormSection.ECOG,
)
"""Headings that hold one value instead of a list."""


class Correction(BaseModel):
    """One change of what was read: a line taken out, words put in, or one for the other."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    section: FormSection
    removed: str | None = None
    """A line as the form shows it."""
    added: str | None = None
    """Words as a note would say them."""

    def __str__(self) -> str:
        if self.removed and self.added:
            return f"{self.section}: {self.added} instead of {self.removed}"
        if self.added:
            return f"{self.section}: {self.added} added"
        return f"{self.section}: {self.removed} taken out"


@dataclass(frozen=True, slots=True)
class FormLine:
    """One thing the chart says, and every entry that says it."""

    section: FormSection
    text: str
    entries: tuple[Entry, ...] = ()
    """Each with its place in the note; none for what no words of the note tell."""


def form_lines(chart: Chart) -> tuple[FormLine, ...]:
    """Give the lines of a chart in the order of the headings; what findings only show has none."""
    found: dict[tuple[FormSection, str], list[Entry]] = {}
    shown: dict[tuple[FormSection, str], str] = {}
    for section, text, key, entry in _lines(chart):
        found.setdefault((section, key), []).append(entry)
        shown.setdefault((section, key), text)
    listed = [FormLine(key[0], shown[key], tuple(entries)) for key, entries in found.items()]
    order = list(FormSection)
    whole = [*_single_lines(chart), *_distinct(listed)]
    return tuple(sorted(whole, key=lambda line: order.index(line.section)))


def _distinct(lines: list[FormLine]) -> Iterator[FormLine]:
    """Join things that differ in what a line does not show, so that a line names one thing."""
    joined: dict[tuple[FormSection, str], tuple[Entry, ...]] = {}
    for line in lines:
        key = line.section, line.text
        joined[key] = (*joined.get(key, ()), *line.entries)
    return (FormLine(section, text, entries) for (section, text), entries in joined.items())


def _single_lines(chart: Chart) -> Iterator[FormLine]:
    def told(role: str) -> tuple[Entry, ...]:
        return tuple(each for each in chart.demographics if each.role == role)

    if chart.age is not None:
        yield FormLine(FormSection.AGE, str(chart.age), told("age"))
    if chart.sex is not None:
        yield FormLine(FormSection.SEX, chart.sex.value.lower(), told("sex"))
    if chart.pregnant is not None:
        words = "yes" if chart.pregnant else "no"
        yield FormLine(FormSection.PREGNANT, words, told("pregnancy"))
    if chart.main is not None:
        yield FormLine(FormSection.DIAGNOSIS, _words(chart.main, chart.main.what), (chart.main,))
    graded = [each for each in chart.lab_values if each.analyte == _ECOG]
    if graded:
        yield FormLine(FormSection.ECOG, _value(graded[-1]), tuple(graded))


Line = tuple[FormSection, str, str, Entry]


def _lines(chart: Chart) -> Iterator[Line]:
    """Yield heading, words, what makes two entries one line, and the entry."""
    for problem in chart.problems:
        if not problem.inferred_from:
            yield _line(FormSection.CONDITIONS, problem, problem.what, _of_problem(problem))
    for therapy in chart.therapies:
        told = [therapy.status, therapy.response, therapy.dose, _line_of(therapy)]
        yield _line(FormSection.MEDICATIONS, therapy, therapy.what, told)
    for procedure in chart.procedures:
        status = "" if procedure.status == "done" else procedure.status
        yield _line(FormSection.PROCEDURES, procedure, procedure.what, [status])
    for allergy in chart.allergies:
        if allergy.what.id != _ANY_ALLERGY:
            yield _line(FormSection.ALLERGIES, allergy, allergy.what, [])
    yield from _told_lines(chart)


def _told_lines(chart: Chart) -> Iterator[Line]:
    """Yield the lines of what is told by a value or a state."""
    for lab in chart.lab_values:
        if lab.analyte != _ECOG:
            text = f"{lab.name} {_value(lab)}".strip()
            yield FormSection.LABS, _asserted(lab, text), text, lab
    for marker in chart.markers:
        text = _of_marker(marker)
        yield FormSection.MARKERS, text, text, marker
    for habit in chart.habits:
        amount = "" if habit.amount is None else f", {habit.amount}"
        text = f"{habit.what} {habit.state}{amount}"
        yield FormSection.HABITS, text, text, habit
    for fact in chart.person:
        text = f"{fact.role}: {fact.detail}" if fact.detail else fact.role
        yield FormSection.OTHER, _asserted(fact, text), text, fact


def _line(section: FormSection, entry: Entry, what: Term, details: list[str]) -> Line:
    name = _words(entry, what)
    told = [each for each in details if each and each.lower() not in name.lower()]
    if entry.when is not None and entry.when.words:
        told.append(entry.when.words)
    text = _asserted(entry, ", ".join([name, *told]))
    key = f"{what.id}|{entry.assertion}|{entry.negated}|{'|'.join(told)}"
    return section, text, key, entry


def _words(entry: Entry, what: Term) -> str:
    """Name a thing as the note does, or by its concept where the note goes on and on."""
    quoted = " ".join(entry.text.split())
    whole = quoted.rpartition(" ")[2].lower() not in _OPEN_ENDS
    return quoted if whole and 0 < len(quoted) <= _LONGEST_QUOTE else what.name


def _asserted(entry: Entry, text: str) -> str:
    if entry.assertion is Assertion.FAMILY:
        who = getattr(entry, "relative", "") or "family"
        return f"{who}: {_DENIED if entry.negated else ''}{text}"
    if entry.negated or entry.assertion is Assertion.ABSENT:
        return f"{_DENIED}{text}"
    before = {
        Assertion.POSSIBLE: "possible ",
        Assertion.HISTORICAL: "history of ",
        Assertion.HYPOTHETICAL: "risk of ",
    }.get(entry.assertion, "")
    return f"{before}{text}"


def _of_problem(problem: Problem) -> list[str]:
    stage = f"stage {problem.stage}" if problem.stage[:1].isalnum() else problem.stage
    held = problem.stage and problem.stage.lower() in problem.text.lower()
    return ["" if held else stage, problem.severity, problem.activity, problem.site]


def _line_of(therapy: Therapy) -> str:
    return "" if therapy.line is None else f"line {therapy.line}"


def _value(lab: LabValue) -> str:
    if lab.value is not None:
        number = str(lab.value)
        return number.removesuffix(f" {lab.value.unit}") if lab.analyte == _ECOG else number
    return lab.grade or lab.status


def _of_marker(marker: MarkerEntry) -> str:
    value = "" if marker.value is None else str(marker.value)
    state = marker.state or ("negative" if marker.negated else "")
    return " ".join(filter(None, (marker_title(marker.name), marker.variant, value, state)))


def thing_of(entry: Entry) -> str:
    """Give an id by which entries about the same thing are known."""
    match entry:
        case Problem() | Therapy() | Procedure() | AllergyEntry():
            return entry.what.id
        case LabValue():
            return f"lab:{entry.analyte}"
        case MarkerEntry():
            return f"marker:{entry.name}"
        case HabitEntry():
            return f"habit:{entry.what}"
        case PersonFact():
            return f"person:{entry.role}"
    return ""
