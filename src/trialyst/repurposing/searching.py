"""`search_trials` and `get_trial`: the trials of a drug, one by one, each with why it matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.ctgov.answers import to_next
from trialyst.errors import NotFound
from trialyst.hints import Hint
from trialyst.ids import NctId
from trialyst.questions.readings import to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.repurposing.answers import About, Found
from trialyst.repurposing.asking import truncation_note
from trialyst.repurposing.evidence import explain, is_narrower
from trialyst.repurposing.holdout import was_posted
from trialyst.repurposing.models import Trial
from trialyst.repurposing.next_calls import after_drug_trials
from trialyst.repurposing.queries import build_query
from trialyst.repurposing.views import to_trial

if TYPE_CHECKING:
    from trialyst.ctgov import trial as registered
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import TrialSource
    from trialyst.essie.ast import Node
    from trialyst.questions.names import Term
    from trialyst.repurposing.asking import Asking

__all__ = ["get_trial", "search_page", "search_trials"]

PAGE = 200
"""Whole records a request: some megabytes."""


async def search_trials(
    asking: Asking, terms: Mapping[str, Term], *, phases: Node | None, most: int
) -> Found[Trial]:
    """Give the best matches, at most so many, and how many there are.

    Args:
        terms: what to find, by the argument that named it.
    """
    found, total = await _collect(asking.source, _query(asking, terms, phases), most)
    listed = await _listed(asking, terms, found, total)
    follows = after_drug_trials(dict(zip(terms, listed.names, strict=True)), listed)
    return listed.told(truncation_note(len(found), total), to_next(follows), max_results=most)


async def search_page(
    asking: Asking,
    terms: Mapping[str, Term],
    *,
    phases: Node | None,
    size: int,
    cursor: str | None,
) -> tuple[Found[Trial], str | None]:
    """Give one page of the matches, and the source's cursor to the next."""
    query = replace(_query(asking, terms, phases), page_size=size)
    page = await asking.source.search(query, cursor)
    total = await asking.source.count(query) if page.total is None else page.total
    return await _listed(asking, terms, page.items, total), page.cursor


def _query(asking: Asking, terms: Mapping[str, Term], phases: Node | None) -> TrialQuery:
    return build_query(*terms.values(), filters=(phases,), cutoff=asking.cutoff, ranked=True)


async def _listed(
    asking: Asking, terms: Mapping[str, Term], found: Sequence[registered.Trial], total: int
) -> Found[Trial]:
    """Give trials with why each matches, and how the names were understood."""
    items = []
    narrower = 0
    for trial in found:
        matches = explain(trial, *terms.values())
        narrower += is_narrower(matches)
        items.append(to_trial(trial, matched_by=matches, known_at=asking.known_at))
    names = {
        name: await with_nearest(asking.source, asking.vocabulary, term)
        for name, term in terms.items()
    }
    notes = [*(note for term in terms.values() for note in term.notes), *asking.notes]
    if narrower:
        notes.append(
            f"{narrower} of the trials listed study a narrower condition (matched by ancestor)."
        )
    return Found(
        items,
        total_count=total,
        max_results=len(items),
        names=tuple(names.values()),
        about=About(
            provenance=await asking.provenance(notes, absent=total == 0),
            understood={name: to_understood(name, reading) for name, reading in names.items()},
        ),
    )


async def _collect(
    source: TrialSource, query: TrialQuery, most: int
) -> tuple[list[registered.Trial], int]:
    """Give the first matches, page after page, and the exact number of all."""
    found: list[registered.Trial] = []
    paged = replace(query, page_size=min(most, PAGE))
    page = await source.search(paged)
    total = page.total
    found.extend(page.items)
    while page.cursor and len(found) < most:
        page = await source.search(paged, page.cursor)
        found.extend(page.items)
    if total is None:
        total = await source.count(query)
    return found[:most], total


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
