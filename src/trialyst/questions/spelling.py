"""Misspelt names and words, against the vocabulary and the words of a source's own records.

A name that the vocabulary knows costs nothing here. One that stands in a record is never corrected;
where few records hold it, another is offered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.ctgov.query import TrialQuery
from trialyst.essie.build import phrase, words
from trialyst.folding import fold_phrase
from trialyst.questions.phrasing import FILLER
from trialyst.questions.respelling import KINDS, TIMES_AS_MANY, Respeller
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import How, Kind
from trialyst.vocabulary.spelling import (
    Correction,
    Suggestion,
    choose,
    differ_in_spaces,
    nearest_names,
    similar_names,
    spellings,
)
from trialyst.vocabulary.spotting import Token, tokenize

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.questions.names import Term
    from trialyst.questions.readings import ArgumentReading
    from trialyst.vocabulary import Vocabulary

__all__ = ["correct_name", "correct_words", "is_known_name", "with_nearest"]

_KINDS_OF = {"drug": (Kind.DRUG,), "condition": (Kind.CONDITION,)}
_PARAM_OF = {"drug": "intr", "condition": "cond"}

FEW_STUDIES = 3
"""Where so many hold a name it may be their slip too, and another is offered."""
MOST_WORDS = 4
"""Words of a free text that are looked at."""
MOST_WORDS_REMOTELY = 1
COUNTED = 4
"""Suggestions of each sort whose studies are counted."""
COUNTED_REMOTELY = 2
"""Suggestions that a service is asked about, a second each."""
DEARER = 1.0
"""By how much a suggestion may cost more than the cheapest and still be the likeliest."""


def is_known_name(vocabulary: Vocabulary, text: str, *, param: str) -> bool:
    """Whether the vocabulary has a text as a name of anything, or of a drug class if one may be."""
    found = vocabulary.resolve(text)
    if found and (found.matches[0].how.exact or found.matches[0].how is How.BROADER):
        return True
    return param != "cond" and drug_class(text) is not None


async def correct_name(
    source: TrialSource, vocabulary: Vocabulary, text: str, *, param: str
) -> Correction:
    """Say what a whole name was probably meant to be.

    A remote service is asked three counts at most.

    Args:
        param: the `query.*` parameter that takes it: `cond`, `intr` or `term`.
    """
    if not spellings(text) or is_known_name(vocabulary, text, param=param):
        return Correction(text)
    likeliest: list[Suggestion] = []
    if source.is_remote:
        likeliest = (await _suggest(source, vocabulary, text, param=param))[:COUNTED_REMOTELY]
        if not likeliest:
            return Correction(text)
    held = await _count(source, text, param)
    if held > FEW_STUDIES:
        return Correction(text, held=held)
    if not source.is_remote:
        likeliest = await _suggest(source, vocabulary, text, param=param, held=held)
    counted = await _counted(source, likeliest, param)
    likelier = [each for each in counted if each.count >= TIMES_AS_MANY * held]
    return replace(choose(text, filter(_is_real, likelier), usable=not held), held=held)


async def _suggest(
    source: TrialSource, vocabulary: Vocabulary, text: str, *, param: str, held: int = 0
) -> list[Suggestion]:
    """Give the likeliest names and words like a text, the likeliest first."""
    respeller = Respeller(source, vocabulary, param)
    tokens = tokenize(text)
    suspects = await respeller.suspects(tokens)
    if not suspects and held and len(tokens) == 1:
        # A word that few studies hold may be their slip, though a list begins a name with it.
        suspects = {0: held}
    names = _names_like(vocabulary, text, param)
    if not suspects:
        # Words that many studies hold are not misspelt; they may only stand apart or together.
        names = [name for name in names if differ_in_spaces(*map(fold_phrase, (text, name.text)))]
    respelt = await respeller.respell(text, suspects)
    return sorted(_likeliest(names, respelt), key=lambda each: each.unlikeliness)


async def with_nearest(source: TrialSource, vocabulary: Vocabulary, term: Term) -> ArgumentReading:
    """Add the nearest names to one that is not known: of the records' words, else of any list.

    One that few records hold, or that is known by some of its words only, may be a slip too.
    """
    if term.is_name:
        return term.reading
    param = _PARAM_OF.get(term.kind, "term")
    found = await correct_name(source, vocabulary, term.reading.asked, param=param)
    near = [each.text for each in (found.best, *found.others) if each]
    told = {"misspelt": bool(near)}
    if not near and not term.reading.known and found.held <= FEW_STUDIES:
        for kind in _KINDS_OF.get(term.kind, (Kind.DRUG, Kind.CONDITION)):
            near += nearest_names(vocabulary, term.reading.asked, kind=kind)
    return term.reading.model_copy(update={**told, "nearest": tuple(dict.fromkeys(near))})


async def correct_words(
    source: TrialSource, vocabulary: Vocabulary, text: str
) -> tuple[Correction, ...]:
    """Say what the unknown words of a free text were probably meant to be.

    Each correction is of a word, or of two side by side, as they stand in the text. Words that
    only ask are left out of a search anyway, however rare they are in records.
    """
    tokens = tokenize(text)
    suspects = await Respeller(source, vocabulary, "term").suspects(tokens)
    asked = [at for at in sorted(suspects) if _written(text, tokens[at]).lower() not in FILLER]
    most = MOST_WORDS_REMOTELY if source.is_remote else MOST_WORDS
    found = [
        await _correct_at(source, vocabulary, list(_parts_at(text, tokens, at)))
        for at in asked[:most]
    ]
    return tuple(dict.fromkeys(each for each in found if each.best))


def _written(text: str, token: Token) -> str:
    return text[token.start : token.end]


def _parts_at(text: str, tokens: Sequence[Token], at: int) -> Iterator[str]:
    """Give a word of a text, and the word with each of those beside it."""
    for start, end in ((at, at + 1), (at, at + 2), (at - 1, at + 1)):
        if start >= 0 and end <= len(tokens):
            yield text[tokens[start].start : tokens[end - 1].end]


async def _correct_at(
    source: TrialSource, vocabulary: Vocabulary, parts: Sequence[str]
) -> Correction:
    """Correct a word where it is clear alone, else as part of a name of two words."""
    word, *pairs = parts
    alone = await correct_name(source, vocabulary, word, param="term")
    if alone.clear or alone.beside or source.is_remote:
        return alone
    together = [await correct_name(source, vocabulary, pair, param="term") for pair in pairs]
    names = [
        each
        for each in together
        if each.best and is_known_name(vocabulary, each.best.text, param="term")
    ]
    clear = sorted((each for each in names if each.clear or each.beside), key=_is_beside)
    return next(iter([*clear, *([alone] if alone.best else names)]), alone)


def _is_beside(found: Correction) -> bool:
    return found.beside


def _names_like(vocabulary: Vocabulary, text: str, param: str) -> list[Suggestion]:
    """Give the names like a text; those of a kind that is rarely asked for count as unlisted."""
    listed = {
        each: vocabulary.get(each.concept or "")
        for each in similar_names(vocabulary, text, kinds=(*KINDS[param], Kind.OTHER))
    }
    return [
        each if concept and concept.kind in KINDS[param] else replace(each, concept=None)
        for each, concept in listed.items()
    ]


def _is_real(each: Suggestion) -> bool:
    """Whether a vocabulary lists it, or a study holds it."""
    return each.concept is not None or each.count > 0


def _likeliest(*sorts: Iterable[Suggestion]) -> list[Suggestion]:
    """Give the likeliest suggestions of each sort, each name once, as the later sort writes it."""
    cheapest: dict[str, Suggestion] = {}
    for suggestions in sorts:
        for each in sorted(suggestions, key=lambda each: each.unlikeliness)[:COUNTED]:
            key = fold_phrase(each.text)
            if key not in cheapest or each.cost <= cheapest[key].cost:
                cheapest[key] = each
    most = min((each.cost for each in cheapest.values()), default=0.0) + DEARER
    return [each for each in cheapest.values() if each.cost <= most]


async def _counted(
    source: TrialSource, suggestions: Sequence[Suggestion], param: str
) -> list[Suggestion]:
    counts = await asyncio.gather(*(_count_suggestion(source, each, param) for each in suggestions))
    return [replace(each, count=n) for each, n in zip(suggestions, counts, strict=True)]


async def _count_suggestion(source: TrialSource, each: Suggestion, param: str) -> int:
    held = await _count(source, each.text, param)
    if held or each.concept is None or source.is_remote:
        return held
    # A known name with a word more than it needs is found by its words, as a search finds them.
    return await source.count(TrialQuery(queries=((param, words(each.text)),)))


async def _count(source: TrialSource, text: str, param: str) -> int:
    return await source.count(TrialQuery(queries=((param, phrase(text)),)))
