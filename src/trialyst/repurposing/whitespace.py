"""`detect_whitespace`: has this drug been tried for this condition, and how far did it come?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from trialyst.ctgov.answers import to_next
from trialyst.ctgov.phases import phase_label
from trialyst.ids import NctId
from trialyst.questions.names import Term, read_condition, read_drug
from trialyst.questions.readings import ArgumentReading, to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.evidence import explain, is_narrower, names_any
from trialyst.repurposing.grading import grade_trials, rank_condition_drugs, rank_hits
from trialyst.repurposing.models import Grade, WhitespaceHit, WhitespaceResult
from trialyst.repurposing.next_calls import after_whitespace
from trialyst.repurposing.queries import (
    LATER_PHASES,
    build_query,
    names_condition,
    phases_among,
)
from trialyst.repurposing.rows import pair_interventions

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.rows import TrialRow

__all__ = ["TOP_DRUGS", "TOP_HITS", "detect_whitespace"]

TOP_DRUGS = 50
TOP_HITS = 50
_NO_TRIAL = (Grade.UNTESTED, Grade.UNKNOWN_COVERAGE)
APPROVALS = "Approvals were not consulted: a drug may be approved without a trial in this registry."


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many trials match what; all by the same rule."""

    exact: int
    drug: int
    condition: int


async def detect_whitespace(
    asking: Asking, drug_name: str, condition_name: str
) -> WhitespaceResult:
    """Grade a drug and a condition."""
    vocabulary = asking.vocabulary
    drug, condition = read_drug(vocabulary, drug_name), read_condition(vocabulary, condition_name)
    counts, rows = await _ask(asking, drug, condition)
    names = {
        "drug": await with_nearest(asking.source, vocabulary, drug),
        "condition": await with_nearest(asking.source, vocabulary, condition),
    }
    known = _is_known(names["drug"], counts.drug) and _is_known(
        names["condition"], counts.condition
    )
    said = await asking.source.provenance()
    grade = grade_trials(rows, known=known, partial=said.is_partial)
    best = rank_hits(rows)
    hits = await _hits(asking.source, best[:TOP_HITS], drug, condition)
    others = await _later_trials(asking, condition) if grade in _NO_TRIAL else []
    paired = await pair_interventions(asking.source, others)
    notes = [*drug.notes, *condition.notes, *asking.notes]
    if len(best) > TOP_HITS:
        notes.append(f"{TOP_HITS} of {len(best)} matching trials are listed; the counts are exact.")
    absent = grade in (*_NO_TRIAL, Grade.UNKNOWN_NAME)
    graded = WhitespaceResult(
        is_whitespace=grade in _NO_TRIAL,
        exact_match_count=counts.exact,
        drug_only_trials=counts.drug,
        condition_only_trials=counts.condition,
        condition_drugs=list(
            rank_condition_drugs(
                others,
                read_drugs=asking.drugs.read,
                top=TOP_DRUGS,
                paired=paired,
                names_condition=partial(names_any, term=condition),
            )
        ),
        narrower_match_count=len(rows) - counts.exact,
        grade=grade,
        highest_phase=best[0].phase if best else None,
        total_enrollment=sum(row.enrollment or 0 for row in rows),
        hits=hits,
        drug=names["drug"],
        condition=names["condition"],
        understood={name: to_understood(name, reading) for name, reading in names.items()},
        provenance=await asking.provenance([*notes, APPROVALS], absent=absent),
    )
    return graded.model_copy(update={"next": to_next(after_whitespace(graded))})


def _is_known(reading: ArgumentReading, held: int) -> bool:
    """Whether it is a name, and no slip that only slips of records share."""
    return (reading.known or held > 0) and not reading.misspelt


async def _ask(asking: Asking, drug: Term, condition: Term) -> tuple[_Counts, list[TrialRow]]:
    """Ask everything at once."""
    count, cutoff = asking.source.count, asking.cutoff
    by_name = names_condition(condition)
    exact, of_drug, of_condition, rows = await asyncio.gather(
        count(build_query(drug, filters=(by_name,), cutoff=cutoff)),
        count(build_query(drug, cutoff=cutoff)),
        count(build_query(filters=(by_name,), cutoff=cutoff)),
        asking.rows(build_query(drug, condition, cutoff=cutoff)),
    )
    return _Counts(exact, of_drug, of_condition), rows


async def _later_trials(asking: Asking, condition: Term) -> list[TrialRow]:
    filters = (phases_among(LATER_PHASES), names_condition(condition))
    return await asking.rows(build_query(filters=filters, cutoff=asking.cutoff))


async def _hits(
    source: TrialSource, rows: list[TrialRow], drug: Term, condition: Term
) -> tuple[WhitespaceHit, ...]:
    trials = await source.get_many([NctId.parse(row.nct_id) for row in rows])
    by_id = {trial.nct_id: trial for trial in trials}
    hits = []
    for row in rows:
        trial = by_id[row.nct_id]
        matches = explain(trial, drug, condition)
        hits.append(
            WhitespaceHit(
                nct_id=row.nct_id,
                title=trial.title,
                phase=phase_label(trial.phases),
                status=row.status,
                enrollment=row.enrollment,
                start_date=row.start,
                narrower=is_narrower(matches),
                matched_by=matches,
            )
        )
    return tuple(hits)
