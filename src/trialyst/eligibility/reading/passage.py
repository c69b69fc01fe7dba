"""A sentence made ready for reading: its words, names, values, times, and their scope."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.chart import Assertion, TimePoint
from trialyst.eligibility.lexicon import Named
from trialyst.eligibility.reading.habits import find_habit_places
from trialyst.eligibility.reading.headings import Section, find_heading, find_inline_headings
from trialyst.eligibility.reading.markers import FoundMarker, find_markers
from trialyst.eligibility.reading.measurements import find_noted_values
from trialyst.eligibility.reading.scope import Scope, read_scope, to_assertion
from trialyst.eligibility.times import NotedTime, find_times
from trialyst.eligibility.words import Word, split_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.reading.note import Note, Sentence
    from trialyst.eligibility.values import ValuePhrase

__all__ = ["Passage", "passages"]

_SECTION_EFFECTS = {
    Section.FAMILY: "family",
    Section.PAST: "historical",
    Section.SURGERY: "historical",
}
_NON = re.compile(r"\bnon[-\s]$", re.IGNORECASE)
_BROKE = re.compile(
    r"\b(?:broke|broken|fractured)\s+(?:his|her|their|the|both|an?)\s+(?:(?:left|right|[0-9]\w\w|big)\s+)?"
    r"(wrists?|hips?|ankles?|arms?|legs?|ribs?|toes?|fingers?|elbows?|collarbone|clavicle|femur"
    r"|tibia|humerus|radius|foot|hand|nose|jaw|spine|back|pelvis|shoulder|skull)\b",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"[^\W_]")
_LONGEST = 800
"""Letters of the longest piece read at once."""
_NEAREST_TIME = 40
_JOINING = frozenset(("and", "or", "&", "/", "plus", "then"))
_CLOSE = 14
"""Letters over which a comma may stand between a thing and its time."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence under reading; places are counted in `text`, entries in the note."""

    sentence: Sentence
    words: list[Word]
    names: list[Named]
    values: list[ValuePhrase]
    times: list[NotedTime]
    markers: list[FoundMarker]
    scope: Scope
    body: int
    """Where the words begin, behind the heading if there is one."""
    vocabulary: frozenset[str]
    """Each of the words once, to see quickly what a sentence cannot hold."""

    @property
    def text(self) -> str:
        """The words as written."""
        return self.sentence.text

    @property
    def section(self) -> Section:
        """What the part of the note is about."""
        return self.sentence.section

    def effects(self, start: int, end: int) -> frozenset[str]:
        """Give what holds of the thing at a place, the section counted in."""
        found = self.scope.effects(start, end)
        effect = _SECTION_EFFECTS.get(self.section)
        return found if effect is None else found | {effect}

    def entry(self, start: int, end: int, **fields: Any) -> dict[str, Any]:
        """Give the fields of an entry for the thing at a place, asserted as the sentence does."""
        if "assertion" not in fields:
            assertion, negated = to_assertion(self.effects(start, end))
            fields |= {"assertion": assertion, "negated": negated}
        fields.setdefault("when", self.when(start, end))
        return {
            "text": self.text[start:end],
            "sentence": self.sentence.number,
            "start": start + self.sentence.start,
            "end": end + self.sentence.start,
            **fields,
        }

    def stated(self, start: int, end: int, **fields: Any) -> dict[str, Any]:
        """Give the fields of an entry that holds as it stands: its own value tells the rest."""
        effects = self.effects(start, end)
        assertion = Assertion.FAMILY if "family" in effects else Assertion.PRESENT
        if "hypothetical" in effects:
            assertion = Assertion.HYPOTHETICAL
        return self.entry(start, end, **{"assertion": assertion, "negated": False, **fields})

    def when(self, start: int, end: int) -> TimePoint | None:
        """Give the time told nearest to a place in the same item, if any."""
        best, nearest = None, _NEAREST_TIME
        for time in self.times:
            distance = time.start - end if time.start >= end else start - time.end
            between = (
                self.text[end : time.start] if time.start >= end else self.text[time.end : start]
            )
            if 0 <= distance < nearest and not _is_apart(between):
                span = (end, time.start) if time.start >= end else (time.end, start)
                if self._is_shared(*span):
                    best, nearest = time.when, distance
        return best

    def _is_shared(self, start: int, end: int) -> bool:
        """Whether a time is said of a thing over the names between: only if "and" joins them."""
        between = [name for name in self.names if start <= name.start and name.end <= end]
        if not between:
            return True
        rest = self.text[start:end]
        for name in between:
            rest = rest.replace(self.text[name.start : name.end], " ")
        return _JOINING.issuperset(rest.lower().split())


