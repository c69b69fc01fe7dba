"""Shapes of a trial for the tools: pure functions from `Trial` to plain values.

Owns field names and what is left out: absent values always, never a null. Sections of `get_trial`
are in `sections`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.sites import Contact, Site

__all__ = ["present", "to_candidate", "to_contact", "to_site", "to_slim_candidate", "to_title"]


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what has no value; an empty list is a value, an empty text or object is none.

    >>> present({"a": None, "b": "", "c": [], "d": 0, "e": {}})
    {'c': [], 'd': 0}
    """
    return {
        name: _plain(value)
        for name, value in values.items()
        if value is not None and not (isinstance(value, str | dict) and not value)
    }


def _plain(value: Any) -> Any:
    """Give members of vocabularies as the strings they are."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.value if isinstance(value, Enum) else value


def to_title(trial: TrialOutline) -> str | None:
    """Give the official title, else the brief one."""
    return trial.official_title or trial.brief_title


def to_candidate(trial: TrialOutline) -> dict[str, Any]:
    """Give the `TrialSearchCandidate` of `search_trials`."""
    return present(
        {
            "id": NctId.parse(trial.nct_id).curie,
            "title": to_title(trial),
            "brief_summary": trial.brief_summary,
            "phase": trial.phase_code,
            "status": trial.status,
            "conditions": list(trial.conditions),
            "interventions": [each.name for each in trial.interventions],
        }
    )


def to_slim_candidate(trial: TrialOutline) -> dict[str, Any]:
    """Give what one needs to choose a trial by its title."""
    whole = to_candidate(trial)
    return {name: whole[name] for name in ("id", "title", "phase", "status") if name in whole}


def to_site(site: Site) -> dict[str, Any]:
    """Give a site without its distance."""
    point = site.geo_point
    return present(
        {
            "facility": site.facility,
            "status": site.status,
            "city": site.city,
            "state": site.state,
            "zip": site.zip,
            "country": site.country,
            "latitude": point.latitude if point else None,
            "longitude": point.longitude if point else None,
            "contacts": [to_contact(each) for each in site.contacts] or None,
        }
    )


def to_contact(contact: Contact) -> dict[str, Any]:
    """Give someone to ask."""
    return present(contact.model_dump(mode="json"))
