"""The rule of told things: a criterion taken apart into what it asks for, each held to the note.

A criterion is the conjunction of the conditions, treatments, stages, times and doses it names;
names joined by `or` are alternatives. One that does not hold decides it. All must hold, and no word
of content be left over, before it is met: what a criterion says beyond what is read stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.context import Context, Effect, read_context
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import Hit, criterion_tokens
from trialyst.matching.judging.extents import find_extents, judge_extents
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.periods import AskedTime, find_times
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.taken import (
    DOSE,
    OPEN,
    RESPONSE,
    Told,
    count_before,
    judge_dose,
    judge_response,
    judge_taken,
    lasted,
)
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Assertion, Fact, FactKind
from trialyst.vocabulary.spotting import Token

__all__ = ["judge_told"]

_REMEMBERED = 20_000
_LONGEST = 16
"""Words of content beyond which a criterion says more than can be taken apart."""
_TREATMENTS = (FactKind.THERAPY, FactKind.PROCEDURE)
_CLOSE = 12
_MOST_OTHERS = 6
_ARTICLES = frozenset({"a", "an", "the", "any"})
_METASTASIS = "MESH:D009362"
_OPEN_ENDED = re.compile(
    r"\b(?:unless|except\w*|other than|another|allowed|permitted|eligible|if|may|acceptable"
    r"|risk|suspected|suspicion|possible|probable|family|relatives?|allerg\w*|hypersensitiv\w*"
    r"|contra-?indicat\w*|candidates?|planned|plan|plans|scheduled|intend\w*|intent|vaccin\w*|caused by"
    r"|due to|secondary to|related to|associated with|induced|mothers?|partners?|donors?|siblings?"
    r"|consent|willing\w*|able to|investigational|prevent\w*|prophyla\w*|mimic\w*|opinion|surrogate"
    r"|need for|in need|indication|likely|expected|expectancy|undergoing|to receive|controls?"
    r"|first[- ]degree|parents?|recovered|resolved|cured|remission|adequately treated)\b"
)
_NAIVE = re.compile(r"[- ]*(?:treatment[- ])?na(?:i|\u00ef)ve\b|[- ]*untreated\b")
_JOINS_OR = re.compile(r"[\s,/()]*(?:\b(?:or|and/or)\b)?[\s,/(]*(?:an?\s+|the\s+|prior\s+)?")
_CONFIRMED = re.compile(
    r"\b(?:(?:histo|cyto|patho)\w*|biops[yi]\w*|tissue|microscopic\w*)"
    r"(?:\s*(?:,|or|and|/|and/or|-)+\s*(?:histo|cyto|patho)\w*)*[-\s]*"
    r"(?:confirmed|proven|documented|verified|diagnos\w+)\b"
    r"|\b(?:confirmed|proven|verified|diagnosed|documented) (?:by|on|with|through|via) (?:an? )?(?:\w+ )?"
    r"(?:biops\w+|histo\w+|patho\w+|cyto\w+)"
)
_PATHOLOGY = re.compile(r"\bbiops|\bpatholog|\bhistolog|\bcytolog|\bexcis|\bresected|\bIHC\b", re.I)
_ACTIVE = re.compile(r"\b(?:active|current(?:ly)?|ongoing|acute|uncontrolled|unstable)\b")
_REQUIRED = re.compile(r"\brequir\w+|\bneed(?:ed|ing)\b")
_BENIGN = frozenset(
    fold(
        "a an the of to in on at by for with and be is are was were been being have has had do does"
        " must should will who which that this these patient subject participant individual person"
        " people known diagnosis diagnosed confirmed documented established proven history clinical"
        " clinically medical current currently present presence evidence any all genotype subtype"
        " kind form their his her as per according treatment therapy treated treat receive received"
        " receiving take taking taken use using used drug medication agent dose daily regimen"
        " previous prior previously earlier before after following stable baseline screening entry"
        " enrollment study time setting disease disorder condition event physician background"
        " least one two three minimum meet criterion inclusion including required requiring requires"
        " documentation from aged years year old since"
    )
)
_DEGREES = frozenset(fold("severe moderate mild chronic acute symptomatic untreated active uncontrolled"
                          " unstable compensated decompensated progressive significant serious treated"
                          " new newly high low dose recent major known inhaled oral current no not"
                          " without never naive stage"))  # fmt: skip


class _Group(NamedTuple):
    """Names joined by `or`, at a place of the criterion."""

    start: int
    end: int
    hits: tuple[Hit, ...]
    treatment: bool
    beside: tuple[tuple[int, int], ...] = ()
    """Places of alternatives to them that the note does not tell of."""


class _Reading(NamedTuple):
    """A criterion beside a chart, taken apart."""

    case: Case
    groups: tuple[_Group, ...]
    covered: tuple[tuple[int, int], ...]
    """Places of the criterion that were understood."""


def judge_told(case: Case) -> Decision | None:
    """A criterion on conditions, treatments and stages that the note tells of or denies."""
    statement = case.statement
    if not 0 < len(statement.contents) <= _LONGEST or _OPEN_ENDED.search(statement.lowered):
        return None
    reading = _read(case)
    if reading is None:
        return None
    tests = list(_tests(reading))
    broken = next((told for told in tests if told.truth is False), None)
    if _has_loose_or(reading):
        return None
    if broken is not None:
        return _decision(Verdict.NOT_MET, broken.facts)
    facts = tuple(fact for told in tests for fact in told.facts)
    if all(told.truth for told in tests) and not _left_over(reading, facts):
        return _decision(Verdict.MET, facts)
    return None


def _read(case: Case) -> _Reading | None:
    lowered = case.statement.lowered
    extents = find_extents(lowered)
    hits = [
        hit
        for hit in case.view.chart.find(case.statement.text)
        if not any(asked.start <= hit.start and hit.end <= asked.end for asked in extents)
    ]
    if not hits and not any(asked.of != "extent" for asked in extents):
        return None
    groups = list(_groups(hits, lowered))
    covered = [(group.start, group.end) for group in groups]
    covered += [(asked.start, asked.end) for asked in extents]
    covered += [
        (one.end, other.start) for one, other in pairwise(extents) if other.start - one.end < _CLOSE
    ]
    covered += [(time.start, time.end) for time in find_times(lowered)]
    for pattern in (DOSE, RESPONSE, _CONFIRMED):
        covered += [match.span() for match in pattern.finditer(lowered)]
    groups = [
        _with_others(group, case.statement.text, covered)
        if not case.exclusion or group.hits[0].links[0].fact.kind is FactKind.THERAPY
        else group
        for group in groups
    ]
    covered += [place for group in groups for place in group.beside]
    return _Reading(case, tuple(groups), tuple(covered))


def _with_others(group: _Group, text: str, covered: Sequence[tuple[int, int]]) -> _Group:
    """Add the alternatives that stand beside a group: `an ACE inhibitor or` before `ARB`."""
    tokens = criterion_tokens(text)
    before = [token for token in reversed(tokens) if token.end <= group.start]
    behind = [token for token in tokens if token.start >= group.end]
    beside = (*_others(before, text, covered), *_others(behind, text, covered))
    return group._replace(beside=beside)


def _others(
    tokens: Sequence[Token], text: str, covered: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Give the places of an `or` next to a group and of the words on its other side."""
    words = [token for token in tokens[:2] if token.folded not in _ARTICLES]
    if not words or words[0].folded != "or":
        return []
    start = tokens.index(words[0])
    found = [(words[0].start, words[0].end)]
    for one, token in pairwise(tokens[start : start + _MOST_OTHERS]):
        gap = text[min(one.end, token.end) : max(one.start, token.start)]
        ends = token.folded in _BENIGN and token.folded not in _ARTICLES
        if ends or gap.strip(" -/") or any(a <= token.start < b for a, b in covered):
            break
        found.append((token.start, token.end))
    return found


