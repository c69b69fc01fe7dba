"""The past as it was known: what of a record may be shown at a cutoff, and what must be hidden.

A record last updated by the cutoff is shown whole. Of any other, whatever may have been entered
since is hidden: status and reason, estimated dates, dates after the cutoff, the enrollment,
references, results. A trial that had ended by then keeps its final status, marked as inferred.
Where a record states no day of first posting, the day of its first submission stands in for it.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.dates import PartialDate
from trialyst.repurposing.rows import TrialRow

if TYPE_CHECKING:
    from trialyst.ctgov.protocol import DatedEvent
    from trialyst.ctgov.trial import Trial

__all__ = [
    "AS_OF_TODAY",
    "Held",
    "first_posted",
    "hold_row",
    "hold_trial",
    "is_whole",
    "was_posted",
]

ENDED = frozenset({"COMPLETED", "TERMINATED", "WITHDRAWN"})
"""Statuses that do not change any more."""
AS_OF_TODAY = (
    "title",
    "brief_summary",
    "conditions",
    "interventions",
    "phase",
    "primary_outcomes",
    "sponsor",
    "collaborators",
)
_DATES = {"start": "StartDate", "primary_completion": "PrimaryCompletionDate"}
_DATES["completion"] = "CompletionDate"
_FIRST_POSTED = ("first_posted",)
_STATUS_FIELDS = ("overall_status", "why_stopped", "stop_category")


class Held(NamedTuple):
    """A trial as it may be shown."""

    trial: Trial
    whole: bool
    hidden: tuple[str, ...]
    inferred: tuple[str, ...]


def first_posted(trial: Trial) -> DatedEvent | None:
    """Give when a trial was first posted; where that is not stated, when it was submitted."""
    return trial.first_posted or trial.first_submitted


def was_posted(trial: Trial, cutoff: date) -> bool:
    """Whether a trial was first posted by the cutoff; one that states no day was not."""
    posted = first_posted(trial)
    return posted is not None and posted.date.last_day <= cutoff


def is_whole(trial: Trial, cutoff: date) -> bool:
    """Whether a record was last updated by the cutoff, so that all of it was known then."""
    updated = trial.last_update_posted
    return updated is not None and updated.date.last_day <= cutoff


def hold_trial(trial: Trial, cutoff: date) -> Held:
    """Give a trial without what was not known at the cutoff."""
    submitted = () if trial.first_posted else _FIRST_POSTED
    if is_whole(trial, cutoff):
        return Held(trial, whole=True, hidden=(), inferred=submitted)
    changes: dict[str, object] = {}
    hidden: list[str] = []
    for name in _DATES:
        event: DatedEvent | None = getattr(trial, name)
        if event is not None and not _happened(str(event.date), event.type, cutoff):
            changes[name] = None
            hidden.append(name)
    ended = trial.status in ENDED and _had_ended(
        _texts(trial.completion), _texts(trial.primary_completion), cutoff
    )
    if not ended:
        changes |= {"status": None, "why_stopped": None, "last_known_status": None}
        hidden.extend(_STATUS_FIELDS)
    # An estimate is changed too: that of a later version says how far recruitment came.
    if trial.enrollment.count is not None:
        changes["enrollment"] = type(trial.enrollment)()
        hidden.append("enrollment")
    if trial.references:
        changes["references"] = ()
        hidden.append("references")
    posted = trial.results_first_posted
    if trial.has_results and (posted is None or posted.date.last_day > cutoff):
        changes |= {"has_results": False, "results": None, "results_first_posted": None}
        hidden.append("results")
    sites = tuple(site.model_copy(update={"status": None}) for site in trial.sites)
    if sites != trial.sites:
        changes["sites"] = sites
        hidden.append("site_status")
    # Whenever the record was last touched, that was after the cutoff.
    changes |= dict.fromkeys(("last_update_posted", "last_update_submitted", "verified", "version"))
    held = trial.model_copy(update=changes)
    inferred = (*(_STATUS_FIELDS if ended else ()), *submitted)
    return Held(held, whole=False, hidden=tuple(hidden), inferred=inferred)


def hold_row(row: TrialRow, cutoff: date) -> TrialRow:
    """Give a row without what was not known at the cutoff."""
    updated = row.first("LastUpdatePostDate")
    if updated is not None and _last_day(updated) <= cutoff:
        return row
    gone = ["LastUpdatePostDate", "EnrollmentCount", "EnrollmentType"]
    for piece in _DATES.values():
        written = row.first(piece)
        if written is not None and not _happened(written, row.first(f"{piece}Type"), cutoff):
            gone.extend((piece, f"{piece}Type"))
    completion = (row.first("CompletionDate"), row.first("CompletionDateType"))
    primary = (row.first("PrimaryCompletionDate"), row.first("PrimaryCompletionDateType"))
    if row.status not in ENDED or not _had_ended(completion, primary, cutoff):
        gone.extend(("OverallStatus", "WhyStopped"))
    return row.without(*gone)


def _texts(event: DatedEvent | None) -> tuple[str | None, str | None]:
    return (None, None) if event is None else (str(event.date), event.type)


def _had_ended(
    completion: tuple[str | None, str | None], primary: tuple[str | None, str | None], cutoff: date
) -> bool:
    """Whether the trial was over by the cutoff; the primary completion counts where it is alone."""
    written, kind = completion if completion[0] else primary
    return written is not None and kind == "ACTUAL" and _last_day(written) <= cutoff


def _happened(written: str, kind: str | None, cutoff: date) -> bool:
    """Whether a date had come and was no forecast; one to the month counts from its last day."""
    return kind != "ESTIMATED" and _last_day(written) <= cutoff


def _last_day(written: str) -> date:
    try:
        return PartialDate.parse(written).last_day
    except ValueError:
        return date.max
