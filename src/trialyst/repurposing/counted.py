"""The trials behind a count: what a page leads to from each number it shows.

Nothing is counted anew: the same trials are sorted by the same rules as in the answer that holds
the number, and listed instead of counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from trialyst.annotation import Role
from trialyst.annotation.sponsors import read_sponsor
from trialyst.errors import InvalidInput
from trialyst.folding import fold_phrase
from trialyst.questions.names import read_condition, read_drug
from trialyst.repurposing.annotated import SoughtCondition
from trialyst.repurposing.competitors import TREATMENT
from trialyst.repurposing.landscape import load_field, mechanisms_of, sort_trials
from trialyst.repurposing.queries import build_query, names_condition
from trialyst.repurposing.rows import Columns
from trialyst.repurposing.trends import count_starts, count_stops, find_recent_starts
from trialyst.repurposing.whitespace import Evidence, gather_evidence

if TYPE_CHECKING:
    from trialyst.repurposing.annotated import AnnotatedTrial
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.competitors import DrugTrial
    from trialyst.repurposing.rows import TrialRow

__all__ = ["LANDSCAPE_COUNTS", "WHITESPACE_COUNTS", "list_landscape", "list_whitespace"]

_BOTH: Mapping[str, Callable[[Evidence], list[TrialRow]]] = {
    "both": lambda found: [hit.row for hit in found.hits],
    "exact": lambda found: [hit.row for hit in found.hits if not hit.narrower],
    "narrower": lambda found: [hit.row for hit in found.hits if hit.narrower],
    "graded": lambda found: found.graded,
    "mentioned": lambda found: list(found.mentioned),
    **{role.value: lambda found, role=role: _in_role(found, role) for role in Role},  # type: ignore[misc]
}
WHITESPACE_COUNTS = ("drug", "condition", *_BOTH)
"""The counts of a drug and a condition that can be listed."""


def _in_role(found: Evidence, role: Role) -> list[TrialRow]:
    return [hit.row for hit in found.hits if hit.role is role and not hit.narrower]


async def list_whitespace(asking: Asking, drug: str, condition: str, counted: str) -> list[str]:
    """Give the ids of the trials that a count of `detect_whitespace` is of."""
    if counted not in WHITESPACE_COUNTS:
        raise InvalidInput(
            f"{counted!r} counts nothing here", hint=f"Use one of {', '.join(WHITESPACE_COUNTS)}."
        )
    sought = read_drug(asking.vocabulary, drug)
    about = read_condition(asking.vocabulary, condition)
    if counted in _BOTH:
        found = await gather_evidence(asking, sought, about)
        return [row.nct_id for row in _BOTH[counted](found)]
    query = (
        build_query(sought, cutoff=asking.cutoff)
        if counted == "drug"
        else build_query(filters=(names_condition(about),), cutoff=asking.cutoff)
    )
    return [row[0][0] async for row in asking.source.iter_rows(query, ["NCTId"])]


class _Field(NamedTuple):
    """The trials of a condition, and of them those that treat it with a drug."""

    asking: Asking
    kept: Sequence[AnnotatedTrial]
    by_purpose: Mapping[str, Sequence[DrugTrial]]

    @property
    def treating(self) -> Sequence[DrugTrial]:
        return self.by_purpose.get(TREATMENT, ())


def _in_phase(field: _Field, label: str) -> set[str]:
    return {trial.row.nct_id for trial in field.kept if trial.row.phase == label}


def _started(field: _Field, year: str) -> set[str]:
    today = field.asking.today
    return _rows_where(field, lambda columns: year in count_starts(columns, today))


def _stopped(field: _Field, year: str) -> set[str]:
    today = field.asking.today
    return _rows_where(field, lambda columns: year in count_stops(columns, today))


def _rows_where(field: _Field, holds: Callable[[Columns], bool]) -> set[str]:
    return {trial.row.nct_id for trial in field.kept if holds(Columns([trial.row]))}


def _of_sponsor(field: _Field, name: str) -> set[str]:
    key = read_sponsor(name).key
    return {row.nct_id for row, _ in field.treating if read_sponsor(row.sponsor).key == key}


def _of_drug(field: _Field, name: str) -> set[str]:
    wanted = fold_phrase(name)
    return _giving(field, lambda drug: fold_phrase(drug) == wanted)


def _of_class(field: _Field, name: str) -> set[str]:
    return _giving(field, lambda drug: name in mechanisms_of(drug))


def _giving(field: _Field, holds: Callable[[str], bool]) -> set[str]:
    """Give the trials of every drug of which one trial's name for it holds."""
    keys = {each.drug.key for _, given in field.treating for each in given if holds(each.drug.name)}
    return {
        row.nct_id for row, given in field.treating if any(each.drug.key in keys for each in given)
    }


def _measuring(field: _Field, name: str) -> set[str]:
    wanted = fold_phrase(name)
    return {
        trial.row.nct_id
        for trial in field.kept
        if any(fold_phrase(each) == wanted for each in trial.annotation.end_points)
    }


def _recent(field: _Field, _: str) -> set[str]:
    every = chain.from_iterable(field.by_purpose.values())
    return {each.nct_id for each in find_recent_starts(every, field.asking.today)}


LANDSCAPE_COUNTS: Mapping[str, Callable[[_Field, str], set[str]]] = {
    "phase": _in_phase,
    "started": _started,
    "stopped": _stopped,
    "sponsor": _of_sponsor,
    "drug": _of_drug,
    "drug_class": _of_class,
    "end_point": _measuring,
    "recent": _recent,
}
"""What a landscape is counted by, each with the trials of one value."""


async def list_landscape(asking: Asking, condition: str, **parts: str) -> list[str]:
    """Give the ids of the trials of a landscape that are counted under all of some values."""
    about = read_condition(asking.vocabulary, condition)
    found = await load_field(asking, about)

    def choose() -> list[str]:
        kept, by_purpose = sort_trials(found, SoughtCondition(about, asking))
        field = _Field(asking, kept, by_purpose)
        chosen = [LANDSCAPE_COUNTS[part](field, value) for part, value in parts.items()]
        return [
            trial.row.nct_id for trial in kept if all(trial.row.nct_id in each for each in chosen)
        ]

    return await asyncio.to_thread(choose)
