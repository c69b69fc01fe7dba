"""One place as a caller writes it, to the sites there.

A name that means several places is read as the one with the most trials, and the others are told.
What no list knows is searched as it is written, within one site; only where no site is said to lie
there, a place that is written alike is taken instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from trialyst.ctgov.addresses import Address, parse_address, read_area, split_list
from trialyst.ctgov.cities import City
from trialyst.ctgov.gazetteer import (
    Country,
    Sense,
    Senses,
    State,
    find_senses,
    unlisted_cities,
)
from trialyst.ctgov.geo import check_circle
from trialyst.ctgov.nearby import sites_near
from trialyst.ctgov.places import find_city, is_mainly_city, read_point
from trialyst.ctgov.plain import NEAR_KM
from trialyst.ctgov.provinces import Province
from trialyst.ctgov.query import Circle, TrialQuery
from trialyst.ctgov.regions import Region
from trialyst.ctgov.site_filters import CITY, COUNTRY, STATE, at_site, in_place
from trialyst.errors import InvalidInput
from trialyst.essie import build
from trialyst.essie.ast import Node
from trialyst.essie.render import text_node
from trialyst.questions.place_reading import PlaceReading
from trialyst.questions.place_spelling import similar_addresses

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["read_location", "read_surroundings"]

_COUNTRIES_BY_CODE = frozenset({"DE", "NL", "PE", "SK"})
"""Codes of a country and of a state too, where the country has more trials on ClinicalTrials.gov.
A source that cannot count both at once reads the others as the state."""
_FEW = 3
"""A text that so few records hold, and none as a place, may be their slip."""
_TIMES_AS_MANY = 5
"""How much larger the place must be that a misspelt name is read as."""
_LONG_ENOUGH = 6
"""Letters from which on a place that is written like words of records is worth telling."""
_MOST_OFFERED = 4
_FROM_RECORDS = "Known from the records alone."
_BY_CITY = "Sites that do not state it count by their city, as far as the list knows the city."
_FILLER = frozenset("a an and at by for from in of on or the to with".split())
"""Small words that would be looked for as states: IN is Indiana, OR is Oregon."""


async def read_location(source: TrialSource, text: str) -> PlaceReading:
    """Read one place; raises InvalidInput for a point off the globe or `near` what is no city."""
    return await _LocationReader(source, text).read()


async def read_surroundings(
    source: TrialSource, text: str, km: float | None = None
) -> PlaceReading:
    """Read the place near which sites are meant: a city or a point, with or without `near`.

    Args:
        km: how far around; what the text says, or 80, if not given.

    Raises:
        InvalidInput: the place is not known, or is a country or state.
    """
    return await _LocationReader(source, text).read_surroundings(km)


class _LocationReader:
    """Reads one text for one source."""

    def __init__(self, source: TrialSource, text: str) -> None:
        self._source = source
        self._text = text.strip()
        self._by_code = source.cities is not None

    async def read(self) -> PlaceReading:
        address = parse_address(self._text)
        if centre := _point(address):
            return self._around(centre, "the point", address.km)
        if address.is_near:
            return await self._near(address, address.km)
        for read in (self._place, self._wider_area, self._unlisted_city, self._several):
            if known := await read(address):
                return known
        return await self._unknown(address)

    async def read_surroundings(self, km: float | None) -> PlaceReading:
        place = read_point(self._text)
        if place is not None:
            return self._around(Circle(*place.point, NEAR_KM), "the point", km)
        address = parse_address(self._text)
        if centre := _point(address):
            return self._around(centre, "the point", address.km if km is None else km)
        return await self._near(address, address.km if km is None else km)

    async def _place(self, address: Address) -> PlaceReading | None:
        senses = await self._senses(address)
        if not senses:
            return None
        sense, others, notes = await self._choose(senses)
        dropped = [f"Left out: {', '.join(address.dropped)}."] if address.dropped else []
        ignored = [f"The region {each!r} was not checked." for each in senses.ignored]
        return self._of_sense(sense, notes=(*notes, *dropped, *ignored), others=others)

    async def _senses(self, address: Address) -> Senses:
        return await asyncio.to_thread(find_senses, address, self._source.cities)

    async def _choose(self, senses: Senses) -> tuple[Sense, tuple[str, ...], tuple[str, ...]]:
        """Give the likeliest sense, the texts of the others, and how it was chosen."""
        likely = list(senses.likely)
        if len(likely) < 2 or not self._by_code:
            likely.sort(key=_by_default)
            return likely[0], await self._offer((*likely[1:], *senses.further)), ()
        counts = dict(zip(likely, await self._trials_of(likely), strict=True))
        likely.sort(key=lambda sense: -counts[sense])
        first, *rest = likely
        others = [each for each in rest if counts[each]]
        told = "; ".join(f"{each.label}: {counts[each]:,}" for each in others[:_MOST_OFFERED])
        note = f"Of its meanings the one with the most trials: {counts[first]:,} ({told})."
        return first, await self._offer((*others, *senses.further)), (note,) if others else ()

    async def _offer(self, senses: Sequence[Sense]) -> tuple[str, ...]:
        """Give texts for senses, those that are read back as such."""
        offered: list[str] = []
        for sense in senses:
            back = await self._senses(parse_address(sense.label))
            if sense in back.likely[:1] and len(offered) < _MOST_OFFERED:
                offered.append(sense.label)
        return tuple(offered)

    def _of_sense(
        self, sense: Sense, *, notes: Sequence[str] = (), others: Sequence[str] = ()
    ) -> PlaceReading:
        if isinstance(sense, Region) and sense.circle:
            told = (*notes, *([sense.note] if sense.note else []))
            area = self._around(sense.circle, sense.name, sense.circle.km, notes=told)
            return replace(area, alternatives=tuple(others))
        by_city = isinstance(sense, Province) or (
            isinstance(sense, State) and sense.country == "CA"
        )
        note = sense.note if isinstance(sense, Region) else _BY_CITY if by_city else ""
        return PlaceReading(
            asked=self._text,
            name=sense.label,
            kind=_kind(sense),
            node=in_place(sense, by_code=self._by_code),
            approximate=by_city,
            alternatives=tuple(others),
            notes=(*notes, *([note] if note else [])),
        )

    def _around(
        self, centre: Circle, name: str, km: float | None, *, notes: Sequence[str] = ()
    ) -> PlaceReading:
        circle = replace(centre, km=NEAR_KM if km is None else km)
        check_circle(circle)
        at = f"{circle.latitude:g}, {circle.longitude:g}"
        return PlaceReading(
            asked=self._text,
            name=f"{name} ({at}), within {circle.km:g} km",
            kind="area",
            node=sites_near(circle, by_code=self._by_code),
            circle=circle,
            approximate=self._by_code,
            notes=tuple(notes),
        )

    async def _near(self, address: Address, km: float | None) -> PlaceReading:
        learned = self._source.cities
        place = await asyncio.to_thread(find_city, address, asked=address.text, learned=learned)
        return self._around(Circle(*place.point, NEAR_KM), place.name, km, notes=place.notes)

    async def _wider_area(self, address: Address) -> PlaceReading | None:
        """Read `Greater Boston` as what lies around Boston."""
        name = read_area(address.text)
        senses = await self._senses(parse_address(name)) if name else Senses()
        if not senses:
            return None
        sense, others, notes = await self._choose(senses)
        if not isinstance(sense, City):
            return self._of_sense(sense, notes=notes, others=others)
        return self._around(Circle(*sense.point, NEAR_KM), sense.label, None, notes=notes)

    async def _unlisted_city(self, address: Address) -> PlaceReading | None:
        """Read `Paris, TX` as a town that only records know."""
        cities = await asyncio.to_thread(unlisted_cities, address)
        found = [self._of_sense(city, notes=(_FROM_RECORDS,)) for city in cities]
        counts = [await self._count(reading.node) for reading in found]
        return found[counts.index(max(counts))] if any(counts) else None

    async def _several(self, address: Address) -> PlaceReading | None:
        """Read a list of places as any of them."""
        joined = split_list(address.text)
        items = joined if len(joined) > 1 else address.parts
        senses = [await self._senses(parse_address(item)) for item in items]
        if items is address.parts:
            senses = _of_one_level(senses)
        if len(senses) < 2 or not all(senses):
            return None
        chosen = [await self._choose(each) for each in senses]
        read = [self._of_sense(each, notes=notes, others=others) for each, others, notes in chosen]
        return PlaceReading(
            asked=self._text,
            name=" or ".join(each.name for each in read),
            kind="places",
            node=build.any_of(*(each.node for each in read)),
            approximate=any(each.approximate for each in read),
            alternatives=tuple(other for each in read for other in each.alternatives),
            notes=tuple(dict.fromkeys(note for each in read for note in each.notes)),
        )

    async def _unknown(self, address: Address) -> PlaceReading:
        """Read what no list knows: as written, or as a place that is written alike."""
        written = await self._at_place(address) or self._words(address)
        held = await self._count(written.node)
        named = bool(held) and await self._is_named(address)
        if held > _FEW and (named or len(address.text) < _LONG_ENOUGH):
            return written
        respelt = None if named or held > _FEW else await self._respelt(address)
        if respelt is None:
            return await self._offering(written, address)
        return replace(respelt, node=build.any_of(respelt.node, written.node)) if held else respelt

    async def _at_place(self, address: Address) -> PlaceReading | None:
        """Read `Mayo Clinic, Rochester, MN` as words at a site in a place."""
        for first in range(1, len(address.parts)):
            rest = replace(address, parts=address.parts[first:], text="")
            likely = (await self._senses(rest)).likely
            likely = tuple(each for each in likely if not isinstance(each, City)) or likely
            if likely:
                words = ", ".join(address.parts[:first])
                there = build.any_of(*(at_site(each, by_code=self._by_code) for each in likely))
                where = " or ".join(each.label for each in likely)
                return PlaceReading(
                    asked=self._text,
                    name=f"{words!r} as written, at a site in {where}",
                    kind="words",
                    node=build.same_location(build.all_of(_written(words), there)),
                )
        return None

    def _words(self, address: Address) -> PlaceReading:
        return PlaceReading(
            asked=self._text,
            name=f"{address.text!r} as written, at one site",
            kind="words",
            node=build.area("LocationSearch", _written(address.text)),
            notes=("No place of this name is known here; its words are searched.",),
        )

    async def _is_named(self, address: Address) -> bool:
        """Whether a site is said to lie in what is not known of an address."""
        parts = address.parts or (address.text,)
        unknown = [part for part in parts if not find_senses(parse_address(part))] or parts
        for part in unknown:
            name = build.phrase(part)
            named = (build.area(piece, name) for piece in (CITY, STATE, COUNTRY))
            if not await self._count(build.any_of(*named)):
                return False
        return True

    async def _respelt(self, address: Address) -> PlaceReading | None:
        """Read a text as the place that is clearly meant, if there is one."""
        similar = await asyncio.to_thread(similar_addresses, address)
        closest = [each for each in similar if each.slips == similar[0].slips]
        found = [(await self._place(each.address), each.weight) for each in closest]
        read = [(place, weight) for place, weight in found if place is not None]
        if not read:
            return None
        if self._by_code and len(read) > 1:
            read = [(place, await self._count(place.node)) for place, _ in read]
            read.sort(key=lambda each: -each[1])
        (first, weight), *others = read
        if others and weight < _TIMES_AS_MANY * others[0][1]:
            return None
        note = f"No site is said to lie in {self._text!r}; this is written most like it."
        return replace(
            first,
            corrected=first.name,
            alternatives=(*(place.name for place, _ in others), *first.alternatives),
            notes=(note, *first.notes),
        )

    async def _offering(self, written: PlaceReading, address: Address) -> PlaceReading:
        """Add to words the places that are written like them."""
        similar = await asyncio.to_thread(similar_addresses, address)
        found = [await self._place(each.address) for each in similar]
        return replace(written, alternatives=tuple(each.name for each in found if each))

    async def _trials_of(self, senses: Sequence[Sense]) -> list[int]:
        """Count the trials of each sense; what was counted once on the same records stays."""
        origin = await self._source.provenance()
        version = (origin.records, origin.data_timestamp)
        known = _COUNTED.setdefault(self._source, {}).setdefault(version, {})
        missing = [sense for sense in senses if sense not in known]
        nodes = [in_place(sense, by_code=self._by_code) for sense in missing]
        found = await asyncio.gather(*map(self._count, nodes))
        known.update(zip(missing, found, strict=True))
        return [known[sense] for sense in senses]

    async def _count(self, node: Node) -> int:
        return await self._source.count(TrialQuery(filters=(node,)))


_Version = tuple[int | None, str | None]
_COUNTED: WeakKeyDictionary[TrialSource, dict[_Version, dict[Sense, int]]] = WeakKeyDictionary()
"""Trials of the meanings of ambiguous names, for each source and state of its records."""


def _point(address: Address) -> Circle | None:
    try:
        place = read_point(address.text)
    except InvalidInput:
        # A number that is no point may be a postal code.
        if "," in address.text:
            raise
        return None
    return None if place is None else Circle(*place.point, NEAR_KM)


def _written(text: str) -> Node:
    kept = [word for word in text.split() if word not in _FILLER]
    return text_node(" ".join(kept) or text)


def _kind(sense: Sense) -> str:
    match sense:
        case Country():
            return "country"
        case State() | Province():
            return "state"
        case Region():
            return "region"
        case City():
            return "city"


def _of_one_level(senses: Sequence[Senses]) -> list[Senses]:
    """Take the items of a list all as countries, as states or as cities; none if that fails.

    Commas mostly lead from a city to its country: "Paris, Texas" is no list.
    """
    for kinds in ((Country, Region), (State, Province)):
        kept = [each.only(kinds) for each in senses]
        if all(kept):
            return kept
    cities = [each.only((City,)) for each in senses]
    mainly = (
        bool(city) and is_mainly_city(each.likely[0], city.likely[0])  # type: ignore[arg-type]
        for each, city in zip(senses, cities, strict=True)
    )
    return cities if all(mainly) else []


def _by_default(sense: Sense) -> bool:
    """Put first what the code of both a state and a country mostly means."""
    return not (isinstance(sense, Country) and sense.code in _COUNTRIES_BY_CODE)
