"""Places of a question to what they ask of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.addresses import parse_address
from trialyst.ctgov.cities import City
from trialyst.ctgov.countries import find_state
from trialyst.ctgov.gazetteer import State, find_senses
from trialyst.ctgov.geo import MAX_KM
from trialyst.ctgov.nearby import sites_of_status_near, unplaced_sites_near
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.essie.build import any_of
from trialyst.hints import Argument, Hint
from trialyst.questions.clauses import Clause
from trialyst.questions.locations import read_location, read_surroundings
from trialyst.questions.place_reading import PlaceReading
from trialyst.questions.readings import ArgumentReading
from trialyst.questions.values import read_km, read_place

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["is_known_place", "read_locations", "read_near"]

_POINTS_ONLY = "Only sites whose point is recorded are found."
_BY_CITY = "Sites without a recorded point count by their city, approximately."
_CERTAIN_CODES = frozenset({"US", "USA", "U.S.", "U.S.A.", "UK", "U.K.", "EU", "UAE", "NYC"})
"""Short names that mean nothing else in a question; MI is also a heart attack."""
_SHORTEST = 4
_LARGE = 600
"""Thousands of people of a city that is recognised without its capital letter."""
_ALSO_WORDS = frozenset({"turkey", "guinea", "jersey", "chad"})


def is_known_place(text: str) -> bool:
    """Whether a text among other words is certainly the name of a place.

    >>> is_known_place("Boston, MA"), is_known_place("reading"), is_known_place("MI")
    (True, False, False)
    """
    if len(text) < _SHORTEST or text.isupper():
        return text in _CERTAIN_CODES
    if text in _ALSO_WORDS:
        return False
    address = parse_address(text)
    senses = find_senses(address).likely
    if not senses or address.is_near:
        return False
    match senses[0]:
        case City() as city:
            return text[0].isupper() or city.people >= _LARGE
        case State() as state:
            # Not by a short name such as "Ill" or "Miss".
            return len(address.parts) > 1 or find_state(state.name) == find_state(text.title())
        case _:
            return True


async def read_locations(
    source: TrialSource, texts: Sequence[str], *, statuses: Sequence[str] = ()
) -> Clause:
    """Read places in any of which a trial must have a site."""
    places = [await read_location(source, text) for text in texts]
    if len(places) == 1 and places[0].circle:
        return _around(source, "location", places[0], statuses)
    node = any_of(*(place.node for place in places))
    return Clause("location", _merged(places), TrialQuery(filters=(node,)))


async def read_near(
    source: TrialSource, value: Any, *, within: Any, statuses: Sequence[str]
) -> Clause:
    """Read a place near which a trial must have a site; with statuses, one of such a status."""
    text, km = read_place(value) or "", _checked_radius(read_km("within", within))
    return _around(source, "near", await read_surroundings(source, text, km), statuses)


def _checked_radius(km: float | None) -> float | None:
    if km is None or 1 <= km <= MAX_KM:
        return km
    raise InvalidInput(
        Hint("{within} is {km} km, outside 1 to {most}", km=f"{km:g}", most=f"{MAX_KM:g}"),
        hint=Hint("Give {example}, or another radius in km.", example=Argument("within", 80)),
        invalid_input=f"{km:g}",
    )


def _around(
    source: TrialSource, argument: str, place: PlaceReading, statuses: Sequence[str]
) -> Clause:
    assert place.circle is not None
    by_city = source.cities is not None
    told = (*place.notes, _BY_CITY if by_city else _POINTS_ONLY)
    part = TrialQuery(
        circle=place.circle,
        beside_circle=unplaced_sites_near(place.circle) if by_city else None,
    )
    if statuses:
        node = sites_of_status_near(place.circle, statuses, by_code=by_city)
        part = replace(part, filters=(node,))
        told = (*told, "The status is asked of a site there, where sites state one.")
    reading = _merged([replace(place, notes=told)])
    kind = "near" if argument == "near" else reading.kind
    return Clause(argument, reading.model_copy(update={"kind": kind}), part)


def _merged(places: Sequence[PlaceReading]) -> ArgumentReading:
    """Say how places were read of which any will do."""
    corrected = [place.corrected or place.name for place in places]
    notes = dict.fromkeys(note for place in places for note in place.notes)
    words = [place for place in places if not place.is_known]
    return ArgumentReading(
        asked=" OR ".join(place.asked for place in places),
        kind=places[0].kind if len({place.kind for place in places}) == 1 else "places",
        known=not words,
        name=" or ".join(place.name for place in places),
        may_mean=tuple(other for place in places if place.is_known for other in place.alternatives),
        nearest=tuple(other for place in words for other in place.alternatives),
        corrected=" OR ".join(corrected) if any(place.corrected for place in places) else None,
        approximate=any(place.approximate for place in places) or None,
        note=" ".join(notes) or None,
    )
