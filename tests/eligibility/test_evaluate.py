"""Requirements against charts made by hand: each leaf, each combinator, and what silence means."""

from __future__ import annotations

from typing import Any

import pytest

from trialyst.eligibility.answer import Answer, Applicability, Basis, Verdict
from trialyst.eligibility.chart import (
    AllergyEntry,
    Assertion,
    Chart,
    HabitEntry,
    LabValue,
    MarkerEntry,
    PatientAge,
    PersonFact,
    Problem,
    Procedure,
    SexCode,
    Therapy,
    TimePoint,
)
from trialyst.eligibility.evaluate import Case, Focus, evaluate
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.reading.note import parse_note
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    Allergy,
    AnyOf,
    AtLeast,
    Bound,
    Childbearing,
    Except,
    Given,
    Habit,
    Has,
    Interval,
    Marker,
    Measured,
    Not,
    Opaque,
    Person,
    Requirement,
    Sex,
    Tense,
    Took,
    Underwent,
    Window,
)
from trialyst.vocabulary import Relations, TermKind, Vocabulary

MET, NOT_MET, UNKNOWN = Verdict.MET, Verdict.NOT_MET, Verdict.UNKNOWN
PLACE: dict[str, Any] = {"text": "A", "sentence": 0, "start": 0, "end": 1}


