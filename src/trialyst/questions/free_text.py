"""A free text cut into what must be found: known names in their areas, phrases and words elsewhere.

"What trials are there for type 2 diabetes with semaglutide?" asks for a condition and a drug; the
words that only ask are left out, and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from trialyst.folding import fold
from trialyst.questions.describing import PEOPLE, noun_of
from trialyst.questions.headings import meant_kind
from trialyst.questions.phrasing import FILLER, Wish, fillers, find_denials, find_wishes
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.concept import Concept

__all__ = ["ESSIE", "FreeText", "Segment", "read_free_text"]

LONGEST_CLASS = 6
"""Words of the longest name of a drug class that is looked for."""

ESSIE = re.compile(r"\b(?:AREA|RANGE|EXPANSION|SEARCH|COVER)\[")
"""What only an expression has; in a text it is words, as everything beside it."""
_QUOTED = re.compile(r'"[^"]*"')
_CURLY = str.maketrans("“”„", '"""')
_WORD = re.compile(r"[^\s,;?!()\[\]{}]+")
_OR = re.compile(r"\s*(?:,\s*)?(?:or|oder|ou|o)\s+", re.IGNORECASE)
_ID = re.compile(r"NCT:?\s?[0-9]{8}", re.IGNORECASE)
_KIND_OF = {Kind.CONDITION: "condition", Kind.DRUG: "intervention"}


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a text that must be found in a trial."""

    text: str
    kind: str
    """`condition`, `intervention`, `phrase`, `word` or `id`."""
    either: tuple[str, ...] = ()
    """Names of which any will do: of "asthma or COPD"."""


class FreeText(NamedTuple):
    """A text as it is understood."""

    segments: tuple[Segment, ...]
    wishes: tuple[Wish, ...]
    left_out: tuple[str, ...]
    """Words that only ask."""
    denied: tuple[tuple[Segment, ...], ...] = ()
    """What must not be found, all parts of each together."""
    unwished: tuple[Wish, ...] = ()
    """What the wording asks not to have: "not in Germany"."""


class _Placed(NamedTuple):
    """A segment, and where it stands."""

    start: int
    end: int
    segment: Segment


def read_free_text(
    vocabulary: Vocabulary, text: str, *, is_place: Callable[[str], bool] = lambda _: False
) -> FreeText:
    """Cut a text into names, phrases and words; a text of filler words alone is its words."""
    text = text.translate(_CURLY)
    unquoted = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    is_prose = not ESSIE.search(unquoted)
    denials = find_denials(unquoted) if is_prose else []
    found = find_wishes(unquoted, is_place=is_place) if is_prose else []
    unwished = [wish for wish in found if any(a <= wish.start <= b for a, b in denials)]
    wishes = [wish for wish in found if wish not in unwished]
    for start, end in reversed(denials):
        text = f"{text[:start]}{';' * (end - start)}{text[end:]}"
    idle = fillers(text)
    placed: list[_Placed] = []
    left_out: list[str] = []
    for each in _placed(vocabulary, text, found):
        if each.segment.kind == "word" and each.segment.text.lower().strip(".'’") in idle:
            left_out.append(each.segment.text)
        else:
            placed.append(each)
    if not placed and not found:
        return FreeText(tuple(Segment(word, "word") for _, _, word in _words(text)), (), ())
    groups = [_behind(end, placed, text)[: _denied_parts(unquoted, end)] for _, end in denials]
    kept = [each for each in placed if not any(each in group for group in groups)]
    denied = [group for group in groups if any(_is_deniable(each, unquoted) for each in group)]
    # "Not previously treated" rules out no trial that has the words.
    idly = [each for group in groups if group not in denied for each in group]
    left_out += [each.segment.text for each in idly]
    return FreeText(
        tuple(dict.fromkeys(_joined(kept, text))),
        tuple(wishes),
        tuple(dict.fromkeys(left_out)),
        tuple(tuple(each.segment for each in group) for group in denied),
        tuple(unwished),
    )


def _behind(end: int, placed: Sequence[_Placed], text: str) -> list[_Placed]:
    """Give the parts that stand behind a denial, up to the next word that is none of them."""
    found: list[_Placed] = []
    for each in placed:
        if each.start >= end and not text[end : each.start].strip():
            found.append(each)
            end = each.end
    return found


def _denied_parts(text: str, end: int) -> int | None:
    """Give how many parts a denial reaches: a minus only one."""
    return 1 if text[end - 1 : end] == "-" else None


def _is_deniable(each: _Placed, text: str) -> bool:
    """Whether a denial can rule it out: a name, a phrase, or a word with a minus before it."""
    return each.segment.kind != "word" or text[each.start - 1 : each.start] == "-"


def _joined(placed: Sequence[_Placed], text: str) -> Iterator[Segment]:
    """Take names of one kind with `or` between them for alternatives."""
    groups: list[list[_Placed]] = []
    for each in placed:
        last = groups[-1][-1] if groups else None
        if (
            last
            and last.segment.kind == each.segment.kind != "word"
            and _OR.fullmatch(text[last.end : each.start])
        ):
            groups[-1].append(each)
        else:
            groups.append([each])
    for group in groups:
        names = tuple(each.segment.text for each in group)
        kind = group[0].segment.kind
        yield Segment(" or ".join(names), kind, names) if len(names) > 1 else group[0].segment


def _placed(vocabulary: Vocabulary, text: str, wishes: Sequence[Wish]) -> Iterator[_Placed]:
    """Give the segments of the text between wishes, quoted parts on their own."""
    people = list(_people(vocabulary, text))
    cuts = [(wish.start, wish.end, False) for wish in wishes]
    cuts += [(found.start(), found.end(), True) for found in _QUOTED.finditer(text)]
    begun = 0
    for start, end, quoted in sorted(cuts):
        yield from _segments(vocabulary, text[begun:start], begun, people)
        if quoted and text[start + 1 : end - 1].strip():
            phrase = " ".join(text[start + 1 : end - 1].split())
            yield _Placed(start, end, Segment(phrase, "phrase"))
        begun = end
    yield from _segments(vocabulary, text[begun:], begun, people)


def _segments(
    vocabulary: Vocabulary, text: str, offset: int, people: Sequence[tuple[int, int]]
) -> Iterator[_Placed]:
    """Give the ids, names and words of a text in their order."""
    described = (
        (start - offset, end - offset, "condition")
        for start, end in people
        if offset <= start < offset + len(text)
    )
    found = (*_ids(text), *_classes(text), *_mentions(vocabulary, text), *described)
    named = sorted(found, key=_first_longest)
    begun = 0
    for start, end, kind in [*named, (len(text), len(text), "")]:
        if start < begun:
            continue
        for first, last, word in _words(text[begun:start]):
            at = offset + begun
            yield _Placed(at + first, at + last, Segment(word, "word"))
        if kind:
            name = " ".join(text[start:end].split())
            yield _Placed(offset + start, offset + end, Segment(name, kind))
        begun = end


def _first_longest(span: tuple[int, int, str]) -> tuple[int, int]:
    return span[0], -span[1]


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _WORD.finditer(text):
        word = found[0].strip(".:'’")
        if fold(word):
            yield *found.span(), word


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


def _people(vocabulary: Vocabulary, text: str) -> Iterator[tuple[int, int]]:
    """Give where a word says what people have: of "diabetics", and "diabetic patients"."""
    words = list(_WORD.finditer(text))
    for word, following in zip_longest(words, words[1:]):
        name = word[0].rstrip(".").lower()
        of_people = following and following[0].lower().rstrip(".") in PEOPLE
        if (of_people or name.endswith("s")) and noun_of(vocabulary, name):
            yield word.start(), word.start() + len(name)


def _mentions(vocabulary: Vocabulary, text: str) -> Iterator[tuple[int, int, str]]:
    """Give where names of conditions or of drugs stand, if they cannot be the other."""
    for kinds in (tuple(_KIND_OF), (Kind.OTHER,)):
        for mention in vocabulary.find(text, kinds=kinds):
            name = text[mention.start : mention.end]
            (kind, *others) = {_meant(match.concept) for match in mention.matches}
            certain = not others and mention.matches[0].how.exact
            if kind and certain and not all(word.lower() in FILLER for _, _, word in _words(name)):
                yield mention.start, mention.end, kind


def _meant(concept: Concept) -> str | None:
    """Give what a concept is searched as; a treatment that is no drug may also be what ails."""
    kind = meant_kind(concept)
    return _KIND_OF.get(kind) if kind in (concept.kind, Kind.CONDITION) else None
