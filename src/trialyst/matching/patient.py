"""A patient as facades show it: facts with their place in the note, and the profile they make.

A pure view of a chart (`profile.to_profile`). Every fact quotes the note: `note.text[start:end] ==
text`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.chart import Assertion, PatientAge
from trialyst.eligibility.chart import SexCode as Sex
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.reading.note import Note, Sentence
from trialyst.vocabulary.term import Term as ConceptRef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trialyst.eligibility.chart import Chart

__all__ = [
    "Assertion",
    "ConceptRef",
    "Fact",
    "FactKind",
    "KeyFacts",
    "Note",
    "PatientAge",
    "PatientProfile",
    "Quantity",
    "Sentence",
    "Sex",
]


class FactKind(StrEnum):
    """What a fact is about."""

    AGE = "age"
    SEX = "sex"
    PREGNANCY = "pregnancy"
    CONDITION = "condition"
    SYMPTOM = "symptom"
    STAGE = "stage"
    BIOMARKER = "biomarker"
    THERAPY = "therapy"
    PROCEDURE = "procedure"
    MEASUREMENT = "measurement"
    """A laboratory value, a vital sign or a score."""
    PERFORMANCE = "performance"
    ALLERGY = "allergy"
    SMOKING = "smoking"
    ALCOHOL = "alcohol"
    SUBSTANCE = "substance"
    ETHNICITY = "ethnicity"
    PLACE = "place"
    PERSON = "person"
    """Who or where the patient is otherwise: an inpatient, willing to comply."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing the note says, with where it says so."""

    kind: FactKind
    text: str
    """The quoted span."""
    sentence: int
    start: int
    end: int
    assertion: Assertion = Assertion.PRESENT
    negated: bool = False
    """Whether it is denied, of the patient or of a relative."""
    concept: ConceptRef | None = None
    value: Quantity | None = None
    status: str = ""
    """Biomarkers: positive, negative, mutated, wild type, rearranged, amplified. Therapies:
    current, prior, planned, refused. Measurements: normal, high, low, positive, negative. Smoking,
    alcohol: never, former, current."""
    detail: str = ""
    """Biomarkers: the variant. Stages: the stage. Therapies: the dose as written. Of relatives:
    who has it."""
    line: int | None = None
    """Therapies: the line of treatment."""
    when: str = ""
    """The time the note gives, as written: `2015`, `two years ago`."""
    code: str = ""
    """The code a record gave, such as `SNOMED:44054006`; empty for what was read from text."""

    @property
    def name(self) -> str:
        """The concept's name, or the words of the note."""
        return self.text if self.concept is None else self.concept.name

    @property
    def holds(self) -> bool:
        """Whether the patient has it now, or had it."""
        return not self.negated and self.assertion in (Assertion.PRESENT, Assertion.HISTORICAL)


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """The profile in a few plain words each: what a search for trials starts from."""

    age: str | None = None
    sex: str | None = None
    pregnant: bool | None = None
    primary_diagnosis: str | None = None
    stage: str | None = None
    conditions: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    """What the note says the patient does not have."""
    biomarkers: tuple[str, ...] = ()
    prior_therapies: tuple[str, ...] = ()
    current_therapies: tuple[str, ...] = ()
    measurements: tuple[str, ...] = ()
    performance_status: str | None = None
    allergies: tuple[str, ...] = ()
    smoking: str | None = None
    alcohol: str | None = None
    procedures: tuple[str, ...] = ()
    family_history: tuple[str, ...] = ()
    place: str | None = None
    missing_information: tuple[str, ...] = ()
    """What a search would want to know and the note does not say."""
    sentences: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Each thing that was read, in words, with the sentence it was read from; for models alone."""

    def to_dict(self) -> dict[str, Any]:
        """Give plain values; what is absent or empty is left out."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values
            if value not in (None, (), "") and name != "sentences"
        }


@dataclass(frozen=True)
class PatientProfile:
    """Everything a note says of a patient."""

    note: Note
    facts: tuple[Fact, ...]
    """In the order of the note."""
    chart: Chart
    """What the profile is a view of."""
    age: PatientAge | None = None
    sex: Sex | None = None
    pregnant: bool | None = None
    """None where the note does not say."""
    primary_diagnosis: Fact | None = None
    stage: Fact | None = None
    missing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    """What a reader must know: contradictions, impossible values, another language, what of a
    record was not read."""
    changes: tuple[str, ...] = ()
    """What was corrected by hand, in words."""
    given: Note | None = None
    """The note as it was given, where corrections were put behind it."""

    def of(self, *kinds: FactKind) -> tuple[Fact, ...]:
        """Give the facts of some kinds, whatever their assertion."""
        return tuple(fact for fact in self.facts if fact.kind in kinds)

    def held(self, *kinds: FactKind) -> tuple[Fact, ...]:
        """Give the facts of some kinds that hold of the patient, now or in the past."""
        return tuple(fact for fact in self.facts if fact.kind in kinds and fact.holds)

    @cached_property
    def by_concept(self) -> Mapping[str, tuple[Fact, ...]]:
        """The facts about each concept, by its id."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            if fact.concept is not None:
                found.setdefault(fact.concept.id, []).append(fact)
        return {concept: tuple(facts) for concept, facts in found.items()}

    @property
    def family_history(self) -> tuple[Fact, ...]:
        """What is said of relatives, denied or not."""
        return tuple(fact for fact in self.facts if fact.assertion is Assertion.FAMILY)

    @cached_property
    def key_facts(self) -> KeyFacts:
        """The profile in short."""
        from trialyst.matching.keyfacts import to_key_facts

        return to_key_facts(self)
