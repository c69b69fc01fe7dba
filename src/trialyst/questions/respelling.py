"""Words of a text that a source's records hardly hold, and the words that may be meant by them.

Words come from the records, and from the vocabulary where they have none; one may also have to be
joined to the one beside it, or to be cut in two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import How, Kind
from trialyst.vocabulary.slips import SPACE
from trialyst.vocabulary.spelling import (
    LONGEST,
    Suggestion,
    costs_of_slips,
    possible_beginnings,
    similar_names,
    spellings,
)
from trialyst.vocabulary.spotting import Token, tokenize

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.vocabulary import Vocabulary

__all__ = ["KINDS", "TIMES_AS_MANY", "Respeller"]

KINDS = {
    "cond": (Kind.CONDITION,),
    "intr": (Kind.DRUG,),
    "term": (Kind.CONDITION, Kind.DRUG, Kind.OTHER),
}
"""The kinds of names that each `query.*` parameter is for."""
TIMES_AS_MANY = 20
"""How many times the studies of what was written must hold what is offered for it."""
COMMON_WORD = 20
"""Studies from which on a word is no slip."""
MOST_SUSPECTS = 2
"""Wrong words in a name; with more it is no name that anybody knows."""
CHOICES = 4
"""Words tried in place of one."""
SHORTEST_WORD = 4
SHORTEST_HALF = 3
_NAMING = frozenset({How.BROADER, How.MODIFIER, How.PARENTHESIS, How.QUALIFIER})


@dataclass(frozen=True, slots=True)
class _Replacement:
    """A word for the words of a text from one place to another."""

    start: int
    end: int
    word: str
    cost: float
    count: int

    @property
    def unlikeliness(self) -> float:
        """The less, the likelier that it was meant."""
        return Suggestion(self.word, self.cost, self.count).unlikeliness


@dataclass(frozen=True)
class Respeller:
    """Respells texts with the words of one source, as one `query.*` parameter searches them."""

    source: TrialSource
    vocabulary: Vocabulary
    param: str

    async def respell(self, text: str, suspects: Mapping[int, int]) -> list[Suggestion]:
        """Give a text with its suspect words replaced, in the likeliest ways."""
        tokens = tokenize(text)
        if not 0 < len(suspects) <= MOST_SUSPECTS:
            return []
        choices = [await self._replacements(tokens, at, held) for at, held in suspects.items()]
        return [
            self._suggestion(text, tokens, combined)
            for combined in product(*choices)
            if all(one.end <= other.start for one, other in pairwise(combined))
        ]

    async def suspects(self, tokens: Sequence[Token]) -> dict[int, int]:
        """Give the places of words that may be misspelt, with the studies that hold each."""
        words = {
            at: token.folded
            for at, token in enumerate(tokens)
            if len(token.folded) >= SHORTEST_WORD and token.folded.isalpha()
        }
        unlisted = {at: word for at, word in words.items() if not self._is_listed(word)}
        if not unlisted:
            return {}
        held = await self.source.words_starting(tuple(unlisted.values()), self.param)
        counts = {at: held.get(word, 0) for at, word in unlisted.items()}
        return {at: count for at, count in counts.items() if count < COMMON_WORD}

    async def _replacements(
        self, tokens: Sequence[Token], at: int, held: int
    ) -> list[_Replacement]:
        """Give the likeliest words for one that so many studies hold."""
        found = [*await self._cut_in_two(tokens[at].folded, at)]
        for start, end in ((at, at + 1), (at - 1, at + 1), (at, at + 2)):
            if start >= 0 and end <= len(tokens):
                found += await self._similar(tokens, start, end)
        likelier = (each for each in found if each.count >= TIMES_AS_MANY * held)
        return sorted(likelier, key=lambda each: each.unlikeliness)[:CHOICES]

    def _written(self, word: str) -> str:
        """Give a folded word as people write it."""
        found = self.vocabulary.look_up(word)
        return found.matches[0].name.lower() if found else word

    def _is_listed(self, word: str) -> bool:
        """Whether a word is an English name of a kind that may be meant, or the first of one."""
        longer = self.vocabulary.keys_starting(f"{word} ", range(len(word), LONGEST))
        kinds = (*KINDS[self.param], Kind.OTHER)
        found = (self.vocabulary.look_up(key, kinds=kinds) for key in chain((word,), longer))
        return any(each and each.matches[0].how is not How.TRANSLATED for each in found)

    async def _similar(self, tokens: Sequence[Token], start: int, end: int) -> list[_Replacement]:
        """Give the words like some, taken together as one."""
        joined = "".join(token.folded for token in tokens[start:end])
        written = spellings(joined)
        if not written:
            return []
        words = await self.source.words_starting(possible_beginnings(written), self.param)
        costs = costs_of_slips(written, words) or self._listed_like(joined)
        spaces = (end - start - 1) * SPACE
        return [
            _Replacement(start, end, word, cost + spaces, words.get(word, 0))
            for word, cost in costs.items()
            if spaces or cost
        ]

    def _listed_like(self, word: str) -> dict[str, float]:
        names = similar_names(self.vocabulary, word, kinds=KINDS["term"])
        return {fold_phrase(name.text): name.cost for name in names if " " not in name.text}

    async def _cut_in_two(self, word: str, at: int) -> Iterator[_Replacement]:
        places = range(SHORTEST_HALF, len(word) - SHORTEST_HALF + 1)
        cuts = [(word[:place], word[place:]) for place in places]
        halves = {half for cut in cuts for half in cut}
        held = await self.source.words_starting(tuple(halves), self.param)
        counts = {cut: min(held.get(half, 0) for half in cut) for cut in cuts}
        return (
            _Replacement(at, at + 1, " ".join(cut), SPACE, count)
            for cut, count in counts.items()
            if count >= COMMON_WORD
        )

    def _suggestion(
        self, text: str, tokens: Sequence[Token], replaced: Iterable[_Replacement]
    ) -> Suggestion:
        replaced = sorted(replaced, key=lambda each: each.start, reverse=True)
        for each in replaced:
            start, end = tokens[each.start].start, tokens[each.end - 1].end
            text = f"{text[:start]}{self._written(each.word)}{text[end:]}"
        cost = sum(each.cost for each in replaced)
        return Suggestion(text, cost, min(each.count for each in replaced), self._concept(text))

    def _concept(self, text: str) -> str | None:
        """Give the id of what a text names, perhaps with words more than the name has."""
        found = self.vocabulary.resolve(text, kinds=KINDS[self.param])
        if found.concept and (found.matches[0].how.exact or found.matches[0].how in _NAMING):
            return found.concept.id
        return None
