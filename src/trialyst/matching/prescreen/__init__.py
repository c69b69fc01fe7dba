"""PRESCREEN: from a patient, or a few words, to candidate trials in their order, without a model.

`plan` says what to ask, `prescreen` asks a source and orders what comes, `search_inquiry` does the
same for words typed by a person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.matching.prescreen.candidates import (
        PresearchResult,
        ToolCallRecord,
        TrialCandidate,
    )
    from trialyst.matching.prescreen.gathering import Budget
    from trialyst.matching.prescreen.planning import PlannedQuery, QueryPlan, Scope, plan
    from trialyst.matching.prescreen.search import DEFAULT_SCOPE, prescreen, search_inquiry

__all__ = [
    "DEFAULT_SCOPE",
    "Budget",
    "PlannedQuery",
    "PresearchResult",
    "QueryPlan",
    "Scope",
    "ToolCallRecord",
    "TrialCandidate",
    "plan",
    "prescreen",
    "search_inquiry",
]

_HOMES = {
    "candidates": ("PresearchResult", "ToolCallRecord", "TrialCandidate"),
    "gathering": ("Budget",),
    "planning": ("PlannedQuery", "QueryPlan", "Scope", "plan"),
    "search": ("DEFAULT_SCOPE", "prescreen", "search_inquiry"),
}

__getattr__ = lazy_names(__name__, _HOMES)
