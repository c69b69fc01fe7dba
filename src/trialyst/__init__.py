"""Trialyst: clinical-trial intelligence on your own machine.

`connect()` opens the local registry, or a synthetic starter where there is none. Names are
imported when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import Provenance, TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.errors import InvalidInput, NotFound, RegistryError, TrialystError
    from trialyst.ids import NctId
    from trialyst.interfaces.library import Results, Session, aconnect, connect
    from trialyst.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "InvalidInput",
    "NctId",
    "NotFound",
    "Provenance",
    "RegistryError",
    "Results",
    "Session",
    "Settings",
    "Trial",
    "TrialQuery",
    "TrialSource",
    "TrialystError",
    "__version__",
    "aconnect",
    "connect",
]

_HOMES = {
    "ctgov.query": ("TrialQuery",),
    "ctgov.source": ("Provenance", "TrialSource"),
    "ctgov.trial": ("Trial",),
    "errors": ("InvalidInput", "NotFound", "RegistryError", "TrialystError"),
    "ids": ("NctId",),
    "interfaces.library": ("Results", "Session", "aconnect", "connect"),
    "settings": ("Settings",),
}

__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
