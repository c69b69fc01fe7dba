"""Plain arguments to a `TrialQuery`: what a person types stays text and is never run as Essie.

Owns the reading of words, quotes, codes and labels. Essie proper comes in by `advanced` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trialyst.ctgov.patients import admits_age, admits_sex, parse_age
from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.ctgov.sorting import parse_sort
from trialyst.ctgov.suggest import enum_value
from trialyst.errors import InvalidInput
from trialyst.essie.areas import find_param
from trialyst.essie.ast import Node
from trialyst.essie.build import all_of, any_of, area, one_of, phrase
from trialyst.essie.parser import parse
from trialyst.essie.pieces import find_piece
from trialyst.essie.render import text_node
from trialyst.essie.resolve import resolve
from trialyst.hints import Argument, Hint

__all__ = [
    "MAX_PAGE_SIZE",
    "NEAR_KM",
    "PAGE_SIZE",
    "PlainQuery",
    "check_page_size",
    "distance_alone",
    "read_sort",
    "to_trial_query",
]

PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
NEAR_KM = 80.0
"""How far around a place to look: about an hour's drive."""

_ORDERS = {
    **dict.fromkeys(("newest", "latest", "recent"), "StudyFirstPostDate:desc"),
    "oldest": "StudyFirstPostDate:asc",
    "largest": "EnrollmentCount:desc",
}
"""Orders in common words."""
_PARAMS = {"condition": "cond", "term": "term"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainQuery:
    """What to find, as people say it; everything given must hold, lists mean any of them."""

    condition: str | None = None
    term: str | None = None
    """Words anywhere in the searched text of a study."""
    phase: str | Sequence[str] = ()
    """Codes or labels; `PHASE1/PHASE2` asks for both at once."""
    study_type: str | Sequence[str] = ()
    sex: str | None = None
    """`FEMALE` or `MALE`: trials that admit this sex, so those open to all too."""
    age: str | float | None = None
    """The patient's age, in years or with a unit; trials that state no bound stay in."""
    advanced: str | None = None
    """An Essie expression."""


def to_trial_query(plain: PlainQuery) -> TrialQuery:
    """Give the query that finds what the arguments say, or raise InvalidInput."""
    given = ((name, getattr(plain, name)) for name in _PARAMS)
    return TrialQuery(
        queries=tuple((_PARAMS[name], text_node(text)) for name, text in given if text is not None),
        filters=tuple(_filters(plain)),
        sort=read_sort(None),
    )


def check_page_size(page_size: int) -> int:
    """Give the size of a page, or raise InvalidInput outside 1 to 200."""
    if 1 <= page_size <= MAX_PAGE_SIZE:
        return page_size
    most = str(MAX_PAGE_SIZE)
    raise InvalidInput(
        Hint("{page_size} is {given}, outside 1 to {most}", given=str(page_size), most=most),
        hint=f"Ask for 1 to {MAX_PAGE_SIZE} trials a page and follow the cursor.",
        invalid_input=str(page_size),
    )


def distance_alone(within: object) -> InvalidInput:
    """Give the error of a distance without the place it is measured from."""
    return InvalidInput(
        Hint("{within} is a distance from {near}, which is not given"),
        hint=Hint(
            "Give {near} too, such as {example}, or leave out {within}.",
            example=Argument("near", "Boston"),
        ),
        invalid_input=str(within),
    )


def _filters(plain: PlainQuery) -> Iterable[Node]:
    if phases := _listed(plain.phase):
        yield area("Phase", any_of(*map(_phase, phases)))
    if types := _listed(plain.study_type):
        yield one_of("StudyType", *(enum_value("StudyType", text) for text in types))
    if plain.sex is not None:
        yield admits_sex(plain.sex)
    if plain.age is not None:
        yield admits_age(parse_age(plain.age))
    if plain.advanced is not None:
        yield _checked(plain.advanced)


def _checked(essie: str) -> Node:
    """Parse an expression and look at every name in it, while its columns are known."""
    node, basic = parse(essie), find_param("term")
    if basic is not None:
        resolve(node, basic, text=essie)
    return node


def read_sort(text: str | None) -> tuple[SortKey, ...]:
    """Read an order as people write it, `start_date:DESC`; relevance if none is given."""
    listed = (_ORDERS.get(item.strip().lower(), item) for item in (text or RELEVANCE).split(","))
    items = (item.strip().partition(":") for item in listed)
    written = (f"{_sort_name(name)}{colon}{way.lower()}" for name, colon, way in items)
    return parse_sort(",".join(written))


def _sort_name(name: str) -> str:
    if name.lower() == RELEVANCE.removeprefix("@"):
        return RELEVANCE
    joined = "".join(re.split(r"[\s_]+", name))
    return joined if find_piece(joined) else name


def _phase(text: str) -> Node:
    parts = (part.strip() for part in text.split("/"))
    codes = (f"PHASE{part}" if part.isdigit() else part for part in parts)
    return all_of(*(phrase(enum_value("Phase", code)) for code in codes))


def _listed(values: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        return (values,)
    return tuple(values)
