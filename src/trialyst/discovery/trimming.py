"""Long parts of a trial cut short when nobody asked for them by name, and what was left out.

Asking for a section by name always gives it whole.
Eligibility criteria are never cut: a missing one could cost a patient.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from trialyst.ctgov.excerpts import CUT, cut_at_sentence

__all__ = ["Trimmed", "in_brief", "trim"]

_TEXTS: Mapping[str, int] = {"summaries": 4_000, "outcomes": 400, "arms": 800, "results": 400}
"""Characters of a text; 4,000 are about 1,000 tokens, and the brief summary says the same."""
_LISTS: Mapping[str, int] = {
    "primary": 20,
    "secondary": 20,
    "other": 10,
    "papers": 20,
    "officials": 10,
    "primary_outcomes": 5,
    "values": 40,
    "analyses": 10,
}
_BRIEF: Mapping[str, tuple[str, ...]] = {
    "summaries": ("brief_summary",),
    "protocol": (
        *("study_type", "phase", "status", "why_stopped", "conditions", "design", "enrollment"),
        *("has_results", "site_count", "countries"),
    ),
    "sponsors": ("lead", "collaborators"),
    "dates": ("start", "primary_completion", "completion", "last_update_posted"),
}
"""What a trial among several tells of each section, so that 20 fit into an answer."""
_BRIEF_SUMMARY = 300
_BRIEF_LIST = 5
_LISTED = frozenset({"outcomes", "references", "sponsors", "results"})


class Trimmed(NamedTuple):
    """A trial with its long parts cut, and a note for each section that was."""

    values: dict[str, Any]
    notes: tuple[str, ...]
    cut: tuple[str, ...]
    """The sections that were cut."""


def trim(values: Mapping[str, Any], *, whole: Collection[str] = ()) -> Trimmed:
    """Cut the long parts of every section but those asked for by name."""
    kept: dict[str, Any] = {}
    notes: dict[str, str] = {}
    for section, value in values.items():
        cuts = _Cuts(section)
        kept[section] = value if section in whole else _shorten(value, "", cuts)
        if cuts:
            told = "; ".join(dict.fromkeys(cuts))
            notes[section] = f"{values['id']}: {section} is cut ({told})."
    return Trimmed(kept, tuple(notes.values()), tuple(notes))


def in_brief(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give a trial as one among several: the parts that tell them apart, long ones cut."""
    kept: dict[str, Any] = {}
    for section, value in values.items():
        names = _BRIEF.get(section)
        kept[section] = (
            value
            if names is None
            else {name: _shortened(value[name]) for name in names if name in value}
        )
    return {section: value for section, value in kept.items() if value}


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return cut_at_sentence(value, _BRIEF_SUMMARY)
    return value[:_BRIEF_LIST] if isinstance(value, list) else value


class _Cuts(list[str]):
    """What was cut in one section, in words."""

    def __init__(self, section: str) -> None:
        super().__init__()
        self.text_limit = _TEXTS.get(section)
        self.lists = _LISTS if section in _LISTED else {}


def _shorten(value: Any, name: str, cuts: _Cuts) -> Any:
    if isinstance(value, dict):
        return {key: _shorten(each, key, cuts) for key, each in value.items()}
    if isinstance(value, list):
        limit = cuts.lists.get(name, len(value))
        if len(value) > limit:
            cuts.append(f"{limit} of {len(value)} {name}")
        return [_shorten(each, name, cuts) for each in value[:limit]]
    if isinstance(value, str) and cuts.text_limit and len(value) > cuts.text_limit:
        cuts.append(f"texts over {cuts.text_limit:,} characters")
        return value[: cuts.text_limit].rstrip() + CUT
    return value
