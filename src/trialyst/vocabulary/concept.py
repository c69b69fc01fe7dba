"""What the vocabulary speaks of: concepts, how a text matched one, and mentions in a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

__all__ = ["Concept", "How", "Kind", "Match", "Mention", "Reading", "Resolution"]


class Kind(StrEnum):
    """What sort of thing a concept is."""

    CONDITION = "condition"
    DRUG = "drug"
    GENE = "gene"
    OTHER = "other"


class How(StrEnum):
    """The step that led from a text to a concept; `exact` tells which of them keep the meaning."""

    NAME = "name"
    SYNONYM = "synonym"
    ABBREVIATION = "abbreviation"
    TRANSLATED = "translated"
    LEARNED = "learned"
    LEARNED_WIDER = "learned, broader"
    INVERTED = "inverted"
    SALT = "salt dropped"
    REWORDED = "reworded"
    PARENTHESIS = "parenthesis dropped"
    WITHIN = "in parentheses"
    QUALIFIER = "qualifier dropped"
    MODIFIER = "modifier dropped"
    CONTAINED = "contained"
    BROADER = "broader"

    @property
    def exact(self) -> bool:
        """Whether the text means the concept itself, not something near or wider."""
        return self in _EXACT


_EXACT = frozenset(
    {How.NAME, How.SYNONYM, How.ABBREVIATION, How.TRANSLATED, How.LEARNED, How.INVERTED, How.SALT}
)


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing with all its names, the preferred one first."""

    id: str
    kind: Kind
    names: tuple[str, ...]
    synonyms: tuple[str, ...]
    """Names that mean this and nothing else, safe to search with in its place; none for genes."""
    sources: tuple[str, ...]
    trees: tuple[str, ...] = ()
    """MeSH tree numbers; only descriptors have them."""
    related: tuple[str, ...] = ()
    """Ids: what a supplementary record is mapped to, or the members of a drug class."""

    @property
    def preferred(self) -> str:
        """The name to show."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Match:
    """A concept a text may mean, the name that matched and the step that found it."""

    concept: Concept
    name: str
    how: How


class Reading(NamedTuple):
    """The likeliest concept of a name, without its other names."""

    id: str
    kind: Kind
    preferred: str
    trees: tuple[str, ...]
    name: str
    how: How
    others: tuple[str, ...] = ()
    """Ids of what it may mean as well, where that is not clear."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a text means: no match, one, or several of which the first is the likeliest."""

    text: str
    matches: tuple[Match, ...]
    ambiguous: bool = False

    @property
    def concept(self) -> Concept | None:
        """The likeliest concept, or None when the text is unknown."""
        return self.matches[0].concept if self.matches else None

    @property
    def concepts(self) -> tuple[Concept, ...]:
        """Every concept the text may mean."""
        return tuple(match.concept for match in self.matches)

    @property
    def exact(self) -> bool:
        """Whether the text means the one concept itself, so that its synonyms may stand for it."""
        return bool(self.matches) and not self.ambiguous and self.matches[0].how.exact

    def __bool__(self) -> bool:
        return bool(self.matches)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a text, `text[start:end]`, and what it may mean."""

    start: int
    end: int
    matches: tuple[Match, ...]
    ambiguous: bool = False

    @property
    def concept(self) -> Concept:
        """The likeliest concept."""
        return self.matches[0].concept
