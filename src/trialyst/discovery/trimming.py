"""Long parts of a trial cut short when nobody asked for them by name, and what was left out.

Asking for a section by name always gives it whole, so every note tells a way that works.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

__all__ = ["Trimmed", "trim"]

# About 1,000 tokens: the brief summary says the same in fewer words.
TEXT_LIMIT = 4_000
_LIMITS: Mapping[tuple[str, str], int] = {
    ("summaries", "detailed_description"): TEXT_LIMIT,
    ("outcomes", "secondary"): 20,
    ("outcomes", "other"): 10,
    ("references", "papers"): 20,
    ("sponsors", "officials"): 10,
    ("results", "primary_outcomes"): 5,
}
VALUES_PER_OUTCOME = 40


class Trimmed(NamedTuple):
    """A trial with its long parts cut, and a note for each cut."""

    values: dict[str, Any]
    notes: tuple[str, ...]


def trim(values: Mapping[str, Any], *, whole: Iterable[str] = ()) -> Trimmed:
    """Cut the long parts of every section but those asked for by name."""
    kept, notes = dict(values), []
    for (section, name), limit in _LIMITS.items():
        found = kept.get(section, {}).get(name)
        if section in whole or found is None or len(found) <= limit:
            continue
        unit = "characters" if isinstance(found, str) else "entries"
        notes.append(_note(kept["id"], section, f"{limit:,} of {len(found):,} {unit} of {name}"))
        kept[section] = {**kept[section], name: found[:limit]}
    if "results" in kept and "results" not in whole:
        kept["results"], cut = _trim_values(kept["results"])
        if cut:
            notes.append(_note(kept["id"], "results", f"{cut:,} measured values left out"))
    return Trimmed(kept, tuple(notes))


def _trim_values(results: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    outcomes = results["primary_outcomes"]
    short = [{**each, "values": each["values"][:VALUES_PER_OUTCOME]} for each in outcomes]
    cut = sum(len(each["values"]) for each in outcomes) - sum(len(each["values"]) for each in short)
    return {**results, "primary_outcomes": short}, cut


def _note(nct_id: str, section: str, what: str) -> str:
    return f"{nct_id}: {what}; sections=['{section}'] gives all."
