"""The items of a page of search results: the agreed fields, and those that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from trialyst.ctgov.excerpts import cut_at_sentence
from trialyst.ctgov.nearby import find_nearest_site
from trialyst.ctgov.points import find_points
from trialyst.ctgov.query import RELEVANCE, Circle, TrialQuery
from trialyst.discovery.fitting import fit_items
from trialyst.discovery.views import present, to_candidate, to_slim_candidate, to_title
from trialyst.ids import NctId
from trialyst.questions.values import read_choices, read_flag

if TYPE_CHECKING:
    from trialyst.ctgov.outline import TrialOutline
    from trialyst.ctgov.protocol import DatedEvent
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["FIELDS", "ItemShape", "read_shape"]


LONGEST_FACILITY = 40
"""Characters of the name of a nearest site: it is told apart by its city and distance too."""


def _date(event: DatedEvent | None) -> str | None:
    return str(event.date) if event else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


FIELDS: Mapping[str, Callable[[Trial], Any]] = {
    "acronym": lambda trial: trial.acronym,
    "brief_title": lambda trial: trial.brief_title,
    "start_date": lambda trial: _date(trial.start),
    "primary_completion_date": lambda trial: _date(trial.primary_completion),
    "completion_date": lambda trial: _date(trial.completion),
    "first_posted": lambda trial: _date(trial.first_posted),
    "last_updated": lambda trial: _date(trial.last_update_posted),
    "enrollment": lambda trial: trial.enrollment.count,
    "sponsor": lambda trial: trial.lead_sponsor and trial.lead_sponsor.name,
    "study_type": lambda trial: trial.study_type,
    "has_results": lambda trial: trial.has_results,
    "why_stopped": lambda trial: trial.why_stopped,
    "countries": lambda trial: list(trial.countries),
    "sites": lambda trial: len(trial.sites),
    "keywords": lambda trial: list(trial.keywords),
    "minimum_age": lambda trial: (
        trial.eligibility.minimum_age and str(trial.eligibility.minimum_age)
    ),
    "maximum_age": lambda trial: (
        trial.eligibility.maximum_age and str(trial.eligibility.maximum_age)
    ),
    "sex": lambda trial: trial.eligibility.sex,
    "summary": lambda trial: trial.brief_summary,
    "title": to_title,
    "conditions": lambda trial: list(trial.conditions),
    "interventions": lambda trial: [each.name for each in trial.interventions],
}
"""What an item has besides the agreed fields, or has whole, where it is asked for by name."""


@dataclass(frozen=True, slots=True)
class ItemShape:
    """What each item shows."""

    fields: tuple[str, ...] = ()
    slim: bool = False

    def needs_whole(self, query: TrialQuery) -> bool:
        """Whether outlines do not tell all that is shown."""
        return bool(self.fields or query.circle)

    async def to_items(
        self, source: TrialSource, query: TrialQuery, trials: Sequence[TrialOutline]
    ) -> list[dict[str, Any]]:
        """Give the items of a page."""
        view = to_slim_candidate if self.slim else to_candidate
        items = [view(trial) for trial in trials]
        for trial, item in zip(trials, items, strict=True) if self.fields else ():
            if _is_whole(trial):
                item |= present({name: FIELDS[name](trial) for name in self.fields})
        if query.circle:
            await _add_nearest_sites(source, query, trials, items)
        await _add_sort_values(source, query, items)
        fit_items(items, asked=self.fields)
        return items


def _is_whole(trial: TrialOutline) -> TypeGuard[Trial]:
    # Most searches show outlines, and need not wait until all of a trial is imported.
    from trialyst.ctgov.trial import Trial

    return isinstance(trial, Trial)


def read_shape(arguments: Mapping[str, Any]) -> ItemShape:
    """Read which fields are asked for."""
    return ItemShape(
        fields=read_choices("fields", arguments.get("fields"), tuple(FIELDS)),
        slim=read_flag("slim", arguments.get("slim"), default=False),
    )


async def _add_nearest_sites(
    source: TrialSource,
    query: TrialQuery,
    trials: Sequence[TrialOutline],
    items: Sequence[dict[str, Any]],
) -> None:
    assert query.circle is not None
    for trial, item in zip(trials, items, strict=True):
        if _is_whole(trial):
            nearest = await _nearest_site(source, trial, query.circle, query.statuses)
            item |= present({"nearest_site": nearest})


async def _nearest_site(
    source: TrialSource, trial: Trial, circle: Circle, statuses: Sequence[str]
) -> dict[str, Any]:
    centre = (circle.latitude, circle.longitude)
    # A trial that was found has a site in the circle: only of its like are cities looked up.
    points = await find_points(source, trial.sites, within=circle)
    nearest = find_nearest_site(trial.sites, points, centre, statuses=statuses)
    if nearest is None or nearest.distance_km > circle.km:
        points = await find_points(source, trial.sites)
        nearest = find_nearest_site(trial.sites, points, centre, statuses=statuses)
    if nearest is None:
        return {}
    return present(
        {
            "distance_km": round(nearest.distance_km, 1),
            "status": nearest.site.status,
            "facility": cut_at_sentence(nearest.site.facility or "", LONGEST_FACILITY),
            "city": nearest.site.city,
            "approximate": nearest.approximate or None,
        }
    )


async def _add_sort_values(
    source: TrialSource, query: TrialQuery, items: Sequence[dict[str, Any]]
) -> None:
    """Add the values that the page is sorted by."""
    pieces = [key.piece for key in query.sort if key.piece != RELEVANCE]
    if not pieces or not items:
        return
    ids = tuple(NctId.parse(item["id"]) for item in items)
    rows = source.iter_rows(TrialQuery(ids=ids, page_size=len(ids)), ["NCTId", *pieces])
    values = {row[0][0]: dict(zip(pieces, row[1:], strict=True)) async for row in rows}
    for nct_id, item in zip(ids, items, strict=True):
        found = values.get(str(nct_id), {})
        item["sorted_by"] = {piece: value[0] for piece, value in found.items() if value}
