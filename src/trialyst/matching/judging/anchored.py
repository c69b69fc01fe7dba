"""The rule of the anchor: a condition the note has, and what an inclusion criterion says about it.

The names of the condition are taken out of the criterion; what is left is read by itself. Words
that only say how it was found or whom it befalls ask for nothing. A test, a value, a time, a degree
or a treatment is a demand of its own, which a condition does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.folding import fold
from trialyst.matching.judging.apart import is_idle
from trialyst.matching.judging.books import without_books
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import find_conditions
from trialyst.matching.judging.conditions import is_of_another_type, names_another
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.lexicon import find_kinds, meaning
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import FactKind

if TYPE_CHECKING:
    from trialyst.vocabulary import Mention

__all__ = ["judge_anchored"]

_DEMANDS = frozenset(
    "test laboratory lung_function score imaging drug_name drug_use procedure window chronic"
    " severity comparison negated except ability opinion practical allergy study contraindication"
    " pregnancy vital body_size healthy enrolled heart_rhythm number language".split()
)
_OF_OTHERS = re.compile(
    r"\b(?:risk (?:of|for)|at risk|family|relatives?|mothers?|controls?|due to|caused by"
    r"|secondary to|unless|if|history of contact|exposure|candidates?|planned|scheduled|undergo\w*"
    r"|resistan\w+|refractory|failed|responsive)\b"
)
_CONDITIONS = (FactKind.CONDITION, FactKind.SYMPTOM)
_MOST_LEFT = 1
_LONGEST = 14


def judge_anchored(case: Case) -> Decision | None:
    """A condition that the note tells or shows, with nothing more asked for."""
    statement = case.statement
    if case.exclusion or statement.denies or len(statement.contents) > _LONGEST:
        return None
    if is_of_another_type(case):
        return None
    anchors = list(_anchors(case))
    if not (anchors or any(name in statement.lowered for name in case.view.picture.names)):
        return None
    mentions = find_conditions(statement.text, case.view.vocabulary)
    anchors += _pictured(case, mentions)
    named = [(mention.start, mention.end) for mention in mentions]
    anchors = [anchor for anchor in anchors if not _is_part(anchor, named, case)]
    if not anchors or names_another(case, [anchor.span for anchor in anchors]):
        return None
    rest = _rest(case, [anchor.span for anchor in anchors], named)
    if _OF_OTHERS.search(rest) or not _DEMANDS.isdisjoint(find_kinds(rest)):
        return None
    left = [word for word in _unsaid(case, rest) if not is_idle(word)]
    if len(left) > _MOST_LEFT or any(_is_beside(word, anchors, case) for word in left):
        return None
    places = tuple(dict.fromkeys(place for anchor in anchors for place in anchor.places))
    reason = " ".join(dict.fromkeys(anchor.reason for anchor in anchors))
    return Decision("anchored", Verdict.MET, reason, places)


class _Anchor(NamedTuple):
    span: tuple[int, int]
    places: tuple[Sighting, ...]
    reason: str
    wide: bool = False
    """Whether the criterion's name means more than the note's."""


def _is_part(anchor: _Anchor, named: Sequence[tuple[int, int]], case: Case) -> bool:
    """Whether a name is only a part of another: `cancer` of `breast cancer`."""
    start, end = anchor.span
    text = case.statement.text
    for first, last in named:
        if not (first <= start < last) or (first, last) == anchor.span:
            continue
        beside = f"{text[first:start]} {text[_word_end(text, end) : max(last, end)]}"
        if fold(beside) if anchor.wide else _unsaid(case, beside):
            return True
    return False


def _is_beside(word: str, anchors: Sequence[_Anchor], case: Case) -> bool:
    """Whether a word stands right beside a name and so tells of which kind it is."""
    text = case.statement.lowered
    for anchor in anchors:
        before = fold(text[: anchor.span[0]])[-1:]
        behind = fold(text[_word_end(text, anchor.span[1]) :])[:1]
        if word in before or word in behind:
            return True
    return False


def _word_end(text: str, end: int) -> int:
    while end < len(text) and text[end].isalpha():
        end += 1
    return end


def _anchors(case: Case) -> Iterator[_Anchor]:
    """Give the places of names of what the patient has, and where the note tells or shows it."""
    for hit in case.view.chart.find(case.statement.text):
        facts = [
            link.fact
            for link in hit.links
            if link.fact.holds
            and link.fact.kind in _CONDITIONS
            and link.relation in (Relation.SAME, Relation.WIDER)
        ]
        if facts:
            places = tuple(Sighting(fact.sentence, fact.start, fact.end, "has") for fact in facts)
            wide = all(link.relation is not Relation.SAME for link in hit.links)
            reason = f"The note tells of {facts[0].text!r}."
            yield _Anchor((hit.start, hit.end), places, reason, wide)
    for shown in case.matches.held:
        if shown.syndrome.general:
            continue
        places = tuple(place for place, _ in case.view.findings(shown.syndrome))
        for match in shown.syndrome.named.finditer(case.statement.lowered):
            yield _Anchor(match.span(), places, f"The note shows {shown.syndrome.name}.")


def _pictured(case: Case, mentions: Sequence[Mention]) -> Iterator[_Anchor]:
    """Give the places of names of what the findings of the note make a plain picture of."""
    note, picture = case.view.note, case.view.picture
    places = tuple(
        Sighting(note.sentence_at(start).number, start, end, "has") for start, end in picture.spans
    )
    for mention in mentions:
        if mention.concept.id in picture.concepts:
            thing = case.statement.text[mention.start : mention.end]
            reason = f"The findings of the note make a plain picture of {thing!r}."
            yield _Anchor((mention.start, mention.end), places, reason)


def _rest(case: Case, spans: Sequence[tuple[int, int]], named: Sequence[tuple[int, int]]) -> str:
    """Give the criterion without the names of what the patient has."""
    text = case.statement.lowered
    whole = [
        (first, last)
        for first, last in named
        if any(start < last and first < end for start, end in spans)
    ]
    for start, end in (*spans, *whole):
        end = _word_end(text, end)
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return without_books(text)


def _unsaid(case: Case, rest: str) -> list[str]:
    """Give the words of content that are left and the note does not have."""
    return [
        word
        for word in dict.fromkeys(fold(rest))
        if (meant := meaning(word)) is not None
        and not any(place.standing == "has" for place in case.view.words.get(meant, ()))
    ]
