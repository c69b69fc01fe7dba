"""Trials like a trial: of its conditions and interventions, then of its conditions alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.discovery.search import search_trials
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["find_similar"]

_MOST_NAMES = 4
_COMPARATORS = ("placebo", "sham", "standard of care", "usual care", "no intervention", "control")


async def find_similar(
    source: TrialSource, trial: Trial, *, limit: int = 6
) -> Sequence[Mapping[str, Any]]:
    """Give the trials nearest to one, as items of a search; none where it names no condition."""
    if not trial.conditions:
        return []
    asked: dict[str, Any] = {"condition": list(trial.conditions[:_MOST_NAMES])}
    drugs = [each.name for each in trial.interventions if not _compares(each.name)]
    attempts = [{**asked, "intervention": drugs[:_MOST_NAMES]}] if drugs else []
    found: dict[str, Mapping[str, Any]] = {}
    for attempt in (*attempts, asked):
        answer = await search_trials(
            source, **attempt, page_size=limit + 1, fields="brief_title,start_date,sponsor"
        )
        for item in answer["items"]:
            found.setdefault(item["id"], item)
        if len(found) > limit:
            break
    found.pop(NctId.parse(trial.nct_id).curie, None)
    return list(found.values())[:limit]


def _compares(name: str) -> bool:
    return any(word in name.lower() for word in _COMPARATORS)
