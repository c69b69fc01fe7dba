"""Sample patients: invented notes, and how each patient stands to the trials written for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from trialyst.starter.cases import Case, Fit, cases
from trialyst.starter.plan import nct_id
from trialyst.starter.tables import read_rows

__all__ = ["PatientTrial", "SamplePatient", "patient_manifest", "sample_patients"]


@dataclass(frozen=True, slots=True)
class PatientTrial:
    """A trial of the starter registry, judged by hand for one patient."""

    nct_id: str
    fit: Fit
    obstacles: tuple[str, ...]
    """The limits and criteria that stand against the patient; empty when the trial fits."""
    case: Case


@dataclass(frozen=True, slots=True)
class SamplePatient:
    """An invented patient with a note."""

    name: str
    age: int
    sex: str
    condition: str
    city: str
    note: str
    trials: tuple[PatientTrial, ...]


@cache
def sample_patients() -> tuple[SamplePatient, ...]:
    """Give the sample patients in a fixed order."""
    folder = resources.files("trialyst.starter").joinpath("patients")
    patients: list[SamplePatient] = []
    for name, age, sex, condition, city in read_rows("patients.txt"):
        trials = tuple(
            _judged(case, age=int(age), sex=sex) for case in cases() if case.patient == name
        )
        note = folder.joinpath(f"{name}.txt").read_text("utf-8")
        patients.append(SamplePatient(name, int(age), sex, condition, city, note, trials))
    return tuple(patients)


def patient_manifest() -> list[dict[str, Any]]:
    """Give the patients and their trials as plain JSON values, without the notes."""
    return [
        {
            "name": patient.name,
            "age": patient.age,
            "sex": patient.sex,
            "city": patient.city,
            "trials": [
                {"nct_id": t.nct_id, "fit": t.fit.value, "obstacles": list(t.obstacles)}
                for t in patient.trials
            ],
        }
        for patient in sample_patients()
    ]


def _judged(case: Case, *, age: int, sex: str) -> PatientTrial:
    return PatientTrial(
        nct_id=nct_id(case.number),
        fit=case.fit(age=age, sex=sex),
        obstacles=case.obstacles(age=age, sex=sex),
        case=case,
    )
