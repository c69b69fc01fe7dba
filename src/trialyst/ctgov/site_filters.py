"""Where a site lies, as Essie: the expressions that find the sites in a place.

A registry of ours knows the country of a site by its code (`by_code`), whatever the record calls
it; the live service does not, so there every spelling is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trialyst.ctgov.cities import BY_STATE, City, city_key, spellings_of_key
from trialyst.ctgov.countries import (
    country_code,
    country_spellings,
    country_spellings_within,
    state_country,
    state_names,
    state_spellings,
)
from trialyst.ctgov.gazetteer import Country, Sense, State
from trialyst.ctgov.provinces import Province, cities_of_province, siblings
from trialyst.ctgov.query import Circle
from trialyst.ctgov.regions import Region
from trialyst.essie import build
from trialyst.essie.ast import Expansion, ExpansionLevel, Node
from trialyst.folding import fold_phrase

__all__ = ["CITY", "COUNTRY", "STATE", "at_site", "in_circle", "in_city", "in_place"]

CITY, STATE = "LocationCity", "LocationState"
COUNTRY, CODE = "LocationCountry", "LocationCountryCode"


def in_place(sense: Sense, *, by_code: bool) -> Node:
    """Match studies with a site in a place."""
    countries = _countries(sense)
    if countries and (by_code or not _namesakes(countries)):
        # One condition need not be held together with others at one site.
        return _in_countries(countries, by_code=by_code)
    return build.same_location(at_site(sense, by_code=by_code))


def at_site(sense: Sense, *, by_code: bool) -> Node:
    """Say of one site that it lies in a place; stands inside `SEARCH[Location]`."""
    match sense:
        case State():
            return _in_states((sense.code,), by_code=by_code)
        case Province():
            country = _in_countries((sense.country,), by_code=by_code)
            return build.all_of(country, _in_province(sense))
        case City():
            return build.all_of(in_city(sense, by_code=by_code), *_none_of(CITY, sense.apart))
        case Region() if sense.circle:
            return in_circle(sense.circle)
        case Region() if sense.states:
            return _in_states(sense.states, by_code=by_code)
        case _:
            return _in_countries(_countries(sense), by_code=by_code)


def in_circle(circle: Circle) -> Node:
    """Match studies, or sites, with a recorded point in a circle."""
    return build.near(circle.latitude, circle.longitude, radius=circle.km, unit="km")


def in_city(city: City, *, by_code: bool) -> Node:
    """Say of one site that it names a city, together with its state and country."""
    parts = [_one_of(CITY, _spellings((city,))), _in_countries((city.country,), by_code=by_code)]
    if city.country in BY_STATE and city.region:
        named = _one_of(STATE, state_spellings(city.region))
        # Of the sites in Canada a tenth leaves out the province.
        parts.append(named if city.country == "US" else build.any_of(named, build.missing(STATE)))
    return build.all_of(*parts)


def _countries(sense: Sense) -> tuple[str, ...]:
    match sense:
        case Country():
            return (sense.code,)
        case Region():
            return sense.countries
        case _:
            return ()


def _in_countries(codes: Sequence[str], *, by_code: bool) -> Node:
    if by_code:
        return _one_of(CODE, codes)
    names = (name for code in codes for name in country_spellings(code))
    return build.all_of(_one_of(COUNTRY, names), *_none_of(COUNTRY, _namesakes(codes)))


def _namesakes(codes: Sequence[str]) -> list[str]:
    """Give the names of other countries in which a name of these stands: South Sudan for Sudan."""
    holding = (name for code in codes for name in country_spellings_within(code))
    return [name for name in holding if country_code(name) not in codes]


def _in_states(codes: Sequence[str], *, by_code: bool) -> Node:
    home = state_country(codes[0])
    spelled = _one_of(STATE, (name for code in codes for name in state_spellings(code)))
    others = [name for code, name in state_names().items() if code not in codes]
    longer = _holding([state_names()[code] for code in codes], others)
    named = build.all_of(spelled, *_none_of(STATE, longer))
    if home == "CA":
        cities = [city for code in codes for city in cities_of_province(home, code)]
        by_city = build.all_of(build.missing(STATE), _one_of(CITY, _spellings(cities)))
        named = build.any_of(named, by_city)
    return build.all_of(_in_countries((home,), by_code=by_code), named)


def _holding(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Give those of other names in which one of these stands: West Virginia for Virginia."""
    parts = [f" {fold_phrase(name)} " for name in names]
    return [name for name in others if any(part in f" {fold_phrase(name)} " for part in parts)]


def _in_province(province: Province) -> Node:
    others = siblings(province)
    if province.is_rest:
        towns = [_in_town_of(each) for each in others]
        states = _one_of(STATE, (name for each in others for name in (*each.names, *each.written)))
        return build.any_of(
            _one_of(STATE, province.names), build.negate(build.any_of(states, *towns))
        )
    elsewhere = [name for each in others for name in each.names]
    stated = _one_of(STATE, (*province.names, *province.written))
    return build.any_of(
        build.all_of(stated, *_none_of(STATE, _holding(province.names, elsewhere))),
        build.all_of(_in_town_of(province), *_none_of(STATE, elsewhere)),
    )


def _in_town_of(province: Province) -> Node:
    """Say of a site that its city lies there; some records write the province as the city."""
    cities = cities_of_province(province.country, province.code)
    return _one_of(CITY, (*province.names, *_spellings(cities), *province.towns))


def _spellings(cities: Iterable[City]) -> list[str]:
    return [
        spelling
        for city in cities
        for name in city.names
        for spelling in (fold_phrase(name), *spellings_of_key(city_key(name)))
    ]


def _one_of(piece: str, values: Iterable[str]) -> Node:
    # The names of places have no synonyms among diseases and drugs.
    return Expansion(ExpansionLevel.TERM, build.one_of(piece, *dict.fromkeys(values)))


def _none_of(piece: str, values: Sequence[str]) -> list[Node]:
    return [build.negate(_one_of(piece, values))] if values else []
