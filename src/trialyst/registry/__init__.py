"""The embedded registry: ClinicalTrials.gov on your own machine."""

from __future__ import annotations

from trialyst.registry.builder import (
    BuildProgress,
    BuildReport,
    add_records,
    add_studies,
    build_from_studies,
    build_registry,
    remove_records,
)
from trialyst.registry.registry import Hits, Registry

__all__ = [
    "BuildProgress",
    "BuildReport",
    "Hits",
    "Registry",
    "add_records",
    "add_studies",
    "build_from_studies",
    "build_registry",
    "remove_records",
]
