"""A chart as a profile: one fact an entry, in the order of the note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.chart import SexCode
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.reading.markers import marker_title
from trialyst.eligibility.scales import get_scale
from trialyst.matching.patient import Assertion, Fact, FactKind, PatientProfile
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.chart import (
        Chart,
        Entry,
        HabitEntry,
        LabValue,
        MarkerEntry,
        PersonFact,
        Problem,
    )

__all__ = ["to_profile"]

_PERSON = {
    "age": FactKind.AGE,
    "sex": FactKind.SEX,
    "pregnancy": FactKind.PREGNANCY,
    "ethnicity": FactKind.ETHNICITY,
    "place": FactKind.PLACE,
}
_HABITS = {
    "smoking": FactKind.SMOKING,
    "alcohol": FactKind.ALCOHOL,
    "drugs": FactKind.SUBSTANCE,
}
_PERFORMANCE = {"ecog": "ECOG", "karnofsky": "KPS", "lansky": "Lansky"}
_GIVEN = {
    "prior": Assertion.HISTORICAL,
    "planned": Assertion.HYPOTHETICAL,
    "refused": Assertion.ABSENT,
}
_STAGE = "stage"
_EXTENTS = frozenset(
    (
        *("metastatic", "locally advanced", "advanced", "unresectable", "recurrent", "relapsed"),
        *("refractory", "relapsed or refractory", "limited stage", "extensive stage"),
        *("early stage", "end stage", "castration resistant"),
    )
)
"""What is said of a cancer instead of its stage."""
_MARKER = "marker:"
_NUMERALS = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5}
_CANCER = ("C04", "C15.378.190.625.640")
_LUNG, _BREAST, _BOWEL, _SKIN = "C04.588.894.797.520", "C04.588.180", "C04.588.274", "C04.557.465"
_MARKERS = {
    _LUNG: ("EGFR", "ALK", "PD-L1"),
    _BREAST: ("ER", "HER2"),
    _BOWEL: ("RAS", "MSI"),
    _SKIN: ("BRAF",),
}
_ORGANS = (
    ("blood counts", ("hemoglobin", "platelets", "wbc", "neutrophils")),
    ("kidney function", ("creatinine", "egfr", "creatinine_clearance")),
    ("liver function", ("bilirubin", "alt", "ast")),
)
_FERTILE = (12, 55)
_ANY_ALLERGY = "term:allergy"


def to_profile(chart: Chart) -> PatientProfile:
    """Give the public view of a chart."""
    facts = sorted(_facts(chart), key=lambda fact: (fact.start, fact.end))
    primary = None if chart.main is None else _problem(chart.main)
    return PatientProfile(
        note=chart.note,
        facts=tuple(facts),
        age=chart.age,
        sex=chart.sex,
        pregnant=chart.pregnant,
        primary_diagnosis=primary,
        stage=_main_stage(chart.main, facts),
        missing=tuple(_missing(chart, primary, facts)),
        warnings=chart.warnings,
        chart=chart,
    )


def _facts(chart: Chart) -> Iterator[Fact]:
    for person in (*chart.demographics, *chart.person):
        yield _person(person, chart)
    classed = {value.sentence for value in chart.lab_values if value.grade}
    for problem in chart.problems:
        # A fact is what the note says; what findings show is for judging.
        if problem.inferred_from:
            continue
        yield _problem(problem)
        # "CKD stage 3" is a value of its own.
        if _extent(problem) and (_is_cancer(problem.what) or problem.sentence not in classed):
            yield _stage_of(problem)
    yield from map(_measured, chart.lab_values)
    for therapy in chart.therapies:
        given = _fact(FactKind.THERAPY, therapy, concept=therapy.what, status=therapy.status)
        yield replace(_asserted(given), detail=therapy.dose, line=therapy.line)
    for procedure in chart.procedures:
        status = "" if procedure.status == "done" else procedure.status
        yield _asserted(_fact(FactKind.PROCEDURE, procedure, concept=procedure.what, status=status))
    yield from map(_marker, chart.markers)
    for allergy in chart.allergies:
        # That none are known is a fact of the person already.
        if allergy.what.id == _ANY_ALLERGY:
            continue
        yield _fact(FactKind.ALLERGY, allergy, concept=allergy.what)
    yield from map(_habit, chart.habits)


def _fact(kind: FactKind, entry: Entry, **fields: Any) -> Fact:
    return Fact(
        kind,
        entry.text,
        entry.sentence,
        entry.start,
        entry.end,
        assertion=entry.assertion,
        negated=entry.negated,
        when="" if entry.when is None else entry.when.words,
        code=entry.code,
        **fields,
    )


def _asserted(fact: Fact) -> Fact:
    """Give what is done about a patient as it is asserted: what is planned does not hold yet."""
    if fact.assertion is Assertion.ABSENT and fact.status != "refused":
        return replace(fact, status="")
    if fact.assertion is not Assertion.PRESENT:
        return fact
    assertion = _GIVEN.get(fact.status, Assertion.PRESENT)
    return replace(fact, assertion=assertion, negated=assertion is Assertion.ABSENT)


def _person(entry: PersonFact, chart: Chart) -> Fact:
    if entry.role == "no allergies":
        return replace(
            _fact(FactKind.ALLERGY, entry, concept=Term("term:allergy", "Allergies")),
            assertion=Assertion.ABSENT,
            negated=True,
        )
    kind = _PERSON.get(entry.role, FactKind.PERSON)
    fields: dict[str, Any] = {}
    if kind is FactKind.AGE and chart.age is not None:
        age = chart.age
        fields["value"] = Quantity(age.value, str(age.unit), upper=age.upper)
    elif kind is FactKind.SEX and chart.sex is not None:
        fields["status"] = chart.sex.value
    elif kind is FactKind.PERSON:
        fields["detail"] = f"{entry.role}: {entry.detail}" if entry.detail else entry.role
    return _fact(kind, entry, **fields)


def _problem(problem: Problem) -> Fact:
    kind = FactKind.SYMPTOM if problem.kind is TermKind.SYMPTOM else FactKind.CONDITION
    return _fact(kind, problem, concept=problem.what, detail=problem.relative)


def _extent(problem: Problem) -> str:
    """Give a problem's stage, or how far a cancer has come where no stage is told."""
    spread = problem.activity in _EXTENTS and _is_cancer(problem.what)
    return problem.stage or (problem.activity if spread else "")


