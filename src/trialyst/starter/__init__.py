"""The labelled synthetic starter registry and the sample patients that go with it.

Every study here is generated and says so in its titles. Real trials come from the user's own files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.starter.cases import Fit
    from trialyst.starter.generator import STARTER_NOTICE, generate_studies
    from trialyst.starter.home import ensure_starter, starter_directory
    from trialyst.starter.notes import (
        PatientTrial,
        SamplePatient,
        patient_manifest,
        sample_patients,
    )
    from trialyst.starter.timeline import DATA_TIMESTAMP

__all__ = [
    "DATA_TIMESTAMP",
    "STARTER_NOTICE",
    "Fit",
    "PatientTrial",
    "SamplePatient",
    "ensure_starter",
    "generate_studies",
    "patient_manifest",
    "sample_patients",
    "starter_directory",
]

_HOMES = {
    "cases": ("Fit",),
    "generator": ("STARTER_NOTICE", "generate_studies"),
    "home": ("ensure_starter", "starter_directory"),
    "notes": ("PatientTrial", "SamplePatient", "patient_manifest", "sample_patients"),
    "timeline": ("DATA_TIMESTAMP",),
}

__getattr__ = lazy_names(__name__, _HOMES)
