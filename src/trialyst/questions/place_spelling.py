"""Places that are written like a text which nothing knows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, product

from trialyst.ctgov.addresses import Address
from trialyst.ctgov.cities import shipped_names
from trialyst.ctgov.countries import country_names, spoken_country_names, state_names
from trialyst.ctgov.gazetteer import find_senses, split_qualifiers
from trialyst.ctgov.provinces import province_names
from trialyst.ctgov.regions import region_names
from trialyst.folding import fold_phrase
from trialyst.vocabulary.slips import slip_cost

__all__ = ["SimilarAddress", "similar_addresses"]

_SHORTEST = 4
"""Letters below which too many names are one slip apart."""
_TWO_SLIPS = 8
"""Letters from which on two slips are forgiven."""
_MOST = 4
_LARGE = 1_000_000
"""The weight of a country or state beside a city's thousands of people."""


@dataclass(frozen=True, slots=True)
class SimilarAddress:
    """An address that is written like one that is not known."""

    address: Address
    slips: int
    """Letters that differ."""
    weight: int
    """How large the place is."""


def similar_addresses(address: Address) -> list[SimilarAddress]:
    """Give the known places that an address may have been meant to name, the likeliest first.

    >>> from trialyst.ctgov.addresses import parse_address
    >>> similar_addresses(parse_address("Bostn, MA"))[0].address.parts
    ('boston', 'MA')
    """
    found: dict[str, SimilarAddress] = {}
    for parts in (address.parts, *_split(address)):
        for similar in _respell(replace(address, parts=tuple(parts))):
            senses = find_senses(similar.address)
            if senses:
                label = senses.likely[0].label
                known = found.get(label)
                if known is None or _rank(similar) < _rank(known):
                    found[label] = similar
    return sorted(found.values(), key=_rank)[:_MOST]


def _rank(similar: SimilarAddress) -> tuple[int, int]:
    return similar.slips, -similar.weight


def _split(address: Address) -> Iterator[list[str]]:
    """Yield the ways to tell states and countries from the end of a text without commas."""
    if len(address.parts) == 1:
        for name, qualifiers in split_qualifiers(address.parts[0]):
            yield [name, *qualifiers]


def _respell(address: Address) -> Iterator[SimilarAddress]:
    options = [_similar(part, index == 0) for index, part in enumerate(address.parts)]
    for chosen in islice(product(*options), 200):
        slips = sum(each.slips for each in chosen)
        if slips:
            parts = tuple(each.text for each in chosen)
            changed = replace(address, parts=parts, text=", ".join(parts))
            yield SimilarAddress(changed, slips, max(each.weight for each in chosen))


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    slips: int
    weight: int


@lru_cache(256)
def _similar(part: str, is_first: bool) -> tuple[_Name, ...]:  # noqa: FBT001
    """Give the part itself and the known names few slips away; cities stand first only."""
    key = fold_phrase(part)
    own = _Name(part, 0, 0)
    if len(key) < _SHORTEST:
        return (own,)
    allowed = 1 if len(key) < _TWO_SLIPS else 2
    near = [
        _Name(name, slips, weight)
        for name, weight in (_names() if is_first else _areas())
        if abs(len(name) - len(key)) <= allowed
        and 0 < (slips := _slips(key, name, allowed)) <= allowed
    ]
    near.sort(key=lambda each: (each.slips, -each.weight))
    return (own, *near[:8])


@cache
def _areas() -> tuple[tuple[str, int], ...]:
    names = (
        *country_names(),
        *spoken_country_names(),
        *state_names().values(),
        *province_names(),
        *region_names(),
    )
    keys = dict.fromkeys(map(fold_phrase, names))
    return tuple((key, _LARGE) for key in keys if len(key) >= _SHORTEST)


@cache
def _names() -> tuple[tuple[str, int], ...]:
    areas = dict(_areas())
    cities = {key: city.people for key, city in shipped_names() if len(key) >= _SHORTEST}
    return tuple({**cities, **areas}.items())


def _slips(written: str, known: str, most: int) -> int:
    """Count slips, whatever each is worth: of two names one slip away neither is the likelier."""
    cost = slip_cost(written, known, limit=most)
    return most + 1 if math.isinf(cost) else math.ceil(cost)