def _groups(hits: Sequence[Hit], lowered: str) -> Iterator[_Group]:
    listed: list[list[Hit]] = []
    for hit in hits:
        gap = lowered[listed[-1][-1].end : hit.start] if listed else ""
        joined = listed and _JOINS_OR.fullmatch(gap) and (gap.strip() or len(gap) < 2)
        if joined and ("or" in gap or "/" in gap or "(" in gap or "," in gap):
            listed[-1].append(hit)
        else:
            listed.append([hit])
    for group in listed:
        treatment = group[0].links[0].fact.kind in _TREATMENTS
        yield _Group(group[0].start, group[-1].end, tuple(group), treatment)


def _tests(reading: _Reading) -> Iterator[Told]:
    case, lowered = reading.case, reading.case.statement.lowered
    extents = find_extents(lowered)
    if extents:
        yield Told(*judge_extents(extents, lowered, case.view.chart))
    times = find_times(lowered)
    for at, group in enumerate(reading.groups):
        after = reading.groups[at + 1].start if at + 1 < len(reading.groups) else len(lowered)
        own = [time for time in times if group.end <= time.start < after or (at == 0 == time.start)]
        yield from _group_tests(reading, group, own)
    if _CONFIRMED.search(lowered) and reading.groups:
        yield _pathology(case.view)
    if RESPONSE.search(lowered):
        held = [fact for group in reading.groups if group.treatment for fact in _held(group)]
        yield judge_response(held, case.view)


def _group_tests(reading: _Reading, group: _Group, times: Sequence[AskedTime]) -> Iterator[Told]:
    case = reading.case
    lowered, view = case.statement.lowered, case.view
    negated = _is_negated(case, group)
    window = next((time for time in times if time.within), None)
    found = _any(reading, group, window)
    if negated:
        named = not any(_is_part_of_a_name(reading, hit) for hit in group.hits)
        sure = found.truth is not None and named and not case.exclusion
        yield Told(not found.truth if sure else None, found.facts)
        return
    yield found
    held = _held(group)
    if found.truth is not True:
        return
    for time in times:
        if not time.within:
            yield lasted(held, time, view)
        elif not group.treatment:
            yield OPEN
    wanted = count_before(lowered, group.start)
    if wanted is not None and wanted > 1:
        distinct = {fact.name for fact in held}
        yield Told(True if len(distinct) >= wanted else None, tuple(held))
    dose = DOSE.search(lowered, group.end, group.end + 40) if group.treatment else None
    if dose is not None:
        yield judge_dose(dose, held)


