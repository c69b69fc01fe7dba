"""Names of conditions, drugs, procedures and classes of drugs in a text, criterion or note alike.

One finder for both sides, so that a criterion and a chart name the same thing by the same term.
The longest name wins; short forms are case-sensitive and need their context.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.anatomy import find_composed, head_words
from trialyst.eligibility.meanings import Meaning, Meanings
from trialyst.eligibility.names import is_short, read_names
from trialyst.vocabulary.spotting import Token, tokenize
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.vocabulary import Vocabulary

__all__ = ["Lexicon", "Named"]

_REMEMBERED = 20_000
_LONGEST_REMEMBERED = 400
"""Letters of a text whose names are remembered."""
_MOST_KEYS = 400_000
"""Folded names held by first words; the vocabulary has about 600,000."""
_SHORT = 3
_OVER_COMMA = 0.9
"""What a name over a comma weighs less, so that two things of a list stay two."""
_COMPOSED = 0.5
"""What a composed name weighs less than a listed one of the same words."""
_BREAK = re.compile(r"[;:()\[\]\n]|(?<!\b\w)(?<!\b[Ss]t)\.\s")
_COMMA = re.compile(r",(?!\s*type\b)", re.IGNORECASE)
_ABBREVIATION = re.compile(r"\s*[(\[]\s*([A-Z][A-Za-z0-9-]{1,9}?)s?\s*[)\]]")
_AROUND = re.compile(r"[^\W_]+|[%:;]")
_NEARBY = 25
_GIVEN_BEFORE = re.compile(
    r"\b(?:on|tak(?:es?|ing)|oral|intravenous|iv|topical|transdermal|exogenous|receiv\w+"
    r"|supplemental|(?:use|administration|doses?) of|(?:treat\w+|therapy) with)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_GIVEN_AFTER = re.compile(
    r"[\s-]+(?:\w+ )?(?:therap|treatment|supplement|replacement|infusion|injection|tablet|gel\b"
    r"|patch|drops?\b|preparation|pill)",
    re.IGNORECASE,
)
_CONJUNCTIONS = frozenset("and or".split())


class Named(NamedTuple):
    """A name at `text[start:end]`."""

    what: Term
    kind: TermKind
    start: int
    end: int


_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}


class _Span(NamedTuple):
    """A meaning of the words `first` to `last`, the latter not included."""

    first: int
    last: int
    weight: float
    meaning: Meaning


class Lexicon:
    """Finds names with one vocabulary; keep one for many texts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._meanings = Meanings(vocabulary)
        self._names = read_names()
        self._own: dict[str, list[str]] = {}
        for key in (*self._names.by_key, *self._names.findings):
            self._own.setdefault(key.split(" ", 1)[0], []).append(key)
        self._heads = head_words()
        self._keys: dict[str, tuple[tuple[int, ...], frozenset[str]]] = {}
        self._held = 0
        self._texts: dict[str, tuple[Named, ...]] = {}

    def find(self, text: str) -> list[Named]:
        """Find the names in a text, in its order, none overlapping."""
        found = self._texts.get(text)
        if found is None:
            found = tuple(self._find(text))
            if len(text) <= _LONGEST_REMEMBERED:
                if len(self._texts) >= _REMEMBERED:
                    self._texts.clear()
                self._texts[text] = found
        return list(found)

    def term(self, name: str) -> Term:
        """Give the term of a name, of our own making if the vocabulary has none."""
        return self._meanings.term(name)

    def _find(self, text: str) -> list[Named]:
        tokens = tokenize(text)
        words = [token.folded for token in tokens]
        if "type" in words:
            words = _with_plain_types(words)
        spans = list(self._listed(text, tokens, words))
        if not self._heads.isdisjoint(words):
            spans += self._composed(text, tokens, words)
        kept = _longest(spans)
        if not _CONJUNCTIONS.isdisjoint(words):
            kept += list(self._sharing(words, kept))
            kept.sort(key=lambda span: span[:2])
        return _place(text, tokens, kept)

    def _listed(self, text: str, tokens: list[Token], words: list[str]) -> Iterator[_Span]:
        """Yield the longest listed name that begins at each word."""
        capitals = len(words) > 2 and text.isupper()
        for at, word in enumerate(words):
            lengths, keys = self._keys.get(word) or self._hold(word)
            for length in lengths:
                last = at + length
                if last > len(words):
                    continue
                key = word if length == 1 else " ".join(words[at:last])
                if key in keys:
                    start, end = tokens[at].start, tokens[last - 1].end
                    span = self._span(text, key, start, end, capitals=capitals)
                    if span is not None:
                        less, meaning = span
                        yield _Span(at, last, length - less, meaning)
                        if not less:
                            break

    def _span(
        self, text: str, key: str, start: int, end: int, *, capitals: bool
    ) -> tuple[float, Meaning] | None:
        """Give what a listed name means at a place, and by how much it weighs less."""
        written = text[start:end]
        less = 0.0
        if " " in key:
            if _BREAK.search(written):
                return None
            less = _OVER_COMMA if _COMMA.search(written) else 0.0
            if less and key in self._names.findings:
                return None
        meaning = self._meanings.read(written, key)
        if meaning is None:
            return None
        if is_short(written) and not self._fits(text, written, start, capitals=capitals):
            return None
        return less, meaning

    def _hold(self, word: str) -> tuple[tuple[int, ...], frozenset[str]]:
        """Give the folded names that begin with a word, and how many words they have."""
        keys = frozenset((*self._own.get(word, ()), *self.vocabulary.keys_of_word(word)))
        if self._held > _MOST_KEYS:
            self._keys.clear()
            self._held = 0
        self._held += len(keys) + 1
        lengths = tuple(sorted({key.count(" ") + 1 for key in keys}, reverse=True))
        self._keys[word] = lengths, keys
        return lengths, keys

    def _fits(self, text: str, written: str, start: int, *, capitals: bool) -> bool:
        """Whether a short form has its context, and is no part of another such as PD of PD-L1."""
        if capitals and written.isalpha() and len(written) <= _SHORT:
            return False
        end = start + len(written)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if after[:1] == "-" and after[1:].isalnum() and not after[1:].islower():
            return False
        if before[-1:] == "-" and (before[:1].isupper() or before[:1].isdigit()):
            return False
        needed = self._names.needs.get(written)
        if needed is not None:
            # The expansion may stand anywhere in the text: "multiple myeloma (MM)".
            lowered = text.lower()
            if not any(word in lowered for word in needed):
                return False
        apart = self._names.unless.get(written)
        if apart is None:
            return True
        near = (
            _AROUND.findall(text[max(0, start - _NEARBY) : start])[-1:],
            _AROUND.findall(text[end : end + _NEARBY])[:1],
        )
        return not any(
            word in words or word.lower() in words
            for found, words in zip(near, apart, strict=True)
            for word in found
        )

    def _composed(self, text: str, tokens: list[Token], words: list[str]) -> Iterator[_Span]:
        """Yield what an organ and its ailment make."""
        for each in find_composed(words):
            written = text[tokens[each.first].start : tokens[each.last - 1].end]
            if not (_BREAK.search(written) or _COMMA.search(written)):
                weight = each.last - each.first - _COMPOSED
                yield _Span(each.first, each.last, weight, self._meanings.compose(each))

    def _sharing(self, words: list[str], kept: list[_Span]) -> Iterator[_Span]:
        """Yield names that share words with another: "type 1 or 2 diabetes", "hepatitis B or C"."""
        taken = {at for span in kept for at in range(span.first, span.last)}
        for span in kept:
            if span.last - span.first > 1:
                yield from self._sharing_end(words, span, taken)
                yield from self._sharing_beginning(words, span, taken)
            else:
                yield from self._sharing_type(words, span)

    def _sharing_end(self, words: list[str], span: _Span, taken: set[int]) -> Iterator[_Span]:
        """Read back from a name: the "ischemic" of "ischemic or hemorrhagic stroke"."""
        at = span.first
        while at > 1 and (words[at - 1] in _CONJUNCTIONS or at < span.first):
            end = at - 1 if words[at - 1] in _CONJUNCTIONS else at
            for first in (end - 2, end - 1):
                if first < 0 or not taken.isdisjoint(range(first, end)):
                    continue
                found = self._known(words[first:end], words[span.first + 1 : span.last], span)
                if found is not None:
                    yield _Span(first, end, 0, found)
                    taken.update(range(first, end))
                    at = first
                    break
            else:
                return

    def _sharing_beginning(self, words: list[str], span: _Span, taken: set[int]) -> Iterator[_Span]:
        """Read on after a name that ends in a letter or number: the C of "hepatitis B or C"."""
        at = span.last
        if len(words[at - 1]) > _SHORT:
            return
        while at < len(words):
            if words[at] in _CONJUNCTIONS:
                at += 1
                continue
            if at in taken or len(words[at]) > _SHORT:
                return
            found = self._known(words[span.first : span.last - 1], words[at : at + 1], span)
            if found is None:
                return
            taken.add(at)
            yield _Span(at, at + 1, 0, found)
            at += 1

    def _sharing_type(self, words: list[str], span: _Span) -> Iterator[_Span]:
        """Read "type 1 or 2 diabetes": the second name takes the place of the bare word."""
        at = span.first
        if at < 4 or words[at - 2] not in _CONJUNCTIONS or words[at - 4] != "type":
            return
        head = words[at : span.last]
        one = self._known(words[at - 4 : at - 2], head, span)
        two = self._known(["type", words[at - 1]], head, span)
        if one is not None and two is not None:
            yield _Span(at - 4, at - 2, 0, one)
            yield _Span(at - 1, span.last, 0, two)

    def _known(self, first: list[str], rest: list[str], like: _Span) -> Meaning | None:
        """Give what words and the end of others mean, where it is another thing of the kind."""
        _, keys = self._keys.get(first[0]) or self._hold(first[0])
        for cut in range(len(rest)):
            key = " ".join((*first, *rest[cut:]))
            found = self._meanings.read(key, key) if key in keys else None
            if found is not None and found.kind is like.meaning.kind:
                return found if found.what.id != like.meaning.what.id else None
        return None


