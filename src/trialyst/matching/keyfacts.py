"""The profile in short: a few plain words for each thing a search starts from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.matching.patient import Assertion, Fact, FactKind, KeyFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trialyst.matching.patient import PatientProfile

__all__ = ["to_key_facts"]


_SCALES = ("score", "class", "ECOG", "KPS", "Lansky")
"""Units that the name already tells."""


def to_key_facts(profile: PatientProfile) -> KeyFacts:
    """Give the key facts of a profile, each named once."""
    therapies = profile.held(FactKind.THERAPY)
    measured = _latest(profile.of(FactKind.MEASUREMENT))
    return KeyFacts(
        age=None if profile.age is None else str(profile.age),
        sex=profile.sex,
        pregnant=profile.pregnant,
        primary_diagnosis=_name(profile.primary_diagnosis),
        stage=None if profile.stage is None else profile.stage.detail,
        conditions=_names(profile.held(FactKind.CONDITION)),
        symptoms=_names(profile.held(FactKind.SYMPTOM)),
        absent=_names(
            fact
            for fact in profile.of(FactKind.CONDITION, FactKind.SYMPTOM)
            if fact.assertion is Assertion.ABSENT
        ),
        biomarkers=_distinct(_biomarker(fact) for fact in _latest(profile.of(FactKind.BIOMARKER))),
        prior_therapies=_names(fact for fact in therapies if fact.status == "prior"),
        current_therapies=_names(fact for fact in therapies if fact.status != "prior"),
        measurements=_distinct(map(_measurement, measured)),
        performance_status=_first(map(_measurement, _latest(profile.of(FactKind.PERFORMANCE)))),
        allergies=_names(profile.held(FactKind.ALLERGY)),
        smoking=_habit(profile.of(FactKind.SMOKING)),
        alcohol=_habit(profile.of(FactKind.ALCOHOL)),
        procedures=_names(profile.held(FactKind.PROCEDURE)),
        family_history=_names(fact for fact in profile.family_history if not fact.negated),
        place=_first(fact.name for fact in profile.of(FactKind.PLACE)),
        missing_information=profile.missing,
        sentences=tuple(_sourced(profile)),
    )


def _sourced(profile: PatientProfile) -> Iterator[tuple[str, str]]:
    """Give what was read of each kind with its sentence, each thing once."""
    told: set[str] = set()
    for fact in profile.facts:
        value = "" if fact.value is None else str(fact.value)
        said = "" if fact.assertion is Assertion.PRESENT else str(fact.assertion)
        words = " ".join(filter(None, (f"{fact.kind}:", said, fact.name, value, fact.status)))
        sentence = profile.note.sentence(fact.sentence)
        if words not in told and sentence is not None:
            told.add(words)
            yield words, " ".join(sentence.text.split())


def _latest(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Of what a record measured again and again keep the last; a note is kept as it is."""
    coded: dict[str, Fact] = {}
    kept: list[Fact] = []
    for fact in facts:
        if fact.code:
            coded[fact.name if fact.concept else fact.kind] = fact
        else:
            kept.append(fact)
    return (*kept, *coded.values())


def _habit(facts: Iterable[Fact]) -> str | None:
    """Of several things said of a habit, the one that weighs most for a trial."""
    told = {fact.status for fact in _latest(facts)}
    return next((status for status in ("current", "former", "never") if status in told), None)


def _name(fact: Fact | None) -> str | None:
    return None if fact is None else fact.name


def _names(facts: Iterable[Fact]) -> tuple[str, ...]:
    return _distinct(fact.name for fact in facts)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _first(texts: Iterable[str]) -> str | None:
    return next(filter(None, texts), None)


def _biomarker(fact: Fact) -> str:
    status = fact.status or ("negative" if fact.negated else "")
    value = "" if fact.value is None else str(fact.value)
    return " ".join(filter(None, (fact.name, fact.detail, value, status)))


def _measurement(fact: Fact) -> str:
    value = fact.status
    if fact.value is not None:
        value = str(fact.value)
        value = value.removesuffix(f" {fact.value.unit}") if fact.value.unit in _SCALES else value
    return f"{fact.name} {value}".strip()
