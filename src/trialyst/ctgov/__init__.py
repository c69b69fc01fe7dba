"""ClinicalTrials.gov: the one model of a trial, the query for trials, and their JSON forms.

Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.ctgov.ages import Age
    from trialyst.ctgov.client import LiveSource
    from trialyst.ctgov.dates import PartialDate
    from trialyst.ctgov.errors import BadParameter, DamagedRecord
    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.params import parse_params, to_params
    from trialyst.ctgov.parse import parse_outline, parse_trial, parse_trials
    from trialyst.ctgov.query import Circle, GeoDecay, SortKey, TrialQuery
    from trialyst.ctgov.source import OpenSource, Provenance, TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = [
    "Age",
    "BadParameter",
    "Circle",
    "DamagedRecord",
    "GeoDecay",
    "LiveSource",
    "OpenSource",
    "PartialDate",
    "Provenance",
    "SortKey",
    "Trial",
    "TrialOutline",
    "TrialQuery",
    "TrialSource",
    "parse_outline",
    "parse_params",
    "parse_trial",
    "parse_trials",
    "to_params",
]

_HOMES = {
    "ages": ("Age",),
    "client": ("LiveSource",),
    "dates": ("PartialDate",),
    "errors": ("BadParameter", "DamagedRecord"),
    "outline": ("TrialOutline",),
    "params": ("parse_params", "to_params"),
    "parse": ("parse_outline", "parse_trial", "parse_trials"),
    "query": ("Circle", "GeoDecay", "SortKey", "TrialQuery"),
    "source": ("OpenSource", "Provenance", "TrialSource"),
    "trial": ("Trial",),
}

__getattr__ = lazy_names(__name__, _HOMES)