def _is_apart(between: str) -> bool:
    """Whether a time belongs to something else: a list or a clause lies between."""
    return not {";", "."}.isdisjoint(between) or ("," in between and len(between) > _CLOSE)


def passages(note: Note, lexicon: Lexicon, as_of: date | None) -> Iterator[Passage]:
    """Give the sentences of a note, ready for reading."""
    cut = (part for whole in note.sentences for part in _sections(whole))
    for sentence in (piece for part in cut for piece in _pieces(part)):
        text = sentence.text
        heading = find_heading(text) if sentence.section is not Section.NONE else None
        known = heading is not None and heading.section is not Section.OTHER
        body = heading.end if heading is not None and known else 0
        if _CONTENT.search(text, body) is None:
            continue
        words = split_words(text)
        vocabulary = frozenset(word.text for word in words)
        markers = find_markers(text, words)
        values = find_noted_values(text)
        bound = [(each.start, each.end) for each in markers]
        bound += [(each.name_start, each.name_end) for each in values]
        bound += find_habit_places(text)
        yield Passage(
            sentence=sentence,
            words=words,
            names=_find_names(text, words, lexicon),
            values=values,
            times=find_times(text, as_of),
            markers=markers,
            scope=read_scope(words, bound=bound),
            body=body,
            vocabulary=vocabulary,
        )


def _find_names(text: str, words: list[Word], lexicon: Lexicon) -> list[Named]:
    """Find what the lexicon names, and findings where it names nothing longer."""
    names = list(_without_denied(text, lexicon.find(text), lexicon))
    names += _broken(text, names, lexicon)
    return sorted(names, key=lambda each: each.start)


def _without_denied(text: str, names: list[Named], lexicon: Lexicon) -> Iterator[Named]:
    """Give names without what "non-" denies: of "non-bloody diarrhea" the diarrhea."""
    for name in names:
        if _NON.search(text, max(0, name.start - 4), name.start) is None:
            yield name
            continue
        rest = text[name.start : name.end].partition(" ")[2]
        start = name.end - len(rest)
        for each in lexicon.find(rest):
            yield each._replace(start=each.start + start, end=each.end + start)


def _broken(text: str, names: list[Named], lexicon: Lexicon) -> Iterator[Named]:
    """Give the fractures that a verb tells: "broke both wrists", "fractured her left hip"."""
    for match in _BROKE.finditer(text):
        place = match.span()
        if any(each.start < place[1] and place[0] < each.end for each in names):
            continue
        bone = match.group(1).lower()
        for name in (f"{bone.removesuffix('s')} fracture", "fracture"):
            found = lexicon.find(name)
            if len(found) == 1 and found[0].end == len(name) and found[0].start == 0:
                yield found[0]._replace(start=place[0], end=place[1])
                break


def _sections(sentence: Sentence) -> Iterator[Sentence]:
    """Cut a sentence where another heading stands in it, as "72M, FHx: asthma; PMH: gout"."""
    start, section = 0, sentence.section
    for at, following in find_inline_headings(sentence.text):
        yield replace(_part(sentence, start, at), section=section)
        start, section = at, following
    if start == 0:
        yield sentence
    else:
        yield replace(_part(sentence, start, len(sentence.text)), section=section)


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
