"""`get_landscape`: who works on a condition, with what, how far along, and where it is heading."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.answers import to_next
from trialyst.questions.names import read_condition
from trialyst.questions.readings import to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.annotated import SoughtCondition, load_annotated
from trialyst.repurposing.asking import truncation_note
from trialyst.repurposing.competitors import (
    DIAGNOSTICS,
    OTHER,
    PHASE,
    PREVENTION,
    SUPPORTIVE_CARE,
    TREATMENT,
    group_competitors,
    purpose_of,
    read_given,
    without_probes,
)
from trialyst.repurposing.models import ConditionLandscape
from trialyst.repurposing.next_calls import after_landscape
from trialyst.repurposing.pipelines import count_end_points, find_pipelines, find_read_outs
from trialyst.repurposing.queries import ALL_PHASES, build_query, phases_among
from trialyst.repurposing.rows import SURVEYED, Columns
from trialyst.repurposing.trends import (
    count_phases,
    count_starts,
    count_stops,
    find_recent_starts,
    find_transitions,
    find_trend,
    group_mechanisms,
    rows_by_drug,
)
from trialyst.vocabulary.classes import narrowest_classes
from trialyst.vocabulary.doses import strip_salt

if TYPE_CHECKING:
    from trialyst.questions.names import Term
    from trialyst.repurposing.annotated import AnnotatedTrial
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.competitors import DrugTrial

__all__ = ["get_landscape", "load_field", "mechanisms_of", "sort_trials"]

_LISTS = {
    TREATMENT: "competitors",
    PREVENTION: "prevention",
    SUPPORTIVE_CARE: "supportive_care",
    DIAGNOSTICS: "diagnostics",
    OTHER: "other_purposes",
}
"""The field of each purpose."""


async def get_landscape(
    asking: Asking, condition_name: str, *, top: int, order: str = PHASE
) -> ConditionLandscape:
    """Survey the trials about a condition and narrower ones that have a phase."""
    condition = read_condition(asking.vocabulary, condition_name)
    with _no_search_for_cycles():
        trials = await load_field(asking, condition)
        about = SoughtCondition(condition, asking)
        body = await asyncio.to_thread(_survey, asking, trials, about, _Shown(top, order))
        # The next search would walk through all of them.
        trials.clear()
    notes = [
        *condition.notes,
        *([about.note] if about.note else []),
        *asking.notes,
        *truncation_note(len(body["competitors"]), body["competitor_count"]),
        "Trials of narrower conditions are counted in.",
        "Competitors are drugs that trials test to treat; where a record has no arms, those that "
        "it gives.",
    ]
    reading = await with_nearest(asking.source, asking.vocabulary, condition)
    surveyed = ConditionLandscape(
        **body,
        condition=reading,
        understood={"condition": to_understood("condition", reading)},
        provenance=await asking.provenance(notes, absent=not body["total_trial_count"]),
    )
    return surveyed.model_copy(update={"next": to_next(after_landscape(surveyed))})


async def load_field(asking: Asking, condition: Term) -> list[AnnotatedTrial]:
    """Give the trials with a phase that a condition finds."""
    query = build_query(condition, filters=(phases_among(ALL_PHASES),), cutoff=asking.cutoff)
    return await load_annotated(asking, query, SURVEYED)


class _Shown(NamedTuple):
    """How many competitors are listed, in which order."""

    top: int
    order: str


def sort_trials(
    found: Sequence[AnnotatedTrial], about: SoughtCondition
) -> tuple[list[AnnotatedTrial], dict[str, list[DrugTrial]]]:
    """Give the trials about a condition, and by purpose those that give a drug for it."""
    kept: list[AnnotatedTrial] = []
    by_purpose: dict[str, list[DrugTrial]] = {}
    for trial in found:
        matched = about.match(trial.annotation, trial.row.conditions)
        if matched is None:
            continue
        kept.append(trial)
        given = read_given(trial)
        if given.given and matched.in_focus:
            # Care around an operation for the condition, which the title does not even name.
            is_care = trial.annotation.care and not matched.in_title
            purpose = purpose_of(
                given, is_care=is_care, is_interaction=trial.annotation.interaction
            )
            treats = purpose == TREATMENT
            by_purpose.setdefault(purpose, []).append(without_probes(given) if treats else given)
    return kept, by_purpose


def _survey(
    asking: Asking, found: Sequence[AnnotatedTrial], about: SoughtCondition, shown: _Shown
) -> dict[str, Any]:
    """Work out everything that trials tell."""
    kept, by_purpose = sort_trials(found, about)
    columns = Columns([trial.row for trial in kept])
    until = asking.known_at.isoformat() if asking.known_at else None
    treating = by_purpose.get(TREATMENT, [])
    trials_of = rows_by_drug(treating)
    recent = find_recent_starts(chain.from_iterable(by_purpose.values()), asking.today)
    read_outs = find_read_outs(treating, asking.today)
    starts = count_starts(columns, asking.today)
    return {
        "total_trial_count": len(kept),
        **_competitors(by_purpose, shown, until),
        "order": shown.order,
        "pipelines": find_pipelines(treating),
        "read_outs": read_outs,
        "read_out_count": len(read_outs),
        "end_points": count_end_points(kept),
        "phase_distribution": count_phases(columns),
        "recent_starts": recent,
        "recent_start_count": len(recent),
        "starts_by_year": starts,
        "stops_by_year": count_stops(columns, asking.today),
        "trend": find_trend(starts, asking.today),
        "sponsor_classes": _by_size(columns.of("LeadSponsorClass")),
        "countries": _by_size(columns.of("LocationCountry")),
        "statuses": _by_size(columns.of("OverallStatus")),
        "phase_transitions": find_transitions(trials_of),
        "mechanism_classes": group_mechanisms(trials_of, mechanisms_of),
    }


def _competitors(
    by_purpose: Mapping[str, Sequence[DrugTrial]], shown: _Shown, until: str | None
) -> dict[str, Any]:
    """Give the list of competitors of each purpose, and how many there are."""
    listed: dict[str, Any] = {}
    for purpose, field in _LISTS.items():
        entries, count = group_competitors(
            by_purpose.get(purpose, ()), shown.top, order=shown.order, until=until
        )
        listed[field] = tuple(entries)
        listed[f"{field.removesuffix('s') if field == 'competitors' else field}_count"] = count
    return listed


@lru_cache(20_000)
def mechanisms_of(drug: str) -> tuple[str, ...]:
    """Give the narrowest classes of a drug, also where its name tells the salt."""
    return tuple(each.name for each in narrowest_classes(drug, strip_salt(drug)))


def _by_size(values: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Count values, the most frequent first."""
    counts = Counter(chain.from_iterable(values))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@contextlib.contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Hundreds of thousands of small tuples without cycles: a search takes half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