class Bench:
    """Charts and requirements in terms of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.lexicon = Lexicon(vocabulary)
        self.relations = Relations(vocabulary)

    def problem(self, name: str, **fields: Any) -> Problem:
        return Problem(**{**PLACE, "what": self.lexicon.term(name), **fields})

    def therapy(self, name: str, **fields: Any) -> Therapy:
        return Therapy(**{**PLACE, "what": self.lexicon.term(name), **fields})

    def has(self, name: str, **fields: Any) -> Has:
        return Has(what=self.lexicon.term(name), words=name, **fields)

    def took(self, name: str, **fields: Any) -> Took:
        return Took(what=self.lexicon.term(name), words=name, **fields)

    def ask(self, requirement: Requirement, *, exclusion: bool = False, **chart: Any) -> Answer:
        focus = chart.pop("focus", None)
        stated_only = chart.pop("stated_only", False)
        made = Chart(note=parse_note("A patient."), **chart)
        case = Case(
            made,
            self.relations,
            exclusion=exclusion,
            focus=None if focus is None else Focus((self.lexicon.term(focus),)),
            stated_only=stated_only,
        )
        return evaluate(requirement, case)


@pytest.fixture(scope="module")
def bench(vocabulary: Vocabulary) -> Bench:
    return Bench(vocabulary)


ADULT = Age(years=Interval(low=18))
MALE, FEMALE = Sex(sex="MALE"), Sex(sex="FEMALE")
MAN: dict[str, Any] = {"age": PatientAge(60), "sex": SexCode.MALE}
WOMAN: dict[str, Any] = {"age": PatientAge(30), "sex": SexCode.FEMALE}


def test_combinators_follow_three_valued_logic(bench: Bench) -> None:
    true, false = ADULT, MALE
    unknown = Measured(analyte="hemoglobin", words="hemoglobin", interval=Interval(low=9))
    table: list[tuple[Requirement, Verdict]] = [
        (All(parts=(true, true)), MET),
        (All(parts=(true, unknown)), UNKNOWN),
        (All(parts=(unknown, false)), NOT_MET),
        (AnyOf(parts=(unknown, true)), MET),
        (AnyOf(parts=(unknown, false)), UNKNOWN),
        (AnyOf(parts=(false, false)), NOT_MET),
        (AtLeast(count=2, parts=(true, true, unknown)), MET),
        (AtLeast(count=2, parts=(true, unknown, false)), UNKNOWN),
        (AtLeast(count=2, parts=(unknown, false, false)), NOT_MET),
        (Not(part=true), NOT_MET),
        (Not(part=unknown), UNKNOWN),
        (Except(of=true, but=false), MET),
        (Except(of=true, but=true), NOT_MET),
        (Except(of=false, but=true), NOT_MET),
        (Given(who=true, then=false), NOT_MET),
        (All(parts=(true, Opaque(words="odd"))), MET),
    ]
    for requirement, verdict in table:
        assert bench.ask(requirement, **WOMAN).verdict is verdict, requirement


def test_organs_and_degrees_are_judged_by_what_shows_them(bench: Bench) -> None:
    def value(analyte: str, number: float, unit: str) -> LabValue:
        return LabValue(**PLACE, analyte=analyte, name=analyte, value=Quantity(number, unit))

    kidneys = Measured(analyte="renal function", words="renal function", state="normal")
    protein = LabValue(**PLACE, analyte="proteinuria", name="Protein", status="positive")
    severe = bench.problem("aortic stenosis", severity="severe")
    table: list[tuple[Requirement, dict[str, Any], Verdict]] = [
        (kidneys, {"lab_values": (value("creatinine", 0.9, "mg/dL"),)}, MET),
        (kidneys, {"lab_values": (value("creatinine", 0.3, "mg/dL"),)}, MET),
        (kidneys, {"lab_values": (value("creatinine", 3, "mg/dL"),)}, NOT_MET),
        (kidneys, {"problems": (bench.problem("acute kidney injury"),)}, NOT_MET),
        (kidneys, {"lab_values": (value("ast", 300, "U/L"),)}, UNKNOWN),
        (Measured(analyte="proteinuria", words="x"), {"lab_values": (protein,)}, MET),
        (
            bench.has("aortic stenosis", severity="mild to moderate"),
            {"problems": (severe,)},
            NOT_MET,
        ),
        (bench.has("aortic stenosis", severity="moderate"), {"problems": (severe,)}, MET),
    ]
    for requirement, chart, verdict in table:
        assert bench.ask(requirement, **chart).verdict is verdict, requirement
    unread = bench.ask(Has(words="odd thing"), focus="gout", main=bench.problem("asthma"))
    assert unread.verdict is UNKNOWN


def test_a_trial_does_not_rule_out_what_it_is_about(bench: Bench) -> None:
    lyme, main = bench.has("lyme disease", tense=Tense.EVER), bench.problem("lyme disease")
    chart: dict[str, Any] = {"problems": (main,), "main": main, "exclusion": True}
    assert bench.ask(lyme, focus="lyme disease", **chart).verdict is not MET
    assert bench.ask(lyme, focus="gout", **chart).verdict is MET
    radiography = bench.lexicon.term("chest radiography")
    scan = Underwent(what=radiography, words="chest x-ray")
    done = Procedure(**PLACE, what=radiography)
    assert bench.ask(scan, exclusion=True, procedures=(done,)).verdict is not MET
    assert bench.ask(scan, procedures=(done,)).verdict is MET
    suspected = bench.problem("sepsis", assertion=Assertion.POSSIBLE)
    for activity, verdict in (("suspected", MET), ("", UNKNOWN)):
        asked = bench.ask(bench.has("sepsis", activity=activity), problems=(suspected,))
        assert asked.verdict is verdict


def test_lists_about_bearing_children_ask_nothing_of_others(bench: Bench) -> None:
    able, contraception = Childbearing(state="able"), Childbearing(state="contraception")
    without = All(parts=(able, Not(part=AnyOf(parts=(contraception, bench.took("estrogen"))))))
    old = {**WOMAN, "age": PatientAge(70)}
    for chart in (MAN, old):
        for asked in (without, AnyOf(parts=(Childbearing(state="pregnant"), Opaque(words="odd")))):
            assert not bench.ask(asked, exclusion=True, **chart).asked, (asked, chart)
    disease = AnyOf(parts=(Childbearing(state="pregnant"), bench.has("gout")))
    assert (
        bench.ask(disease, exclusion=True, problems=(bench.problem("gout"),), **MAN).verdict is MET
    )


def test_what_concerns_others_is_not_asked(bench: Bench) -> None:
    for requirement in (
        Given(who=FEMALE, then=Childbearing(state="contraception")),
        Childbearing(state="pregnant"),
        All(parts=(Childbearing(state="pregnant"), Childbearing(state="breastfeeding"))),
    ):
        answer = bench.ask(requirement, exclusion=True, **MAN)
        assert answer.applicability is Applicability.NOT_APPLICABLE
        assert answer.verdict is UNKNOWN
    joined = All(parts=(ADULT, Given(who=FEMALE, then=Childbearing(state="contraception"))))
    assert bench.ask(joined, **MAN).verdict is MET


def test_ages_compare_in_completed_years(bench: Bench) -> None:
    to_75 = Age(years=Interval(low=18, high=75))
    ages = {
        PatientAge(75): MET,
        PatientAge(76): NOT_MET,
        PatientAge(17): NOT_MET,
        PatientAge(70, upper=79): UNKNOWN,
    }
    for age, verdict in ages.items():
        assert bench.ask(to_75, age=age).verdict is verdict, age


def test_conditions_compare_by_kind(bench: Bench) -> None:
    asthma = bench.has("asthma")
    denied = {"assertion": Assertion.ABSENT, "negated": True}
    table = [
        (asthma, [bench.problem("asthma")], MET),
        (bench.has("lung diseases"), [bench.problem("asthma")], MET),
        (asthma, [bench.problem("asthma", **denied)], NOT_MET),
        (asthma, [bench.problem("lung diseases", **denied)], NOT_MET),
        (bench.has("lung diseases"), [bench.problem("asthma", **denied)], UNKNOWN),
        (asthma, [bench.problem("asthma", assertion=Assertion.POSSIBLE)], UNKNOWN),
        (asthma, [bench.problem("asthma", assertion=Assertion.FAMILY)], UNKNOWN),
        (asthma, [bench.problem("asthma", activity="resolved")], NOT_MET),
        (
            bench.has("asthma", tense=Tense.EVER),
            [bench.problem("asthma", activity="resolved")],
            MET,
        ),
    ]
    for requirement, problems, verdict in table:
        said = bench.ask(requirement, problems=tuple(problems), stated_only=True)
        assert said.verdict is verdict, (requirement, problems)


def test_a_patient_with_another_disease_is_not_of_the_wanted_group(bench: Bench) -> None:
    main = bench.problem("gout")
    wanted = bench.has("melanoma")
    chart: dict[str, Any] = {"problems": (main,), "main": main}
    answer = bench.ask(wanted, focus="melanoma", **chart)
    assert (answer.verdict, answer.basis) == (NOT_MET, Basis.OTHER_GROUP)
    assert answer.evidence == (main,)
    untold = Measured(analyte="platelets", words="platelets", interval=Interval(low=100))
    assert bench.ask(untold, focus="melanoma", **chart).verdict is UNKNOWN


def test_silence_speaks_against_a_disease_that_excludes_and_not_about_values(bench: Bench) -> None:
    low = Measured(analyte="platelets", words="platelets", interval=Interval(high=50))
    assert bench.ask(bench.has("epilepsy"), exclusion=True, **MAN).verdict is NOT_MET
    assert bench.ask(Not(part=bench.has("epilepsy")), **MAN).verdict is MET
    assert bench.ask(bench.has("epilepsy"), **MAN).verdict is NOT_MET
    assert bench.ask(low, exclusion=True, **MAN).verdict is UNKNOWN
    for requirement in (bench.has("epilepsy"), Not(part=bench.has("epilepsy"))):
        assert bench.ask(requirement, exclusion=True, stated_only=True).verdict is UNKNOWN


def test_values_compare_over_units_and_limits_of_normal(bench: Bench) -> None:
    def value(analyte: str, number: float, unit: str) -> LabValue:
        return LabValue(**PLACE, analyte=analyte, name=analyte, value=Quantity(number, unit))

    low = Measured(
        analyte="creatinine", words="creatinine", interval=Interval(high=1.5), unit="mg/dL"
    )
    limit = Measured(
        analyte="alt", words="ALT", interval=Interval(high=2.5), bound=Bound.UPPER_LIMIT
    )
    bmi = Measured(analyte="bmi", words="BMI", interval=Interval(low=30))
    table: list[tuple[Measured, list[LabValue], Verdict]] = [
        (low, [value("creatinine", 1.2, "mg/dL")], MET),
        (low, [value("creatinine", 180, "umol/L")], NOT_MET),
        (limit, [value("alt", 60, "U/L")], MET),
        (limit, [value("alt", 400, "U/L")], NOT_MET),
        (bmi, [value("weight", 100, "kg"), value("height", 170, "cm")], MET),
    ]
    for requirement, values, verdict in table:
        assert bench.ask(requirement, lab_values=tuple(values)).verdict is verdict, values


def test_a_bound_told_decides_only_where_all_beyond_it_agrees(bench: Bench) -> None:
    def asked(low: float | None = None, high: float | None = None) -> Verdict:
        requirement = Measured(analyte="bmi", words="BMI", interval=Interval(low=low, high=high))
        told = Quantity(30, "kg/m2", comparator=">=")
        value = LabValue(**PLACE, analyte="bmi", name="bmi", value=told)
        return bench.ask(requirement, lab_values=(value,)).verdict

    assert asked(low=27) is MET
    assert asked(high=30) is NOT_MET
    assert asked(low=35) is asked(low=25, high=35) is UNKNOWN


def test_an_open_answer_quotes_the_parts_that_are_told(bench: Bench) -> None:
    told = PersonFact(**PLACE, role="age")
    unknown = Measured(analyte="hemoglobin", words="hemoglobin", interval=Interval(low=9))
    answer = bench.ask(All(parts=(ADULT, unknown)), **WOMAN, demographics=(told,))
    assert (answer.verdict, answer.evidence) == (UNKNOWN, (told,))


def test_age_tells_the_least_weight_and_nothing_above_it(bench: Bench) -> None:
    for least, verdict in ((35.0, MET), (50.0, UNKNOWN)):
        weight = Measured(analyte="weight", words="weight", interval=Interval(low=least), unit="kg")
        assert bench.ask(weight, **WOMAN).verdict is verdict, least


def test_treatments_compare_by_class_status_and_time(bench: Bench) -> None:
    recent = TimePoint("12 days ago", (12, 12))
    month = Window(within=30)
    chemo = bench.therapy("carboplatin", status="prior", when=recent)
    warfarin = bench.therapy("warfarin", status="prior")
    table = [
        (bench.took("carboplatin", tense=Tense.EVER), chemo, MET),
        (bench.took("carboplatin", when=month, tense=Tense.EVER), chemo, MET),
        (bench.took("carboplatin", when=Window(within=7), tense=Tense.EVER), chemo, NOT_MET),
        (bench.took("warfarin"), warfarin, NOT_MET),
        (bench.took("warfarin"), bench.therapy("warfarin"), MET),
        (bench.took("warfarin", when=month, tense=Tense.EVER), warfarin, UNKNOWN),
    ]
    for requirement, therapy, verdict in table:
        said = bench.ask(requirement, therapies=(therapy,), stated_only=True)
        assert said.verdict is verdict, (requirement, therapy)
    anything = Took(words="any chronic medication", general="any chronic drug")
    assert bench.ask(anything, therapies=(bench.therapy("warfarin"),)).verdict is MET


def test_other_leaves(bench: Bench) -> None:
    term = bench.lexicon.term
    done = Procedure(**PLACE, what=term("appendectomy"))
    smoker = HabitEntry(**PLACE, what="smoking", state="former")
    braf = MarkerEntry(**PLACE, name="BRAF", state="mutated", variant="V600E")
    penicillin = AllergyEntry(**PLACE, what=term("penicillin"))
    agrees = PersonFact(**PLACE, role="consent")
    table: list[tuple[Requirement, dict[str, Any], Verdict]] = [
        (Underwent(what=term("appendectomy"), words="appendectomy"), {"procedures": (done,)}, MET),
        (Habit(what="smoking"), {"habits": (smoker,)}, NOT_MET),
        (Habit(what="smoking", state="ever"), {"habits": (smoker,)}, MET),
        (Marker(name="BRAF", states=("mutated",)), {"markers": (braf,)}, MET),
        (Marker(name="BRAF", states=("wild type",)), {"markers": (braf,)}, NOT_MET),
        (Marker(name="BRAF", variant="V600"), {"markers": (braf,)}, MET),
        (Marker(name="BRAF", variant="V600K/E"), {"markers": (braf,)}, MET),
        (Marker(name="BRAF", variant="V600K"), {"markers": (braf,)}, NOT_MET),
        (Allergy(what=term("penicillin"), words="x"), {"allergies": (penicillin,)}, MET),
        (Administrative(topic="consent"), {"person": (agrees,)}, MET),
        (Administrative(topic="consent"), {}, UNKNOWN),
        (Person(role="healthy volunteer"), {"main": bench.problem("gout")}, NOT_MET),
        (Has(words="odd thing"), {}, UNKNOWN),
    ]
    for requirement, chart, verdict in table:
        assert bench.ask(requirement, **chart).verdict is verdict, requirement
    assert bench.has("asthma").kind is TermKind.CONDITION


def test_therapies_asked_by_number_are_counted(bench: Bench) -> None:
    chart: dict[str, Any] = {
        "therapies": (bench.therapy("lisinopril"), bench.therapy("amlodipine")),
        "lists_medications": True,
    }

    def ask(low: int | None, high: int | None) -> Verdict:
        lines = Interval(low=low, high=high)
        leaf = bench.took("antihypertensive", kind=TermKind.DRUG_CLASS, lines=lines)
        return bench.ask(leaf, **chart).verdict

    assert (ask(2, None), ask(None, 3), ask(3, None), ask(None, 1)) == (MET, MET, NOT_MET, NOT_MET)


def test_a_denial_denies_what_is_narrower_not_what_is_wider(bench: Bench) -> None:
    none: dict[str, Any] = {"assertion": Assertion.ABSENT, "negated": True}
    prednisone = bench.took("prednisone")
    steroids = bench.took("class:corticosteroid", kind=TermKind.DRUG_CLASS)
    no_steroids: dict[str, Any] = {"therapies": (bench.therapy("class:corticosteroid", **none),)}
    no_prednisone: dict[str, Any] = {"therapies": (bench.therapy("prednisone", **none),)}
    assert bench.ask(prednisone, **no_steroids).basis is Basis.DENIED
    assert bench.ask(steroids, **no_prednisone).basis is Basis.SILENCE


def test_one_setting_speaks_of_another(bench: Bench) -> None:
    seen: dict[str, Any] = {"person": (PersonFact(**PLACE, role="outpatient"),)}
    for role, verdict in (("ambulatory", MET), ("inpatient", NOT_MET), ("emergency", NOT_MET)):
        assert bench.ask(Person(role=role, words=role), **seen).verdict is verdict, role


def test_an_exception_met_by_the_main_problem_ends(bench: Bench) -> None:
    """Taking the main problem off the list leaves it the main problem: no endless recursion."""
    symptoms = Has(words="symptoms", general="symptoms")
    main = bench.problem("cough")
    for listed in ((), (main,)):
        answer = bench.ask(Except(of=symptoms, but=symptoms), problems=listed, main=main)
        assert answer.verdict is NOT_MET
