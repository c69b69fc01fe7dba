"""Scouting: the conditions in which drugs near a drug are tested, and how open each is for it.

Every number is a count over all matching records. The score is ours, published in
docs/guide/dossier.md, and every term of it is told; it orders what to read, and proves nothing.
"""

from __future__ import annotations

import asyncio
import datetime
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from trialyst.agents.arguments import ScoutArguments
from trialyst.agents.conditions import ConditionNames
from trialyst.agents.next_calls import after_scouting
from trialyst.agents.relatives import MOST_RELATIVES, Relative, find_relatives
from trialyst.agents.wording import STOPPED, last_day
from trialyst.ctgov.answers import Count, to_next
from trialyst.questions.given import read_given
from trialyst.questions.names import read_drug
from trialyst.questions.readings import ArgumentReading, to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.answers import Answer, Part
from trialyst.repurposing.asking import Asking
from trialyst.repurposing.client import RepurposingClient
from trialyst.repurposing.drugs import DrugNames
from trialyst.repurposing.listing import need_text
from trialyst.repurposing.models import Grade, WhitespaceResult
from trialyst.repurposing.queries import build_query, check_limit, read_cutoff
from trialyst.repurposing.rows import TrialRow
from trialyst.repurposing.severity import ScoreTerm, total_score
from trialyst.repurposing.stop_reasons import StopCategory, classify_stop_reason
from trialyst.repurposing.wire import WireId
from trialyst.vocabulary.classes import drug_class

__all__ = ["Indication", "ScoutReport", "run_scout", "scout_indications"]

OPENNESS: Mapping[Grade, float] = {
    Grade.UNTESTED: 1.0,
    Grade.UNKNOWN_COVERAGE: 1.0,
    Grade.EARLY: 0.8,
    Grade.ACTIVE: 0.4,
    Grade.STOPPED: 0.3,
    Grade.ESTABLISHED: 0.1,
    Grade.UNKNOWN_NAME: 0.0,
}
"""How much room a grade leaves for the drug."""
PHASE, BREADTH, DEPTH, ACTIVITY, RECENCY, TIE = 30.0, 20.0, 20.0, 15.0, 10.0, 5.0
"""What the terms weigh; together 100."""
FULL_BREADTH, FULL_DEPTH, FULL_ACTIVITY = 5, 10, 1_000
RECENT_YEARS, OLD_YEARS = 3.0, 12.0
FAILURE_COST = 0.6
"""How much of the score is lost where every trial of the relatives failed."""
AT_ONCE = 4
"""Questions asked side by side: a source on this machine has no use for more."""
IDS_SHOWN = 10
"""Trials that the tool names of each condition."""
_GRAVE = frozenset({StopCategory.SAFETY, StopCategory.EFFICACY})


class Indication(Part):
    """A condition to look at for the drug."""

    condition: str
    score: int
    """0 to 100."""
    score_terms: tuple[ScoreTerm, ...]
    grade: Grade
    """How far the drug itself has come there."""
    own_trials: Count
    """Trials of the drug in the condition, or in a narrower one."""
    condition_trials: Count
    """Trials of the condition with any drug."""
    relative_trials: Count
    """Trials of drugs near it in the condition."""
    relatives: tuple[str, ...]
    highest_phase: str
    """The highest phase of the relatives' trials that did not stop."""
    failures: tuple[str, ...] = ()
    """Ids of relatives' trials that stopped for safety or lack of efficacy."""
    nct_ids: tuple[WireId, ...] = ()
    """The relatives' trials, the furthest first."""


class ScoutReport(Answer):
    """Where to look for a drug, the most promising first."""

    drug: ArgumentReading
    classes: tuple[str, ...] = ()
    """What its relatives were found through: classes and genes."""
    relatives: tuple[str, ...] = ()
    indications: tuple[Indication, ...] = ()
    candidates: Count = 0
    """Conditions in which relatives are tested; those with the best prospects were graded."""
    approvals_consulted: bool = False
    """Always false: the drug may be approved or in use there."""

    def rows(self) -> Sequence[Indication]:
        """Give the indications."""
        return self.indications


@dataclass(slots=True)
class _Prospect:
    """What is known of a condition before the drug itself is looked up in it."""

    name: str
    rows: dict[str, TrialRow] = field(default_factory=dict)
    drugs: dict[str, Relative] = field(default_factory=dict)


