"""`get_trial_locations`: every site of a trial, by country, distance and status, in pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.ctgov.countries import country_names, find_country, is_country_code
from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.places import Place
from trialyst.ctgov.plain import PAGE_SIZE, distance_alone
from trialyst.ctgov.points import SitePoint, describe_place, find_place, find_points
from trialyst.ctgov.suggest import enum_value, nearest
from trialyst.ctgov.vocab import RecruitmentStatus
from trialyst.discovery.arguments import LocationArguments, LocationOptions
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.lookup import find_trial
from trialyst.discovery.next_calls import after_locations
from trialyst.discovery.views import to_site
from trialyst.errors import InvalidInput
from trialyst.folding import fold_phrase
from trialyst.hints import Hint
from trialyst.ids import NctId
from trialyst.paging import (
    check_offset,
    check_version,
    digest,
    encode_continuation,
    take_up,
)
from trialyst.questions.given import read_given
from trialyst.questions.identifiers import read_id
from trialyst.questions.values import read_km, read_place, read_statuses, read_text

if TYPE_CHECKING:
    from trialyst.ctgov.sites import Site
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.discovery.answers import LocationsAnswer
    from trialyst.signatures import Text

__all__ = ["get_trial_locations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Which sites, and from where distances are measured."""

    country: str | None
    statuses: tuple[str, ...]
    place: Place | None
    km: float | None

    @property
    def filters(self) -> bool:
        """Whether some sites may be left out."""
        return bool(self.country or self.statuses or self.km)


@dataclass(frozen=True, slots=True)
class _Located:
    site: Site
    point: SitePoint | None
    distance: float | None


async def get_trial_locations(
    source: TrialSource,
    nct_id: Text = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[LocationOptions],
) -> Answer[LocationsAnswer]:
    """Give the sites of a trial: in the record's order, or nearest first with `near`.

    Raises:
        UnresolvedEntity: free text stands where the id belongs.
        InvalidInput: an argument cannot be understood.
        NotFound: the id names no trial here.
    """
    given = read_given(LocationArguments, {**arguments, "nct_id": nct_id})
    if "nct_id" in given:
        given["nct_id"] = read_id(given["nct_id"]).curie
    call = take_up("get_trial_locations", given)
    asked = read_id(call.arguments.get("nct_id"))
    wanted = await _read_wanted(source, call.arguments)
    inquiry = Inquiry(source)
    trial = await find_trial(inquiry, asked)
    located = await _locate(source, trial, wanted.place)
    chosen = _choose(located, wanted, trial)
    version = digest([trial.nct_id, _version(trial)])
    check_version(call, version)
    start, size = check_offset(call.position, ""), call.arguments.get("page_size", PAGE_SIZE)
    end = start + size
    items = [_to_item(each) for each in chosen[start:end]]
    at = {"offset": end, "version": version}
    goes_on = end < len(chosen)
    cursor = encode_continuation("get_trial_locations", call.arguments, at) if goes_on else None
    nearest = _nearest_recruiting(located) if wanted.place else None
    curie = NctId.parse(trial.nct_id).curie
    provenance = await inquiry.provenance()
    body: dict[str, Any] = {
        "id": curie,
        "items": items,
        **({"nearest_recruiting": _to_item(nearest)} if nearest else {}),
        "pagination": to_pagination(cursor=cursor, total=len(chosen), page_size=size),
        "understood": _understood(wanted, call.arguments),
        "provenance": to_provenance(provenance, _notes(trial, located, wanted), now=clock()),
        "next": list(
            to_next(
                continued("get_trial_locations", {"nct_id": asked.curie}, cursor),
                after_locations(trial, curie, filtered=wanted.filters, found=len(chosen)),
            )
        ),
    }
    return Answer(body, items)


