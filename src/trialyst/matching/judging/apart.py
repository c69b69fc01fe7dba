"""A criterion taken apart beside a chart: the names it joins by `or`, and what else was understood.

What is not covered by a name, a stage, a time, a dose or a word that says nothing is left over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.context import Context, Effect, read_context
from trialyst.matching.judging.books import BY_BOOK
from trialyst.matching.judging.case import Case
from trialyst.matching.judging.chart import Hit, criterion_tokens
from trialyst.matching.judging.extents import find_extents
from trialyst.matching.judging.periods import find_times
from trialyst.matching.judging.taken import DOSE, RESPONSE
from trialyst.matching.patient import Fact, FactKind
from trialyst.vocabulary.spotting import Token

__all__ = ["CONFIRMED", "Group", "Reading", "is_idle", "take_apart"]

_TREATMENTS = (FactKind.THERAPY, FactKind.PROCEDURE)
_NAIVE = re.compile(r"[- ]*(?:treatment[- ])?na(?:i|\u00ef)ve\b|[- ]*untreated\b")
_JOINS_OR = re.compile(
    r"[\s,/()]*(?:an?\s+|the\s+|prior\s+)?"
    r"|[\s,/()]*\b(?:or|and/or)\b[\s,/(]*"
    r"(?:(?:an?|the|any|with|prior|previous|past|current|known|history|presence|diagnosis|of)\s+)*"
)
CONFIRMED = re.compile(
    r"\b(?:(?:histo|cyto|patho)\w*|biops[yi]\w*|tissue|microscopic\w*)"
    r"(?:\s*(?:,|or|and|/|and/or|-)+\s*(?:histo|cyto|patho)\w*)*[-\s]*"
    r"(?:confirmed|proven|documented|verified|diagnos\w+)\b"
    r"|\b(?:confirmed|proven|verified|diagnosed|documented) (?:by|on|with|through|via) (?:an? )?"
    r"(?:\w+ )?(?:biops\w+|histo\w+|patho\w+|cyto\w+)"
)
_LISTS = re.compile(
    r"[;:]|,.*\bor\b|[a-z]/[a-z]{3}|\bfollowing\b|\bsuch as\b|\be\.?g\b|\bincluding\b|\blike\b"
)
_OR_MORE = re.compile(r"\bor (?:more|longer|greater|higher)\b")
_REQUIRED = re.compile(r"\brequir\w+|\bneed(?:ed|ing)\b")
_CLOSE = 12
_MOST_OTHERS = 6
_ARTICLES = frozenset({"a", "an", "the", "any"})
_NEGATIONS = frozenset({"no", "not", "without", "never", "naive"})
_BENIGN = _NEGATIONS | frozenset(
    fold(
        "a an the of to in on at by for with and be is are was were been being have has had do does"
        " must should will who which that this these patient subject participant individual person"
        " people known diagnosis diagnosed confirmed documented established proven history clinical"
        " clinically medical current currently present presence evidence any all genotype subtype"
        " kind form their his her as per according treatment therapy treated treat receive received"
        " receiving take taking taken use using used drug medication agent dose daily regimen"
        " previous prior previously earlier before after following stable baseline screening entry"
        " enrollment study time setting disease disorder condition event physician background"
        " least one two three minimum meet criterion inclusion including required requiring"
        " requires documentation from aged years year old since definite probably case cases"
        " genetic genetically doctor gp practitioner suffer suffering affected either proved"
        " consistent compatible typical manifestation identified sign symptom symptomatic"
        " presenting presents present experiencing experience ongoing medically physically"
        " dsm icd acr establish it its they them he she at yet known"
    )
)
_DEGREES = frozenset(
    fold(
        "severe moderate mild chronic acute symptomatic untreated active uncontrolled unstable"
        " compensated decompensated progressive significant serious treated new newly high low dose"
        " recent major inhaled oral current stage or"
    )
)


def is_idle(word: str) -> bool:
    """Whether a folded word of a criterion asks for nothing."""
    return word in _BENIGN


class Group(NamedTuple):
    """Names joined by `or`, at a place of the criterion."""

    start: int
    end: int
    hits: tuple[Hit, ...]
    treatment: bool
    beside: tuple[tuple[int, int], ...] = ()
    """Places of alternatives to them that the note does not tell of."""


class Reading(NamedTuple):
    """A criterion beside a chart, taken apart."""

    case: Case
    groups: tuple[Group, ...]
    covered: tuple[tuple[int, int], ...]
    """Places of the criterion that were understood."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The folded words of the criterion."""
        return criterion_tokens(self.case.statement.text)

    def covers(self, token: Token) -> bool:
        """Whether a word was understood."""
        return any(start <= token.start < end for start, end in self.covered)

    def has_loose_or(self) -> bool:
        """Whether an `or` joins things of which not all were understood."""
        return any(token.folded == "or" and not self.covers(token) for token in self.tokens)

    def has_loose_negation(self) -> bool:
        """Whether a `not` says something else than that there be none of a group."""
        if not any(token.folded in _NEGATIONS and not self.covers(token) for token in self.tokens):
            return False
        return not any(self.is_negated(group) for group in self.groups)

    def is_list(self) -> bool:
        """Whether things may be listed of which one is enough: then one that fails decides nothing.

        Exclusions are lists where anything joins; inclusions where they say so.
        """
        lowered = self.case.statement.lowered
        if _LISTS.search(lowered) or lowered.count(",") > 1:
            return True
        if not self.case.exclusion:
            return False
        joined = any(token.folded == "and" and not self.covers(token) for token in self.tokens)
        return joined or "," in lowered

    def leaves_over(self, facts: Sequence[Fact]) -> bool:
        """Whether a word is left that the sentences of the facts do not have."""
        numbers = {fact.sentence for fact in facts}
        if _REQUIRED.search(self.case.statement.lowered) and len(numbers) > 1:
            return True
        said: set[str] = set()
        for sentence in self.case.view.body:
            if sentence.number in numbers:
                said.update(fold(sentence.text))
        return any(
            token.folded not in _BENIGN and token.folded not in said and not self.covers(token)
            for token in self.tokens
        )

    def is_part_of_a_name(self, hit: Hit) -> bool:
        """Whether words stand right beside a name that may make another name of it."""
        text = self.case.statement.text
        for token in self.tokens:
            before = token.end <= hit.start and not text[token.end : hit.start].strip(" -")
            behind = token.start >= hit.end and not text[hit.end : token.start].strip(" -")
            known = token.folded in _BENIGN or token.folded in _DEGREES
            if (before or behind) and not known and not self.covers(token):
                return True
        return False

    def is_negated(self, group: Group) -> bool:
        """Whether the criterion asks that there be none of a group."""
        if _NAIVE.match(self.case.statement.lowered, group.end):
            return True
        return self.is_denied(group.hits[0].start, group.hits[0].end)

    def is_denied(self, start: int, end: int) -> bool:
        """Whether the criterion denies what stands at a place."""
        text = self.case.statement.text
        if text[:start].lower().endswith(("non-", "non ")):
            return True
        return Effect.NEGATED in _context(text).effects(start, end)


