"""Reads a criterion as a requirement: the words as they stand, whether they include or exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.clauses import read_elements
from trialyst.eligibility.grammar import build_requirement
from trialyst.eligibility.requirement import All, Opaque, Requirement
from trialyst.eligibility.tokens import cut_text

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["CriterionParser"]


class CriterionParser:
    """Parses criteria with one lexicon; keep one for many texts."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def parse(self, text: str, *, opening: str | None = None) -> Requirement:
        """Give what a criterion demands; total: words not understood are opaque leaves.

        Args:
            opening: the statement that opens the list the criterion stands in.
        """
        end = cut_text(text)
        elements = read_elements(text[:end], self.lexicon)
        found = build_requirement(elements)
        if found is None:
            return Opaque(words=text[:end].strip(), span=(0, len(text)))
        if end < len(text):
            rest = Opaque(words=text[end:], span=(end, len(text)))
            return All(parts=(found, rest), span=(0, len(text)))
        return found
