"""A sentence made ready for reading: its words, and how it speaks of the things in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.reading.headings import Section, find_heading, find_inline_headings
from trialyst.eligibility.words import Word, split_words
from trialyst.matching.context import Context, Effect, read_context, to_assertion
from trialyst.matching.patient import Assertion, Fact, FactKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.eligibility.reading.note import Note, Sentence

__all__ = ["Passage", "passages"]

_SECTION_EFFECTS = {
    Section.FAMILY: Effect.FAMILY,
    Section.PAST: Effect.HISTORICAL,
    Section.SURGERY: Effect.HISTORICAL,
}
_YEAR = r"(?:19|20)[0-9]{2}"
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_COUNT = (
    r"(?:[0-9]+(?:\.[0-9]+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|several|few|a few|fifteen|twenty|thirty)"
)
_SPAN = r"(?:day|week|month|year|hour|decade|yr|wk|mo)s?"
_WHEN = re.compile(
    rf"\b(?:{_COUNT}\s+{_SPAN}\s+(?:ago|earlier|prior|previously|before)"
    rf"|(?:for|over|in|within|during)\s+(?:the\s+)?(?:past|last|previous)\s+(?:{_COUNT}\s+)?{_SPAN}"
    rf"|(?:in|since|on|until|by)\s+(?:(?:early|mid|late)[\s-])?(?:{_MONTH}(?:\s+{_YEAR})?|{_YEAR})"
    rf"|(?:for|x)\s+(?:the\s+)?(?:about\s+|over\s+|at least\s+)?{_COUNT}\s+{_SPAN}"
    rf"|since\s+(?:childhood|birth|infancy|adolescence)|last\s+(?:week|month|year|{_MONTH})"
    rf"|(?:this|recently|yesterday)\s+(?:week|month|year)|dx\s+{_YEAR}|\({_YEAR}\)|\b{_YEAR}\b)",
    re.IGNORECASE,
)

_LONGEST = 800
"""Letters of the longest piece read at once."""
_CLOSE = 14
"""Letters over which a comma may stand between a thing and its time."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence under reading; places are those of the note."""

    sentence: Sentence
    words: list[Word]
    context: Context
    whens: tuple[tuple[int, int, str], ...]
    body: int
    """Where the words begin, behind the heading if there is one."""
    vocabulary: frozenset[str]
    """Each of the words once, to see quickly what a sentence cannot hold."""

    @property
    def text(self) -> str:
        """The words as written."""
        return self.sentence.text

    @property
    def start(self) -> int:
        """Where the sentence begins in the note."""
        return self.sentence.start

    @property
    def section(self) -> Section:
        """What the part of the note is about."""
        return self.sentence.section

    def effects(self, start: int, end: int) -> frozenset[Effect]:
        """Give what holds of the thing at a place, the section counted in."""
        found = self.context.effects(start, end)
        effect = _SECTION_EFFECTS.get(self.section)
        return found if effect is None else found | {effect}

    def quote(self, start: int, end: int) -> str:
        """Give the words at a place."""
        return self.text[start - self.start : end - self.start]

    def fact(self, kind: FactKind, start: int, end: int, **fields: Any) -> Fact:
        """Make a fact of the thing at a place, asserted as the sentence does."""
        if "assertion" not in fields:
            assertion, negated = to_assertion(self.effects(start, end))
            fields |= {"assertion": assertion, "negated": negated}
        return Fact(kind, self.quote(start, end), self.sentence.number, start, end, **fields)

    def stated(self, kind: FactKind, start: int, end: int, **fields: Any) -> Fact:
        """Make a fact that holds as it stands: what it says is in its status or value."""
        effects = self.effects(start, end)
        assertion = Assertion.FAMILY if Effect.FAMILY in effects else Assertion.PRESENT
        if Effect.HYPOTHETICAL in effects:
            assertion = Assertion.HYPOTHETICAL
        return self.fact(kind, start, end, assertion=assertion, **fields)

    def when(self, start: int, end: int) -> str:
        """Give the time told nearest to a place in the same clause, if any."""
        best, nearest = "", 40
        for begin, close, told in self.whens:
            distance = begin - end if begin >= end else start - close
            between = self.quote(end, begin) if begin >= end else self.quote(close, start)
            if 0 <= distance < nearest and not _is_apart(between):
                best, nearest = told, distance
        return best


def _sections(sentence: Sentence) -> Iterator[Sentence]:
    """Cut a sentence where another heading stands in it, as "72M, FHx: asthma; PMH: gout"."""
    start, section = 0, sentence.section
    for at, following in find_inline_headings(sentence.text):
        yield replace(_part(sentence, start, at), section=section)
        start, section = at, following
    yield (
        sentence
        if start == 0
        else replace(_part(sentence, start, len(sentence.text)), section=section)
    )


def _pieces(sentence: Sentence) -> Iterator[Sentence]:
    """Cut what is far too long for a sentence, so that no line costs more than its length."""
    start = 0
    while len(sentence.text) - start > _LONGEST:
        cut = max(sentence.text.rfind(mark, start, start + _LONGEST) for mark in (";", ",", " "))
        end = cut + 1 if cut > start else start + _LONGEST
        yield _part(sentence, start, end)
        start = end
    yield sentence if start == 0 else _part(sentence, start, len(sentence.text))


def _part(sentence: Sentence, start: int, end: int) -> Sentence:
    return replace(
        sentence,
        start=sentence.start + start,
        end=sentence.start + end,
        text=sentence.text[start:end],
    )


def _is_apart(between: str) -> bool:
    """Say whether a time belongs to something else: a list or a clause lies between."""
    return bool(set(between) & {";", "."}) or ("," in between and len(between) > _CLOSE)


def passages(note: Note) -> Iterator[Passage]:
    """Give the sentences of a note, ready for reading."""
    cut = (part for whole in note.sentences for part in _sections(whole))
    for sentence in (piece for part in cut for piece in _pieces(part)):
        words = split_words(sentence.text, sentence.start)
        context = read_context(sentence.text, sentence.start, words=words)
        whens = tuple(
            (match.start() + sentence.start, match.end() + sentence.start, match.group())
            for match in _WHEN.finditer(sentence.text)
        )
        heading = find_heading(sentence.text) if sentence.section is not Section.NONE else None
        known = heading is not None and heading.section is not Section.OTHER
        body = sentence.start + (heading.end if heading is not None and known else 0)
        vocabulary = frozenset(word.text for word in words)
        yield Passage(sentence, words, context, whens, body, vocabulary)
