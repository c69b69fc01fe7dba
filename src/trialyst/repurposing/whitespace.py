"""`detect_whitespace`: has this drug been tried for this condition, and how far did it come?"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from trialyst.annotation import Role
from trialyst.ctgov.answers import to_next
from trialyst.ctgov.phases import phase_label
from trialyst.ids import NctId
from trialyst.questions.names import Term, read_condition, read_drug
from trialyst.questions.readings import ArgumentReading, to_understood
from trialyst.repurposing.annotated import (
    AnnotatedTrial,
    Nearness,
    SoughtCondition,
    SoughtDrug,
    load_annotated,
)
from trialyst.repurposing.evidence import explain, names_any
from trialyst.repurposing.grading import grade_trials, rank_condition_drugs, rank_hits
from trialyst.repurposing.known_names import check_names
from trialyst.repurposing.models import Grade, WhitespaceHit, WhitespaceResult
from trialyst.repurposing.next_calls import after_whitespace
from trialyst.repurposing.outcomes import read_outcomes, summarize_outcomes
from trialyst.repurposing.queries import (
    LATER_PHASES,
    build_query,
    names_condition,
    phases_among,
)

if TYPE_CHECKING:
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.rows import TrialRow

__all__ = ["TOP_DRUGS", "TOP_HITS", "Evidence", "detect_whitespace", "gather_evidence"]

TOP_DRUGS = 50
TOP_HITS = 50
_NO_TRIAL = (Grade.UNTESTED, Grade.UNKNOWN_COVERAGE)
_GRADED = (Role.TESTED, Role.UNSTATED)
_ROLE_ORDER = {role: place for place, role in enumerate(Role)}
APPROVALS = "Approvals were not consulted: a drug may be approved without a trial in this registry."


class _Hit(NamedTuple):
    """A trial that gives the drug for the condition or a narrower one."""

    row: TrialRow
    role: Role
    narrower: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a source holds of a drug and a condition."""

    hits: Sequence[_Hit]
    mentioned: Sequence[TrialRow]
    """Trials of the condition that name the drug but do not give it."""
    drug: int
    condition: int
    notes: tuple[str, ...] = ()
    beside: int = 0
    """Trials that name both, but the condition only in passing, or as a word of another."""

    @property
    def graded(self) -> list[TrialRow]:
        """The trials that test the drug, or do not say its role."""
        return [hit.row for hit in self.hits if hit.role in _GRADED]

    @property
    def roles(self) -> Counter[Role]:
        """The roles of the drug in the exact matches."""
        return Counter(hit.role for hit in self.hits if not hit.narrower)


async def detect_whitespace(
    asking: Asking, drug_name: str, condition_name: str
) -> WhitespaceResult:
    """Grade a drug and a condition."""
    vocabulary = asking.vocabulary
    drug, condition = read_drug(vocabulary, drug_name), read_condition(vocabulary, condition_name)
    checked = await check_names(asking, drug, condition)
    found = await gather_evidence(asking, drug, condition)
    if not checked.known:
        found = Evidence((), (), found.drug, found.condition)
    said = await asking.source.provenance()
    grade = grade_trials(found.graded, known=checked.known, partial=said.is_partial)
    is_gap = grade in _NO_TRIAL and not found.hits
    others = await _later_trials(asking, condition) if is_gap else []
    outcomes = (
        await read_outcomes(asking, found.graded, SoughtDrug(drug, asking.drugs))
        if grade is Grade.ESTABLISHED
        else {}
    )
    graded = WhitespaceResult(
        is_whitespace=is_gap,
        exact_match_count=sum(found.roles.values()),
        drug_only_trials=found.drug,
        condition_only_trials=found.condition,
        condition_drugs=list(
            rank_condition_drugs(
                others, top=TOP_DRUGS, names_condition=partial(names_any, term=condition)
            )
        ),
        narrower_match_count=sum(hit.narrower for hit in found.hits),
        tested_count=found.roles[Role.TESTED],
        comparator_count=found.roles[Role.COMPARATOR],
        background_count=found.roles[Role.BACKGROUND],
        diagnostic_count=found.roles[Role.DIAGNOSTIC],
        unstated_count=found.roles[Role.UNSTATED],
        mentioned_count=len(found.mentioned),
        grade=grade,
        outcome=summarize_outcomes(outcomes) if grade is Grade.ESTABLISHED else None,
        highest_phase=_highest_phase(found.graded),
        total_enrollment=sum(row.enrollment or 0 for row in found.graded),
        hits=await _hits(asking, _ranked(found.hits)[:TOP_HITS], (drug, condition), outcomes),
        drug=checked.drug,
        condition=checked.condition,
        understood=_understood(drug=checked.drug, condition=checked.condition),
        provenance=await asking.provenance(
            [
                *drug.notes,
                *condition.notes,
                *checked.notes,
                *asking.notes,
                *_notes(found),
                APPROVALS,
            ],
            absent=grade in (*_NO_TRIAL, Grade.UNKNOWN_NAME),
        ),
    )
    return graded.model_copy(update={"next": to_next(after_whitespace(graded))})