def _stage_of(problem: Problem) -> Fact:
    return _fact(FactKind.STAGE, problem, detail=_extent(problem))


def _measured(value: LabValue) -> Fact:
    if value.analyte == _STAGE:
        return _fact(FactKind.STAGE, value, detail=value.grade or value.status)
    status, number = value.status, value.value
    if value.grade and number is None:
        grade = _NUMERALS.get(value.grade) or (int(value.grade) if value.grade.isdigit() else None)
        number = None if grade is None else Quantity(float(grade), "class")
        status = status or ("" if grade is not None else value.grade)
    kind, scale = FactKind.MEASUREMENT, _PERFORMANCE.get(value.analyte)
    if scale is not None:
        kind, number = FactKind.PERFORMANCE, number and replace(number, unit=scale)
    return _fact(kind, value, concept=_analyte_term(value), value=number, status=status)


def _analyte_term(value: LabValue) -> Term:
    if ":" in value.analyte:
        return Term(value.analyte, value.name)
    if value.analyte in _PERFORMANCE:
        return Term(f"score:{_PERFORMANCE[value.analyte].lower()}", value.name)
    sort = "lab" if get_analyte(value.analyte) else "score" if get_scale(value.analyte) else "term"
    return Term(f"{sort}:{value.analyte}", value.name)


def _marker(entry: MarkerEntry) -> Fact:
    return _fact(
        FactKind.BIOMARKER,
        entry,
        concept=Term(f"{_MARKER}{entry.name}", marker_title(entry.name)),
        value=entry.value,
        status=entry.state,
        detail=entry.variant,
    )


def _habit(entry: HabitEntry) -> Fact:
    status = "current" if entry.state in ("occasional", "abuse") else entry.state
    return _fact(_HABITS[entry.what], entry, value=entry.amount, status=status)


def _main_stage(main: Problem | None, facts: Sequence[Fact]) -> Fact | None:
    """Give the main problem's stage, else of a cancer the first told, a numbered one before all."""
    stages = [fact for fact in facts if fact.kind is FactKind.STAGE and fact.holds]
    own = [fact for fact in stages if main is not None and fact.start == main.start]
    if own or (main is not None and not _is_cancer(main.what)):
        return next(iter(own), None)
    numbered = [fact for fact in stages if fact.detail[:1] in "0IV"]
    return next(iter(numbered or stages), None)


def _is_cancer(what: Term | None) -> bool:
    return what is not None and any(tree.startswith(_CANCER) for tree in what.trees)


def _missing(chart: Chart, primary: Fact | None, facts: Sequence[Fact]) -> Iterator[str]:
    """Name what a search for trials would want to know and the note does not say."""
    kinds = {fact.kind for fact in facts}
    known = {fact.concept.id for fact in facts if fact.concept is not None}
    for name, absent in (
        ("age", chart.age is None),
        ("sex", chart.sex is None),
        ("diagnosis", primary is None),
        ("pregnancy status", chart.pregnant is None and _is_fertile(chart)),
    ):
        if absent:
            yield name
    if primary is not None and _is_cancer(primary.concept):
        yield from _missing_of_cancer(primary, kinds, known)
    for kind, name in (
        (FactKind.THERAPY, "treatments"),
        (FactKind.ALLERGY, "allergies"),
        (FactKind.SMOKING, "smoking"),
        (FactKind.PLACE, "place of residence"),
    ):
        if kind not in kinds:
            yield name
    for name, analytes in _ORGANS:
        if known.isdisjoint(f"lab:{analyte}" for analyte in analytes):
            yield name


def _is_fertile(chart: Chart) -> bool:
    age = chart.age
    return chart.sex is SexCode.FEMALE and (age is None or _FERTILE[0] <= age.years <= _FERTILE[1])


def _missing_of_cancer(primary: Fact, kinds: set[FactKind], known: set[str]) -> Iterator[str]:
    if FactKind.STAGE not in kinds:
        yield "stage"
    if FactKind.PERFORMANCE not in kinds:
        yield "performance status"
    trees = () if primary.concept is None else primary.concept.trees
    for site, markers in _MARKERS.items():
        if any(tree.startswith(site) for tree in trees):
            yield from (marker for marker in markers if f"{_MARKER}{marker}" not in known)
