"""What a criterion demands, as a small language: leaves about a patient, joined by combinators.

A requirement speaks of the statement, not of the trial: "No history of asthma" is
`Not(Has(asthma))` among inclusions and exclusions alike; which side it stands on is told to the
evaluator. Every node keeps `span`, its place in the criterion's text. What was not understood is
an `Opaque` of just those words. Nodes are plain values: equal ones are equal, and they are kept as
MessagePack (`encode_requirement`) and shown as JSON (`docs/contracts/requirement.json`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeAlias

import msgspec

from trialyst.vocabulary.term import Term, TermKind

__all__ = [
    "Administrative",
    "Age",
    "All",
    "Allergy",
    "AnyOf",
    "AtLeast",
    "Bound",
    "Childbearing",
    "Except",
    "Given",
    "Habit",
    "Has",
    "Interval",
    "Leaf",
    "Marker",
    "Measured",
    "Not",
    "Opaque",
    "Person",
    "Requirement",
    "Sex",
    "Span",
    "Tense",
    "Took",
    "Underwent",
    "Window",
    "decode_requirement",
    "encode_requirement",
    "leaves",
]

Span: TypeAlias = tuple[int, int]
"""Start and end in the criterion's text."""


class Tense(StrEnum):
    """When something has to have been so."""

    NOW = "now"
    EVER = "ever"
    """"History of", "prior", "previous": now or at any time before."""
    PLANNED = "planned"
    """"Scheduled for", "requiring", "candidate for", "will receive"."""


class Bound(StrEnum):
    """What the ends of an interval are counted in, where that is no unit."""

    UNIT = "unit"
    UPPER_LIMIT = "times the upper limit of normal"
    LOWER_LIMIT = "times the lower limit of normal"
    BASELINE = "times the patient's baseline"
    PREDICTED = "percent of predicted"


class _Node(msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True, gc=False):
    span: Span = (0, 0)


