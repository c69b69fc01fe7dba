"""Places as people write them: country variants, ISO codes, state and province codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

from trialyst.folding import fold_phrase

__all__ = ["country_code", "place_spellings"]


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
def _spellings() -> Mapping[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for _, names in _read("countries.txt"):
        for name in names:
            table[fold_phrase(name)] = tuple(names)
    # A two-letter code is a state here, as in "Boston, MA": country codes are not written alone.
    for code, (state,) in _read("states.txt"):
        table.setdefault(fold_phrase(code), (code, state))
    return table


def country_code(name: str) -> str | None:
    """Give the ISO code of a country in any spelling the registry or people use.

    >>> country_code("Korea, Republic of"), country_code("Turkey (Türkiye)")
    ('KR', 'TR')
    """
    return _codes().get(fold_phrase(name))


def place_spellings(text: str) -> tuple[str, ...]:
    """Give the other ways to write a country, state or province; the text itself if unknown.

    >>> place_spellings("MA")
    ('MA', 'Massachusetts')
    """
    return _spellings().get(fold_phrase(text), (text,))
