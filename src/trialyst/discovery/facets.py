"""Facets: filters made of the values that `count_trials` counts by, so that both agree exactly.

A chosen value leaves exactly the trials that were counted for it. What is chosen is written as
Essie, which every tool takes as `advanced`: a page of facets can be asked for at a shell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialyst.ctgov.countries import country_code, country_spellings
from trialyst.discovery.counts import BREAKDOWNS
from trialyst.errors import InvalidInput
from trialyst.essie.annotated import exactly
from trialyst.essie.ast import Node
from trialyst.essie.build import all_of, any_of, area, between, matching, phrase
from trialyst.essie.parser import parse
from trialyst.essie.render import render

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["to_advanced"]


def to_advanced(chosen: Mapping[str, Sequence[str]], advanced: str | None = None) -> str | None:
    """Give what is chosen of facets as Essie, together with an expression of the user's own.

    Of several values of one facet any will do; all facets must hold. None if nothing is chosen.

    Raises:
        EssieError: the expression cannot be read; its own text is in the error.
        InvalidInput: there is no such facet, or no such year.

    >>> to_advanced({"sex": ["FEMALE", "ALL"]}, "asthma OR COPD")
    '(asthma OR COPD) AND AREA[Sex]("FEMALE" OR "ALL")'
    """
    own = parse(advanced) if advanced and advanced.strip() else None
    nodes = [_facet(name, values) for name, values in chosen.items() if values]
    if not nodes:
        return advanced if own is not None else None
    return render(all_of(*([own] if own is not None else []), *nodes))


def _facet(name: str, values: Sequence[str]) -> Node:
    if name not in BREAKDOWNS:
        raise InvalidInput(
            f"There is no facet {name!r}",
            hint=f"Use one of {', '.join(BREAKDOWNS)}.",
            invalid_input=name,
        )
    piece = BREAKDOWNS[name].piece
    build = _BUILDERS.get(name)
    if build is None:
        return area(piece, any_of(*(phrase(value) for value in values)))
    return any_of(*(build(piece, value) for value in values))


def _in_country(piece: str, name: str) -> Node:
    code = country_code(name)
    spellings = country_spellings(code) if code else (name,)
    return any_of(*(exactly(piece, each) for each in spellings))


def _in_year(piece: str, year: str) -> Node:
    if not (year.isdigit() and len(year) == 4):
        raise InvalidInput(f"{year!r} is not a year", hint="Write it as 2024.", invalid_input=year)
    return between(piece, f"{year}-01-01", f"{year}-12-31")


_BUILDERS: Mapping[str, Callable[[str, str], Node]] = {
    "country": _in_country,
    "start_year": _in_year,
    "condition": matching,
    "intervention": matching,
    "has_results": lambda piece, value: matching(piece, value.lower()),
}
