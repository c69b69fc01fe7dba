"""`search_trials` and `get_trial`: the trials of a drug, one by one, each with why it matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.answers import to_next
from trialyst.errors import NotFound
from trialyst.hints import Hint
from trialyst.ids import NctId
from trialyst.questions.readings import to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.annotated import (
    GIVEN,
    AnnotatedTrial,
    Matched,
    Nearness,
    SoughtCondition,
    SoughtDrug,
    load_annotated,
)
from trialyst.repurposing.answers import About, Found
from trialyst.repurposing.asking import truncation_note
from trialyst.repurposing.evidence import explain
from trialyst.repurposing.holdout import was_posted
from trialyst.repurposing.models import Trial
from trialyst.repurposing.next_calls import after_drug_trials
from trialyst.repurposing.queries import build_query
from trialyst.repurposing.views import to_trial

if TYPE_CHECKING:
    from trialyst.annotation import Role
    from trialyst.essie.ast import Node
    from trialyst.questions.names import Term
    from trialyst.repurposing.asking import Asking

__all__ = ["get_trial", "search_trials", "search_window"]

MENTIONED = "mentioned"


class _Listed(NamedTuple):
    """A trial of the list, before it is fetched."""

    nct_id: NctId
    role: str
    narrower: bool


async def search_trials(
    asking: Asking,
    terms: Mapping[str, Term],
    *,
    phases: Node | None,
    most: int,
    include_mentioned: bool = False,
) -> Found[Trial]:
    """Give the trials that give a drug, at most so many, and how many there are.

    Args:
        terms: what to find, by the argument that named it.
        include_mentioned: also those that only name it, last.
    """
    listed = await search_window(
        asking, terms, phases=phases, window=slice(0, most), include_mentioned=include_mentioned
    )
    follows = after_drug_trials(dict(zip(terms, listed.names, strict=True)), listed)
    return listed.told(
        truncation_note(len(listed), listed.total_count), to_next(follows), max_results=most
    )


async def search_window(
    asking: Asking,
    terms: Mapping[str, Term],
    *,
    phases: Node | None,
    window: slice,
    include_mentioned: bool = False,
) -> Found[Trial]:
    """Give a part of the list of trials that give a drug, those that test it first."""
    query = build_query(*terms.values(), filters=(phases,), cutoff=asking.cutoff, ranked=True)
    found, mentioned = _sorted(asking, terms, await load_annotated(asking, query))
    every = [*found, *mentioned] if include_mentioned else found
    chosen = every[window]
    trials = {
        trial.nct_id: trial
        for trial in await asking.source.get_many([each.nct_id for each in chosen])
    }
    items = [
        to_trial(
            trials[str(each.nct_id)],
            matched_by=explain(trials[str(each.nct_id)], *terms.values()),
            known_at=asking.known_at,
            role=each.role,
        )
        for each in chosen
    ]
    names = {
        name: await with_nearest(asking.source, asking.vocabulary, term)
        for name, term in terms.items()
    }
    notes = [*(note for term in terms.values() for note in term.notes), *asking.notes]
    if narrower := sum(each.narrower for each in chosen):
        notes.append(f"{narrower} of the trials listed study a narrower condition.")
    if mentioned and not include_mentioned:
        notes.append(
            f"{len(mentioned)} more trials name the drug but do not give it; include_mentioned "
            "lists them too."
        )
    return Found(
        items,
        total_count=len(every),
        max_results=len(items),
        names=tuple(names.values()),
        about=About(
            provenance=await asking.provenance(notes, absent=not every),
            understood={name: to_understood(name, reading) for name, reading in names.items()},
        ),
    )


def _sorted(
    asking: Asking, terms: Mapping[str, Term], trials: Iterable[AnnotatedTrial]
) -> tuple[list[_Listed], list[_Listed]]:
    """Give the trials that give the drug, by its role, and those that only name it."""
    sought = SoughtDrug(terms["drug"], asking.drugs)
    about = SoughtCondition(terms["condition"], asking) if "condition" in terms else None
    given: dict[Role, list[_Listed]] = {role: [] for role in GIVEN}
    mentioned = []
    for row, annotation in trials:
        matched = about.match(annotation, row.conditions) if about else Matched(Nearness.SAME)
        if matched is None:
            continue
        narrower = matched.nearness is Nearness.NARROWER
        role = sought.role_in(annotation)
        nct_id = NctId.parse(row.nct_id)
        if role is None:
            mentioned.append(_Listed(nct_id, MENTIONED, narrower))
        else:
            given[role].append(_Listed(nct_id, role.value, narrower))
    return [each for role in GIVEN for each in given[role]], mentioned


async def get_trial(asking: Asking, nct_id: str) -> Trial:
    """Give one trial, or raise NotFound, also where it was not yet posted."""
    found, cutoff = await asking.source.get(NctId.parse(nct_id)), asking.cutoff
    if cutoff and not was_posted(found, cutoff):
        raise NotFound(
            f"{found.nct_id} was not posted by {cutoff}",
            hint=Hint("Ask without {date_before}, or with a later one."),
            invalid_input=nct_id,
        )
    return to_trial(found, known_at=asking.known_at)
