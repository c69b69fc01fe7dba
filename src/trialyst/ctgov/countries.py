"""Countries, and the states of the United States and Canada, in every spelling people use.

Owns the names and codes. What a record writes and what only people write are kept apart: the first
stand for a place in the text of a record too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from trialyst.folding import fold_phrase

__all__ = [
    "CANADIAN",
    "country_code",
    "country_name",
    "country_names",
    "country_spellings",
    "country_spellings_within",
    "find_country",
    "find_country_code",
    "find_state",
    "is_country_code",
    "place_spellings",
    "read_lines",
    "spoken_country_names",
    "state_code",
    "state_country",
    "state_name",
    "state_names",
    "state_spellings",
]

CANADIAN = frozenset("AB BC MB NB NL NS NT NU ON PE QC SK YT".split())
"""Postal codes of the provinces and territories of Canada."""
_UNINHABITED = ("UM", "AQ")
"""Where no trial has a site."""


class _Line(NamedTuple):
    codes: tuple[str, ...]
    written: tuple[str, ...]
    """Names that records use, the registry's own spelling first."""
    spoken: tuple[str, ...]
    """Names that only people use."""


def read_lines(name: str) -> Iterator[str]:
    """Yield the lines of a data file of this package, without comments and blanks."""
    text = resources.files("trialyst.ctgov").joinpath("data", name).read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line


def _read(name: str, *, codes: int) -> Iterator[_Line]:
    for line in read_lines(name):
        *parts, names = line.split(" ", codes)
        written, _, spoken = names.partition(" ; ")
        yield _Line(
            tuple(parts), tuple(written.split(" | ")), tuple(filter(None, spoken.split(" | ")))
        )


@cache
def _countries() -> tuple[_Line, ...]:
    return tuple(_read("countries.txt", codes=2))


@cache
def _states() -> tuple[_Line, ...]:
    return tuple(_read("states.txt", codes=1))


def _key(text: str) -> str:
    """Give the key under which spellings agree, `U.S.` and `US` among them."""
    return fold_phrase(text.replace(".", ""))


@cache
def _codes() -> Mapping[str, str]:
    return {
        key: line.codes[0]
        for line in _countries()
        for name in (*line.written, *line.spoken)
        for key in (fold_phrase(name), _key(name))
    }


@cache
def _iso_codes() -> Mapping[str, str]:
    return {code: line.codes[0] for line in _countries() for code in line.codes}


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    return {line.codes[0]: line.written for line in _countries()}


@cache
def _state_names() -> Mapping[str, str]:
    return {line.codes[0]: line.written[0] for line in _states()}


@cache
def _state_codes() -> Mapping[str, str]:
    spellings = ((text, code) for code, name in _state_names().items() for text in (code, name))
    return {fold_phrase(text): code for text, code in spellings}


@cache
def _short_state_names() -> Mapping[str, str]:
    return {_key(name): line.codes[0] for line in _states() for name in line.spoken}


@cache
def _spellings() -> Mapping[str, tuple[str, ...]]:
    table = {fold_phrase(name): names for names in _names().values() for name in names}
    # A two-letter code is a state here, as in "Boston, MA": country codes are not written alone.
    for code, state in _state_names().items():
        table.setdefault(fold_phrase(code), (code, state))
    return table


def country_code(name: str) -> str | None:
    """Give the ISO code of a country by its name in any spelling the registry or people use.

    >>> country_code("Korea, Republic of"), country_code("Turkey (Türkiye)")
    ('KR', 'TR')
    """
    return _codes().get(fold_phrase(name))


def find_country_code(text: str) -> str | None:
    """Give the ISO code of a country by its code of two or three letters, in any case.

    >>> find_country_code("kor"), find_country_code("Korea")
    ('KR', None)
    """
    return _iso_codes().get(text.replace(".", "").strip().upper())


def find_country(text: str) -> str | None:
    """Give the ISO code of a country by its name or by a code.

    >>> find_country("U.S."), find_country("Deutschland"), find_country("fra")
    ('US', 'DE', 'FR')
    """
    return _codes().get(_key(text)) or find_country_code(text)


def country_name(code: str) -> str | None:
    """Give the registry's spelling of a country by its ISO code.

    >>> country_name("KR")
    'South Korea'
    """
    return _names()[code][0] if code in _names() else None


def country_names() -> tuple[str, ...]:
    """Give the registry's name of every country."""
    return tuple(names[0] for names in _names().values())


def spoken_country_names() -> tuple[str, ...]:
    """Give the other names of all countries."""
    return tuple(name for line in _countries() for name in (*line.written[1:], *line.spoken))


def country_spellings(code: str) -> tuple[str, ...]:
    """Give the names under which records know a country, former ones among them.

    >>> country_spellings("CZ")
    ('Czechia', 'Czech Republic')
    """
    return tuple(name for name in _names()[code] if not name.isupper())


@cache
def country_spellings_within(code: str) -> tuple[str, ...]:
    """Give the names of other countries that hold a name of this one as a part.

    >>> country_spellings_within("SD")
    ('South Sudan',)
    """
    own = [f" {fold_phrase(name)} " for name in country_spellings(code)]
    return tuple(
        name
        for other in _names()
        for name in country_spellings(other)
        if other not in (code, *_UNINHABITED)
        and any(part in f" {fold_phrase(name)} " for part in own)
    )


def is_country_code(text: str) -> bool:
    """Whether the text is an ISO code of two letters, in capitals."""
    return text in _names()


def state_code(text: str) -> str | None:
    """Give the postal code of a US state or Canadian province, from its code or name.

    >>> state_code("Massachusetts"), state_code("on"), state_code("Bavaria")
    ('MA', 'ON', None)
    """
    return _state_codes().get(fold_phrase(text))


def find_state(text: str) -> str | None:
    """Give the postal code of a state by code, name or a short name such as `Mass.`.

    >>> find_state("Mass."), find_state("N.Y."), find_state("Mass General")
    ('MA', 'NY', None)
    """
    key = _key(text)
    return _state_codes().get(key) or _short_state_names().get(key)


def state_name(code: str) -> str | None:
    """Give the name of a US state or Canadian province by its postal code."""
    return _state_names().get(code)


def state_names() -> Mapping[str, str]:
    """Give the names of all states and provinces by postal code."""
    return _state_names()


def state_spellings(code: str) -> tuple[str, ...]:
    """Give the name of a state, its code and its short names.

    >>> state_spellings("ON")
    ('Ontario', 'ON', 'Ont')
    """
    line = next(line for line in _states() if line.codes[0] == code)
    return (*line.written, *line.codes, *line.spoken)


def state_country(code: str) -> str:
    """Give the country of a state or province: `US` or `CA`."""
    return "CA" if code in CANADIAN else "US"


def place_spellings(text: str) -> tuple[str, ...]:
    """Give the other ways to write a country, state or province; the text itself if unknown.

    >>> place_spellings("MA")
    ('MA', 'Massachusetts')
    """
    return _spellings().get(fold_phrase(text), (text,))