async def run_scout(
    client: RepurposingClient,
    drug: str,
    *,
    date_before: str | None = None,
    point_in_time: bool = False,
    limit: int = 20,
) -> ScoutReport:
    """Rank conditions for a drug by what drugs near it are tested for.

    Raises:
        InvalidInput: the drug is no text, the date no date, or the limit below 1.
    """
    check_limit("limit", limit)
    cutoff = read_cutoff(date_before, point_in_time=point_in_time)
    names = client.vocabulary
    if cutoff and point_in_time:
        names = names.as_of(cutoff.isoformat())
    asking = Asking(client.source, DrugNames(names), client.clock(), cutoff, point_in_time)
    term = read_drug(names, drug)
    relatives = find_relatives(names, drug)
    searched = relatives[:MOST_RELATIVES]
    prospects = await _prospects(asking, searched)
    as_of = asking.today
    likely = sorted(prospects, key=lambda each: (-_prospect_score(each, as_of), each.name))
    graded = await _grade_all(
        client, drug, likely[: 3 * limit], date_before=date_before, point_in_time=point_in_time
    )
    indications = sorted(
        (_indication(prospect, signal, as_of) for prospect, signal in graded),
        key=lambda each: (-each.score, each.condition),
    )
    notes = [*term.notes, *_notes(drug, relatives, searched, prospects, len(graded))]
    notes += asking.notes
    reading = await with_nearest(client.source, names, term)
    report = ScoutReport(
        drug=reading,
        understood={"drug": to_understood("drug", reading)},
        classes=tuple(dict.fromkeys(each.through for each in searched)),
        relatives=tuple(each.name for each in searched),
        indications=tuple(indications[:limit]),
        candidates=len(prospects),
        provenance=await asking.provenance(notes, absent=not prospects),
    )
    return report.model_copy(update={"next": to_next(after_scouting(report))})


async def scout_indications(
    client: RepurposingClient, **given: Unpack[ScoutArguments]
) -> ScoutReport:
    """Scout as the tool does: of each condition the first ids, whose counts are of all."""
    asked = read_given(ScoutArguments, given)
    date_before = asked.get("date_before")
    report = await run_scout(
        client,
        need_text(asked, "drug", such_as="semaglutide"),
        date_before=None if date_before is None else str(date_before),
        point_in_time=asked.get("point_in_time", False),
        limit=asked.get("max_results", 20),
    )
    slim = (
        each.model_copy(
            update={"nct_ids": each.nct_ids[:IDS_SHOWN], "failures": each.failures[:IDS_SHOWN]}
        )
        for each in report.indications
    )
    return report.model_copy(update={"indications": tuple(slim)})


async def _rows(asking: Asking, relative: Relative) -> list[TrialRow]:
    """Give the trials that name a relative among their interventions."""
    query = build_query(read_drug(asking.vocabulary, relative.name), cutoff=asking.cutoff)
    drugs = asking.drugs
    own = {each.key for each in drugs.read(relative.name)}
    return [
        row
        for row in await asking.rows(query)
        if any(each.key in own for name in row.intervention_names for each in drugs.read(name))
    ]


async def _prospects(asking: Asking, relatives: Sequence[Relative]) -> list[_Prospect]:
    conditions = ConditionNames(asking.vocabulary)
    turns = asyncio.Semaphore(AT_ONCE)

    async def find(relative: Relative) -> list[TrialRow]:
        async with turns:
            return await _rows(asking, relative)

    found: dict[str, _Prospect] = {}
    for relative, rows in zip(relatives, await asyncio.gather(*map(find, relatives)), strict=True):
        for row in rows:
            for condition in conditions.read_all(row.conditions):
                prospect = found.setdefault(condition.key, _Prospect(condition.name))
                prospect.rows[row.nct_id] = row
                prospect.drugs.setdefault(relative.name, relative)
    return list(found.values())


async def _grade_all(
    client: RepurposingClient,
    drug: str,
    prospects: Sequence[_Prospect],
    *,
    date_before: str | None,
    point_in_time: bool,
) -> list[tuple[_Prospect, WhitespaceResult]]:
    turns = asyncio.Semaphore(AT_ONCE)

    async def grade(prospect: _Prospect) -> tuple[_Prospect, WhitespaceResult]:
        async with turns:
            signal = await client.detect_whitespace(
                drug, prospect.name, date_before, point_in_time=point_in_time
            )
        return prospect, signal

    return list(await asyncio.gather(*map(grade, prospects)))


