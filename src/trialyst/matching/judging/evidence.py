"""The sentences and words of the note that a verdict rests on, or that come nearest to it.

The sentences of the decisive facts are always given. Others are given where they bear on the
criterion as those do that experts cite, also where the note does not decide it: they are what a
reader would look at. A quote is a span of the note: the words that decide, or the whole sentence.
"""

from __future__ import annotations

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.relevance import relevant
from trialyst.matching.judging.result import Quote, Verdict
from trialyst.matching.judging.topics import asked_of
from trialyst.matching.judging.view import Sighting

__all__ = ["collect_evidence"]

_MOST = 12
"""Quotes given at most."""
_NOT_OF_TAKING = frozenset({"allergy", "substance", "contraindication"})
"""Topics beside which a drug is spoken of that need not be taken."""


def collect_evidence(case: Case, decision: Decision) -> tuple[tuple[int, ...], tuple[Quote, ...]]:
    """Give the numbers of the sentences and the quotes, in the order of the note."""
    sightings = list(decision.sightings)
    decisive = {sighting.sentence for sighting in sightings}
    for number in sorted({*relevant(case, decision), *_settling(case, decision)}):
        if number not in decisive:
            sightings += _bearing(case, number)
    numbers = sorted({sighting.sentence for sighting in sightings})
    text = case.view.note.text
    places = dict.fromkeys(
        (sighting.start, sighting.end, sighting.sentence)
        for sighting in sorted(sightings, key=lambda item: (item.start, -item.end))
    )
    quotes = [Quote(number, start, end, text[start:end]) for start, end, number in places]
    return tuple(numbers), tuple(quotes[:_MOST])


def _settling(case: Case, decision: Decision) -> list[int]:
    """Give the sentences that deny all of what is not to be: no drugs, no allergies."""
    unwanted = case.exclusion or case.statement.denies
    wanted = Verdict.NOT_MET if case.exclusion else Verdict.MET
    if decision.sightings or not unwanted or decision.verdict is not wanted:
        return []
    topics = set(asked_of(case.statement.text).topics)
    if topics & _NOT_OF_TAKING:
        topics.discard("drug")
    return [each.number for each in case.view.told if not each.settles.isdisjoint(topics)]


def _bearing(case: Case, number: int) -> list[Sighting]:
    """Give where a sentence names what the criterion speaks of, else all of it."""
    named = [each.sighting for each in case.matches.named if each.sighting.sentence == number]
    sentence = case.view.note.sentence(number)
    if named or sentence is None:
        return named
    return [Sighting(number, sentence.start, sentence.end, "has")]
