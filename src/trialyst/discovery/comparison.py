"""Trials side by side: one row an aspect, one value a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.excerpts import cut_at_sentence
from trialyst.discovery.views import present
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.protocol import DatedEvent
    from trialyst.ctgov.trial import Trial

__all__ = ["ASPECTS", "CUT_NOTE", "shorten_rows", "to_rows"]

CUT_NOTE = "Long lists and texts of the rows are cut; the trials themselves have them whole."
_MOST_VALUES = 10
_LONGEST_VALUE = 300
"""Characters of one value: ten trials of 26 aspects must fit into an answer."""


def to_rows(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Give every aspect at least one of the trials has a value for."""
    rows = []
    for aspect, view in _ASPECTS.items():
        values = {NctId.parse(trial.nct_id).curie: view(trial) for trial in trials}
        stated = present({name: None if each == [] else each for name, each in values.items()})
        if stated:
            distinct = {str(value) for value in values.values()}
            rows.append({"aspect": aspect, "values": stated, "differs": len(distinct) > 1})
    return rows


def shorten_rows(rows: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], bool]:
    """Cut what is long, and say whether anything was; `differs` is of whole values."""
    short = [
        {**row, "values": {name: _shorten(value) for name, value in row["values"].items()}}
        for row in rows
    ]
    return short, short != list(rows)


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return cut_at_sentence(value, _LONGEST_VALUE) if len(value) > _LONGEST_VALUE else value
    if not isinstance(value, list):
        return value
    more = [f"and {len(value) - _MOST_VALUES} more"] if len(value) > _MOST_VALUES else []
    return [*map(_shorten, value[:_MOST_VALUES]), *more]


def _date(event: DatedEvent | None) -> str | None:
    if event is None:
        return None
    return f"{event.date} ({event.type.lower()})" if event.type else str(event.date)


def _ages(trial: Trial) -> str | None:
    low, high = trial.eligibility.minimum_age, trial.eligibility.maximum_age
    if low is None and high is None:
        return None
    return f"{low or 'no minimum'} to {high or 'no maximum'}"


def _arms(trial: Trial) -> list[str]:
    return [f"{arm.label} ({arm.type})" if arm.type else arm.label for arm in trial.arms]


def _enrollment(trial: Trial) -> str | None:
    planned = trial.enrollment
    if planned.count is None:
        return None
    return f"{planned.count} ({planned.type.lower()})" if planned.type else str(planned.count)


_ASPECTS: Mapping[str, Callable[[Trial], Any]] = {
    "status": lambda trial: trial.status,
    "why_stopped": lambda trial: trial.why_stopped,
    "phase": lambda trial: trial.phase_code,
    "study_type": lambda trial: trial.study_type,
    "conditions": lambda trial: list(trial.conditions),
    "interventions": lambda trial: [each.name for each in trial.interventions],
    "arms": _arms,
    "allocation": lambda trial: trial.design.allocation,
    "intervention_model": lambda trial: trial.design.intervention_model,
    "masking": lambda trial: trial.design.masking,
    "primary_purpose": lambda trial: trial.design.primary_purpose,
    "observational_model": lambda trial: trial.design.observational_model,
    "enrollment": _enrollment,
    "primary_outcomes": lambda trial: [each.measure for each in trial.primary_outcomes],
    "ages": _ages,
    "sex": lambda trial: trial.eligibility.sex,
    "healthy_volunteers": lambda trial: trial.eligibility.healthy_volunteers,
    "sponsor": lambda trial: trial.lead_sponsor.name if trial.lead_sponsor else None,
    "collaborators": lambda trial: [each.name for each in trial.collaborators],
    "start": lambda trial: _date(trial.start),
    "primary_completion": lambda trial: _date(trial.primary_completion),
    "completion": lambda trial: _date(trial.completion),
    "last_update_posted": lambda trial: _date(trial.last_update_posted),
    "countries": lambda trial: list(trial.countries),
    "sites": lambda trial: len(trial.sites),
    "has_results": lambda trial: trial.has_results,
}
ASPECTS = tuple(_ASPECTS)
"""Every aspect, in the order of the rows."""
