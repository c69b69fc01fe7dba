"""The Landscape agent: who works on a condition, with what, how far along, and the trend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trialyst.agents.findings import LandscapeFinding, Question
from trialyst.agents.sentences import Sentence, coverage, finding, listed, of
from trialyst.agents.wording import ONGOING, people, rank_of
from trialyst.folding import fold_phrase
from trialyst.repurposing.client import RepurposingClient
from trialyst.repurposing.models import CompetitorEntry, ConditionLandscape
from trialyst.vocabulary import Kind

__all__ = ["run_landscape_agent"]

TOP = 50
_TOLD = 3
_TOLD_CLASSES = 4


async def run_landscape_agent(client: RepurposingClient, question: Question) -> LandscapeFinding:
    """Draw the competitive map of a condition, and the drug's own place on it."""
    field = await client.get_landscape(question.condition, top_n=TOP, **question.time)
    concept = client.vocabulary.resolve(question.drug, kinds=(Kind.DRUG,)).concept
    own = _own_entries(field, (question.drug, *(concept.names if concept else ())))
    return LandscapeFinding(
        competitive_map=field,
        phase_distribution=dict(field.phase_distribution),
        own=tuple(own),
        sentences=(*_tell(field, question.condition), *_tell_own(own, question.drug)),
        notes=field.provenance.notes,
    )


def _own_entries(field: ConditionLandscape, names: Iterable[str]) -> list[CompetitorEntry]:
    own = {fold_phrase(name) for name in names}
    return [
        each
        for each in field.competitors
        if own & {fold_phrase(name) for name in (each.drug_name, *each.spellings)}
    ]


def _tell(field: ConditionLandscape, condition: str) -> Iterator[Sentence]:
    if not field.total_trial_count:
        yield coverage(f"No trial with a phase is registered for {condition} in this source.")
        return
    if not field.competitors:
        yield coverage(
            f"{of(field.total_trial_count, 'trial')} with a phase for {condition}, none of which "
            "gives a drug or a biological as treatment."
        )
        return
    yield _crowd(field, condition)
    yield from _leaders(field)
    yield from _trend(field)
    yield from _classes(field)


def _crowd(field: ConditionLandscape, condition: str) -> Sentence:
    late = sum(count for label, count in field.phase_distribution.items() if rank_of(label) >= 6)
    going = sum(count for status, count in field.statuses.items() if status in ONGOING)
    leaders = [nct_id for each in field.competitors[:_TOLD] for nct_id in each.nct_ids[:1]]
    unknown = field.total_trial_count - sum(field.statuses.values())
    doubt = f" (the status of {unknown:,} is not known)" if unknown else ""
    return finding(
        f"{condition} has {of(field.total_trial_count, 'trial')} with a phase, {late:,} of them in "
        f"phase 3 or 4 and {going:,} under way{doubt}, from "
        f"{of(field.competitor_count, 'pair')} of sponsor and drug; the furthest are cited here.",
        leaders,
        topic="lead",
    )


def _leaders(field: ConditionLandscape) -> Iterator[Sentence]:
    """Tell the furthest, one for each trial, and the largest late programme."""
    told: set[str] = set()
    furthest: list[CompetitorEntry] = []
    for entry in field.competitors:
        if len(furthest) < _TOLD and not told.issuperset(entry.nct_ids):
            furthest.append(entry)
            told.update(entry.nct_ids)
    yield from (
        _competitor(entry, "Next is" if at else "Furthest along is")
        for at, entry in enumerate(furthest)
    )
    late = [each for each in field.competitors if rank_of(each.max_phase) >= 6]
    if late:
        largest = max(late, key=lambda each: (each.total_enrollment, each.drug_name))
        if largest not in furthest:
            yield _competitor(largest, "The largest programme in phase 3 or 4 is", topic="lead")


def _competitor(entry: CompetitorEntry, place: str, *, topic: str = "") -> Sentence:
    reached = entry.max_phase if rank_of(entry.max_phase) else "no phase"
    # Nobody at all is a number only where a trial was withdrawn; else it was not told.
    counted = entry.total_enrollment or (0 if "WITHDRAWN" in entry.statuses else None)
    return finding(
        f"{place} {entry.drug_name} by {entry.sponsor}: {reached}, "
        f"{of(entry.trial_count, 'trial')}, {people(counted)}.",
        entry.nct_ids,
        topic=topic,
    )


def _trend(field: ConditionLandscape) -> Iterator[Sentence]:
    trend = field.trend
    if trend is None or not trend.recent_years or not field.recent_starts:
        return
    span = f"{min(trend.recent_years)} to {max(trend.recent_years)}"
    yield finding(
        f"The trend of starts is {trend.direction}: {trend.recent_starts:,} from {span} beside "
        f"{trend.earlier_starts:,} in the three years before; the newest starts are cited here.",
        (each.nct_id for each in field.recent_starts),
        topic="lead",
    )


def _classes(field: ConditionLandscape) -> Iterator[Sentence]:
    for each in field.mechanism_classes[:_TOLD_CLASSES]:
        ids = [
            nct_id
            for entry in field.competitors
            if _is_one_of(entry, each.drugs)
            for nct_id in entry.nct_ids
        ]
        if ids:
            drugs = f", with {listed(each.drugs[:4])}" if each.drugs else ""
            yield finding(
                f"{each.name}: {of(each.trial_count, 'trial')}, up to {each.max_phase}{drugs}.", ids
            )


def _is_one_of(entry: CompetitorEntry, drugs: Sequence[str]) -> bool:
    return fold_phrase(entry.drug_name) in {fold_phrase(name) for name in drugs}


def _tell_own(own: Sequence[CompetitorEntry], drug: str) -> Iterator[Sentence]:
    if own:
        sponsors = listed(list(dict.fromkeys(each.sponsor for each in own))[:4])
        yield finding(
            f"{drug} itself is in the field by {sponsors}.",
            (nct_id for each in own for nct_id in each.nct_ids),
        )
