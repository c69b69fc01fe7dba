"""The sites of a trial that take patients, by how far they are from a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trialyst.ctgov.distance import distance_km
from trialyst.ctgov.points import find_points
from trialyst.ctgov.vocab import RecruitmentStatus
from trialyst.matching.report import NearbySite

if TYPE_CHECKING:
    from trialyst.ctgov.places import Place
    from trialyst.ctgov.sites import Contact
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["find_nearest_sites", "tell_contacts"]

_SITES = 3


def tell_contacts(contacts: Sequence[Contact]) -> Iterator[str]:
    """Give whom to call or write to, one line a person; those without a way to reach them last."""
    for contact in sorted(contacts, key=lambda each: not (each.phone or each.email)):
        phone = " ext. ".join(filter(None, (contact.phone, contact.phone_ext)))
        if told := ", ".join(filter(None, (contact.name, phone, contact.email))):
            yield told


async def find_nearest_sites(
    trial: Trial, source: TrialSource, place: Place | None
) -> tuple[NearbySite, ...]:
    """Give the nearest sites that recruit, none where no place is given."""
    if place is None:
        return ()
    open_sites = [site for site in trial.sites if site.status == RecruitmentStatus.RECRUITING]
    points = await find_points(source, open_sites)
    located = [
        NearbySite(
            facility=site.facility,
            city=site.city,
            country=site.country,
            distance_km=round(distance_km(place.point, (point.latitude, point.longitude)), 1),
            approximate=point.approximate,
            status=site.status,
            contact=next(tell_contacts(site.contacts), None),
        )
        for site, point in zip(open_sites, points, strict=True)
        if point is not None
    ]
    return tuple(sorted(located, key=lambda site: site.distance_km)[:_SITES])
