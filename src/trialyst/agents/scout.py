"""Scouting: the conditions in which drugs near a drug are tested, and how open each is for it.

Every number is a count over all matching records. The score is ours, published in
docs/guide/dossier.md, and every term of it is told; it orders what to read, and proves nothing.
"""

from __future__ import annotations

import asyncio
import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

from trialyst.agents.arguments import ScoutArguments
from trialyst.agents.known_uses import KnownUse, read_uses
from trialyst.agents.next_calls import after_scouting
from trialyst.agents.prospects import (
    AT_ONCE,
    Prospect,
    failed_trials,
    find_prospects,
    prospect_score,
    score_terms,
)
from trialyst.agents.relatives import MOST_RELATIVES, Relative, find_relatives
from trialyst.agents.wording import STOPPED
from trialyst.annotation.drugs import DrugNames
from trialyst.ctgov.answers import Count, to_next
from trialyst.questions.given import read_given
from trialyst.questions.names import read_drug
from trialyst.questions.readings import ArgumentReading, to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.answers import Answer, Part
from trialyst.repurposing.asking import Asking
from trialyst.repurposing.client import RepurposingClient
from trialyst.repurposing.listing import need_text
from trialyst.repurposing.models import Grade, WhitespaceResult
from trialyst.repurposing.queries import check_limit, read_cutoff
from trialyst.repurposing.severity import ScoreTerm, total_score
from trialyst.repurposing.wire import WireId
from trialyst.vocabulary import Vocabulary
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
IDS_SHOWN = 10
"""Trials that the tool names of each condition."""


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
    related: tuple[str, ...] = ()
    """Candidates directly above or below it, which would say the same twice."""
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
    known_uses: tuple[str, ...] = ()
    """Candidates left out because the drug is in approved use there, by a short table of ours."""
    contraindicated: tuple[str, ...] = ()
    """Candidates left out because the drug must not be given there, by the same table."""
    approvals_consulted: bool = False
    """Always false: beyond that table the drug may be approved or in use anywhere."""

    def rows(self) -> Sequence[Indication]:
        """Give the indications."""
        return self.indications


async def run_scout(
    client: RepurposingClient,
    drug: str,
    *,
    date_before: str | None = None,
    point_in_time: bool = False,
    limit: int = 20,
    consult_uses: bool = True,
) -> ScoutReport:
    """Rank conditions for a drug by what drugs near it are tested for.

    Args:
        consult_uses: leave out known uses and contraindications.

    Raises:
        InvalidInput: the drug is no text, the date no date, or the limit below 1.
    """
    check_limit("limit", limit)
    cutoff = read_cutoff(date_before, point_in_time=point_in_time)
    names, source = client.vocabulary, client.source
    if cutoff and point_in_time:
        names, source = names.as_of(cutoff.isoformat()), source.as_recorded(cutoff)
    asking = Asking(source, DrugNames(names), client.clock(), cutoff, point_in_time)
    term = read_drug(names, drug)
    relatives = find_relatives(names, drug)
    searched = relatives[:MOST_RELATIVES]
    prospects = await find_prospects(asking, searched)
    as_of = asking.today
    ordered = sorted(prospects, key=lambda each: (-prospect_score(each, as_of), each.name))
    facts = read_uses(names, drug)
    uses = {each.name: facts.of(each.key) for each in ordered}
    likely = [each for each in ordered if not (consult_uses and uses[each.name])]
    graded = await _grade_all(
        client, drug, likely[: 3 * limit], date_before=date_before, point_in_time=point_in_time
    )
    ranked = sorted(
        ((prospect, _indication(prospect, signal, as_of)) for prospect, signal in graded),
        key=lambda each: (-each[1].score, each[1].condition),
    )
    indications = _collapsed(names, ranked)
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
        known_uses=_used(uses, KnownUse.APPROVED) if consult_uses else (),
        contraindicated=_used(uses, KnownUse.CONTRAINDICATED) if consult_uses else (),
        provenance=await asking.provenance(notes, absent=not prospects),
    )
    return report.model_copy(update={"next": to_next(after_scouting(report))})


def _used(uses: Mapping[str, KnownUse | None], wanted: KnownUse) -> tuple[str, ...]:
    return tuple(name for name, use in uses.items() if use is wanted)


def _collapsed(
    names: Vocabulary, ranked: Sequence[tuple[Prospect, Indication]]
) -> list[Indication]:
    """Give the best of conditions that stand directly above or below each other, with the rest."""
    kept: list[tuple[Prospect, Indication]] = []
    related: defaultdict[str, list[str]] = defaultdict(list)
    for prospect, indication in ranked:
        first = next((best for best, _ in kept if _adjoin(names, best.key, prospect.key)), None)
        if first is None:
            kept.append((prospect, indication))
        else:
            related[first.key].append(indication.condition)
    return [
        indication.model_copy(update={"related": tuple(related[prospect.key])})
        for prospect, indication in kept
    ]


def _adjoin(names: Vocabulary, one: str, other: str) -> bool:
    """Whether one condition stands directly below the other in MeSH."""
    trees = [concept.trees if (concept := names.get(key)) else () for key in (one, other)]
    parents = [{tree.rpartition(".")[0] for tree in each} for each in trees]
    return not (parents[0].isdisjoint(trees[1]) and parents[1].isdisjoint(trees[0]))


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


async def _grade_all(
    client: RepurposingClient,
    drug: str,
    prospects: Sequence[Prospect],
    *,
    date_before: str | None,
    point_in_time: bool,
) -> list[tuple[Prospect, WhitespaceResult]]:
    turns = asyncio.Semaphore(AT_ONCE)

    async def grade(prospect: Prospect) -> tuple[Prospect, WhitespaceResult]:
        async with turns:
            signal = await client.detect_whitespace(
                drug, prospect.name, date_before, point_in_time=point_in_time
            )
        return prospect, signal

    return list(await asyncio.gather(*map(grade, prospects)))


def _indication(prospect: Prospect, signal: WhitespaceResult, as_of: datetime.date) -> Indication:
    rows = sorted(prospect.rows.values(), key=lambda row: (-row.rank, row.nct_id))
    going = [row for row in rows if row.status not in STOPPED]
    failures = failed_trials(rows)
    terms = (
        ScoreTerm(name="openness", value=OPENNESS[signal.grade], given=signal.grade.value),
        *score_terms(prospect, as_of, activity=signal.condition_only_trials),
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


def _notes(
    drug: str,
    relatives: Sequence[Relative],
    searched: Sequence[Relative],
    prospects: Sequence[Prospect],
    graded: int,
) -> Iterable[str]:
    named = drug_class(drug)
    if named is not None:
        such = ", ".join(named.members[:3])
        yield f"{drug!r} is a class of drugs: name one of them, such as {such}."
        return
    if not relatives:
        yield (
            f"No narrow class and no target of {drug!r} is known here, so there are no relatives "
            "to learn from. That says nothing about the drug."
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
        "A score orders what to read. Of approvals and contraindications only a short table of "
        "ours was consulted. Trials count that test a relative, or do not say in which role it is."
    )
