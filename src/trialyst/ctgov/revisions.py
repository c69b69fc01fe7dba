"""What changed between two versions of a trial, field by field, in words, the weightiest first.

Everything that differs is told: fields without words of their own by their name. The days on which
a record was updated and verified always change and are told only where nothing else did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from trialyst.ctgov.protocol import DatedEvent, Enrollment
from trialyst.ctgov.revised_lists import clip, revised_arms, revised_names, revised_outcomes
from trialyst.ctgov.revised_sites import revised_sites
from trialyst.ctgov.trial import Trial
from trialyst.ctgov.values import values_at
from trialyst.ctgov.vocab import Status, label_of
from trialyst.essie.pieces import pieces

__all__ = ["FieldChange", "describe_revision", "rank_arrival", "rank_revision"]

STOPPED = frozenset({Status.TERMINATED, Status.WITHDRAWN, Status.SUSPENDED})
WEIGHTS: Mapping[str, int] = {
    "stopped": 100,
    "results": 90,
    "status": 80,
    "primary_outcomes": 70,
    "phases": 65,
    "arms": 60,
    "interventions": 60,
    "eligibility": 55,
    "primary_completion": 50,
    "enrollment": 45,
    "conditions": 45,
    "lead_sponsor": 40,
    "start": 35,
    "completion": 35,
    "sites": 30,
    "secondary_outcomes": 25,
    "other_outcomes": 20,
    "titles": 15,
    "references": 15,
}
"""How much a change of a field matters to somebody who follows a trial; others weigh 5."""
NEW_WEIGHT, GONE_WEIGHT = 75, 85
_OTHERS = 5
_RECORD_DATES = frozenset({"last_update_posted", "last_update_submitted", "verified", "version"})
_UNTOLD = frozenset({"nct_id", "problems"})
_LOOKED_AT = {
    "OverallStatus": "status",
    "HasResults": "results",
    "PrimaryOutcomeMeasure": "primary_outcomes",
    "PrimaryOutcomeTimeFrame": "primary_outcomes",
    "Phase": "phases",
    "ArmGroupLabel": "arms",
    "InterventionName": "interventions",
    "EligibilityCriteria": "eligibility",
    "PrimaryCompletionDate": "primary_completion",
    "EnrollmentCount": "enrollment",
    "Condition": "conditions",
    "LeadSponsorName": "lead_sponsor",
    "StartDate": "start",
    "CompletionDate": "completion",
    "LocationFacility": "sites",
    "LocationStatus": "sites",
    "SecondaryOutcomeMeasure": "secondary_outcomes",
}
"""By what a change of a raw record is weighed, without reading all of it."""


class FieldChange(NamedTuple):
    """One thing that changed."""

    field: str
    what: str
    """In words."""
    before: str | None = None
    after: str | None = None
    weight: int = _OTHERS


def rank_revision(before: Any, after: Any) -> int:
    """Say how much the change of a decoded study matters, by its weightiest field."""
    weight = _OTHERS
    for name, field in _looked_at():
        if WEIGHTS[field] > weight and values_at(before, name) != values_at(after, name):
            weight = WEIGHTS[field]
            if field == "status" and set(values_at(after, name)) & STOPPED:
                return WEIGHTS["stopped"]
    return weight


def rank_arrival(before: Any | None) -> int:
    """Say how much it matters that a trial is new, or gone if it was there before."""
    return NEW_WEIGHT if before is None else GONE_WEIGHT


@cache
def _looked_at() -> list[tuple[Any, str]]:
    found = [(pieces()[name], field) for name, field in _LOOKED_AT.items()]
    return sorted(found, key=lambda pair: -WEIGHTS[pair[1]])


def describe_revision(before: Trial, after: Trial) -> list[FieldChange]:
    """Tell everything that changed, the weightiest first."""
    changed = {
        name
        for name in type(after).model_fields
        if name not in _UNTOLD and getattr(before, name) != getattr(after, name)
    }
    told: list[FieldChange] = []
    for fields, field, tell in _WORDS:
        if changed & fields:
            changed -= fields
            told.extend(
                each if each.weight != _OTHERS else each._replace(weight=WEIGHTS.get(field, 5))
                for each in tell(before, after)
            )
    told.extend(
        FieldChange(name, f"{name.replace('_', ' ')} changed")
        for name in sorted(changed - _RECORD_DATES)
    )
    if not told:
        told.append(FieldChange("record", "updated without a change that is read here", weight=1))
    return sorted(told, key=lambda change: (-change.weight, change.field, change.what))


def _status(before: Trial, after: Trial) -> Iterator[FieldChange]:
    old, new = _label(before.status), _label(after.status)
    why = f", reason: {clip(after.why_stopped)}" if after.why_stopped else ""
    weight = WEIGHTS["stopped" if after.status in STOPPED else "status"]
    if before.status != after.status:
        yield FieldChange("status", f"{old} -> {new}{why}", old, new, weight)
    elif before.why_stopped != after.why_stopped:
        told = f"reason for stopping: {clip(after.why_stopped or 'none any more')}"
        yield FieldChange("why_stopped", told, before.why_stopped, after.why_stopped, weight)
    else:
        yield FieldChange("status", "status before it became unknown changed")


def _results(before: Trial, after: Trial) -> Iterator[FieldChange]:
    if after.has_results and not before.has_results:
        posted = after.results_first_posted
        day = f" on {posted.date}" if posted else ""
        yield FieldChange("results", f"results posted{day}")
    elif before.has_results and not after.has_results:
        yield FieldChange("results", "results taken away")
    else:
        yield FieldChange("results", "posted results changed")


def _enrollment(before: Trial, after: Trial) -> Iterator[FieldChange]:
    old, new = _people(before.enrollment), _people(after.enrollment)
    yield FieldChange("enrollment", f"enrollment {old} -> {new}", old, new)


def _people(enrollment: Enrollment) -> str:
    if enrollment.count is None:
        return "unknown"
    kind = f" {label_of(enrollment.type).lower()}" if enrollment.type else ""
    return f"{enrollment.count:,}{kind}"


def _eligibility(before: Trial, after: Trial) -> Iterator[FieldChange]:
    old, new = before.eligibility, after.eligibility
    if old.criteria != new.criteria:
        lines, now = _lines(old.criteria), _lines(new.criteria)
        added, gone = len(now - lines), len(lines - now)
        yield FieldChange(
            "eligibility", f"eligibility criteria changed (lines: {added} new, {gone} gone)"
        )
    for name in ("minimum_age", "maximum_age", "sex", "healthy_volunteers"):
        was, now_is = getattr(old, name), getattr(new, name)
        if was != now_is:
            texts = (_said(was), _said(now_is))
            told = f"{name.replace('_', ' ')} {texts[0]} -> {texts[1]}"
            yield FieldChange("eligibility", told, *texts)
    shown = {"criteria", "minimum_age", "maximum_age", "sex", "healthy_volunteers", "std_ages"}
    if old.model_dump(exclude=shown) != new.model_dump(exclude=shown):
        yield FieldChange("eligibility", "who may take part was described anew")


def _lines(text: str | None) -> set[str]:
    return {" ".join(line.split()) for line in (text or "").splitlines() if line.strip()}


def _said(value: Any) -> str:
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return label_of(value) if isinstance(value, Status) else str(getattr(value, "label", value))


def _date(name: str) -> Callable[[Trial, Trial], Iterator[FieldChange]]:
    words = name.replace("_", " ")

    def tell(before: Trial, after: Trial) -> Iterator[FieldChange]:
        old: DatedEvent | None = getattr(before, name)
        new: DatedEvent | None = getattr(after, name)
        texts = (_event(old), _event(new))
        yield FieldChange(name, _moved(words, old, new), *texts)

    return tell


def _event(event: DatedEvent | None) -> str | None:
    if event is None:
        return None
    return str(event.date) + (f" ({label_of(event.type).lower()})" if event.type else "")


def _moved(words: str, old: DatedEvent | None, new: DatedEvent | None) -> str:
    if old is None or new is None:
        return f"{words} {_event(new)} given" if new else f"{words} taken away"
    span = f"({_event(old)} -> {_event(new)})"
    if old.date == new.date:
        return f"{words} {new.date} is now {label_of(new.type).lower() if new.type else 'stated'}"
    first, last = old.date.first_day, new.date.first_day
    months = (last.year - first.year) * 12 + last.month - first.month
    is_exact = old.date.day is not None and new.date.day is not None
    days = (last - first).days
    if abs(months) < 2 and is_exact and abs(days) < 45:
        distance = _count(abs(days), "day")
    elif months == 0:
        return f"{words} stated more or less exactly {span}"
    else:
        distance = _count(abs(months), "month")
    earlier = " earlier" if last < first else ""
    return f"{words} moved {'' if earlier else 'by '}{distance}{earlier} {span}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _texts(field: str, *names: str) -> Callable[[Trial, Trial], Iterator[FieldChange]]:
    def tell(before: Trial, after: Trial) -> Iterator[FieldChange]:
        for name in names:
            old, new = getattr(before, name), getattr(after, name)
            if old != new:
                words = name.replace("_", " ")
                told = f"{words} changed: {clip(old or 'none')} -> {clip(new or 'none')}"
                yield FieldChange(field, told, old, new)

    return tell


def _phases(before: Trial, after: Trial) -> Iterator[FieldChange]:
    old, new = before.phase_label, after.phase_label
    yield FieldChange("phases", f"{old} -> {new}", old, new)


def _sponsor(before: Trial, after: Trial) -> Iterator[FieldChange]:
    old, new = (each.lead_sponsor.name if each.lead_sponsor else "none" for each in (before, after))
    told = f"sponsor {clip(old)} -> {clip(new)}" if old != new else "kind of sponsor changed"
    yield FieldChange("lead_sponsor", told, old, new)


def _references(before: Trial, after: Trial) -> Iterator[FieldChange]:
    for told in revised_names(
        "reference",
        [each.pmid or each.citation or "" for each in before.references],
        [each.pmid or each.citation or "" for each in after.references],
    ):
        yield FieldChange("references", told)


def _listed(
    field: str, tell: Callable[[Trial, Trial], Iterator[str]]
) -> Callable[[Trial, Trial], Iterator[FieldChange]]:
    return lambda before, after: (FieldChange(field, told) for told in tell(before, after))


def _label(status: Any) -> str:
    return label_of(status).lower() if status else "no status"


_WORDS: tuple[tuple[frozenset[str], str, Callable[[Trial, Trial], Iterator[FieldChange]]], ...] = (
    (frozenset({"status", "why_stopped", "last_known_status"}), "status", _status),
    (
        frozenset({"has_results", "results", "results_first_posted", "results_first_submitted"}),
        "results",
        _results,
    ),
    (frozenset({"phases"}), "phases", _phases),
    (frozenset({"enrollment"}), "enrollment", _enrollment),
    (frozenset({"eligibility"}), "eligibility", _eligibility),
    (frozenset({"lead_sponsor"}), "lead_sponsor", _sponsor),
    (frozenset({"references"}), "references", _references),
    (
        frozenset({"brief_title", "official_title", "acronym"}),
        "titles",
        _texts("titles", "brief_title", "official_title", "acronym"),
    ),
    *(
        (frozenset({name}), name, _date(name))
        for name in ("start", "primary_completion", "completion")
    ),
    *(
        (frozenset({name}), name, _listed(name, revised_outcomes(name)))
        for name in ("primary_outcomes", "secondary_outcomes", "other_outcomes")
    ),
    (frozenset({"arms", "interventions"}), "arms", _listed("arms", revised_arms)),
    (frozenset({"sites", "removed_countries"}), "sites", _listed("sites", revised_sites)),
    (
        frozenset({"conditions"}),
        "conditions",
        _listed(
            "conditions",
            lambda before, after: revised_names("condition", before.conditions, after.conditions),
        ),
    ),
    (
        frozenset({"collaborators"}),
        "collaborators",
        _listed(
            "collaborators",
            lambda before, after: revised_names(
                "collaborator",
                [each.name for each in before.collaborators],
                [each.name for each in after.collaborators],
            ),
        ),
    ),
)
"""Fields that are told together, under which name, and how."""