def _understood(wanted: _Wanted, asked: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Say how places were read."""
    told: dict[str, dict[str, Any]] = {}
    if wanted.place:
        told["near"] = {"asked": asked["near"], "place": describe_place(wanted.place)}
    if wanted.country:
        code = _country_key(wanted.country)
        known = {"code": code} if is_country_code(code) else {}
        told["country"] = {"asked": wanted.country, **known}
    return told


async def _read_wanted(source: TrialSource, arguments: Mapping[str, Any]) -> _Wanted:
    near, km = read_place(arguments.get("near")), read_km("within", arguments.get("within"))
    if km is not None and near is None:
        raise distance_alone(arguments.get("within"))
    statuses = read_statuses(arguments.get("status"), type_name="RecruitmentStatus")
    return _Wanted(
        country=read_text("country", arguments.get("country")),
        statuses=tuple(enum_value("RecruitmentStatus", text) for text in statuses),
        place=None if near is None else await find_place(source, near),
        km=km,
    )


def _version(trial: Trial) -> str:
    updated = trial.last_update_posted
    return f"{updated.date if updated else ''} {len(trial.sites)}"


async def _locate(source: TrialSource, trial: Trial, place: Place | None) -> list[_Located]:
    """Give every site with its point and distance; nearest first where there is a place."""
    if place is None:
        return [_Located(site, None, None) for site in trial.sites]
    centre = place.point
    points = await find_points(source, trial.sites)
    located = [
        _Located(site, point, None if point is None else _distance(centre, point))
        for site, point in zip(trial.sites, points, strict=True)
    ]
    return sorted(located, key=lambda each: (each.distance is None, each.distance or 0.0))


def _distance(centre: Point, point: SitePoint) -> float:
    return round(distance_km(centre, (point.latitude, point.longitude)), 1)


def _choose(located: Iterable[_Located], wanted: _Wanted, trial: Trial) -> list[_Located]:
    country = _read_country(wanted.country, trial.countries)
    return [
        each
        for each in located
        if (country is None or _country_key(each.site.country) == country)
        and (not wanted.statuses or each.site.status in wanted.statuses)
        and (wanted.km is None or (each.distance is not None and each.distance <= wanted.km))
    ]


def _read_country(text: str | None, present: Sequence[str]) -> str | None:
    if text is None:
        return None
    key = _country_key(text)
    if not is_country_code(key) and key not in map(_country_key, present):
        meant = nearest(text, country_names())
        guess = f"Did you mean {meant}? " if meant else ""
        raise InvalidInput(
            f"Unknown country {text!r}",
            hint=Hint(
                "{guess}The sites are in {countries}; leave out {country} to see them all.",
                guess=guess,
                countries=", ".join(present) or "no country",
            ),
            invalid_input=text,
        )
    return key


def _country_key(name: str | None) -> str:
    """Give the ISO code of a country; its folded name where there is none."""
    if not name:
        return ""
    return find_country(name) or fold_phrase(name)


def _nearest_recruiting(located: Iterable[_Located]) -> _Located | None:
    """Give the nearest site that takes patients, whatever the filters: they may hide it."""
    return next(
        (
            each
            for each in located
            if each.distance is not None and each.site.status == RecruitmentStatus.RECRUITING
        ),
        None,
    )


def _to_item(located: _Located) -> dict[str, Any]:
    values = to_site(located.site)
    point = located.point
    if point is not None:
        values |= {"latitude": point.latitude, "longitude": point.longitude}
        if point.approximate:
            values["approximate"] = True
    if located.distance is not None:
        values["distance_km"] = located.distance
    return values


def _notes(trial: Trial, located: Sequence[_Located], wanted: _Wanted) -> list[str]:
    notes = []
    if wanted.place:
        notes.append(f"Distances are from {describe_place(wanted.place)}.")
        notes.extend(wanted.place.notes)
        unknown = sum(each.point is None for each in located)
        if unknown:
            fate = "left out" if wanted.km is not None else "put last"
            notes.append(f"Sites without a known point, {fate}: {unknown}.")
        if any(each.point and each.point.approximate for each in located):
            notes.append("Sites marked approximate are measured from the middle of their city.")
    if wanted.statuses and not any(site.status for site in trial.sites):
        notes.append("The record states no status of single sites, so none can be chosen by it.")
    if not trial.sites:
        notes.append("The record lists no sites.")
    return notes