@lru_cache(maxsize=20_000)
def _context(text: str) -> Context:
    return read_context(text)


def take_apart(case: Case) -> Reading | None:
    """Take a criterion apart; None where it names nothing that the note tells of."""
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
    for pattern in (DOSE, RESPONSE, CONFIRMED, _OR_MORE, BY_BOOK):
        covered += [match.span() for match in pattern.finditer(lowered)]
    groups = [
        _with_others(group, case.statement.text, covered)
        if not case.exclusion or group.hits[0].links[0].fact.kind is FactKind.THERAPY
        else group
        for group in groups
    ]
    covered += [place for group in groups for place in group.beside]
    return Reading(case, tuple(groups), tuple(covered))


def _groups(hits: Sequence[Hit], lowered: str) -> Iterator[Group]:
    listed: list[list[Hit]] = []
    for hit in hits:
        gap = lowered[listed[-1][-1].end : hit.start] if listed else ""
        if listed and _JOINS_OR.fullmatch(gap) and ("or" in gap or set(gap) & set("/(,")):
            listed[-1].append(hit)
        else:
            listed.append([hit])
    for group in listed:
        treatment = group[0].links[0].fact.kind in _TREATMENTS
        yield Group(group[0].start, group[-1].end, tuple(group), treatment)


def _with_others(group: Group, text: str, covered: Sequence[tuple[int, int]]) -> Group:
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
