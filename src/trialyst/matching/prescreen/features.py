"""How a trial fits a patient, in numbers: which terms stand where, which words, age and sex.

Every feature has a plain name; `scoring` weighs them. Nothing here decides anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from trialyst.matching.prescreen.rows import (
    Field,
    FoldedText,
    RowTexts,
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
_WORDS_IN = {
    field: f"words in {field}" for field in (Field.CONDITION, Field.TITLE, Field.INTERVENTION)
}
_SHARES = {field: f"share of {field}" for field in (Field.CONDITION, Field.TITLE)}
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
_LONG = (*_BESIDE, Role.TREATMENT)
"""Roles that count outside the short fields."""


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


_Names = defaultdict[str, list[tuple[str, int]]]
"""By the rarest word of each name, the name between spaces and the number of its term."""


class Lookup:
    """Finds a patient's terms in folded text, by the rarest word of each name."""

    def __init__(self, patient: Patient) -> None:
        self.patient = patient
        self.words = frozenset(patient.words)
        self._names: _Names = defaultdict(list)
        self._beside: _Names = defaultdict(list)
        for number, term in enumerate(patient.terms):
            for phrase in term.phrases:
                words = phrase.split()
                rarest = max(words, key=rarity)
                # A name of one word stands wherever the word does.
                entry = "" if len(words) == 1 else f" {phrase} ", number
                self._names[rarest].append(entry)
                if term.role in _LONG:
                    self._beside[rarest].append(entry)
        self._words_of_names = frozenset(self._names)
        self._words_beside = frozenset(self._beside)
        chief = (Role.CONDITION, Role.SYMPTOM)
        weights = (term.weight for term in patient.terms if term.role in chief)
        # Where nothing is diagnosed, the best of the symptoms is still no diagnosis.
        self.top = max((1.0, *weights))

    def find(self, text: FoldedText) -> set[int]:
        """Give the numbers of the terms that stand in a text."""
        return _find(self._names, text.words & self._words_of_names, text)

    def find_in(self, field: Field, text: FoldedText) -> set[int]:
        """Give the same for a field, as far as such terms count in it."""
        if field in _SHORT:
            return self.find(text)
        if field is Field.EXCLUSION:
            return set()
        return _find(self._beside, text.words & self._words_beside, text)


def _find(names: _Names, words: Iterable[str], text: FoldedText) -> set[int]:
    found: set[int] = set()
    for word in words:
        for phrase, number in names[word]:
            if number not in found and phrase in text.text:
                found.add(number)
    return found


def measure_fit(row: TrialRow, lookup: Lookup, ranks: Mapping[str, int]) -> Fit:
    """Measure how a trial fits; `ranks` tells its place in each list that holds it."""
    texts = fold_row(row)
    found = {field: lookup.find_in(field, text) for field, text in texts.fields.items()}
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


def _word_measures(texts: RowTexts, lookup: Lookup) -> dict[str, float]:
    weights, fields = lookup.patient.words, texts.fields
    measures = {
        name: sum([weights[word] for word in fields[field].words & lookup.words])
        for field, name in _WORDS_IN.items()
    }
    for field, name in _SHARES.items():
        measures[name] = measures[_WORDS_IN[field]] / (1 + texts.rarities[field])
    measures["words in all"] = sum([weights[word] for word in texts.everywhere & lookup.words])
    return measures


def _plain_measures(row: TrialRow, texts: RowTexts, lookup: Lookup) -> dict[str, float]:
    strange = sum(not lookup.find(condition) for condition in texts.conditions)
    return {
        "conditions not explained": strange / max(1, len(row.conditions)),
        "conditions listed": float(min(6, len(row.conditions))),
        "interventional": float(row.study_type == "INTERVENTIONAL"),
        "treatment": float(row.purpose == "TREATMENT"),
        "healthy volunteers": float(bool(row.healthy_volunteers)),
        "length of inclusion": log(1 + texts.fields[Field.INCLUSION].size),
        "length of exclusion": log(1 + texts.fields[Field.EXCLUSION].size),
    }
