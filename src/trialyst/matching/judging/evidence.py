"""The sentences and words of the note that a verdict rests on, or that come nearest to it.

A verdict's own places come first. Where the note does not decide an inclusion criterion, the
sentences that show something of it are given: they are what a reader would look at.
"""

from __future__ import annotations

from collections import defaultdict

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.result import Quote, Verdict
from trialyst.matching.judging.view import Sighting

__all__ = ["collect_evidence"]

_MOST = 12
"""Quotes given at most."""
_SEVERAL = 2
_SILENT = frozenset({"not concerned", "pregnancy", "child", "opinion"})
"""Rules that speak of what the note does not tell."""


def collect_evidence(case: Case, decision: Decision) -> tuple[tuple[int, ...], tuple[Quote, ...]]:
    """Give the numbers of the sentences and the quotes, in the order of the note."""
    sightings = list(decision.sightings)
    if decision.rule not in _SILENT and not sightings:
        sightings = _near(case, undecided=decision.verdict is Verdict.UNKNOWN)
    numbers = sorted({sighting.sentence for sighting in sightings})
    text = case.view.note.text
    places = dict.fromkeys(
        (sighting.start, sighting.end, sighting.sentence)
        for sighting in sorted(sightings, key=lambda item: (item.start, -item.end))
    )
    quotes = [Quote(number, start, end, text[start:end]) for start, end, number in places]
    return tuple(numbers), tuple(quotes[:_MOST])


def _near(case: Case, *, undecided: bool) -> list[Sighting]:
    found = _said_together(case)
    if case.exclusion or not undecided:
        return found
    found.extend(named.sighting for named in case.matches.named)
    for shown in case.matches.shown:
        if shown.sure or shown.count >= _SEVERAL:
            found.extend(sighting for sighting, _ in case.view.findings(shown.syndrome))
    return found


def _said_together(case: Case) -> list[Sighting]:
    """Give the words of the criterion in sentences that hold several of them."""
    by_sentence: dict[int, dict[str, Sighting]] = defaultdict(dict)
    for content, sighting in case.matches.words:
        by_sentence[sighting.sentence].setdefault(content, sighting)
    return [
        sighting
        for held in by_sentence.values()
        if len(held) >= _SEVERAL
        for sighting in held.values()
    ]
