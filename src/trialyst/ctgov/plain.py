"""Plain arguments to a `TrialQuery`: what a person types stays text and is never run as Essie.

Owns the reading of words, quotes, codes and labels. Essie proper comes in by `advanced` alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.errors import InvalidInput
from trialyst.essie.ast import And, Area, Node, Or, Phrase, Words
from trialyst.essie.enums import enums
from trialyst.essie.pieces import Kind, find_piece
from trialyst.ids import NctId

__all__ = ["MAX_PAGE_SIZE", "PlainQuery", "parse_text", "to_trial_query"]

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
_QUOTED = re.compile(r'"([^"]*)"')
_WORD = re.compile(r"[^\s,]+|,")
_SYNTAX = str.maketrans(dict.fromkeys('[]()"\\', " "))


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
    page_size: int = 50

    @property
    def is_empty(self) -> bool:
        """Whether nothing restricts the search."""
        asked = (*(getattr(self, name) for name in _PARAMS), self.sex, self.advanced)
        listed = (self.ids, self.status, self.phase, self.study_type)
        return all(value is None for value in asked) and not any(listed)


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
        queries=tuple(
            (_PARAMS[name], parse_text(text, name=name)) for name, text in given if text is not None
        ),
        filters=tuple(_filters(plain)),
        statuses=tuple(_enum_value("Status", "status", text) for text in _listed(plain.status)),
        ids=tuple(NctId.parse(text) for text in _listed(plain.ids)),
        sort=_parse_sort(plain.sort),
        page_size=plain.page_size,
    )


def parse_text(text: str, *, name: str = "text") -> Node:
    """Read words and quoted phrases as terms, whatever else they look like.

    >>> parse_text('her2 "breast cancer"')
    And(children=(Words(words=('her2',)), Phrase(text='breast cancer')))
    >>> parse_text("AND (COVID-19)")
    Words(words=('AND', 'COVID-19'))
    """
    if any(unicodedata.category(char) == "Cc" and char not in "\t\r\n" for char in text):
        raise InvalidInput(
            f"{name} holds control characters: {text!r}",
            hint="Remove them and search again.",
            invalid_input=text,
        )
    terms: list[Node] = []
    for index, part in enumerate(_QUOTED.split(text)):
        words = _WORD.findall(part.translate(_SYNTAX))
        if not any(char.isalnum() for word in words for char in word):
            continue
        terms.append(Phrase(part.strip()) if index % 2 else Words(tuple(words)))
    if not terms:
        raise InvalidInput(
            f"{name} holds nothing to search for: {text!r}",
            hint=f"Give {name} at least one word, or leave it out.",
            invalid_input=text,
        )
    return terms[0] if len(terms) == 1 else And(tuple(terms))


def _filters(plain: PlainQuery) -> Iterable[Node]:
    if phases := _listed(plain.phase):
        yield Area("Phase", _any_of(_phase(text) for text in phases))
    if types := _listed(plain.study_type):
        values = (_enum_value("StudyType", "study_type", text) for text in types)
        yield Area("StudyType", _any_of(Phrase(value) for value in values))
    if plain.sex is not None:
        value = _enum_value("Sex", "sex", plain.sex)
        yield Area("Sex", _any_of(Phrase(code) for code in dict.fromkeys((value, "ALL"))))
    if plain.advanced is not None:
        from trialyst.essie import parse

        yield parse(plain.advanced)


def _phase(text: str) -> Node:
    both = tuple(Phrase(_enum_value("Phase", "phase", part)) for part in _phase_parts(text))
    return both[0] if len(both) == 1 else And(both)


def _phase_parts(text: str) -> Iterable[str]:
    for part in text.split("/"):
        yield f"PHASE{part.strip()}" if part.strip().isdigit() else part


def _any_of(nodes: Iterable[Node]) -> Node:
    children = tuple(nodes)
    return children[0] if len(children) == 1 else Or(children)


def _listed(values: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        return (values,)
    return tuple(values)


def _enum_value(type_name: str, name: str, text: str) -> str:
    enumeration = enums()[type_name]
    found = enumeration.find(text)
    if found is None:
        raise InvalidInput(
            f"Unknown {name} {text!r}",
            hint=f"Use one of {', '.join(value.value for value in enumeration.values)}.",
            invalid_input=text,
        )
    return found.value


def _parse_sort(text: str | None) -> tuple[SortKey, ...]:
    if text is None or text.strip().lstrip("@").casefold() == "relevance":
        return (SortKey(RELEVANCE, descending=True),)
    name, _, direction = text.partition(":")
    piece = find_piece(name)
    if (
        piece is None
        or piece.kind not in {Kind.DATE, Kind.NUMBER}
        or direction not in {"", "asc", "desc"}
    ):
        raise InvalidInput(
            f"Cannot sort by {text!r}",
            hint="Use relevance, or a date or number piece such as StartDate:desc.",
            invalid_input=text,
        )
    newest_first = piece.kind is Kind.DATE
    return (SortKey(piece.name, descending=direction == "desc" if direction else newest_first),)
