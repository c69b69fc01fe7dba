"""A patient as read: one chart from a note or from coded records, which nobody reads again.

Every entry quotes the note, `note.text[start:end] == text`. What is said of a relative, of the past
or of what might be is kept and told apart by its assertion; nothing is silently dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from trialyst.ctgov.ages import AgeUnit
from trialyst.eligibility.quantity import Quantity
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.reading.note import Note

__all__ = [
    "AllergyEntry",
    "Assertion",
    "Chart",
    "Entry",
    "HabitEntry",
    "LabValue",
    "MarkerEntry",
    "PatientAge",
    "PersonFact",
    "Problem",
    "Procedure",
    "SexCode",
    "Therapy",
    "TimePoint",
]


_BESIDE = 40
"""Characters around a name in which words tell its kind."""


class Assertion(StrEnum):
    """How the note speaks of a thing.

    `HISTORICAL` is of the past: resolved, or a "history of" that may well go on. `FAMILY` is of a
    relative; `Entry.negated` then tells whether the relative has it.
    """

    PRESENT = "present"
    ABSENT = "absent"
    POSSIBLE = "possible"
    HISTORICAL = "historical"
    FAMILY = "family"
    HYPOTHETICAL = "hypothetical"


class SexCode(StrEnum):
    """A patient's sex, in the registry's codes."""

    FEMALE = "FEMALE"
    MALE = "MALE"


@dataclass(frozen=True, slots=True)
class PatientAge:
    """An age in completed units; `upper` is the end of a range such as "in his fifties"."""

    value: float
    unit: AgeUnit = AgeUnit.YEAR
    upper: float | None = None

    @property
    def approximate(self) -> bool:
        """Whether only a range is known."""
        return self.upper is not None

    @property
    def years(self) -> float:
        """The age in years; of a range, its middle."""
        middle = self.value if self.upper is None else (self.value + self.upper) / 2
        return middle * self.unit.days / AgeUnit.YEAR.days

    def __str__(self) -> str:
        shown = f"{self.value:g}" if self.upper is None else f"{self.value:g}-{self.upper:g}"
        return f"{shown} {self.unit}{'' if shown == '1' else 's'}"


@dataclass(frozen=True, slots=True)
class TimePoint:
    """When something was, as far as it is told."""

    words: str
    """As written: `2015`, `two years ago`, `since March`."""
    days_ago: tuple[float, float] | None = None
    """The least and the most days before the note was written; None where that cannot be told."""
    lasting: tuple[float, float] | None = None
    """How long it has lasted, in days: "for the past 3 months"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing the note says, with where it says so."""

    text: str
    """The quoted span."""
    sentence: int
    start: int
    end: int
    assertion: Assertion = Assertion.PRESENT
    negated: bool = False
    """Whether it is denied, of the patient or of a relative."""
    when: TimePoint | None = None
    code: str = ""
    """The code a record gave, such as `SNOMED:44054006`; empty for what was read from text."""

    @property
    def holds(self) -> bool:
        """Whether it is so of the patient now, or was."""
        return not self.negated and self.assertion in (Assertion.PRESENT, Assertion.HISTORICAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(Entry):
    """A condition, symptom, sign or finding."""

    what: Term
    kind: TermKind = TermKind.CONDITION
    severity: str = ""
    """`mild`, `moderate`, `severe`, `controlled`, `uncontrolled`, `grade 3`, ...; or empty."""
    stage: str = ""
    """In one spelling: `IIIA`, `IV`, `T2N1M0`, `NYHA III`, `3` of CKD."""
    activity: str = ""
    """`active`, `resolved`, `remission`, `acute`, `chronic`, `recurrent`, `refractory`,
    `metastatic`, ..."""
    site: str = ""
    """Side or part of the body, as written."""
    relative: str = ""
    """Who has it, where it is of a relative: `mother`."""
    inferred_from: tuple[int, ...] = ()
    """Sentences whose findings together show it, where no words name it."""

    @property
    def is_there(self) -> bool:
        """Whether the patient has or had it, told by its name or shown by findings."""
        return self.holds or (bool(self.inferred_from) and not self.negated)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabValue(Entry):
    """A laboratory value, a vital sign or a score; also a class such as NYHA III."""

    analyte: str
    """Id of `analytes.txt`, or of a class such as `nyha`."""
    name: str
    value: Quantity | None = None
    status: str = ""
    """`normal`, `high`, `low`, `abnormal`, `positive`, `negative`, `detectable`; or empty."""
    grade: str = ""
    """The class where it is one: `III`, `B`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Therapy(Entry):
    """A drug or another treatment."""

    what: Term
    kind: TermKind = TermKind.DRUG
    status: str = "current"
    """`current`, `prior`, `planned`, `refused`; or empty where it is not told."""
    dose: str = ""
    route: str = ""
    line: int | None = None
    response: str = ""
    """`failed`, `progressed`, `intolerant`, `responded`; or empty."""
    members: tuple[Term, ...] = ()
    """The drugs of a regimen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Entry):
    """An operation, examination or device."""

    what: Term
    kind: TermKind = TermKind.PROCEDURE
    status: str = "done"
    """`done`, `planned`, `refused`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerEntry(Entry):
    """A gene, receptor or other biomarker in a state."""

    name: str
    """Key of the table of biomarkers."""
    state: str = ""
    """`positive`, `negative`, `mutated`, `wild type`, `rearranged`, `amplified`, `high`, `low`."""
    variant: str = ""
    value: Quantity | None = None
    """How much of it, as "PD-L1 50 %"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllergyEntry(Entry):
    """An allergy or intolerance; "no known allergies" is one of everything, denied."""

    what: Term


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitEntry(Entry):
    """Smoking, drinking, drug use."""

    what: str
    """`smoking`, `alcohol`, `drugs`."""
    state: str
    """`never`, `former`, `current`, `occasional`, `abuse`."""
    amount: Quantity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFact(Entry):
    """Something about who the patient is, where the patient is, or what the patient will do."""

    role: str
    """As `requirement.Person.role` and `requirement.Administrative.topic`: `ethnicity`, `place`,
    `emergency`, `inpatient`, `intensive care`, `ambulatory`, `consent` (will comply with the
    protocol), `no medications` (takes none), `no history` (no significant medical history),
    `postmenopausal`, `contraception`, ... Among the demographics: `age`, `sex`, `pregnancy`."""
    detail: str = ""


@dataclass(frozen=True)
class Chart:
    """Everything that is known of a patient, in the order of the note."""

    note: Note
    age: PatientAge | None = None
    sex: SexCode | None = None
    pregnant: bool | None = None
    """None where the note does not say."""
    demographics: tuple[PersonFact, ...] = ()
    """Where age, sex and pregnancy are told."""
    problems: tuple[Problem, ...] = ()
    lab_values: tuple[LabValue, ...] = ()
    therapies: tuple[Therapy, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    markers: tuple[MarkerEntry, ...] = ()
    allergies: tuple[AllergyEntry, ...] = ()
    habits: tuple[HabitEntry, ...] = ()
    person: tuple[PersonFact, ...] = ()
    main: Problem | None = None
    """What the note is about: the diagnosis with its organ, histology and marker; None if not
    told."""
    as_of: date | None = None
    """The day of the note, where it is known."""
    lists_medications: bool = False
    """Whether the note tells what the patient takes, so that silence about a drug says
    something."""
    lists_history: bool = False
    """Whether the note tells the past history, so that silence about a disease says something."""
    warnings: tuple[str, ...] = field(default=())
    """What a reader must know: contradictions, impossible values, several patients, another
    language."""

    def around(self, entry: Entry) -> str:
        """Give the words of an entry with those beside it in its sentence."""
        if entry.end <= entry.start:
            return entry.text
        sentence = self.note.sentence_at(entry.start)
        first = max(sentence.start, entry.start - _BESIDE)
        return self.note.text[first : min(sentence.end, entry.end + _BESIDE)]

    def entries(self) -> Iterator[Entry]:
        """Yield every entry, by kind."""
        yield from self.demographics
        yield from self.problems
        yield from self.lab_values
        yield from self.therapies
        yield from self.procedures
        yield from self.markers
        yield from self.allergies
        yield from self.habits
        yield from self.person
