"""Sites that state no point, found near a place by the cities they name."""

from __future__ import annotations

from functools import lru_cache

from trialyst.ctgov.countries import state_name
from trialyst.ctgov.places import BY_STATE, City, cities_within, city_key, spellings_of_key
from trialyst.ctgov.query import Circle
from trialyst.essie import build
from trialyst.essie.ast import Expansion, ExpansionLevel, Node

__all__ = ["unplaced_sites_near"]


# A person asks about few places, and pages through the answers.
@lru_cache(256)
def unplaced_sites_near(circle: Circle) -> Node | None:
    """Match studies with a site that has no point but names a city of the shipped list in a circle.

    None when no such city lies there.
    """
    cities = cities_within((circle.latitude, circle.longitude), circle.km)
    if not cities:
        return None
    # The names of cities have no synonyms among diseases and drugs.
    either = Expansion(ExpansionLevel.TERM, build.any_of(*map(_named, cities)))
    return build.same_location(build.all_of(build.missing("LocationGeoPoint"), either))


def _named(city: City) -> Node:
    parts: list[Node] = [
        build.one_of("LocationCity", *spellings_of_key(city_key(city.name))),
        build.matching("LocationCountryCode", city.country),
    ]
    state = state_name(city.region) if city.country in BY_STATE else None
    if state:
        parts.append(build.one_of("LocationState", state, city.region))
    return build.all_of(*parts)
