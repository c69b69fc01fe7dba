"""From a text to the token sequences that stand for it, as far as the expansion level allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

from trialyst.ctgov.countries import place_spellings, state_code
from trialyst.folding import fold, fold_phrase, phrase_variants
from trialyst.registry.remembered import Remembered
from trialyst.vocabulary.concept import How, Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["STATE", "Expander", "Segment"]

Tokens = tuple[str, ...]

STATE = "LocationState"
"""The piece in which a postal code stands for its state; elsewhere "OR" is a word."""

# Words that carry no meaning of their own; scattered over a record they would match anything.
STOP_WORDS = frozenset(
    {"a", "an", "and", "as", "at", "by", "for", "from", "in", "into"}
    | {"of", "on", "or", "the", "to", "versus", "vs", "with", "without"}
)
# Gene symbols are too often ordinary words.
_EXPANDED = (Kind.CONDITION, Kind.DRUG)
SHORT_ABBREVIATION = 3
"""Shorter names mean too many things in a record to stand for a concept: MI, RA, PD."""
MAX_SYNONYMS = 60
"""A concept with more names than this is so broad that the rest add time, not trials."""
MOST_KNOWN = 500
"""Texts whose meaning is remembered."""
MAX_REORDERED = 3
"""Words of a name that is recognised in any order; of more there are too many orders."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of an unquoted text that must be found whole: a known concept, or one word."""

    text: str
    variants: tuple[Tokens, ...]
    """The text itself, as Term expansion spells it."""
    synonyms: tuple[Tokens, ...]
    """Other names of the concept."""
    codes: tuple[Tokens, ...] = ()
    """Postal code of a state named in full; it means that only where states stand."""
    apart: tuple[tuple[Tokens, ...], ...] = ()
    """Names of it whose words may stand apart and in any order, each word with what else it is
    called; none if quoted or of no concept."""

    @property
    def is_one_word(self) -> bool:
        """Whether nothing but one word stands for it."""
        return not self.synonyms and len(self.variants) == len(self.variants[0]) == 1


class Expander:
    """Knows the vocabulary; without one, only spelling is expanded."""

    def __init__(self, vocabulary: Vocabulary | None) -> None:
        self._vocabulary = vocabulary
        # A name is looked up as a whole, as a part and in other orders, all of one question.
        self._known: Remembered[str, tuple[Segment, str | None]] = Remembered(MOST_KNOWN)
        self._called_as: Remembered[str, Tokens] = Remembered(MOST_KNOWN)

    def whole(self, text: str) -> Segment:
        """Take a text as one phrase with all its synonyms."""
        return self._look_up(text)[0]

    def literal(self, text: str) -> Segment:
        """Take a text as one phrase without synonyms."""
        return Segment(text, tuple(v for v in phrase_variants(text) if v), ())

    def segments(self, text: str) -> list[Segment]:
        """Cut a text into its longest known concepts, and single words between them."""
        words = [word for word in text.split() if fold(word)]
        whole = " ".join(words)
        if len(words) > 1 and self._look_up(whole)[1] is not None and self._identify(words):
            # Nothing is longer than the whole, and to look for its parts would take longer.
            return [self._relaxed(whole)]
        spans = self._spans(words)
        if all(end - start == 1 for start, end in spans):
            named = self._reordered(words)
            if named:
                return [named]
        parts = [" ".join(words[start:end]) for start, end in spans]
        kept = [part for part in parts if part.lower() not in STOP_WORDS] or parts
        return [self._relaxed(part) for part in kept]

    def words(self, text: str) -> list[Segment]:
        """Take each word of a text alone, but for those that carry no meaning."""
        words = [word for word in text.split() if fold(word)]
        kept = [word for word in words if word.lower() not in STOP_WORDS] or words
        return [self.whole(word) for word in kept]

    def places(self, text: str) -> list[Segment]:
        """Cut a place into names of cities, states and countries, in all their spellings."""
        segments = []
        for part in text.split(","):
            words = [word for word in part.split() if fold(word)]
            while words:
                size = next((n for n in range(len(words), 1, -1) if _is_place(words[:n])), 1)
                segments.append(_place(" ".join(words[:size])))
                words = words[size:]
        return segments

    def place(self, text: str) -> Segment:
        """Take a text as the name of one place, in all its spellings."""
        return _place(text)

    def _spans(self, words: Sequence[str]) -> list[tuple[int, int]]:
        if self._vocabulary is None:
            return [(at, at + 1) for at in range(len(words))]
        tokens: list[str] = []
        starts: dict[int, int] = {}
        for at, word in enumerate(words):
            starts[len(tokens)] = at
            tokens.extend(fold(word))
        starts[len(tokens)] = len(words)
        spans: list[tuple[int, int]] = []
        done = 0
        for start, end, concept in self._vocabulary.segment(tokens):
            # A concept that begins or ends inside a word, as in "HER2-positive", is not one here.
            if concept is None or start not in starts or end not in starts or starts[start] < done:
                continue
            spans.extend((at, at + 1) for at in range(done, starts[start]))
            spans.append((starts[start], starts[end]))
            done = starts[end]
        spans.extend((at, at + 1) for at in range(done, len(words)))
        return spans

    def _relaxed(self, text: str) -> Segment:
        """Take a text as one phrase whose words may stand apart if it names a concept.

        Not the words of its other names: they would find heart failure for kidney failure, where
        renal denervation is tried.
        """
        segment, name = self._look_up(text)
        names = () if name is None else _standing_apart(name, segment)
        if not names:
            return segment
        apart = tuple(tuple(self._called(word) for word in words) for words in names)
        return replace(segment, apart=apart)

    def _called(self, word: str) -> Tokens:
        """Give a word of a name and the single words that mean the same: tumor for cancer."""
        known = self._called_as.get(word)
        if known is not None:
            return known
        assert self._vocabulary is not None
        meant = self._vocabulary.look_up(word, kinds=_EXPANDED)
        concept = meant.concept if meant and meant.exact and not meant.ambiguous else None
        others = (fold(name) for name in (_names(concept) if concept else ()))
        found = dict.fromkeys((word, *(tokens[0] for tokens in others if len(tokens) == 1)))
        return self._called_as.keep(word, tuple(found))

    def _reordered(self, words: Sequence[str]) -> Segment | None:
        """Take words that name a concept in another order for it.

        Not where each word names a concept of its own: then both of them are asked for.
        """
        if self._vocabulary is None or not 2 <= len(words) <= MAX_REORDERED:
            return None
        known = [" ".join(order) for order in permutations(words) if self._identify(order)]
        if not known or all(self._identify([word]) for word in words):
            return None
        written, meant = self.whole(" ".join(words)), self._relaxed(known[0])
        variants = dict.fromkeys((*written.variants, *meant.variants))
        synonyms = dict.fromkeys((*written.synonyms, *meant.synonyms))
        return replace(meant, text=written.text, variants=tuple(variants), synonyms=tuple(synonyms))

    def _identify(self, words: Sequence[str]) -> bool:
        assert self._vocabulary is not None
        return self._vocabulary.identify(" ".join(words), kinds=_EXPANDED) is not None

    def _look_up(self, text: str) -> tuple[Segment, str | None]:
        """Take a text as one phrase, and give the English name of what it means beyond doubt."""
        known = self._known.get(text)
        if known is not None:
            return known
        variants = tuple(variant for variant in phrase_variants(text) if variant)
        name = None
        synonyms: tuple[Tokens, ...] = ()
        if self._vocabulary is not None:
            meant = self._vocabulary.resolve(text, kinds=_EXPANDED)
            concept = meant.concept if meant.exact and not meant.ambiguous else None
            synonyms = self._synonyms(text, concept, variants)
            if concept is not None:
                is_foreign = meant.matches[0].how is How.TRANSLATED
                name = concept.preferred if is_foreign else text
        return self._known.keep(text, (Segment(text, variants, synonyms), name))

    def _synonyms(
        self, text: str, concept: Concept | None, variants: Sequence[Tokens]
    ) -> tuple[Tokens, ...]:
        if concept is None:
            return self._translation(text)
        names = _names(concept)
        found = dict.fromkeys(v for name in names for v in phrase_variants(name) if v)
        return _without_redundant(tuple(found), variants)[:MAX_SYNONYMS]

    def _translation(self, text: str) -> tuple[Tokens, ...]:
        """Give the English name of what is named in another language and not expanded itself."""
        assert self._vocabulary is not None
        meant = self._vocabulary.look_up(fold_phrase(text), kinds=(Kind.OTHER,))
        if meant is None or meant.matches[0].how is not How.TRANSLATED:
            return ()
        return (tuple(fold(meant.matches[0].concept.preferred)),)