class Interval(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers from `low` to `high`; an open end is None."""

    low: float | None = None
    high: float | None = None
    low_included: bool = True
    high_included: bool = True

    def contains(self, number: float) -> bool:
        """Whether a number lies in it.

        >>> Interval(low=18, high=75).contains(75)
        True
        """
        if self.low is not None and (
            number < self.low or (number == self.low and not self.low_included)
        ):
            return False
        return self.high is None or not (
            number > self.high or (number == self.high and not self.high_included)
        )


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """A time before or after an anchor, or how long something has to have lasted, in days."""

    within: float | None = None
    """At most so many days before the anchor: "within 6 months", "in the last 30 days"."""
    beyond: float | None = None
    """At least so many days before the anchor: "more than 5 years ago", "completed 4 weeks
    before"."""
    lasting_at_least: float | None = None
    """"For at least 3 months"."""
    lasting_at_most: float | None = None
    anchor: str = ""
    """What is counted from, as written, where it is not the trial itself: "surgery"."""
    words: str = ""


class All(_Node, frozen=True, kw_only=True):
    """Every part holds."""

    parts: tuple[Requirement, ...]


class AnyOf(_Node, frozen=True, kw_only=True):
    """At least one part holds."""

    parts: tuple[Requirement, ...]


class AtLeast(_Node, frozen=True, kw_only=True):
    """At least `count` parts hold."""

    count: int
    parts: tuple[Requirement, ...]


class Not(_Node, frozen=True, kw_only=True):
    """The part does not hold."""

    part: Requirement
    left_out: bool = False
    """Whether the text says so of whom it leaves out ("... are excluded", "... is not allowed"):
    among exclusions such words mean the part itself."""


class Except(_Node, frozen=True, kw_only=True):
    """`of` holds, and what holds is not `but`: "any malignancy except basal cell carcinoma"."""

    of: Requirement
    but: Requirement


class Given(_Node, frozen=True, kw_only=True):
    """`then` holds of those for whom `who` holds; others are not asked: "if female, ..."."""

    who: Requirement
    then: Requirement


class Age(_Node, frozen=True, kw_only=True):
    """The patient's age in completed units."""

    years: Interval
    """In years; months, weeks and days as fractions."""
    gestational: bool = False
    """Weeks of gestation of a newborn or a pregnancy, counted in weeks and not in years."""


class Sex(_Node, frozen=True, kw_only=True):
    """The patient's sex."""

    sex: str
    """`FEMALE` or `MALE`."""


class Childbearing(_Node, frozen=True, kw_only=True):
    """Pregnancy and what concerns it."""

    state: str
    """One of `pregnant`, `breastfeeding`, `able` (of child-bearing potential), `postmenopausal`,
    `contraception` (uses or will use it), `pregnancy_test` (has a negative one), `fathering`
    (a man who may father a child), `intends` (wants to become pregnant)."""


class Has(_Node, frozen=True, kw_only=True):
    """The patient has a condition, a symptom or a finding, or something of a class of them."""

    what: Term | None = None
    """None where only words are known: `words` then tells."""
    words: str
    """The words that name it, as written."""
    kind: TermKind = TermKind.CONDITION
    general: str = ""
    """A class in general words, asked of the chart as a whole: `disease`, `chronic disease`,
    `significant disease`, `infection`, `malignancy`, `psychiatric`, `organ dysfunction`,
    `surgery needed`, `contraindication`, `symptoms` (those the patient comes with), `other`; empty
    where a condition is named."""
    modifiers: str = ""
    """Words of the name that `what` does not cover, so that less than `what` is meant: "atypical"
    of "atypical parkinsonian syndromes"."""
    severity: str = ""
    """As written in lower case: `severe`, `moderate to severe`, `grade 3 or higher`,
    `clinically significant`, `uncontrolled`, `unstable`."""
    stage: tuple[str, ...] = ()
    """The stages or classes that count, in one spelling: `III`, `IV`, `T2`, `NYHA II`."""
    activity: str = ""
    """`active`, `acute`, `chronic`, `recurrent`, `relapsed or refractory`, `metastatic`, `locally
    advanced`, `newly diagnosed`, `untreated`, `remission`, `stable`, `suspected`, ... as
    written."""
    cause: str = ""
    """"due to ..." or the kind of it, as written."""
    proof: str = ""
    """"histologically confirmed", "documented by ...", as written; does not change the verdict by
    itself."""
    family: bool = False
    """Whether it is asked of relatives."""
    tense: Tense = Tense.NOW
    when: Window | None = None


class Measured(_Node, frozen=True, kw_only=True):
    """A laboratory value, a vital sign or a score lies in an interval."""

    analyte: str
    """Id of `analytes.txt`, or `words` in lower case where it is not known there."""
    words: str
    interval: Interval | None = None
    """In the analyte's own unit where `bound` is `UNIT` and the unit is known; None: only a
    state."""
    unit: str = ""
    bound: Bound = Bound.UNIT
    state: str = ""
    """`normal`, `abnormal`, `high`, `low`, `positive`, `negative`, `detectable`, `measured`; or
    empty."""
    values: tuple[str, ...] = ()
    """Classes that count where it is a class, not a number: `A`, `B` of Child-Pugh."""
    when: Window | None = None


class Took(_Node, frozen=True, kw_only=True):
    """A drug, a class of drugs or a kind of therapy is, was or will be given."""

    what: Term | None = None
    words: str
    kind: TermKind = TermKind.DRUG
    general: str = ""
    """`any drug`, `any chronic drug`, `investigational drug`, `other trial`, `anticancer therapy`,
    `systemic therapy`, `prior therapy`, `vaccine`, `blood product`, `supplement`; empty where one
    is named."""
    tense: Tense = Tense.NOW
    modifiers: str = ""
    """As of `Has`."""
    stable: bool = False
    """"On a stable dose"."""
    response: str = ""
    """`failed`, `refractory`, `intolerant`, `progressed`, `responded`, `contraindicated`, ...; or
    empty."""
    lines: Interval | None = None
    """How many lines, courses or drugs: "at least two prior lines"."""
    dose: str = ""
    route: str = ""
    """`systemic`, `topical`, `inhaled`, `intravenous`, ...; or empty."""
    when: Window | None = None


class Underwent(_Node, frozen=True, kw_only=True):
    """An operation, an examination or another procedure."""

    what: Term | None = None
    words: str
    kind: TermKind = TermKind.PROCEDURE
    modifiers: str = ""
    """As of `Has`."""
    tense: Tense = Tense.EVER
    when: Window | None = None


class Marker(_Node, frozen=True, kw_only=True):
    """A gene, a receptor or another biomarker in a state."""

    name: str
    """Key of the table of biomarkers, or as written."""
    states: tuple[str, ...] = ()
    """Which count: `positive`, `negative`, `mutated`, `wild type`, `rearranged`, `amplified`,
    `high`, `low`."""
    variant: str = ""
    words: str = ""


class Allergy(_Node, frozen=True, kw_only=True):
    """The patient is allergic to, or does not tolerate, something."""

    what: Term | None = None
    words: str
    """`study drug` where no substance is named."""


class Habit(_Node, frozen=True, kw_only=True):
    """Smoking, drinking, drug use."""

    what: str
    """`smoking`, `alcohol`, `drugs`."""
    state: str = "current"
    """`current`, `former`, `ever`, `never`, `abuse`."""
    amount: Interval | None = None
    unit: str = ""
    """`pack years`, `drinks a week`, `cigarettes a day`."""
    when: Window | None = None


class Person(_Node, frozen=True, kw_only=True):
    """Who the patient is, other than age and sex."""

    role: str
    """`healthy volunteer`, `prisoner`, `caregiver`, `relative`, `donor`, `employee`, `student`,
    `resident`, `inpatient`, `outpatient`, `emergency`, `intensive care`, `ethnicity`, `speaks`,
    `literate`, `insured`, `ambulatory`, `life expectancy`, `military`, `newborn`, `nursing home`,
    `occupation`, `other`."""
    words: str = ""
    detail: str = ""
    """The language, the place, the ethnicity, as written."""
    interval: Interval | None = None
    """Days, of a life expectancy."""


class Administrative(_Node, frozen=True, kw_only=True):
    """Consent, willingness, ability to take part, availability, the investigator's opinion."""

    topic: str
    """`consent`, `compliance`, `follow-up`, `understanding`, `opinion`, `access`, `other study`,
    `procedure`, `permission` (what is allowed, so that nothing is asked)."""
    words: str = ""


class Opaque(_Node, frozen=True, kw_only=True):
    """Words that were not understood."""

    words: str


Leaf: TypeAlias = (
    Age
    | Sex
    | Childbearing
    | Has
    | Measured
    | Took
    | Underwent
    | Marker
    | Allergy
    | Habit
    | Person
    | Administrative
    | Opaque
)
Requirement: TypeAlias = All | AnyOf | AtLeast | Not | Except | Given | Leaf

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Requirement] = msgspec.msgpack.Decoder(Requirement)


def encode_requirement(requirement: Requirement) -> bytes:
    """Give a requirement as it is stored."""
    return _encoder.encode(requirement)


def decode_requirement(data: bytes) -> Requirement:
    """Read a stored requirement; raises `msgspec.DecodeError` for anything else."""
    return _decoder.decode(data)


def leaves(requirement: Requirement) -> Iterator[Leaf]:
    """Yield the leaves in the order of the text."""
    match requirement:
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            for part in parts:
                yield from leaves(part)
        case Not(part=part):
            yield from leaves(part)
        case Except(of=of, but=but):
            yield from leaves(of)
            yield from leaves(but)
        case Given(who=who, then=then):
            yield from leaves(who)
            yield from leaves(then)
        case _:
            yield requirement
