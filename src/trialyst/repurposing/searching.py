"""`search_trials` and `get_trial`: the trials of a drug, one by one, each with why it matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.errors import NotFound
from trialyst.hints import Hint
from trialyst.ids import NctId
from trialyst.questions.names import with_nearest
from trialyst.repurposing.answers import Found
from trialyst.repurposing.asking import truncation_note
from trialyst.repurposing.evidence import explain, is_narrower
from trialyst.repurposing.holdout import was_posted
from trialyst.repurposing.models import Trial
from trialyst.repurposing.queries import build_query
from trialyst.repurposing.views import to_trial

if TYPE_CHECKING:
    from trialyst.ctgov import trial as registered
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import TrialSource
    from trialyst.essie.ast import Node
    from trialyst.questions.names import Term
    from trialyst.repurposing.asking import Asking

__all__ = ["get_trial", "search_trials"]

PAGE = 200
"""Whole records a request: some megabytes."""


async def search_trials(
    asking: Asking, terms: Sequence[Term], *, phases: Node | None, most: int
) -> Found[Trial]:
    """Give the best matches, at most so many, and how many there are."""
    query = build_query(*terms, filters=(phases,), cutoff=asking.cutoff, ranked=True)
    found, total = await _collect(asking.source, query, most)
    items = []
    narrower = 0
    for trial in found:
        matches = explain(trial, *terms)
        narrower += is_narrower(matches)
        items.append(to_trial(trial, matched_by=matches, known_at=asking.known_at))
    notes = [*(note for term in terms for note in term.notes), *asking.notes]
    notes.extend(truncation_note(len(items), total))
    if narrower:
        notes.append(
            f"{narrower} of the trials listed study a narrower condition (matched by ancestor)."
        )
    return Found(
        items=tuple(items),
        total_count=total,
        max_results=most,
        names=tuple(with_nearest(asking.vocabulary, term) for term in terms),
        provenance=await asking.provenance(notes),
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