def _understood(**names: ArgumentReading) -> dict[str, dict[str, object]]:
    return {name: to_understood(name, reading) for name, reading in names.items()}


def _highest_phase(rows: Sequence[TrialRow]) -> str | None:
    best = rank_hits(rows)
    return best[0].phase if best else None


def _notes(found: Evidence) -> Iterator[str]:
    yield from found.notes
    graded = len(found.graded)
    unstated = sum(hit.role is Role.UNSTATED for hit in found.hits)
    if unstated:
        yield (
            f"{unstated} of the {graded} trials that the grade rests on have no arms, so that "
            "their records do not say whether they test the drug."
        )
    if found.mentioned or found.beside:
        yield (
            "A search for both names finds more trials: of the condition, naming the drug without "
            f"giving it: {len(found.mentioned)}; naming the condition and studying another: "
            f"{found.beside}."
        )
    if found.hits and not graded:
        yield "The drug is given only as comparator, background or to diagnose; no trial tests it."
    if len(found.hits) > TOP_HITS:
        yield f"{TOP_HITS} of {len(found.hits)} matching trials are listed; the counts are exact."


async def gather_evidence(asking: Asking, drug: Term, condition: Term) -> Evidence:
    """Ask everything at once."""
    count, cutoff = asking.source.count, asking.cutoff
    by_name = names_condition(condition)
    sought, about = SoughtDrug(drug, asking.drugs), SoughtCondition(condition, asking)
    of_drug, of_condition, trials, others = await asyncio.gather(
        count(build_query(drug, cutoff=cutoff)),
        count(build_query(filters=(by_name,), cutoff=cutoff)),
        load_annotated(asking, build_query(drug, condition, cutoff=cutoff)),
        _narrower_trials(asking, drug, about),
    )
    seen = {trial.row.nct_id for trial in trials}
    beside = 0
    trials += [trial for trial in others if trial.row.nct_id not in seen]
    hits: list[_Hit] = []
    mentioned: list[TrialRow] = []
    for row, annotation in trials:
        matched = about.match(annotation, row.conditions)
        if matched is None:
            beside += row.nct_id in seen
            continue
        role = sought.role_in(annotation)
        if role is not None:
            hits.append(_Hit(row, role, matched.nearness is Nearness.NARROWER))
        elif matched.nearness is Nearness.SAME:
            mentioned.append(row)
    notes = () if about.note is None else (about.note,)
    return Evidence(hits, mentioned, of_drug, max(of_condition, _exact(hits)), notes, beside)


async def _narrower_trials(
    asking: Asking, drug: Term, about: SoughtCondition
) -> list[AnnotatedTrial]:
    """Give trials of the drug that are about conditions, whether or not in the words asked for.

    Records do not name what theirs is a kind of: pulmonary arterial hypertension. A remote service
    sends whole texts of each, so there the words must do.
    """
    if asking.source.is_remote or not about.is_understood:
        return []
    trials = await load_annotated(asking, build_query(drug, cutoff=asking.cutoff))
    return [trial for trial in trials if trial.annotation.conditions.concepts]


def _exact(hits: Sequence[_Hit]) -> int:
    return sum(not hit.narrower for hit in hits)


async def _later_trials(asking: Asking, condition: Term) -> list[AnnotatedTrial]:
    filters = (phases_among(LATER_PHASES), names_condition(condition))
    trials = await load_annotated(asking, build_query(filters=filters, cutoff=asking.cutoff))
    about = SoughtCondition(condition, asking)
    return [each for each in trials if about.match(each.annotation, each.row.conditions)]


def _ranked(hits: Sequence[_Hit]) -> list[_Hit]:
    """Order trials by the role of the drug, then the most advanced first."""
    by_row = {id(hit.row): hit for hit in hits}
    ranked = [by_row[id(row)] for row in rank_hits(hit.row for hit in hits)]
    return sorted(ranked, key=lambda hit: (hit.role not in _GRADED, _ROLE_ORDER[hit.role]))


async def _hits(
    asking: Asking,
    hits: Sequence[_Hit],
    terms: tuple[Term, Term],
    outcomes: Mapping[str, str],
) -> tuple[WhitespaceHit, ...]:
    trials = await asking.source.get_many([NctId.parse(hit.row.nct_id) for hit in hits])
    by_id = {trial.nct_id: trial for trial in trials}
    return tuple(
        WhitespaceHit(
            nct_id=hit.row.nct_id,
            title=by_id[hit.row.nct_id].title,
            phase=phase_label(by_id[hit.row.nct_id].phases),
            status=hit.row.status,
            enrollment=hit.row.enrollment,
            start_date=hit.row.start,
            narrower=hit.narrower,
            role=hit.role.value,
            outcome=outcomes.get(hit.row.nct_id),
            matched_by=explain(by_id[hit.row.nct_id], *terms),
        )
        for hit in hits
    )
