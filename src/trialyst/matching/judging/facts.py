"""The rule of told things: all that a criterion asks for, each held to the note.

A criterion is the conjunction of the conditions, treatments, stages, times and doses it names;
names joined by `or` are alternatives. One that does not hold decides it. All must hold, and no word
of content be left over, before it is met: what a criterion says beyond what is read stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trialyst.matching.judging.apart import CONFIRMED, Group, Reading, take_apart
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import Hit, Link
from trialyst.matching.judging.extents import find_extents, judge_extents
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.periods import AskedTime, find_times
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.taken import (
    DOSE,
    OPEN,
    RESPONSE,
    Told,
    count_before,
    failing,
    holding,
    judge_dose,
    judge_response,
    judge_taken,
    lasted,
)
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Assertion, Fact

__all__ = ["judge_told", "judge_told_little"]

_LONGEST = 16
"""Words of content beyond which a criterion says more than can be taken apart."""
_DOSE_WITHIN = 40
"""Letters behind a drug within which its dose stands."""
_METASTASIS = "MESH:D009362"
_OPEN_ENDED = gated(
    r"\b(?:unless|except\w*|other than|another|allowed|permitted|eligible|if|may|acceptable"
    r"|risk|suspected|suspicion|possible|probable|family|relatives?|allerg\w*|hypersensitiv\w*"
    r"|contra-?indicat\w*|candidates?|planned|plan|plans|scheduled|intend\w*|intent|vaccin\w*"
    r"|caused by|due to|secondary to|related to|associated with|induced|mothers?|partners?|donors?"
    r"|siblings?|consent|willing\w*|able to|investigational|prevent\w*|prophyla\w*|mimic\w*|opinion"
    r"|surrogate|need for|in need|indication|likely|expected|expectancy|undergoing|to receive"
    r"|discontinu\w*|withdraw\w*|wash-?out|taper\w*|allow\w*|controls?|first[- ]degree|parents?"
    r"|recovered|resolved|cured|remission|adequately treated)\b"
)
"""Words that make of a thing in a criterion something else than that the patient has it."""
_PATHOLOGY = re.compile(
    r"\bbiops|\bpatholog|\bhistolog|\bcytolog|\bexcis|\bresected|\bIHC\b", re.IGNORECASE
)
_FOR_IT = re.compile(
    r"\b(?:medications?|treatments?|therap(?:y|ies)|drugs?|regimens?|surgery|hospitali[sz]\w+"
    r"|admi\w+"
    r"|procedures?|care|follow-?up)\s+(?:\w+\s+)?(?:for|of|with)\s+(?:\w+\s+){0,3}$"
)
"""What is done about a condition: who has the condition need not have that."""
_ACTIVE = gated(r"\b(?:active|current(?:ly)?|ongoing|acute|uncontrolled|unstable)\b")


def judge_told(case: Case) -> Decision | None:
    """A criterion on conditions, treatments and stages that the note tells of or denies."""
    reading = _read_plainly(case)
    if reading is None:
        return None
    tests = list(_tests(reading))
    broken = next((told for told in tests if told.truth is False), None)
    if broken is not None:
        return None if reading.is_list() else _decision(Verdict.NOT_MET, broken.facts)
    facts = tuple(fact for told in tests for fact in told.facts)
    if not all(told.truth or told.facts for told in tests) or reading.leaves_over(facts):
        return None
    return _decision(Verdict.MET, facts) if all(told.truth for told in tests) else None


def judge_told_little(case: Case) -> Decision | None:
    """A thing the note tells of, but not of which kind, when, how long or how much."""
    reading = _read_plainly(case)
    if reading is None:
        return None
    tests = list(_tests(reading))
    facts = tuple(fact for told in tests for fact in told.facts)
    if not all(told.truth or told.facts for told in tests) or reading.leaves_over(facts):
        return None
    untold = next((told for told in tests if told.truth is None), None)
    return None if untold is None else _too_little(untold.facts)


def _read_plainly(case: Case) -> Reading | None:
    """Take a criterion apart, unless it is long, open-ended or joined in ways not read here."""
    statement = case.statement
    if not 0 < len(statement.contents) <= _LONGEST or _OPEN_ENDED.search(statement.lowered):
        return None
    reading = take_apart(case)
    loose = reading is not None and (reading.has_loose_or() or reading.has_loose_negation())
    return None if loose else reading


def _tests(reading: Reading) -> Iterator[Told]:
    case, lowered = reading.case, reading.case.statement.lowered
    extents = find_extents(lowered)
    if any(reading.is_denied(asked.start, asked.end) for asked in extents):
        yield OPEN
    elif extents:
        yield Told(*judge_extents(extents, lowered, case.view.chart))
    times = find_times(lowered)
    for at, group in enumerate(reading.groups):
        after = reading.groups[at + 1].start if at + 1 < len(reading.groups) else len(lowered)
        own = [time for time in times if group.end <= time.start < after or (at == 0 == time.start)]
        yield from _group_tests(reading, group, own)
    if CONFIRMED.search(lowered) and reading.groups:
        yield _pathology(case.view)
    if RESPONSE.search(lowered):
        held = [fact for group in reading.groups if group.treatment for fact in _held(group.hits)]
        yield judge_response(held, case.view)


def _group_tests(reading: Reading, group: Group, times: Sequence[AskedTime]) -> Iterator[Told]:
    window = next((time for time in times if time.within), None)
    found = _any(reading, group, window)
    if reading.is_negated(group):
        yield _negated(reading, group, found)
        return
    yield found
    if found.truth:
        yield from _qualified(reading, group, times)
        if not group.treatment and _FOR_IT.search(reading.case.statement.lowered, 0, group.start):
            yield OPEN


def _negated(reading: Reading, group: Group, found: Told) -> Told:
    """Turn a truth round: who has what is not to be fails, who is said not to have it keeps to it.

    Among exclusions `No prior surgery` may be what is forbidden or what is asked for.
    """
    if found.truth is None or reading.case.exclusion:
        return OPEN
    if any(reading.is_part_of_a_name(hit) for hit in group.hits):
        return OPEN
    if found.truth:
        return OPEN if reading.leaves_over(found.facts) else failing(found.facts)
    return holding(found.facts)


def _qualified(reading: Reading, group: Group, times: Sequence[AskedTime]) -> Iterator[Told]:
    """Give what is asked of a thing that the patient has: how long, how many, how much."""
    lowered, view = reading.case.statement.lowered, reading.case.view
    held = _held(group.hits)
    for time in times:
        if not time.within:
            yield lasted(held, time, view)
        elif not group.treatment:
            yield OPEN
    wanted = count_before(lowered, group.start)
    if wanted is not None and wanted > 1:
        yield holding(held) if len({fact.name for fact in held}) >= wanted else OPEN
    dose = DOSE.search(lowered, group.end, group.end + _DOSE_WITHIN) if group.treatment else None
    if dose is not None:
        yield judge_dose(dose, held)


def _held(hits: Sequence[Hit]) -> list[Fact]:
    return [link.fact for hit in hits for link in hit.links if _speaks_for(link)]


def _speaks_for(link: Link) -> bool:
    return link.fact.holds and link.relation in (Relation.SAME, Relation.WIDER)


def _any(reading: Reading, group: Group, window: AskedTime | None) -> Told:
    """Say whether one of the names joined by `or` holds."""
    told = [_one(reading, hit, group, window) for hit in group.hits]
    told = [
        OPEN if not _is_sure(each, hit) and reading.is_part_of_a_name(hit) else each
        for each, hit in zip(told, group.hits, strict=True)
    ]
    for each in told:
        if each.truth:
            return each
    if all(each.truth is False for each in told) and not group.beside:
        return told[0]
    return Told(None, tuple(fact for each in told if each.truth is None for fact in each.facts))


def _is_sure(told: Told, hit: Hit) -> bool:
    """Whether words beside a name cannot make of it a thing that the note does not have."""
    if told.truth is False:
        return False
    wide = all(link.relation is not Relation.SAME for link in hit.links if link.fact.holds)
    return told.truth is None or not wide


def _one(reading: Reading, hit: Hit, group: Group, window: AskedTime | None) -> Told:
    lowered, view = reading.case.statement.lowered, reading.case.view
    held = _held([hit])
    absent = [link.fact for link in hit.links if link.fact.assertion is Assertion.ABSENT]
    if group.treatment:
        return judge_taken(held, absent, asked=lowered, window=window, view=view)
    if held:
        return _has(held, absent, active=_ACTIVE.search(lowered) is not None)
    if not all(link.fact.holds or link.fact.assertion is Assertion.ABSENT for link in hit.links):
        return OPEN
    rivals = [link.fact for link in hit.links if link.relation is Relation.RIVAL]
    if absent or rivals:
        return failing(absent or rivals)
    # The note tells of the condition, not of which kind; a kind that excludes it would tell.
    return OPEN if reading.case.exclusion else Told(None, tuple(link.fact for link in hit.links))


def _has(held: Sequence[Fact], absent: Sequence[Fact], *, active: bool) -> Told:
    denied = [fact for fact in absent if fact.concept is None or fact.concept.id != _METASTASIS]
    present = [fact for fact in held if fact.assertion is Assertion.PRESENT]
    if denied or (active and not present):
        return OPEN
    return holding(present or held)


def _pathology(view: NoteView) -> Told:
    return holding() if _PATHOLOGY.search(view.note.text) else OPEN


def _decision(verdict: Verdict, facts: Sequence[Fact]) -> Decision:
    words = ", ".join(dict.fromkeys(_written(fact) for fact in facts))
    return Decision("told", verdict, f"The note tells of {words}.", _places(facts))


def _places(facts: Sequence[Fact]) -> tuple[Sighting, ...]:
    found = (Sighting(fact.sentence, fact.start, fact.end, "has") for fact in facts)
    return tuple(dict.fromkeys(found))


def _too_little(facts: Sequence[Fact]) -> Decision:
    thing = facts[0].text
    return Decision(
        "told too little",
        Verdict.UNKNOWN,
        f"The note tells of {thing!r}, but not of which kind, when, how long or how much.",
        _places(facts),
        missing=f"of which kind, when, how long or how much: {thing}",
    )


def _written(fact: Fact) -> str:
    return f"no {fact.text}" if fact.assertion is Assertion.ABSENT else repr(fact.text)
