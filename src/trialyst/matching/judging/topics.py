"""What a criterion is about and what a sentence of a note tells of, as few plain words each.

By these a sentence about drugs is found for a criterion about drugs, and the sentence that opens
the note for one about the patient's complaint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.matching.judging.statement import read_statement
from trialyst.matching.judging.systems import systems_of
from trialyst.matching.patient import FactKind

if TYPE_CHECKING:
    from trialyst.matching.judging.view import NoteView

__all__ = ["Asked", "Told", "asked_of", "told_in"]

_REMEMBERED = 20_000
_LEAD = 60
"""Letters of a criterion that say what it is chiefly about."""
_KINDS = {
    "consent": ("consent", "willing"),
    "ability": ("ability",),
    "understanding": ("understand",),
    "practical": ("practical", "language"),
    "pregnancy": ("pregnancy", "lactation", "contraception", "menopause"),
    "drug": ("drug_use", "drug_name"),
    "procedure": ("procedure",),
    "measure": ("laboratory", "lung_function", "body_size"),
    "vital": ("vital",),
    "imaging": ("imaging", "heart_rhythm"),
    "test": ("test", "confirmed"),
    "score": ("score",),
    "comparison": ("comparison",),
    "substance": ("substance",),
    "allergy": ("allergy",),
    "study": ("study", "enrolled"),
    "opinion": ("opinion",),
    "history": ("history",),
    "window": ("window",),
    "life": ("life",),
    "contraindication": ("contraindication",),
    "other": ("other",),
    "planned": ("planned",),
    "suspected": ("suspected",),
    "severity": ("severity",),
    "active": ("active",),
}
_TOPICS = {kind: topic for topic, kinds in _KINDS.items() for kind in kinds}
_QUALIFIERS = frozenset({"window", "comparison", "history", "severity", "active"})
"""What may stand beside the name of a condition that is all a criterion is about."""
_TRAITS = {
    "past": r"\bhistory\b|\bknown (?:to|case)\b|\bpmh\b|\bh/o\b|\bs/p\b|\bmedical conditions\b"
    r"|\bcomorbid",
    "well": r"\bno (?:(?:significant|previous|known|other|relevant|underlying|past|chronic|major)"
    r" )*(?:medical|disease|health|illness|problem|history)|\botherwise (?:healthy|well"
    r"|asymptomatic|unremarkable)|\bhealthy\b|\bhistory is (?:un|not )|\bunremarkable\b"
    r"|\bnot significant\b",
    "drugs": r"\bmedications?\b|\btak(?:es|ing)\b|\bmc?g\b|\bprescri|\btreated with\b|\btherapy\b"
    r"|\bdaily\b|\binhaler|\bdrugs\b|\bantibiotic",
    "imaging": r"\bct\b|\bmri\b|\bx-?rays?\b|\bultraso|\bradiogra|\bechocardio|\bscan\b|\bimaging\b"
    r"|\bangiogra|\bendoscop|\becg\b|\bekg\b|\bbiops",
    "values": r"\blab|\bserum\b|\bblood (?:count|test|glucose|urea)|\bwbc\b|\bhemoglobin|\bhgb\b"
    r"|\bcreatinine|\bplatelet|\bculture|\bpositive\b|\burinalysis|\bmg/dl|\bng/ml|\bg/dl|\btest",
    "exam": r"\bexam|\bvital|\bblood pressure|\bauscult|\bpulse\b|\btemperature\b|\bpalpa"
    r"|\brespirat\w+ rate|\bbp\b",
    "complaint": r"\bcomplain|\bpresent(?:s|ed|ing)\b|\breport|\bnote[sd]\b|\bsymptom|\bfeels?\b"
    r"|\bexperienc|\bdevelop|\bbrought|\bcomes\b|\bpain\b",
    "habits": r"\bsmok|\balcohol|\bdrink|\btobacco|\bdrugs\b|\billicit",
    "denial": r"\bden(?:y|ies|ied)\b|\bno\b|\bnot\b|\bwithout\b|\bnormal\b|\bnegative\b",
    "awake": r"\balert\b|\bawake\b|\boriented\b|\bconscious|\b(?:well|toxic|ill)[- ]appearing"
    r"|\bplayful\b|\bdistress\b|\bcomfortabl|\bdiscomfort\b",
    "background": r"\bmedical (?:history|conditions|problems)\b|\bpmh\b|\bcomorbid",
}
_SETTLES = {
    "drug": r"\bno (?:\w+ ){0,3}(?:medications?|drugs)\b|\bnot (?:taking|on|using) any (?:\w+ )?"
    r"(?:medication|drug)|\b(?:only|no other) medications?\b",
    "allergy": r"\bno (?:\w+ ){0,4}allerg|\bden\w+ (?:\w+ ){0,3}allerg|\bnot allergic\b",
    "procedure": r"\bno (?:\w+ ){0,6}(?:surger|operation)|\bnever (?:had|undergone) (?:\w+ )?surg",
    "substance": r"\b(?:no|not|never|n't|den\w+)\b[^.;]{0,40}\b(?:smok|alcohol|tobacco|drugs\b"
    r"|drink)|\bnon-?smoker",
}
"""How a sentence denies all that a topic is about."""
_FINDINGS = (FactKind.CONDITION, FactKind.SYMPTOM)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a criterion is about."""

    topics: tuple[str, ...]
    systems: int
    """The fields of medicine it speaks of, a bit each; see `systems_of`."""
    lead: int
    """Those of its first words."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence tells of."""

    number: int
    traits: tuple[str, ...]
    systems: int
    consent: bool
    """It is the sentence on consent."""
    findings: bool
    """It affirms a condition or a symptom."""
    settles: frozenset[str]
    """The topics of which it says that there is nothing."""


@lru_cache(maxsize=_REMEMBERED)
def asked_of(text: str) -> Asked:
    """Say what a criterion is about."""
    statement = read_statement(text)
    topics = {_TOPICS[kind] for kind in statement.kinds if kind in _TOPICS}
    if statement.demographic:
        topics.add("person")
    elif statement.ages:
        topics.add("aged")
    if statement.denies:
        topics.add("denied")
    if statement.syndromes or statement.speaks_of("illness") or topics <= _QUALIFIERS:
        topics.add("illness")
    lowered = statement.lowered
    return Asked(tuple(sorted(topics)), systems_of(lowered), systems_of(lowered[:_LEAD]))


def told_in(view: NoteView) -> tuple[Told, ...]:
    """Say what every sentence of a note tells of."""
    person = {place.sentence for place in (view.age_place, view.sex_place) if place is not None}
    findings = {fact.sentence for fact in view.chart.of(*_FINDINGS) if fact.holds}
    first = view.note.sentences[0] if view.note.sentences else None
    told = []
    for sentence in view.note.sentences:
        lowered = sentence.text.lower()
        traits = [name for name, pattern in _TRAITS.items() if re.search(pattern, lowered)]
        if sentence is first:
            traits.append("first")
        if sentence.number in person:
            traits.append("person")
        if sentence.number in findings:
            traits.append("findings")
        told.append(
            Told(
                sentence.number, tuple(traits), systems_of(lowered), sentence is view.consent,
                sentence.number in findings, _settled(lowered),
            )
        )  # fmt: skip
    return tuple(told)


def _settled(lowered: str) -> frozenset[str]:
    return frozenset(topic for topic, denial in _SETTLES.items() if re.search(denial, lowered))
