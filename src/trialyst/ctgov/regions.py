"""Regions of several countries or states: Europe, Scandinavia, New England, the Bay Area."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from trialyst.ctgov.countries import read_lines
from trialyst.ctgov.query import Circle
from trialyst.folding import fold_phrase

__all__ = ["Region", "find_region", "region_names"]

_MEMBER = re.compile(r'"[^"]+"|\S+')


@dataclass(frozen=True, slots=True)
class Region:
    """What belongs to a region: countries, states of one country, or a circle."""

    name: str
    countries: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    """Postal codes."""
    circle: Circle | None = None
    note: str = ""
    """Which doubtful members count."""

    @property
    def label(self) -> str:
        """The name with the number of members."""
        if self.circle:
            return self.name
        members, noun = (self.countries, "countries") if self.countries else (self.states, "states")
        return f"{self.name} ({len(members)} {noun})"


def find_region(name: str) -> Region | None:
    """Give the region of a name, or None.

    >>> find_region("Benelux").countries
    ('BE', 'LU', 'NL')
    """
    return _regions().get(fold_phrase(name.replace(".", "")))


def region_names() -> tuple[str, ...]:
    """Give every name of every region."""
    return tuple(name for names, _, _ in _lines() for name in names)


@cache
def _lines() -> tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...]:
    """Names, members and note of each line."""
    return tuple(_read())


def _read() -> Iterator[tuple[tuple[str, ...], tuple[str, ...], str]]:
    for line in read_lines("regions.txt"):
        text, _, note = line.partition(" // ")
        names, _, members = text.partition(" = ")
        yield tuple(names.split(" | ")), tuple(_MEMBER.findall(members)), note


@cache
def _regions() -> Mapping[str, Region]:
    members = {names[0]: members for names, members, _ in _lines()}
    table = {}
    for names, _, note in _lines():
        region = _build(names[0], members, note)
        for name in names:
            table[fold_phrase(name.replace(".", ""))] = region
    return table


def _build(name: str, members: Mapping[str, tuple[str, ...]], note: str) -> Region:
    listed = members[name]
    if len(listed) == 3 and "." in listed[0]:
        latitude, longitude, km = map(float, listed)
        return Region(name, circle=Circle(latitude, longitude, km), note=note)
    codes = sorted(set(_expand(name, members)))
    return Region(
        name,
        countries=tuple(code for code in codes if "-" not in code),
        states=tuple(code.partition("-")[2] for code in codes if "-" in code),
        note=note,
    )


def _expand(name: str, members: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for member in members[name]:
        if member.startswith('"'):
            yield from _expand(member.strip('"'), members)
        else:
            yield member
