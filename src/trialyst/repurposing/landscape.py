"""`get_landscape`: who works on a condition, with what, how far along, and where it is heading."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.answers import to_next
from trialyst.questions.names import read_condition
from trialyst.questions.readings import to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.asking import truncation_note
from trialyst.repurposing.competitors import DrugReader, Paired, group_competitors, is_prevention
from trialyst.repurposing.models import ConditionLandscape
from trialyst.repurposing.next_calls import after_landscape
from trialyst.repurposing.queries import ALL_PHASES, build_query, phases_among
from trialyst.repurposing.rows import SURVEYED, Columns, pair_interventions
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
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.competitors import DrugTrial
    from trialyst.repurposing.rows import TrialRow

__all__ = ["get_landscape"]


async def get_landscape(asking: Asking, condition_name: str, *, top: int) -> ConditionLandscape:
    """Survey the trials of a condition and of narrower ones that have a phase."""
    condition = read_condition(asking.vocabulary, condition_name)
    query = build_query(condition, filters=(phases_among(ALL_PHASES),), cutoff=asking.cutoff)
    with _no_search_for_cycles():
        rows = await asking.rows(query, SURVEYED)
        paired = await pair_interventions(asking.source, rows)
        body = await asyncio.to_thread(_survey, asking, rows, paired, top)
        # The next search would walk through all of them.
        rows.clear()
    notes = [
        *condition.notes,
        *asking.notes,
        *truncation_note(len(body["competitors"]), body["competitor_count"]),
        "Trials of narrower conditions (by MeSH ancestor) are counted in.",
    ]
    reading = await with_nearest(asking.source, asking.vocabulary, condition)
    surveyed = ConditionLandscape(
        **body,
        condition=reading,
        understood={"condition": to_understood("condition", reading)},
        provenance=await asking.provenance(notes, absent=not body["total_trial_count"]),
    )
    return surveyed.model_copy(update={"next": to_next(after_landscape(surveyed))})


def _survey(asking: Asking, rows: Sequence[TrialRow], paired: Paired, top: int) -> dict[str, Any]:
    """Work out everything that rows tell."""
    trials = DrugReader(asking.drugs).read(rows, paired)
    columns = Columns(rows)
    preventing: list[DrugTrial] = []
    treating: list[DrugTrial] = []
    for trial in trials:
        if trial.given:
            (preventing if is_prevention(trial) else treating).append(trial)
    until = asking.known_at.isoformat() if asking.known_at else None
    competitors, competitor_count = group_competitors(treating, top, until=until)
    prevention, prevention_count = group_competitors(preventing, top, until=until)
    trials_of = rows_by_drug(treating)
    recent = find_recent_starts(trials, asking.today)
    starts = count_starts(columns, asking.today)
    return {
        "total_trial_count": len(rows),
        "competitors": tuple(competitors),
        "competitor_count": competitor_count,
        "prevention": tuple(prevention),
        "prevention_count": prevention_count,
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
        "mechanism_classes": group_mechanisms(trials_of, _mechanisms),
    }


@lru_cache(20_000)
def _mechanisms(drug: str) -> tuple[str, ...]:
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
