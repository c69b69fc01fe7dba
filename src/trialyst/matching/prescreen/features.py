"""How a trial fits a patient, in numbers: which terms stand where, which words, age and sex.

Every feature has a plain name; `scoring` weighs them. Nothing here decides anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from trialyst.folding import fold_phrase
from trialyst.matching.prescreen.rows import (
    Field,
    FoldedText,
    TrialRow,
    admits_patient_age,
    fold_row,
)
from trialyst.matching.prescreen.term import Role, SearchTerm
from trialyst.matching.prescreen.words import rarity

__all__ = ["Fit", "Lookup", "Patient", "measure_fit"]

_MEASURED: Mapping[Role, tuple[Field, ...]] = {
    Role.CONDITION: (Field.CONDITION, Field.TITLE),
    Role.TREATMENT: (Field.TITLE, Field.INTERVENTION),
}
_WORD_FIELDS = (Field.CONDITION, Field.TITLE, Field.INTERVENTION)
_TEXT_FIELDS = tuple(field for field in Field if field is not Field.EXCLUSION)
_RANKED = frozenset(
    {
        "main condition",
        "conditions",
        "conditions in text",
        "words of the note",
        "conditions of similar trials",
        "general names in the note",
    }
)
"""Lists a place in which says something; the others only widen the search."""
_SHORT = (Field.CONDITION, Field.TITLE, Field.KEYWORD)
_BESIDE = (Role.PROCEDURE, Role.BIOMARKER)


@dataclass(frozen=True, slots=True)
class Patient:
    """What the measures need to know of a patient."""

    terms: Sequence[SearchTerm]
    words: Mapping[str, float]
    age_days: tuple[float, float] | None = None
    sex: str | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """The measures of one trial, and the terms found in its conditions, titles and keywords."""

    measures: Mapping[str, float]
    found: tuple[SearchTerm, ...]
    age_fits: bool | None
    sex_fits: bool | None


class Lookup:
    """Finds a patient's terms in folded text, by the rarest word of each name."""

    def __init__(self, patient: Patient) -> None:
        self.patient = patient
        self.words = frozenset(patient.words)
        self._names: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for number, term in enumerate(patient.terms):
            for phrase in term.phrases:
                rarest = max(phrase.split(), key=rarity)
                self._names[rarest].append((f" {phrase} ", number))
        chief = (Role.CONDITION, Role.SYMPTOM)
        weights = (term.weight for term in patient.terms if term.role in chief)
        # Where nothing is diagnosed, the best of the symptoms is still no diagnosis.
        self.top = max((1.0, *weights))

    def find(self, field: FoldedText) -> set[int]:
        """Give the numbers of the terms that stand in a text."""
        found: set[int] = set()
        for word in field.words & self._names.keys():
            for phrase, number in self._names[word]:
                if number not in found and phrase in field.text:
                    found.add(number)
        return found

    def explains(self, text: str) -> bool:
        """Whether any term stands in a short text."""
        words = fold_phrase(text).split()
        return bool(self.find(FoldedText(f" {' '.join(words)} ", frozenset(words), len(words))))


def measure_fit(row: TrialRow, lookup: Lookup, ranks: Mapping[str, int]) -> Fit:
    """Measure how a trial fits; `ranks` tells its place in each list that holds it."""
    texts = fold_row(row)
    found = {field: lookup.find(text) for field, text in texts.items()}
    patient = lookup.patient
    age = None if patient.age_days is None else admits_patient_age(row, patient.age_days)
    sex = None if patient.sex is None or row.sex is None else row.sex in ("ALL", patient.sex)
    measures = {
        **_term_measures(found, lookup),
        **_word_measures(texts, lookup),
        **_plain_measures(row, texts, lookup),
        **{f"rank in {name}": 1 / (1 + ranks[name] / 50) for name in _RANKED & ranks.keys()},
        "age outside": float(age is False),
        "other sex": float(sex is False),
    }
    short = sorted({number for field in _SHORT for number in found[field]})
    return Fit(measures, tuple(patient.terms[number] for number in short), age, sex)


def _term_measures(found: Mapping[Field, set[int]], lookup: Lookup) -> dict[str, float]:
    terms = lookup.patient.terms
    measures: dict[str, float] = {}
    nearest = 0.0
    for field, numbers in found.items():
        by_role: dict[Role, list[float]] = {}
        for number in numbers:
            term = terms[number]
            by_role.setdefault(term.role, []).append(term.weight / lookup.top)
            if field in _SHORT and term.role is not Role.SIMILAR:
                full = term.role in (Role.CONDITION, Role.NARROWER)
                nearest = max(nearest, term.weight / lookup.top * (1.0 if full else 0.5))
        for role, weights in by_role.items():
            if field in _MEASURED.get(role, ()):
                measures[f"{role} in {field}"] = max(weights)
            elif role in _BESIDE and field is not Field.EXCLUSION:
                measures[f"{role} named"] = 1.0
    measures["best term named"] = nearest
    return measures


def _word_measures(texts: Mapping[Field, FoldedText], lookup: Lookup) -> dict[str, float]:
    weights = lookup.patient.words
    measures = {
        f"words in {field}": sum(weights[word] for word in texts[field].words & lookup.words)
        for field in _WORD_FIELDS
    }
    for field in (Field.CONDITION, Field.TITLE):
        total = sum(map(rarity, texts[field].words))
        measures[f"share of {field}"] = measures[f"words in {field}"] / (1 + total)
    everywhere = frozenset[str]().union(*(texts[field].words for field in _TEXT_FIELDS))
    measures["words in all"] = sum(weights[word] for word in everywhere & lookup.words)
    return measures


def _plain_measures(
    row: TrialRow, texts: Mapping[Field, FoldedText], lookup: Lookup
) -> dict[str, float]:
    strange = sum(not lookup.explains(condition) for condition in row.conditions)
    return {
        "conditions not explained": strange / max(1, len(row.conditions)),
        "conditions listed": float(min(6, len(row.conditions))),
        "interventional": float(row.study_type == "INTERVENTIONAL"),
        "treatment": float(row.purpose == "TREATMENT"),
        "healthy volunteers": float(bool(row.healthy_volunteers)),
        "length of inclusion": log(1 + texts[Field.INCLUSION].size),
        "length of exclusion": log(1 + texts[Field.EXCLUSION].size),
    }
