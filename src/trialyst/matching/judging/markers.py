"""Rules about biomarkers: receptor and mutation status, and shares such as PD-L1 >= 50 %."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from trialyst.eligibility.reading.note import parse_note
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.demands import criterion_words, to_demand
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import Fact
from trialyst.matching.reading.biomarkers import may_hold_biomarkers, read_biomarkers
from trialyst.matching.reading.passage import passages

__all__ = ["judge_markers"]

_REMEMBERED = 20_000
_NEGATIVE = frozenset({"negative", "wild-type", "wild type", "normal", "low", "not amplified"})
_OR = re.compile(r"\bor\b")
_UNSEEN = 1
"""Words of content a note may leave untold beside a marker that fits."""
_ALONE = 6
_LONG = 800
"""Letters from which a sentence may be cut."""
_MAY_NAME = re.compile(
    r"[A-Z]{2}|[A-Z][0-9]|(?i:receptor|mutat|amyloid|triple|estrogen|progest|micro-?satellite"
    r"|assay)"
)

_Compared = tuple[Fact, bool | None]


def judge_markers(case: Case) -> Decision | None:
    """Biomarkers that the note tells of."""
    statement = case.statement
    if statement.denies or not case.view.has_markers():
        return None
    wanted = _wanted(statement.text, statement.lowered)
    if not wanted:
        return None
    compared = [_compare(each, case) for each in wanted]
    if all(found is None for found in compared):
        return None
    told = [found for found in compared if found is not None]
    held = [fact for fact, holds in told if holds]
    broken = [fact for fact, holds in told if holds is False]
    either = case.exclusion or any(
        _OR.search(statement.lowered, one.end, other.start) for one, other in pairwise(wanted)
    )
    if either and held and _asks_no_more(case):
        return _told(Verdict.MET, held)
    if broken and (not either or len(broken) == len(wanted)):
        return _told(Verdict.NOT_MET, broken)
    if not either and len(held) == len(wanted) and _asks_no_more(case):
        return _told(Verdict.MET, held)
    return None


@lru_cache(maxsize=_REMEMBERED)
def _wanted(text: str, lowered: str) -> tuple[Fact, ...]:
    # A letter whose upper case is another word's, or a cut within a word, may make a name.
    plain = text.isascii() and len(text) < _LONG
    if plain and not may_hold_biomarkers(criterion_words(lowered)):
        return ()
    if _MAY_NAME.search(text) is None:
        return ()
    found = [
        fact
        for passage in passages(parse_note(text.upper()))
        for fact in read_biomarkers(passage)
        if fact.concept is not None and (fact.status or fact.value is not None)
    ]
    return tuple(found)


def _compare(wanted: Fact, case: Case) -> _Compared | None:
    """Give the note's fact about the same marker, and whether it is what is wanted."""
    assert wanted.concept is not None
    facts = case.view.measured(wanted.concept.id)
    if not facts:
        return None
    fact = facts[-1]
    if wanted.value is not None:
        demand = to_demand(wanted.concept.id, wanted.value)
        if demand is None or fact.value is None:
            return None
        return fact, demand.holds(fact.value.number)
    if not fact.status:
        return None
    same = _is_negative(wanted) == _is_negative(fact)
    if same and wanted.detail and not _is_negative(wanted):
        if not fact.detail:
            return fact, None
        same = fact.detail.lower() in case.statement.lowered
    return fact, same


def _is_negative(fact: Fact) -> bool:
    return fact.status.lower() in _NEGATIVE


def _asks_no_more(case: Case) -> bool:
    return len(case.statement.contents) <= _ALONE or len(case.matches.unseen) <= _UNSEEN


def _told(verdict: Verdict, facts: Sequence[Fact]) -> Decision:
    places = tuple(Sighting(fact.sentence, fact.start, fact.end, "has") for fact in facts)
    return Decision("marker", verdict, f"The note says {facts[0].text!r}.", places)
