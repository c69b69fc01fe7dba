"""Who the patient is: age, sex, child-bearing, habits, setting, and what staff must ask."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from trialyst.eligibility.answer import Answer, Applicability, Basis, Verdict
from trialyst.eligibility.chart import Chart, Entry, SexCode
from trialyst.eligibility.comparison.windows import fits_window

if TYPE_CHECKING:
    from trialyst.eligibility.comparison.case import Case
    from trialyst.eligibility.requirement import (
        Administrative,
        Age,
        Childbearing,
        Habit,
        Person,
        Sex,
    )

__all__ = [
    "GESTATION",
    "answer_administrative",
    "answer_age",
    "answer_childbearing",
    "answer_habit",
    "answer_person",
    "answer_sex",
    "telling_roles",
]

_FERTILE_FROM, _FERTILE_TO = 12, 55
_BEYOND = frozenset({"postmenopausal", "sterile"})
GESTATION = "gestational_age"
_GROWN = 2
"""Years from which on nobody is asked for weeks of gestation."""


def answer_age(leaf: Age, case: Case, *, wanted: bool) -> Answer:
    """Say whether the age lies in an interval; of an approximate age, whether all of it does."""
    if leaf.gestational:
        return _gestation(leaf, case, wanted=wanted)
    age = case.chart.age
    if age is None:
        return case.silent("Age", "age", wanted=wanted, missing="age")
    share = age.unit.days / 365.25
    upper = age.value if age.upper is None else age.upper
    if leaf.years.high is not None and leaf.years.high_included:
        # An age is given in completed units: "up to 75" admits until the 76th birthday.
        upper = min(upper * share, max(leaf.years.high, int(upper * share))) / share
    inside = [leaf.years.contains(age.value * share), leaf.years.contains(upper * share)]
    evidence = _demographics(case.chart, "age")
    if inside[0] != inside[1]:
        return Answer(Verdict.UNKNOWN, Basis.DETAIL, "Age", evidence, "", "exact age")
    verdict = Verdict.MET if inside[0] else Verdict.NOT_MET
    return Answer(verdict, Basis.STATED, "Age", evidence, f"The patient is {age} old.")


def _gestation(leaf: Age, case: Case, *, wanted: bool) -> Answer:
    for value in case.chart.lab_values:
        if value.analyte == GESTATION and value.value is not None:
            fits = leaf.years.contains(value.value.number)
            verdict = Verdict.MET if fits else Verdict.NOT_MET
            return Answer(verdict, Basis.MEASURED, "Age", (value,), value.text)
    age = case.chart.age
    grown = case.chart.pregnant is False if age is None else age.years >= _GROWN
    if grown and case.chart.pregnant is not True:
        why = "The patient is neither pregnant nor a newborn."
        evidence = _demographics(case.chart, "age")
        if wanted and not case.exclusion:
            return Answer(Verdict.NOT_MET, Basis.OTHER_GROUP, "Age/gestation", evidence, why)
        return _not_asked(evidence, why)
    return case.silent("Age", "gestation", wanted=wanted, missing="gestational age")


def _demographics(chart: Chart, what: str) -> tuple[Entry, ...]:
    """Give where age, sex or pregnancy is told; the first entry is the age's, then the sex's."""
    found = chart.demographics
    if not found:
        return ()
    return found[-1:] if what == "sex" and len(found) > 1 else found[:1]


def answer_sex(leaf: Sex, case: Case, *, wanted: bool) -> Answer:
    """Say whether the patient is of a sex."""
    if case.chart.sex is None:
        return case.silent("Sex", "sex", wanted=wanted, missing="sex")
    verdict = Verdict.MET if case.chart.sex.value == leaf.sex else Verdict.NOT_MET
    why = f"The patient is {case.chart.sex.value.lower()}."
    return Answer(verdict, Basis.STATED, "Sex", _demographics(case.chart, "sex"), why)


def answer_childbearing(leaf: Childbearing, case: Case, *, wanted: bool) -> Answer:
    """Say whether a state of pregnancy or fertility holds; of men it is not asked."""
    chart = case.chart
    evidence = _demographics(chart, "sex")
    if leaf.state == "fathering":
        if chart.sex is SexCode.FEMALE:
            return _not_asked(evidence, "It concerns men.")
        return case.silent("Childbearing", "fathering", wanted=wanted, missing="plans to father")
    if chart.sex is SexCode.MALE:
        return _not_asked(evidence, "The patient is male.")
    told = _told_state(leaf.state, chart)
    if told is not None:
        verdict = Verdict.MET if told[0] else Verdict.NOT_MET
        return Answer(verdict, Basis.STATED, "Childbearing", told[1], "The chart says so.")
    beyond = _past_bearing(chart)
    if beyond is not None:
        why = f"{beyond[0].text.strip().capitalize() if beyond else 'By her age'}."
        if leaf.state == "postmenopausal" and chart.age is not None and chart.age.years >= 60:
            return Answer(Verdict.MET, Basis.INFERRED, "Childbearing", beyond, why)
        if leaf.state == "able" and not case.exclusion:
            return Answer(Verdict.NOT_MET, Basis.INFERRED, "Childbearing", beyond, why)
        if leaf.state != "postmenopausal":
            return _not_asked(beyond, f"The patient cannot bear children: {why}")
    if leaf.state == "able" and chart.sex is SexCode.FEMALE and chart.age is not None:
        return Answer(Verdict.MET, Basis.INFERRED, "Childbearing", evidence, "By her age.")
    return case.silent(
        "Childbearing", leaf.state, wanted=wanted, missing=leaf.state, evidence=evidence
    )


def _told_state(state: str, chart: Chart) -> tuple[bool, tuple[Entry, ...]] | None:
    if state == "pregnant" and chart.pregnant is not None:
        return chart.pregnant, chart.demographics[-1:]
    if state == "pregnancy_test" and chart.pregnant is not None:
        return not chart.pregnant, chart.demographics[-1:]
    for fact in chart.person:
        if fact.role == state:
            return not fact.negated, (fact,)
    return None


def _past_bearing(chart: Chart) -> tuple[Entry, ...] | None:
    """Give what tells that a woman bears no children: menopause, sterilization, her age.

    None where nothing tells it; a record may give an age and no place where it is told.
    """
    told = (fact for fact in chart.person if fact.role in _BEYOND and not fact.negated)
    found = tuple(islice(told, 1))
    age = chart.age
    if found or age is None or _FERTILE_FROM <= age.years < _FERTILE_TO:
        return found or None
    return _demographics(chart, "age")


def _not_asked(evidence: tuple[Entry, ...], why: str) -> Answer:
    return Answer(
        Verdict.UNKNOWN,
        Basis.NOT_ASKED,
        "Childbearing",
        evidence,
        why,
        applicability=Applicability.NOT_APPLICABLE,
    )


_HELD_STATES = {
    "current": frozenset({"current", "abuse", "occasional"}),
    "former": frozenset({"former"}),
    "ever": frozenset({"current", "former", "abuse", "occasional"}),
    "never": frozenset({"never"}),
    "abuse": frozenset({"abuse"}),
}


def answer_habit(leaf: Habit, case: Case, *, wanted: bool) -> Answer:
    """Say whether the patient smokes, drinks or uses drugs as a leaf asks."""
    told = [each for each in case.chart.habits if each.what == leaf.what]
    if not told:
        return case.silent("Habit", f"{leaf.what} {leaf.state}", wanted=wanted, missing=leaf.what)
    entry = told[-1]
    fits = entry.state in _HELD_STATES.get(leaf.state, {leaf.state})
    if fits and leaf.amount is not None:
        if entry.amount is None or (leaf.unit and entry.amount.unit != leaf.unit):
            return Answer(
                Verdict.UNKNOWN, Basis.DETAIL, "Habit", (entry,), "", f"amount of {leaf.what}"
            )
        fits = leaf.amount.contains(entry.amount.number)
    if fits and leaf.when is not None and entry.state == "former":
        inside = fits_window(leaf.when, entry.when, current=False)
        if inside is None:
            return Answer(Verdict.UNKNOWN, Basis.DETAIL, "Habit", (entry,), "", "when it ended")
        fits = inside
    verdict = Verdict.MET if fits else Verdict.NOT_MET
    return Answer(verdict, Basis.STATED, "Habit", (entry,), f"{entry.text.strip()}.")


_SHOWING = {"ambulatory": ("outpatient",), "inpatient": ("intensive care", "ventilated")}
_CONTRARY = {
    "ambulatory": ("bedridden", "ventilated", "intensive care"),
    "outpatient": ("inpatient", "intensive care", "ventilated"),
    "inpatient": ("outpatient",),
    "emergency": ("outpatient",),
    "intensive care": ("outpatient",),
}
"""Settings that show another one, and that speak against it."""


def telling_roles(role: str) -> frozenset[str]:
    """Give the roles of facts that may answer for a role."""
    return frozenset((role, *_SHOWING.get(role, ()), *_CONTRARY.get(role, ())))


def answer_person(leaf: Person, case: Case, *, wanted: bool) -> Answer:
    """Say whether the patient is of a group of people, or in a setting."""
    told = [fact for fact in case.chart.person if fact.role == leaf.role]
    if leaf.role == "healthy volunteer":
        return _volunteer(case, wanted=wanted)
    if leaf.detail and told:
        wanted_words = leaf.detail.lower()
        for fact in told:
            mine = fact.detail.lower()
            if mine and (mine in wanted_words or wanted_words in mine):
                return Answer(Verdict.MET, Basis.STATED, "Person", (fact,), fact.text)
        return Answer(Verdict.NOT_MET, Basis.OTHER_GROUP, "Person", tuple(told[:1]), told[0].text)
    if told:
        verdict = Verdict.NOT_MET if told[0].negated else Verdict.MET
        return Answer(verdict, Basis.STATED, "Person", tuple(told[:1]), told[0].text)
    for verdict, roles in ((Verdict.NOT_MET, _CONTRARY), (Verdict.MET, _SHOWING)):
        shown = [fact for fact in case.chart.person if fact.role in roles.get(leaf.role, ())]
        if shown:
            return Answer(verdict, Basis.INFERRED, "Person", tuple(shown[:1]), shown[0].text)
    return case.silent("Person", leaf.role, wanted=wanted, missing=leaf.words or leaf.role)


def _volunteer(case: Case, *, wanted: bool) -> Answer:
    healthy = tuple(fact for fact in case.chart.person if fact.role == "no history")
    main = case.chart.main
    if main is not None and not healthy:
        why = f"The patient has {main.what.name.lower()}."
        return Answer(Verdict.NOT_MET, Basis.OTHER_GROUP, "Person/healthy", (main,), why)
    if healthy and main is None:
        return Answer(Verdict.MET, Basis.STATED, "Person/healthy", healthy[:1], healthy[0].text)
    return case.silent("Person", "healthy volunteer", wanted=wanted, missing="state of health")


def answer_administrative(leaf: Administrative, case: Case, *, wanted: bool) -> Answer:
    """Take consent and willingness from a sentence that promises them; else they are to confirm."""
    promised = tuple(fact for fact in case.chart.person if fact.role == "consent")
    if promised and leaf.topic != "permission" and not case.stated_only:
        verdict = Verdict.MET if wanted else Verdict.NOT_MET
        why = "The note says the patient consents and will comply."
        return Answer(
            verdict,
            Basis.STATED,
            "Administrative",
            promised[:1],
            why,
            applicability=Applicability.ADMINISTRATIVE,
        )
    return case.silent(
        "Administrative",
        leaf.topic,
        wanted=wanted,
        missing=leaf.words or leaf.topic,
        applicability=Applicability.ADMINISTRATIVE,
    )