def _is_negated(case: Case, group: _Group) -> bool:
    if _NAIVE.match(case.statement.lowered, group.end):
        return True
    effects = _context(case.statement.text).effects(group.hits[0].start, group.hits[0].end)
    return Effect.NEGATED in effects


@lru_cache(maxsize=_REMEMBERED)
def _context(text: str) -> Context:
    return read_context(text)


def _held(group: _Group) -> list[Fact]:
    return [
        link.fact
        for hit in group.hits
        for link in hit.links
        if link.fact.holds and link.relation in (Relation.SAME, Relation.WIDER)
    ]


def _any(reading: _Reading, group: _Group, window: AskedTime | None) -> Told:
    """Say whether one of the names joined by `or` holds."""
    told = [_one(reading, hit, group, window) for hit in group.hits]
    for each in told:
        if each.truth:
            return each
    if all(each.truth is False for each in told) and not group.beside:
        return told[0]
    return OPEN


def _one(reading: _Reading, hit: Hit, group: _Group, window: AskedTime | None) -> Told:
    lowered, view = reading.case.statement.lowered, reading.case.view
    links = hit.links
    held = [
        link.fact
        for link in links
        if link.fact.holds and link.relation in (Relation.SAME, Relation.WIDER)
    ]
    absent = [link.fact for link in links if link.fact.assertion is Assertion.ABSENT]
    if not held and _is_part_of_a_name(reading, hit):
        return OPEN
    if group.treatment:
        return judge_taken(held, absent, asked=lowered, window=window, view=view)
    if held:
        return _has(links, held, absent, active=_ACTIVE.search(lowered) is not None)
    if any(link.fact.assertion not in (Assertion.ABSENT, Assertion.PRESENT) for link in links):
        return OPEN
    rivals = [link.fact for link in links if link.relation is Relation.RIVAL and link.fact.holds]
    against = tuple(absent or rivals)
    return Told(False, against) if against else OPEN


def _has(
    links: Sequence[object], held: Sequence[Fact], absent: Sequence[Fact], *, active: bool
) -> Told:
    denied = [fact for fact in absent if fact.concept is None or fact.concept.id != _METASTASIS]
    present = [fact for fact in held if fact.assertion is Assertion.PRESENT]
    if denied or (active and not present):
        return OPEN
    return Told(True, tuple(present or held))


def _is_part_of_a_name(reading: _Reading, hit: Hit) -> bool:
    """Whether words stand right beside a name that may make another name of it."""
    text = reading.case.statement.text
    tokens = criterion_tokens(text)
    for token in tokens:
        before = token.end <= hit.start and not text[token.end : hit.start].strip(" -")
        behind = token.start >= hit.end and not text[hit.end : token.start].strip(" -")
        known = token.folded in _BENIGN or token.folded in _DEGREES or token.folded == "or"
        if (before or behind) and not known and not _is_covered(reading, token.start):
            return True
    return False


def _is_covered(reading: _Reading, at: int) -> bool:
    return any(start <= at < end for start, end in reading.covered)


def _has_loose_or(reading: _Reading) -> bool:
    """Whether an `or` joins things of which not all were understood."""
    return any(
        token.folded == "or" and not _is_covered(reading, token.start)
        for token in criterion_tokens(reading.case.statement.text)
    )


def _left_over(reading: _Reading, facts: Sequence[Fact]) -> bool:
    """Whether a word is left that the sentences of the facts do not have."""
    view = reading.case.view
    numbers = {fact.sentence for fact in facts}
    if _REQUIRED.search(reading.case.statement.lowered) and len(numbers) > 1:
        return True
    said: set[str] = set()
    for sentence in view.body:
        if sentence.number in numbers:
            said.update(fold(sentence.text))
    return any(
        token.folded not in _BENIGN
        and token.folded not in said
        and not _is_covered(reading, token.start)
        for token in criterion_tokens(reading.case.statement.text)
    )


def _pathology(view: NoteView) -> Told:
    return Told(True if _PATHOLOGY.search(view.note.text) else None)


def _decision(verdict: Verdict, facts: Sequence[Fact]) -> Decision:
    places = tuple(
        dict.fromkeys(Sighting(fact.sentence, fact.start, fact.end, "has") for fact in facts)
    )
    words = ", ".join(dict.fromkeys(_written(fact) for fact in facts))
    return Decision("told", verdict, f"The note tells of {words}.", places)


def _written(fact: Fact) -> str:
    return f"no {fact.text}" if fact.assertion is Assertion.ABSENT else repr(fact.text)
