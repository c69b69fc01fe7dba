"""A field ahead: the pipelines of its sponsors, the read-outs to come, the end points in use."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from trialyst.annotation.sponsors import read_sponsor
from trialyst.folding import fold_phrase
from trialyst.repurposing.grading import ONGOING
from trialyst.repurposing.models import EndPoint, Pipeline, PipelineDrug, ReadOut

if TYPE_CHECKING:
    from trialyst.annotation import Drug
    from trialyst.repurposing.annotated import AnnotatedTrial
    from trialyst.repurposing.competitors import DrugTrial
    from trialyst.repurposing.rows import TrialRow

__all__ = ["count_end_points", "find_pipelines", "find_read_outs"]

MOST_SPONSORS = 50
MOST_END_POINTS = 50
FEWEST_TRIALS = 2
"""Trials from which on an end point is one of the field."""


def find_pipelines(trials: Iterable[DrugTrial]) -> tuple[Pipeline, ...]:
    """Give the drugs of each sponsor, sponsors with most drugs under way first."""
    by_sponsor: dict[str, dict[str, tuple[Drug, list[TrialRow]]]] = {}
    names: dict[str, str] = {}
    for row, given in trials:
        company = read_sponsor(row.sponsor)
        names.setdefault(company.key, company.name)
        drugs = by_sponsor.setdefault(company.key, {})
        for each in given:
            drugs.setdefault(each.drug.key, (each.drug, []))[1].append(row)

    def standing(key: str) -> tuple[int, int, str]:
        held = by_sponsor[key].values()
        active = sum(any(row.status in ONGOING for row in rows) for _, rows in held)
        return -active, -sum(len(rows) for _, rows in held), key

    first = heapq.nsmallest(MOST_SPONSORS, by_sponsor, key=standing)
    return tuple(_pipeline(names[key], by_sponsor[key].values()) for key in first)


def _pipeline(sponsor: str, drugs: Iterable[tuple[Drug, list[TrialRow]]]) -> Pipeline:
    listed = list(drugs)
    listed.sort(key=lambda each: (-max(row.rank for row in each[1]), -len(each[1]), each[0].name))
    return Pipeline(
        sponsor=sponsor,
        trial_count=len({row.nct_id for _, rows in listed for row in rows}),
        drugs=tuple(
            PipelineDrug(
                drug_name=drug.name,
                max_phase=max(rows, key=lambda row: row.rank).phase,
                trial_count=len(rows),
                active=any(row.status in ONGOING for row in rows),
            )
            for drug, rows in listed
        ),
    )


def find_read_outs(trials: Iterable[DrugTrial], today: date) -> tuple[ReadOut, ...]:
    """Give trials under way by the day of their primary completion, the next first."""
    after = today.isoformat()
    found = [
        ReadOut(
            date=expected,
            nct_id=row.nct_id,
            sponsor=row.sponsor,
            drug=" + ".join(each.drug.name for each in given),
            phase=row.phase,
            status=row.status,
        )
        for row, given in trials
        if row.status in ONGOING
        # A date to the month is compared as text: what is later in the month sorts after it.
        and (expected := row.first("PrimaryCompletionDate")) is not None
        and expected >= after[: len(expected)]
    ]
    return tuple(sorted(found, key=lambda each: (each.date, each.nct_id)))


def count_end_points(trials: Iterable[AnnotatedTrial]) -> tuple[EndPoint, ...]:
    """Count the primary outcomes of trials by their short names, the most used first."""
    written = Counter(name for trial in trials for name in trial.annotation.end_points)
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for name, count in written.most_common():
        key = fold_phrase(name)
        counts[key] += count
        shown.setdefault(key, name)
    used = [(shown[key], count) for key, count in counts.items() if count >= FEWEST_TRIALS]
    used.sort(key=lambda each: (-each[1], each[0]))
    return tuple(EndPoint(name=name, trial_count=count) for name, count in used[:MOST_END_POINTS])
