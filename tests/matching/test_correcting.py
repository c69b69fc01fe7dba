"""What was read is written out, corrected by hand, and judged again; what is wrong is refused."""

from __future__ import annotations

import pytest

from tests.matching.reading_notes import read, reader
from trialyst.eligibility.analytes import get_analyte
from trialyst.errors import InvalidInput
from trialyst.matching.correcting import Correction, FormSection, read_form, render_form
from trialyst.matching.patient import PatientProfile
from trialyst.starter import sample_patients

NOTE = """\
A 58-year-old postmenopausal woman with metastatic HER2+ breast cancer, stage IV, progressed on
trastuzumab. ECOG 2. History of stroke in 2015. HTN, controlled. No diabetes. Her mother had ovarian
cancer. Former smoker. Takes metoprolol 50 mg daily. Hemoglobin 10.2 g/dL. Temperature 39.2 C.
Allergic to penicillin. Underwent mastectomy in 2019."""

SETTINGS = {
    "age=61": ("+age: 61 Years", "-age: 58 Years"),
    "sex=male": ("+sex: male", "-sex: female"),
    "ecog=1": ("+ecog: 1", "-ecog: 2"),
    "ecog=unknown": ("-ecog: 2",),
    "diagnosis=melanoma": ("+diagnosis: melanoma", "+melanoma"),
    "hemoglobin=12.5 g/dL": ("+Hemoglobin 12.5 g/dL", "-Hemoglobin 10.2 g/dL"),
    "platelet count=120": ("+Platelets 120 10^9/L",),
    "NYHA=III": ("+NYHA class III",),
    "HER2=negative": ("+HER2 negative", "-HER2 positive"),
    "stroke=unknown": ("-history of stroke, in 2015",),
    "hypertension=no": ("+no hypertension", "-HTN, controlled"),
    "diabetes=yes": ("+diabetes", "-no diabetes"),
    "asthma=severe": ("+asthma, severe",),
    "pembrolizumab=stopped": ("+pembrolizumab, prior",),
    "smoking=never": ("+smoking never", "-smoking former"),
    "allergy=sulfa": ("+sulfa",),
    "condition=history of atrial fibrillation": ("+history of atrial fibrillation",),
    "condition=gravelly elbow": ("+gravelly elbow",),
}
WRONG = {
    "ecgo=1": "ecog",
    "hemoglobn=3": "hemoglobin",
    "warfrin=no": "warfarin",
    "ecog": "NAME=VALUE",
    "=1": "NAME=VALUE",
    "age=old": "61 years",
    "age=400": "61 years",
    "sex=x": "female",
    "ecog=very bad": "as a note would",
    "lab=whatever": "as a note would",
}
FORMS = {
    "conditons: [asthma]": "conditions",
    "- asthma": "form",
    "age: [1, 2]": "form",
    "conditions: [[[[[asthma]]]]]": "form",
    "a: &a [x]\nconditions: *a": "form",
    "conditions: !!python/object/apply:os.system [ls]": "form",
    "conditions: [": "form",
    "[" * 5000: "form",
    "x" * 1_000_001: "form",
}


def correct(profile: PatientProfile, *settings: str, form: str | None = None) -> PatientProfile:
    corrected = reader().correct(profile, settings=settings, form=form)
    note = corrected.note
    for entry in corrected.chart.entries():
        assert note.text[entry.start : entry.end] == entry.text
        sentence = note.sentence(entry.sentence)
        assert sentence is not None
        assert sentence.start <= entry.start < entry.end <= sentence.end
    return corrected


def lines(profile: PatientProfile) -> set[str]:
    """Give the lines of the form, without headings of lists and remarks."""
    rows = (row.split("  #")[0] for row in render_form(profile.chart).splitlines())
    return {row.strip().removeprefix("- ").strip("'") for row in rows if row[:1] != "#"}


def test_a_form_that_nobody_edited_corrects_nothing() -> None:
    for note in (NOTE, *(patient.note for patient in sample_patients())):
        profile = read(note)
        form = render_form(profile.chart)
        assert read_form(form, profile.chart) == []
        assert reader().correct(profile, form=form) is profile


