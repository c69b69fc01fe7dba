"""Names of conditions, drugs, procedures and classes of drugs in a text, criterion or note alike.

One finder for both sides, so that a criterion and a chart name the same thing by the same term.
The longest name wins; short forms are case-sensitive and need their context.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable, split_words
from trialyst.folding import fold_phrase
from trialyst.vocabulary import Kind
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Lexicon", "Named"]

_KINDS = frozenset((Kind.CONDITION, Kind.DRUG, Kind.OTHER))
_SHORT = 3
_SIGNS = "C23.888"


class Named(NamedTuple):
    """A name at `text[start:end]`."""

    what: Term
    kind: TermKind
    start: int
    end: int


class Lexicon:
    """Finds names with one vocabulary; keep one for many texts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._terms: dict[str, Term] = {}

    def find(self, text: str) -> list[Named]:
        """Find the names in a text, in its order, none overlapping."""
        found = [*self._shorthand(text), *self._vocabulary_names(text)]
        kept: list[Named] = []
        for each in sorted(found, key=lambda named: (named.start, -named.end)):
            if not kept or each.start >= kept[-1].end:
                kept.append(each)
            elif each.end - each.start > kept[-1].end - kept[-1].start:
                kept[-1] = each
        return kept

    def term(self, name: str) -> Term:
        """Give the term of a name, of our own making if the vocabulary has none."""
        found = self._terms.get(name)
        if found is None:
            resolution = self.vocabulary.resolve(name, kinds=_KINDS)
            concept = resolution.concept
            if concept is not None and resolution.matches[0].how.exact:
                found = Term(concept.id, concept.preferred, concept.trees)
            else:
                found = Term(f"term:{fold_phrase(name)}", name.capitalize())
            self._terms[name] = found
        return found

    def _shorthand(self, text: str) -> list[Named]:
        words = split_words(text)
        found = []
        for phrase in _shorthand().find(words):
            start, end = words[phrase.first].start, words[phrase.last - 1].end
            kind, name, written = phrase.value
            if written is None or text[start:end] == written:
                found.append(Named(self.term(name), kind, start, end))
        return found

    def _vocabulary_names(self, text: str) -> list[Named]:
        found = []
        for mention in self.vocabulary.find(text, kinds=_KINDS):
            concept = mention.concept
            kind = _kind(concept.kind, concept.trees)
            if kind is not None:
                term = Term(concept.id, concept.preferred, concept.trees)
                found.append(Named(term, kind, mention.start, mention.end))
        return found


def _kind(kind: Kind, trees: tuple[str, ...]) -> TermKind | None:
    if kind is Kind.CONDITION:
        signs = trees and all(tree.startswith(_SIGNS) for tree in trees)
        return TermKind.SYMPTOM if signs else TermKind.CONDITION
    if kind is Kind.DRUG:
        return TermKind.DRUG
    if any(tree.startswith(("E04", "E06", "E01")) for tree in trees):
        return TermKind.PROCEDURE
    return TermKind.THERAPY if any(tree.startswith("E02") for tree in trees) else None


@cache
def _shorthand() -> PhraseTable[tuple[TermKind, str, str | None]]:
    entries = []
    for line in read_lines("shorthand.txt"):
        kind, name, written = (part.strip() for part in line.split("|"))
        for text in (*(part.strip() for part in written.split(",")), name):
            exact = text if len(text) <= _SHORT else None
            entries.append((text, (TermKind(kind), name, exact)))
    return PhraseTable(entries)
