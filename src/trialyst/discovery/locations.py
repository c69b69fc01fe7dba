"""`get_trial_locations`: every site of a trial, by country, distance and status, in pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.countries import country_code, country_names, is_country_code
from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.places import Place
from trialyst.ctgov.plain import PAGE_SIZE, check_page_size, distance_alone
from trialyst.ctgov.points import SitePoint, describe_place, find_place, find_points
from trialyst.ctgov.suggest import enum_value, nearest
from trialyst.ctgov.vocab import RecruitmentStatus
from trialyst.discovery.arguments import LocationOptions
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.lookup import find_trial
from trialyst.discovery.next_calls import to_next
from trialyst.discovery.views import to_site
from trialyst.errors import InvalidInput
from trialyst.folding import fold_phrase
from trialyst.hints import Call, Hint
from trialyst.ids import NctId
from trialyst.paging import decode_cursor, digest, encode_cursor
from trialyst.questions.identifiers import read_id
from trialyst.questions.values import (
    check_names,
    read_km,
    read_page_size,
    read_place,
    read_statuses,
    read_text,
)

if TYPE_CHECKING:
    from trialyst.ctgov.sites import Site
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["get_trial_locations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Which sites, and from where distances are measured."""

    country: str | None
    statuses: tuple[str, ...]
    place: Place | None
    km: float | None

    @property
    def key(self) -> object:
        return [self.country, self.statuses, self.place and self.place.point, self.km]


@dataclass(frozen=True, slots=True)
class _Located:
    site: Site
    point: SitePoint | None
    distance: float | None


async def get_trial_locations(
    source: TrialSource,
    nct_id: str,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[LocationOptions],
) -> Answer:
    """Give the sites of a trial: in the record's order, or nearest first with `near`.

    Raises:
        UnresolvedEntity: free text stands where the id belongs.
        InvalidInput: an argument cannot be understood.
        NotFound: the id names no trial here.
    """
    check_names(arguments, tuple(LocationOptions.__annotations__))
    asked = read_id(nct_id)
    wanted = await _read_wanted(source, arguments)
    size = read_page_size(arguments.get("page_size"), default=PAGE_SIZE)
    page_size = check_page_size(size)
    inquiry = Inquiry(source)
    trial = await find_trial(inquiry, asked)
    located = await _locate(source, trial, wanted.place)
    chosen = _choose(located, wanted, trial)
    bound_to = digest([trial.nct_id, _version(trial), wanted.key])
    cursor = read_text("cursor", arguments.get("cursor"))
    offset = _offset(decode_cursor(cursor, bound_to), cursor) if cursor else 0
    end = offset + page_size
    items = [_to_item(each) for each in chosen[offset:end]]
    follows = encode_cursor(bound_to, offset=end) if end < len(chosen) else None
    nearest = _nearest_recruiting(located) if wanted.place else None
    provenance = await inquiry.provenance()
    body: dict[str, Any] = {
        "id": NctId.parse(trial.nct_id).curie,
        "items": items,
        "pagination": to_pagination(cursor=follows, total=len(chosen), page_size=page_size),
        "next": to_next(_calls(trial, wanted, arguments)),
        "provenance": to_provenance(provenance, _notes(trial, located, wanted), now=clock()),
    }
    if nearest:
        body["nearest_recruiting"] = _to_item(nearest)
    return Answer(body, items)


async def _read_wanted(source: TrialSource, arguments: LocationOptions) -> _Wanted:
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


def _offset(state: Mapping[str, Any], cursor: str) -> int:
    offset = state.get("offset")
    if isinstance(offset, int) and offset >= 0:
        return offset
    raise InvalidInput(
        "The cursor is damaged",
        hint="Pass the cursor exactly as the previous page gave it, or omit it.",
        invalid_input=cursor,
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
    code = name.strip().upper()
    return country_code(name) or (code if is_country_code(code) else fold_phrase(name))


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


def _calls(trial: Trial, wanted: _Wanted, arguments: LocationOptions) -> Iterator[Call]:
    """Give the call that shows sites which a status could not choose from."""
    if wanted.statuses and trial.sites and not any(site.status for site in trial.sites):
        dropped = ("status", "cursor", "page_size")
        rest = {name: value for name, value in arguments.items() if name not in dropped}
        nct_id = NctId.parse(trial.nct_id).curie
        yield Call("get_trial_locations", {"nct_id": nct_id, **rest}, "Sites of any status.")


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