def test_a_fact_set_by_its_name_takes_the_place_of_what_was_read() -> None:
    profile = read(NOTE)
    before = lines(profile)
    for setting, expected in SETTINGS.items():
        corrected = correct(profile, setting)
        after = lines(corrected)
        for change in expected:
            mark, line = change[0], change[1:]
            where = (after, before) if mark == "+" else (before, after)
            assert line in where[0], (setting, line, sorted(after ^ before))
            assert line not in where[1], (setting, line)
        assert corrected.changes, setting
        assert corrected.given == profile.note


def test_a_wrong_name_or_value_is_refused_with_what_is_nearest() -> None:
    profile = read(NOTE)
    for setting, way_out in WRONG.items():
        with pytest.raises(InvalidInput) as refused:
            reader().correct(profile, settings=[setting])
        assert way_out.lower() in f"{refused.value.message} {refused.value.hint}".lower(), setting
    for form, way_out in FORMS.items():
        with pytest.raises(InvalidInput) as refused:
            reader().correct(profile, form=form)
        assert way_out in str(refused.value.hint), form[:60]
    gone = Correction(section=FormSection.CONDITIONS, removed="HTN, contrled")
    with pytest.raises(InvalidInput) as refused:
        reader().correct(profile, corrections=[gone])
    assert "HTN, controlled" in str(refused.value.hint)


def test_an_edited_form_changes_just_its_lines() -> None:
    profile = read(NOTE)
    form = render_form(profile.chart)
    edited = "\n".join(
        "  - no hypertension\n  - HIV: positive" if "HTN" in row else row
        for row in form.splitlines()
        if "stroke, in 2015" not in row
    ).replace("ecog: 2", "ecog: 1")
    corrected = correct(profile, form=edited)
    assert lines(profile) - lines(corrected) == {
        "ecog: 2",
        "HTN, controlled",
        "history of stroke, in 2015",
    }
    assert {"ecog: 1", "no hypertension"} <= lines(corrected)
    assert len(corrected.changes) == 5
    assert correct(profile, form="ecog: 1").changes == ("ecog: 1 instead of 2",)
    assert "conditions: []" in render_form(correct(profile, form="conditions:").chart)


def test_a_form_alone_describes_a_patient() -> None:
    empty = read("Nothing.")
    form = "age: 61\nsex: male\ndiagnosis: melanoma\nlabs: [hemoglobin 9 g/dL]\necog: 1\n"
    facts = correct(empty, form=form).key_facts
    assert (facts.age, facts.sex, facts.primary_diagnosis) == ("61 Years", "MALE", "Melanoma")
    assert facts.measurements == ("Hemoglobin 9 g/dL",)


def test_every_line_of_a_form_can_be_read_again() -> None:
    for patient in sample_patients():
        profile = read(patient.note)
        again = correct(read("Nothing."), form=render_form(profile.chart))
        assert (again.age, again.sex) == (profile.age, profile.sex), patient.name
        named = {fact.name for fact in profile.facts if fact.holds and fact.concept}
        lost = named - {fact.name for fact in again.facts if fact.holds}
        assert len(lost) <= len(named) // 10, (patient.name, lost)


def test_what_follows_from_a_fact_goes_with_it() -> None:
    profile = read(NOTE)
    fever = [each for each in profile.chart.problems if each.inferred_from]
    assert "Fever" in {each.what.name for each in fever}
    cool = correct(profile, "temperature=36.8").chart
    assert "Fever" not in {each.what.name for each in cool.problems if each.inferred_from}
    assert get_analyte("temperature") is not None
    assert profile.primary_diagnosis is not None
    removed = Correction(
        section=FormSection.CONDITIONS, removed="breast cancer, stage IV, metastatic"
    )
    without = reader().correct(profile, corrections=[removed])
    assert without.primary_diagnosis is not None
    assert without.primary_diagnosis.name != profile.primary_diagnosis.name


@pytest.mark.parametrize(
    ("fact", "answer", "told"),
    [
        ("platelet count", "120", "labs: platelet count 120 added"),
        (
            "date of last chemotherapy",
            "2026-03-01",
            "other: date of last chemotherapy: 2026-03-01.",
        ),
    ],
)
def test_an_answer_to_any_fact_that_is_asked_is_taken(fact: str, answer: str, told: str) -> None:
    corrected = reader().correct(read(NOTE), answers=[(fact, answer)])
    assert corrected.changes[-1].startswith(told)