def _standing_apart(name: str, segment: Segment) -> tuple[Tokens, ...]:
    """Give the words of a name, or the fewest of them that make another name of it."""
    asked = _content_words(name)
    alone = {tokens[0] for tokens in (*segment.variants, *segment.synonyms) if len(tokens) == 1}
    # Where a word is a name of its own, it is found without the others.
    if len(asked) < 2 or not alone.isdisjoint(asked):
        return ()
    meaningful = (tuple(t for t in tokens if t not in STOP_WORDS) for tokens in segment.synonyms)
    found = dict.fromkeys(words for words in meaningful if set(words) <= set(asked))
    sets = {words: frozenset(words) for words in (asked, *found) if len(set(words)) == len(words)}
    return tuple(words for words in sets if not any(o < sets[words] for o in sets.values()))


def _names(concept: Concept) -> list[str]:
    return [name for name in concept.synonyms if len(name) > SHORT_ABBREVIATION]


def _content_words(name: str) -> Tokens:
    """Give the words of a name without those that carry no meaning; none of a code such as IL-6."""
    found: list[str] = []
    for word in name.split():
        tokens = fold(word)
        if len(tokens) > 1 and any(token.isdigit() for token in tokens):
            return ()
        found += [token for token in tokens if token not in STOP_WORDS]
    return tuple(found) if len(set(found)) == len(found) else ()


def _without_redundant(
    synonyms: Sequence[Tokens], variants: Sequence[Tokens]
) -> tuple[Tokens, ...]:
    """Drop a sequence that contains another: wherever it stands, the other stands too."""
    kept: list[Tokens] = []
    shorter = set(variants)
    for tokens in sorted(synonyms, key=len):
        runs = {
            tokens[start:end]
            for start in range(len(tokens))
            for end in range(start + 1, len(tokens) + 1)
        }
        if shorter.isdisjoint(runs):
            kept.append(tokens)
            shorter.add(tokens)
    return tuple(kept)


def _is_place(words: Sequence[str]) -> bool:
    text = " ".join(words)
    return place_spellings(text) != (text,) or state_code(text) is not None


def _place(text: str) -> Segment:
    spellings = [text, *place_spellings(text)]
    variants = dict.fromkeys(v for name in spellings for v in phrase_variants(name) if v)
    code = state_code(text)
    codes = () if code is None else tuple(v for v in phrase_variants(code) if v not in variants)
    return Segment(text, tuple(variants), (), codes)
