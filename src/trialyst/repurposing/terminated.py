"""`get_terminated`: what has stopped early for a drug, a class or a condition, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from trialyst.ctgov.answers import to_next
from trialyst.ids import NctId
from trialyst.questions.headings import meant_kind
from trialyst.questions.names import Term, read_class, read_condition, read_drug, read_plain
from trialyst.questions.readings import to_understood
from trialyst.questions.spelling import with_nearest
from trialyst.questions.targets import read_target
from trialyst.repurposing.answers import About, Found, StopSummary
from trialyst.repurposing.asking import truncation_note
from trialyst.repurposing.evidence import explain
from trialyst.repurposing.models import TerminatedTrial
from trialyst.repurposing.next_calls import after_stopped
from trialyst.repurposing.queries import build_query
from trialyst.repurposing.stop_reasons import StopReason, classify_stop_reason
from trialyst.repurposing.views import DRUG_TYPES, STOPPED, to_terminated
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.rows import TrialRow
    from trialyst.vocabulary import Vocabulary

__all__ = ["find_stopped", "get_terminated", "read_query", "summarize"]


def read_query(vocabulary: Vocabulary, text: str) -> Term:
    """Read a text as a drug class, a target, a drug or a condition; else as words."""
    if found := read_class(vocabulary, text) or read_target(vocabulary, text):
        return found
    readers = {Kind.DRUG: read_drug, Kind.CONDITION: read_condition}
    for kinds in ((Kind.DRUG, Kind.CONDITION), (Kind.OTHER,)):
        meant = vocabulary.resolve(text, kinds=kinds).concept
        if meant and (read := readers.get(meant_kind(meant))):
            return read(vocabulary, text)
    drug = read_drug(vocabulary, text)
    return drug if drug.reading.known and meant is None else read_plain(text)


def summarize(rows: Iterable[TrialRow]) -> StopSummary:
    """Count why trials of drugs stopped, and the others beside them."""
    by_kind: dict[bool, list[StopReason]] = {True: [], False: []}
    for row in rows:
        by_kind[_gives_drug(row)].append(classify_stop_reason(row.first("WhyStopped")))
    reasons, others = by_kind[True], by_kind[False]
    unusable = sum(not reason.usable for reason in reasons)
    return StopSummary(
        trials=len(reasons),
        categories=_count(reasons),
        success=sum(reason.success for reason in reasons),
        without_usable_reason=unusable,
        share_without_usable_reason=round(unusable / len(reasons), 4) if reasons else None,
        other_trials=len(others),
        other_categories=_count(others),
    )


def _count(reasons: Iterable[StopReason]) -> dict[str, int]:
    categories = Counter(reason.category.value for reason in reasons)
    return dict(sorted(categories.items(), key=lambda item: (-item[1], item[0])))


def _category(row: TrialRow) -> str:
    return classify_stop_reason(row.first("WhyStopped")).category.value


def _gives_drug(row: TrialRow) -> bool:
    return any(kind in DRUG_TYPES for kind in row.intervention_types)


async def get_terminated(asking: Asking, text: str, *, most: int) -> Found[TerminatedTrial]:
    """Give the best matches, at most so many, and why all of them stopped."""
    found = await find_stopped(asking, text, window=slice(0, most))
    cut = truncation_note(len(found), found.total_count)
    return found.told(cut, to_next(after_stopped(found.names[0], found)))


async def find_stopped(
    asking: Asking, text: str, *, window: slice, category: str | None = None
) -> Found[TerminatedTrial]:
    """Give a part of the list of matches, best first, and why all of them stopped.

    Args:
        category: lists only trials of drugs that are counted under this reason.
    """
    term = read_query(asking.vocabulary, text)
    query = build_query(term, statuses=STOPPED, cutoff=asking.cutoff, ranked=True)
    # To list a trial is to say that it stopped: at a cutoff, that must have been known by then.
    stopped = [row for row in await asking.rows(query) if row.status in STOPPED]
    rows = sorted(stopped, key=lambda row: not _gives_drug(row))
    summary = summarize(rows)
    if category is not None:
        rows = [row for row in rows if _gives_drug(row) and _category(row) == category]
    trials = await asking.source.get_many([NctId.parse(row.nct_id) for row in rows[window]])
    items = tuple(
        to_terminated(
            trial,
            today=asking.today,
            matched_by=explain(trial, term),
            known_at=asking.known_at,
        )
        for trial in trials
    )
    notes = [
        f"{text!r} was searched as a {term.kind}.",
        *term.notes,
        *asking.notes,
        "termination_date is the primary completion date, which is approximate; "
        "termination_planned marks those that are estimated or still to come.",
    ]
    if summary.other_trials and category is None:
        notes.append(
            f"{summary.other_trials} of {len(rows)} give no drug; they are listed last and "
            "counted apart."
        )
    reading = await with_nearest(asking.source, asking.vocabulary, term)
    return Found(
        items,
        total_count=len(rows),
        max_results=window.stop - window.start,
        names=(reading,),
        about=About(
            provenance=await asking.provenance(notes, absent=not rows),
            understood={"query": to_understood("query", reading)},
            summary=summary,
        ),
    )
