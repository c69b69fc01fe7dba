"""Reads a criterion as a requirement: the words as they stand, whether they include or exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.clauses import read_elements
from trialyst.eligibility.grammar import build_requirement
from trialyst.eligibility.group_labels import find_group_label
from trialyst.eligibility.leaves import Mood
from trialyst.eligibility.openings import Opening, read_opening
from trialyst.eligibility.requirement import All, Given, Opaque, Requirement
from trialyst.eligibility.tokens import cut_text, plain_marks

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["CriterionParser"]


_NO_OPENING = Opening(Mood())
_MOST_OPENINGS = 1_000
"""Openings kept as read: the items of a list come one after the other."""


class CriterionParser:
    """Parses criteria with one lexicon; keep one for many texts."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._openings: dict[str, Opening] = {}

    def parse(
        self, text: str, *, opening: str | None = None, excludes: bool = False
    ) -> Requirement:
        """Give what a criterion demands; total: words not understood are opaque leaves.

        Args:
            opening: the statement that opens the list the criterion stands in.
            excludes: whether it stands among what excludes, where each sentence counts by itself.
        """
        text = plain_marks(text)
        label = find_group_label(text)
        if label is None:
            return self._parse(text, opening=opening, excludes=excludes)
        who = self._parse(label.group, opening=None, excludes=excludes)
        then = self._parse(label.demand, opening=opening, excludes=excludes)
        return Given(who=who, then=then, span=(0, len(text)))

    def _parse(self, text: str, *, opening: str | None, excludes: bool) -> Requirement:
        opened = self._opening(opening)
        end = cut_text(text)
        elements = read_elements(text[:end], self.lexicon, opened.mood.copy())
        found = build_requirement(elements, text, excludes=excludes)
        if found is None:
            return Opaque(words=text[:end].strip(), span=(0, len(text)))
        found = opened.bind(found)
        if end < len(text):
            rest = Opaque(words=text[end:], span=(end, len(text)))
            return All(parts=(found, rest), span=(0, len(text)))
        return found

    def _opening(self, text: str | None) -> Opening:
        if not text:
            return _NO_OPENING
        known = self._openings.get(text)
        if known is None:
            if len(self._openings) >= _MOST_OPENINGS:
                self._openings.clear()
            known = self._openings[text] = read_opening(
                plain_marks(text)[: cut_text(text)], self.lexicon
            )
        return known
