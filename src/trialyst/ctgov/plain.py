"""Plain arguments to a `TrialQuery`: what a person types stays text and is never run as Essie.

Owns the reading of words, quotes, codes and labels. Essie proper comes in by `advanced` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trialyst.ctgov.query import RELEVANCE, TrialQuery
from trialyst.ctgov.sorting import parse_sort
from trialyst.errors import InvalidInput
from trialyst.essie.ast import Node
from trialyst.essie.build import all_of, any_of, area, one_of, phrase
from trialyst.essie.enums import enums
from trialyst.essie.parser import parse
from trialyst.essie.render import text_node
from trialyst.ids import NctId

__all__ = ["MAX_PAGE_SIZE", "PAGE_SIZE", "PlainQuery", "to_search", "to_trial_query"]

PAGE_SIZE = 50
MAX_PAGE_SIZE = 200

_PARAMS = {
    "condition": "cond",
    "intervention": "intr",
    "term": "term",
    "title": "titles",
    "location": "locn",
    "sponsor": "spons",
    "outcome": "outc",
}
_SPOKEN = {"Phase": "phase", "Sex": "sex", "Status": "status", "StudyType": "study type"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainQuery:
    """What to find, as people say it; everything given must hold, lists mean any of them."""

    condition: str | None = None
    intervention: str | None = None
    term: str | None = None
    """Words anywhere in the searched text of a study."""
    title: str | None = None
    location: str | None = None
    """City, state or country, such as `Boston, MA`."""
    sponsor: str | None = None
    outcome: str | None = None
    ids: str | Sequence[str] = ()
    status: str | Sequence[str] = ()
    phase: str | Sequence[str] = ()
    """Codes or labels; `PHASE1/PHASE2` asks for both at once."""
    study_type: str | Sequence[str] = ()
    sex: str | None = None
    """`FEMALE` or `MALE`: trials that admit this sex, so those open to all too."""
    advanced: str | None = None
    """An Essie expression."""
    sort: str | None = None
    """A date or number piece with `:asc` or `:desc`; relevance if not given."""
    page_size: int = PAGE_SIZE

    @property
    def is_empty(self) -> bool:
        """Whether nothing restricts the search."""
        asked = (*(getattr(self, name) for name in _PARAMS), self.sex, self.advanced)
        listed = (self.ids, self.status, self.phase, self.study_type)
        return all(value is None for value in asked) and not any(listed)


def to_search(plain: PlainQuery) -> TrialQuery:
    """Give the query as `to_trial_query` does, but refuse one that asks for nothing."""
    if plain.is_empty:
        raise InvalidInput(
            "Nothing to search for", hint="Give a condition, an intervention, a term or a filter."
        )
    return to_trial_query(plain)


def to_trial_query(plain: PlainQuery) -> TrialQuery:
    """Give the query that finds what the arguments say, or raise InvalidInput."""
    if not 1 <= plain.page_size <= MAX_PAGE_SIZE:
        raise InvalidInput(
            f"page_size is {plain.page_size}, outside 1 to {MAX_PAGE_SIZE}",
            hint=f"Ask for 1 to {MAX_PAGE_SIZE} trials a page and follow the cursor.",
            invalid_input=str(plain.page_size),
        )
    given = ((name, getattr(plain, name)) for name in _PARAMS)
    return TrialQuery(
        queries=tuple((_PARAMS[name], text_node(text)) for name, text in given if text is not None),
        filters=tuple(_filters(plain)),
        statuses=tuple(_enum_value("Status", text) for text in _listed(plain.status)),
        ids=tuple(NctId.parse(text) for text in _listed(plain.ids)),
        sort=parse_sort(plain.sort or RELEVANCE),
        page_size=plain.page_size,
    )


def _filters(plain: PlainQuery) -> Iterable[Node]:
    if phases := _listed(plain.phase):
        yield area("Phase", any_of(*map(_phase, phases)))
    if types := _listed(plain.study_type):
        yield one_of("StudyType", *(_enum_value("StudyType", text) for text in types))
    if plain.sex is not None:
        yield one_of("Sex", *dict.fromkeys((_enum_value("Sex", plain.sex), "ALL")))
    if plain.advanced is not None:
        yield parse(plain.advanced)


def _phase(text: str) -> Node:
    parts = (part.strip() for part in text.split("/"))
    codes = (f"PHASE{part}" if part.isdigit() else part for part in parts)
    return all_of(*(phrase(_enum_value("Phase", code)) for code in codes))


def _listed(values: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        return (values,)
    return tuple(values)


def _enum_value(type_name: str, text: str) -> str:
    enumeration = enums()[type_name]
    found = enumeration.find(text)
    if found is None:
        raise InvalidInput(
            f"Unknown {_SPOKEN[type_name]} {text!r}",
            hint=f"Use one of {', '.join(value.value for value in enumeration.values)}.",
            invalid_input=text,
        )
    return found.value
