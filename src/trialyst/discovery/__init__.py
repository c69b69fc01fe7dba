"""Fuzzy to fact: search for trials, look them up, count and compare them, on any source.

Pure async functions over a `TrialSource`; `Discovery` holds them together for one source. The
answers are the values of `docs/contracts`. Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.discovery.counts import count_trials
    from trialyst.discovery.envelope import Answer, to_error_envelope
    from trialyst.discovery.facade import Discovery
    from trialyst.discovery.locations import get_trial_locations
    from trialyst.discovery.lookup import compare_trials, get_trial
    from trialyst.discovery.search import search_trials

__all__ = [
    "Answer",
    "Discovery",
    "compare_trials",
    "count_trials",
    "get_trial",
    "get_trial_locations",
    "search_trials",
    "to_error_envelope",
]

_HOMES = {
    "counts": ("count_trials",),
    "envelope": ("Answer", "to_error_envelope"),
    "facade": ("Discovery",),
    "locations": ("get_trial_locations",),
    "lookup": ("compare_trials", "get_trial"),
    "search": ("search_trials",),
}

__getattr__ = lazy_names(__name__, _HOMES)