def _indication(prospect: _Prospect, signal: WhitespaceResult, as_of: datetime.date) -> Indication:
    rows = sorted(prospect.rows.values(), key=lambda row: (-row.rank, row.nct_id))
    going = [row for row in rows if row.status not in STOPPED]
    failures = _failures(rows)
    terms = (
        ScoreTerm(name="openness", value=OPENNESS[signal.grade], given=signal.grade.value),
        _cost(len(failures), len(rows)),
        *_terms(prospect, as_of),
        _share("activity", signal.condition_only_trials, FULL_ACTIVITY, ACTIVITY),
    )
    return Indication(
        condition=prospect.name,
        score=total_score(terms),
        score_terms=terms,
        grade=signal.grade,
        own_trials=signal.exact_match_count + signal.narrower_match_count,
        condition_trials=signal.condition_only_trials,
        relative_trials=len(rows),
        relatives=tuple(sorted(prospect.drugs)),
        highest_phase=going[0].phase if going else "none",
        failures=failures,
        nct_ids=tuple(row.nct_id for row in rows),
    )


def _prospect_score(prospect: _Prospect, as_of: datetime.date) -> float:
    failed = _cost(len(_failures(prospect.rows.values())), len(prospect.rows)).value
    return failed * sum(term.value * (term.weight or 0) for term in _terms(prospect, as_of))


def _terms(prospect: _Prospect, as_of: datetime.date) -> tuple[ScoreTerm, ...]:
    rank = max((row.rank for row in prospect.rows.values() if row.status not in STOPPED), default=0)
    tie = max(each.tie for each in prospect.drugs.values())
    through = sorted({each.through for each in prospect.drugs.values()})
    return (
        ScoreTerm(
            name="phase",
            value=round(min(rank, 6) / 6, 4),
            weight=PHASE,
            given=f"rank {rank} of 8 among relatives",
        ),
        _share("breadth", len(prospect.drugs), FULL_BREADTH, BREADTH),
        _share("depth", len(prospect.rows), FULL_DEPTH, DEPTH),
        _recency(prospect.rows.values(), as_of),
        ScoreTerm(name="tie", value=tie, weight=TIE, given=", ".join(through[:4])),
    )


def _share(name: str, number: int, full: int, weight: float) -> ScoreTerm:
    value = min(math.log1p(number) / math.log1p(full), 1.0)
    return ScoreTerm(name=name, value=round(value, 4), weight=weight, given=f"{number:,}")


def _recency(rows: Iterable[TrialRow], as_of: datetime.date) -> ScoreTerm:
    starts = [day for row in rows if (day := last_day(row.start)) and day <= as_of]
    if not starts:
        return ScoreTerm(name="recency", value=0.0, weight=RECENCY, given="unknown")
    years = (as_of - max(starts)).days / 365.25
    value = min(max((OLD_YEARS - years) / (OLD_YEARS - RECENT_YEARS), 0.0), 1.0)
    given = f"newest start {years:.1f} years before {as_of.isoformat()}"
    return ScoreTerm(name="recency", value=round(value, 4), weight=RECENCY, given=given)


def _cost(failed: int, trials: int) -> ScoreTerm:
    value = 1 - FAILURE_COST * failed / max(trials, 1)
    given = f"{failed} of {trials} stopped for safety or lack of efficacy"
    return ScoreTerm(name="failures", value=round(value, 4), given=given)


def _failures(rows: Iterable[TrialRow]) -> tuple[str, ...]:
    return tuple(
        row.nct_id
        for row in rows
        if row.status in STOPPED and _GRAVE & set(_reason(row.first("WhyStopped")))
    )


def _reason(text: str | None) -> tuple[StopCategory, ...]:
    reason = classify_stop_reason(text)
    return () if reason.success else reason.categories


def _notes(
    drug: str,
    relatives: Sequence[Relative],
    searched: Sequence[Relative],
    prospects: Sequence[_Prospect],
    graded: int,
) -> Iterable[str]:
    named = drug_class(drug)
    if named is not None:
        such = ", ".join(named.members[:3])
        yield f"{drug!r} is a class of drugs: name one of them, such as {such}."
        return
    if not relatives:
        yield (
            f"No class and no target of {drug!r} is known here, so there are no relatives to learn "
            "from. That says nothing about the drug."
        )
        return
    groups: defaultdict[str, int] = defaultdict(int)
    for each in searched:
        groups[each.through] += 1
    told = ", ".join(f"{number} through {name}" for name, number in groups.items())
    yield f"Relatives: {told}."
    if len(relatives) > len(searched):
        yield f"{len(relatives) - len(searched)} more relatives were not looked at."
    if len(prospects) > graded:
        yield (
            f"{graded} of {len(prospects)} conditions were graded, those with the best prospects; "
            "raise limit for more."
        )
    yield (
        "A score orders what to read. Approvals and off-label use were not consulted, and a trial "
        "counts whichever arm receives the drug."
    )