def _with_plain_types(words: list[str]) -> list[str]:
    """Give the words with "type II" as "type 2"."""
    return [
        _ROMAN.get(word, word) if at and words[at - 1] in ("type", "types") else word
        for at, word in enumerate(words)
    ]


def _longest(spans: list[_Span]) -> list[_Span]:
    """Keep the longest of overlapping names, the first of equally long ones."""
    taken: set[int] = set()
    kept = []
    for span in sorted(spans, key=lambda span: (-span.weight, span.first)):
        places = range(span.first, span.last)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(span)
    kept.sort(key=lambda span: span.first)
    return kept


def _place(text: str, tokens: list[Token], kept: list[_Span]) -> list[Named]:
    """Give the names with their places, an abbreviation in parentheses with the name before it."""
    found: list[Named] = []
    short: dict[str, Named] = {}
    for span in kept:
        start, end = tokens[span.first].start, tokens[span.last - 1].end
        what, kind, measured = span.meaning
        if found and start < found[-1].end:
            continue
        if measured and not _is_given(text, start, end):
            continue
        written = text[start:end]
        if written in short:
            what, kind = short[written].what, short[written].kind
        match = _ABBREVIATION.match(text, end)
        if match is not None and _abbreviates(match.group(1), written):
            short[match.group(1)] = Named(what, kind, start, end)
            end = match.end()
        found.append(Named(what, kind, start, end))
    return found


def _is_given(text: str, start: int, end: int) -> bool:
    """Whether a substance that laboratories measure is a drug here."""
    return bool(
        _GIVEN_BEFORE.search(text[max(0, start - _NEARBY) : start]) or _GIVEN_AFTER.match(text, end)
    )


def _abbreviates(short: str, written: str) -> bool:
    """Whether capitals in parentheses stand for the name before them."""
    letters = [letter for letter in short.lower() if letter.isalpha()]
    lowered = written.lower()
    return lowered[:1] == letters[0] and all(letter in lowered for letter in letters)
