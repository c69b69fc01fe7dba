from __future__ import annotations

import json
import re
from typing import Any

from trialyst.starter import Fit, patient_manifest, sample_patients
from trialyst.starter.cases import State, cases

Study = dict[str, Any]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\\", ""))


def _by_id(studies: list[Study]) -> dict[str, Study]:
    return {s["protocolSection"]["identificationModule"]["nctId"]: s for s in studies}


def test_there_are_a_dozen_patients_with_notes() -> None:
    patients = sample_patients()
    assert len(patients) == 12
    assert all(len(patient.note) > 300 for patient in patients)


def test_every_case_belongs_to_a_patient() -> None:
    assert {case.patient for case in cases()} == {patient.name for patient in sample_patients()}


def test_notes_are_marked_as_invented() -> None:
    words = re.compile(r"invented|synthetic|fictional|made up", re.IGNORECASE)
    assert all(words.search(patient.note) for patient in sample_patients())


def test_several_patients_have_all_three_kinds_of_trial() -> None:
    kinds = [{trial.fit for trial in patient.trials} for patient in sample_patients()]
    assert sum(kind == set(Fit) for kind in kinds) >= 5


def test_quotes_occur_in_the_notes() -> None:
    for patient in sample_patients():
        for trial in patient.trials:
            for criterion in trial.case.criteria:
                assert criterion.quote in patient.note


def test_what_is_known_is_quoted() -> None:
    for case in cases():
        for criterion in case.criteria:
            known = criterion.state in {State.MET, State.UNMET}
            assert bool(criterion.quote) == known, criterion


def test_ages_and_cities_stand_in_the_notes() -> None:
    for patient in sample_patients():
        assert str(patient.age) in patient.note
        assert patient.city in patient.note


def test_case_criteria_stand_in_the_generated_trials(studies: list[Study]) -> None:
    by_id = _by_id(studies)
    for patient in sample_patients():
        for trial in patient.trials:
            module = by_id[trial.nct_id]["protocolSection"]["eligibilityModule"]
            text = _plain(module["eligibilityCriteria"])
            assert all(_plain(criterion.text) in text for criterion in trial.case.criteria)


def test_case_limits_stand_in_the_generated_trials(studies: list[Study]) -> None:
    by_id = _by_id(studies)
    for case, trial in ((t.case, t) for p in sample_patients() for t in p.trials):
        protocol = by_id[trial.nct_id]["protocolSection"]
        module = protocol["eligibilityModule"]
        assert module["minimumAge"] == f"{case.min_age} Years"
        assert module.get("maximumAge") == (f"{case.max_age} Years" if case.max_age else None)
        assert module["sex"] == case.sex
        assert protocol["statusModule"]["overallStatus"] == case.status
        cities = {site["city"] for site in protocol["contactsLocationsModule"]["locations"]}
        assert case.city in cities


def test_fitting_trials_have_no_obstacle_and_near_ones_a_single_one() -> None:
    for patient in sample_patients():
        for trial in patient.trials:
            expected = {Fit.FITS: 0, Fit.NEARLY: 1}.get(trial.fit)
            assert expected in {None, len(trial.obstacles)}


def test_manifest_is_plain_json() -> None:
    manifest = patient_manifest()
    assert json.loads(json.dumps(manifest)) == manifest
    assert {trial["fit"] for patient in manifest for trial in patient["trials"]} == set(Fit)
