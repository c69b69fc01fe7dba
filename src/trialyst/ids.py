"""Identifiers as values: parsed at the border, formatted at the border.

Owns the NCT id. Refuses to guess: what is not an id raises, and says how to get one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trialyst.errors import InvalidInput, UnresolvedEntity

__all__ = ["NctId"]

_URL = re.compile(
    r"^(?:https?://)?(?:www\.|classic\.)?clinicaltrials\.gov/"
    r"(?:ct2/show/|study/|studies/|api/v2/studies/)?(?:show/)?([^/?#]+)",
    re.IGNORECASE,
)
_SHAPE = re.compile(r"^NCT[\s:_-]*([0-9]{8})$", re.IGNORECASE)
_LOOKS_LIKE = re.compile(r"^NCT(?:[\s:_-]|\d|$)", re.IGNORECASE)


class NctId(NamedTuple):
    """A ClinicalTrials.gov identifier.

    >>> NctId.parse(" nct:00461032 ")
    NctId(number=461032)
    >>> str(NctId.parse("https://clinicaltrials.gov/study/NCT00461032?cond=x"))
    'NCT00461032'
    >>> NctId.parse("NCT00461032").curie
    'NCT:00461032'
    """

    number: int

    @classmethod
    def parse(cls, text: str) -> NctId:
        """Read an id in any of its spellings.

        Raises:
            InvalidInput: it looks like an NCT id but is not one, or is no text.
            UnresolvedEntity: it is free text.
        """
        if not isinstance(text, str):
            raise InvalidInput(
                f"{text!r} is not a text",
                hint="An NCT id is 'NCT' and eight digits, for example NCT00461032.",
                invalid_input=str(text),
            )
        stripped = text.strip()
        url = _URL.match(stripped)
        candidate = url.group(1) if url else stripped
        shape = _SHAPE.match(candidate)
        if shape and int(shape.group(1)):
            return cls(int(shape.group(1)))
        if url or _LOOKS_LIKE.match(candidate):
            raise InvalidInput(
                f"{text!r} is not a valid NCT id",
                hint="An NCT id is 'NCT' and eight digits, for example NCT00461032.",
                invalid_input=text,
            )
        raise UnresolvedEntity(f"{text!r} is not an NCT id", invalid_input=text)

    @property
    def curie(self) -> str:
        """The id as the MCP tools speak it: `NCT:00461032`."""
        return f"NCT:{self.number:08d}"

    def __str__(self) -> str:
        return f"NCT{self.number:08d}"
