"""The embedded registry: ClinicalTrials.gov on your own machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.registry.builder import (
        BuildProgress,
        BuildReport,
        add_records,
        add_studies,
        build_dated,
        build_from_studies,
        build_registry,
        remove_records,
    )
    from trialyst.registry.prepare import Damage
    from trialyst.registry.reading import ReadingProgress, ReadingReport, read_requirements
    from trialyst.registry.registry import Hits, Registry
    from trialyst.registry.source import RegistrySource
    from trialyst.registry.status import (
        RegistryStatus,
        VerifyReport,
        registry_status,
        verify_registry,
    )
    from trialyst.registry.sync import (
        LiveService,
        Subset,
        SyncPlan,
        SyncProgress,
        SyncReport,
        sync_registry,
    )
    from trialyst.registry.upgrade import UpgradeReport, upgrade_registry

__all__ = [
    "BuildProgress",
    "BuildReport",
    "Damage",
    "Hits",
    "LiveService",
    "ReadingProgress",
    "ReadingReport",
    "Registry",
    "RegistrySource",
    "RegistryStatus",
    "Subset",
    "SyncPlan",
    "SyncProgress",
    "SyncReport",
    "UpgradeReport",
    "VerifyReport",
    "add_records",
    "add_studies",
    "build_dated",
    "build_from_studies",
    "build_registry",
    "read_requirements",
    "registry_status",
    "remove_records",
    "sync_registry",
    "upgrade_registry",
    "verify_registry",
]

_HOMES = {
    "builder": (
        "BuildProgress",
        "BuildReport",
        "add_records",
        "add_studies",
        "build_dated",
        "build_from_studies",
        "build_registry",
        "remove_records",
    ),
    "prepare": ("Damage",),
    "reading": ("ReadingProgress", "ReadingReport", "read_requirements"),
    "registry": ("Hits", "Registry"),
    "source": ("RegistrySource",),
    "status": ("RegistryStatus", "VerifyReport", "registry_status", "verify_registry"),
    "sync": (
        "LiveService",
        "Subset",
        "SyncPlan",
        "SyncProgress",
        "SyncReport",
        "sync_registry",
    ),
    "upgrade": ("UpgradeReport", "upgrade_registry"),
}

__getattr__ = lazy_names(__name__, _HOMES)
