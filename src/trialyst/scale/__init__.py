"""Many patients and many machines: cohorts, feasibility, and a registry in shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.scale.cohort import run_cohort
    from trialyst.scale.engine import LocalEngine
    from trialyst.scale.matcher import CohortOptions, Workplace
    from trialyst.scale.patients import open_patients
    from trialyst.scale.shards import open_shards

__all__ = [
    "CohortOptions",
    "LocalEngine",
    "Workplace",
    "open_patients",
    "open_shards",
    "run_cohort",
]

_HOMES = {
    "cohort": ("run_cohort",),
    "engine": ("LocalEngine",),
    "matcher": ("CohortOptions", "Workplace"),
    "patients": ("open_patients",),
    "shards": ("open_shards",),
}

__getattr__ = lazy_names(__name__, _HOMES)
