"""A free text cut into what must be found: known names in their areas, phrases and words elsewhere.

"What trials are there for type 2 diabetes with semaglutide?" asks for a condition and a drug; the
words that only ask are left out, and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from trialyst.folding import fold
from trialyst.questions.headings import meant_kind
from trialyst.questions.phrasing import FILLER, Wish, find_wishes
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.concept import Concept

__all__ = ["FreeText", "Segment", "read_free_text"]

LONGEST_CLASS = 6
"""Words of the longest name of a drug class that is looked for."""

_QUOTED = re.compile(r'"[^"]*"')
_CURLY = str.maketrans("“”„", '"""')
_WORD = re.compile(r"[^\s,;?!()\[\]{}]+")
_ID = re.compile(r"NCT:?\s?[0-9]{8}", re.IGNORECASE)
_KIND_OF = {Kind.CONDITION: "condition", Kind.DRUG: "intervention"}


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a text that must be found in a trial."""

    text: str
    kind: str
    """`condition`, `intervention`, `phrase`, `word` or `id`."""


class FreeText(NamedTuple):
    """A text as it is understood."""

    segments: tuple[Segment, ...]
    wishes: tuple[Wish, ...]
    left_out: tuple[str, ...]
    """Words that only ask."""


def read_free_text(
    vocabulary: Vocabulary, text: str, *, is_place: Callable[[str], bool] = lambda _: False
) -> FreeText:
    """Cut a text into names, phrases and words; a text of filler words alone is its words."""
    text = text.translate(_CURLY)
    wishes = find_wishes(_QUOTED.sub(lambda found: " " * len(found[0]), text), is_place=is_place)
    segments: list[Segment] = []
    left_out: list[str] = []
    for part, quoted in _parts(text, wishes):
        if quoted:
            segments.append(Segment(part, "phrase"))
            continue
        for segment in _segments(vocabulary, part):
            if segment.kind == "word" and segment.text.lower().strip(".'’") in FILLER:
                left_out.append(segment.text)
            else:
                segments.append(segment)
    if not segments and not wishes:
        return FreeText(tuple(Segment(word, "word") for word in _words(text)), (), ())
    return FreeText(tuple(dict.fromkeys(segments)), tuple(wishes), tuple(dict.fromkeys(left_out)))


def _parts(text: str, wishes: Sequence[Wish]) -> Iterator[tuple[str, bool]]:
    """Give the text between wishes, quoted parts on their own."""
    cuts = [(wish.start, wish.end, False) for wish in wishes]
    cuts += [(found.start(), found.end(), True) for found in _QUOTED.finditer(text)]
    begun = 0
    for start, end, quoted in sorted(cuts):
        yield text[begun:start], False
        if quoted and text[start + 1 : end - 1].strip():
            yield " ".join(text[start + 1 : end - 1].split()), True
        begun = end
    yield text[begun:], False


def _segments(vocabulary: Vocabulary, text: str) -> Iterator[Segment]:
    """Give the ids, names and words of a text in their order."""
    named = sorted((*_ids(text), *_classes(text), *_mentions(vocabulary, text)), key=_first_longest)
    begun = 0
    for start, end, kind in named:
        if start < begun:
            continue
        yield from (Segment(word, "word") for word in _words(text[begun:start]))
        yield Segment(" ".join(text[start:end].split()), kind)
        begun = end
    yield from (Segment(word, "word") for word in _words(text[begun:]))


def _first_longest(span: tuple[int, int, str]) -> tuple[int, int]:
    return span[0], -span[1]


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        word = found[0].strip(".:'’")
        if fold(word):
            yield word


def _ids(text: str) -> Iterator[tuple[int, int, str]]:
    return ((*found.span(), "id") for found in _ID.finditer(text))


def _classes(text: str) -> Iterator[tuple[int, int, str]]:
    """Give where drug classes are named, the longest name at each word."""
    words = list(_WORD.finditer(text))
    for first, word in enumerate(words):
        for last in range(min(first + LONGEST_CLASS, len(words)) - 1, first - 1, -1):
            end = words[last].end()
            if drug_class(text[word.start() : end].rstrip(".")):
                yield word.start(), end, "intervention"
                break


def _mentions(vocabulary: Vocabulary, text: str) -> Iterator[tuple[int, int, str]]:
    """Give where names of conditions or of drugs stand, if they cannot be the other."""
    for kinds in (tuple(_KIND_OF), (Kind.OTHER,)):
        for mention in vocabulary.find(text, kinds=kinds):
            name = text[mention.start : mention.end]
            (kind, *others) = {_meant(match.concept) for match in mention.matches}
            certain = not others and mention.matches[0].how.exact
            if kind and certain and not all(word.lower() in FILLER for word in _words(name)):
                yield mention.start, mention.end, kind


def _meant(concept: Concept) -> str | None:
    """Give what a concept is searched as; a treatment that is no drug may also be what ails."""
    kind = meant_kind(concept)
    return _KIND_OF.get(kind) if kind in (concept.kind, Kind.CONDITION) else None
