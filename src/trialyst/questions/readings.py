"""How an argument was understood: one shape for names, places, codes, dates and words."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

__all__ = ["ArgumentReading", "to_understood"]

SHOWN_NAMES = 6
"""Names of a long list that an answer shows; it says how many there are."""


class ArgumentReading(BaseModel):
    """What an argument was understood to mean."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    asked: str
    kind: str
    """`drug`, `condition`, `class`, `term`; of a place `country`, `city`, ...; of others the name
    of the argument."""
    known: bool
    """Whether it is known; if not, it was searched as it is written."""
    name: str | None = None
    """What it was taken for: the preferred name of a concept, a place, a code in words."""
    concept_id: str | None = None
    how: str | None = None
    """The step that led to it: name, synonym, abbreviation, translated, salt dropped, ..."""
    ambiguous: bool = False
    """It may mean several things, and was searched as it is written."""
    may_mean: tuple[str, ...] = ()
    """What else it may mean; each is understood as that when it is given instead."""
    searched: tuple[str, ...] = ()
    """The names that were searched for."""
    nearest: tuple[str, ...] = ()
    """Known names that are written alike, for a name that nothing knows."""
    misspelt: bool = False
    """It is probably a slip: few or no records hold it, and many the nearest name."""
    corrected: str | None = None
    """What was searched instead, because no record holds what was asked."""
    members: tuple[str, ...] | None = None
    """The members of a drug class, or kinds of a condition, which were searched too."""
    dropped: tuple[str, ...] | None = None
    """Words that were left out."""
    given_as: str | None = None
    """What the caller called the argument instead of its own name."""
    approximate: bool | None = None
    """Whether the reading is only near: a region by its larger cities."""
    note: str | None = None
    count_without: int | None = None
    """How many trials there would be without this argument; told where few are found."""


def to_understood(argument: str, reading: ArgumentReading) -> dict[str, Any]:
    """Give a reading as an answer shows it: what is usual is left unsaid, long lists are cut.

    >>> to_understood("condition", ArgumentReading(asked="MI", kind="condition", known=False))
    {'asked': 'MI', 'known': False}
    """
    values = reading.model_dump(mode="json", exclude_defaults=True)
    if reading.known:
        del values["known"]
    if reading.kind == argument:
        del values["kind"]
    for name in ("searched", "members", "nearest"):
        listed = values.get(name, ())
        if len(listed) > SHOWN_NAMES:
            values[name] = [*listed[:SHOWN_NAMES], f"and {len(listed) - SHOWN_NAMES} more"]
    if values.get("searched") == [reading.asked]:
        del values["searched"]
    return values
