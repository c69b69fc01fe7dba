"""Places as people write them: country variants, ISO codes, state and province codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

from trialyst.folding import fold_phrase

__all__ = [
    "country_code",
    "country_name",
    "country_names",
    "is_country_code",
    "place_spellings",
    "state_code",
    "state_name",
]


def _read(name: str) -> Iterator[tuple[str, list[str]]]:
    text = resources.files("trialyst.ctgov").joinpath("data", name).read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, _, names = line.partition(" ")
            yield code, names.split(" | ")


@cache
def _codes() -> Mapping[str, str]:
    return {fold_phrase(name): code for code, names in _read("countries.txt") for name in names}


@cache
def _names() -> Mapping[str, str]:
    return {code: names[0] for code, names in _read("countries.txt")}


@cache
def _states() -> Mapping[str, str]:
    return {code: name for code, (name,) in _read("states.txt")}


@cache
def _state_codes() -> Mapping[str, str]:
    spellings = ((spelling, code) for code, name in _states().items() for spelling in (code, name))
    return {fold_phrase(spelling): code for spelling, code in spellings}


@cache
def _spellings() -> Mapping[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for _, names in _read("countries.txt"):
        for name in names:
            table[fold_phrase(name)] = tuple(names)
    # A two-letter code is a state here, as in "Boston, MA": country codes are not written alone.
    for code, state in _states().items():
        table.setdefault(fold_phrase(code), (code, state))
    return table


def country_code(name: str) -> str | None:
    """Give the ISO code of a country in any spelling the registry or people use.

    >>> country_code("Korea, Republic of"), country_code("Turkey (Türkiye)")
    ('KR', 'TR')
    """
    return _codes().get(fold_phrase(name))


def country_name(code: str) -> str | None:
    """Give the registry's spelling of a country by its ISO code.

    >>> country_name("KR")
    'South Korea'
    """
    return _names().get(code)


def country_names() -> tuple[str, ...]:
    """Give the registry's name of every country."""
    return tuple(_names().values())


def is_country_code(text: str) -> bool:
    """Whether the text is an ISO code, in capitals."""
    return text in _names()


def state_code(text: str) -> str | None:
    """Give the postal code of a US state or Canadian province, from its code or name.

    >>> state_code("Massachusetts"), state_code("on"), state_code("Bavaria")
    ('MA', 'ON', None)
    """
    return _state_codes().get(fold_phrase(text))


def state_name(code: str) -> str | None:
    """Give the name of a US state or Canadian province by its postal code."""
    return _states().get(code)


def place_spellings(text: str) -> tuple[str, ...]:
    """Give the other ways to write a country, state or province; the text itself if unknown.

    >>> place_spellings("MA")
    ('MA', 'Massachusetts')
    """
    return _spellings().get(fold_phrase(text), (text,))
