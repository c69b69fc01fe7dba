"""The rules of judging, in the order they are asked; the first that knows an answer gives it.

What no rule knows is decided by the closed world: a note would tell of a disease, a drug or an
operation that excludes the patient, but not of all that a trial asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from trialyst.ctgov.criteria import CriterionKind
from trialyst.folding import fold
from trialyst.matching.judging.amounts import judge_limits, judge_unmeasured
from trialyst.matching.judging.anchored import judge_anchored
from trialyst.matching.judging.bearing import judge_bearing
from trialyst.matching.judging.cancers import judge_other_cancer
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.circumstances import (
    judge_alcohol,
    judge_companion,
    judge_kin,
    judge_menopause,
    judge_smoking,
)
from trialyst.matching.judging.clauses import find_choice, split_demands, split_items, split_ways
from trialyst.matching.judging.composed import doubt_reading, judge_composed
from trialyst.matching.judging.conditions import judge_denied, judge_presence, judge_whole
from trialyst.matching.judging.contraries import judge_contrary
from trialyst.matching.judging.courses import judge_course
from trialyst.matching.judging.denials import denied_part, turned
from trialyst.matching.judging.diagnoses import judge_other_diagnosis
from trialyst.matching.judging.doubts import judge_suspected, judge_touched, judge_treated
from trialyst.matching.judging.events import judge_events, judge_toxicity
from trialyst.matching.judging.facts import judge_told, judge_told_little
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.lexicon import find_syndromes
from trialyst.matching.judging.markers import judge_markers
from trialyst.matching.judging.matches import find_matches
from trialyst.matching.judging.measured import judge_measured
from trialyst.matching.judging.outcomes import judge_outcome
from trialyst.matching.judging.permissions import judge_permitted
from trialyst.matching.judging.persons import (
    judge_ability,
    judge_age_and_sex,
    judge_age_beside,
    judge_childhood,
    judge_consent,
    judge_opinion,
    judge_other_sex,
    judge_pregnancy,
)
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.scope import NO_DEMAND, judge_scope
from trialyst.matching.judging.silences import judge_silence
from trialyst.matching.judging.stated import judge_stated
from trialyst.matching.judging.statement import ReadStatement, WantedSex, read_statement
from trialyst.matching.judging.treatments import (
    judge_denial,
    judge_taken_drugs,
    judge_untold_treatment,
)
from trialyst.matching.judging.untreated import judge_untreated
from trialyst.matching.judging.view import NoteView

__all__ = ["decide", "open_case"]

_BEFOREHAND: tuple[Callable[[Case], Decision | None], ...] = (
    judge_scope,
    judge_consent,
    judge_age_and_sex,
    judge_age_beside,
    judge_bearing,
    judge_other_sex,
    judge_pregnancy,
    judge_contrary,
    judge_untreated,
    judge_treated,
)
_RULES: tuple[Callable[[Case], Decision | None], ...] = (
    judge_measured,
    judge_markers,
    judge_events,
    judge_toxicity,
    judge_course,
    judge_permitted,
    judge_menopause,
    judge_alcohol,
    judge_companion,
    judge_kin,
    judge_told,
    judge_limits,
    judge_childhood,
    judge_opinion,
    judge_smoking,
    judge_denial,
    judge_taken_drugs,
    judge_suspected,
    judge_other_cancer,
    judge_whole,
    judge_presence,
    judge_denied,
    judge_anchored,
    judge_other_diagnosis,
    judge_told_little,
    judge_outcome,
    judge_unmeasured,
    judge_untold_treatment,
    judge_ability,
    judge_touched,
)


_ASIDE = re.compile(r"\([^()]*\)\W*$")
_SEVERAL = 2
_MANY = 6
"""Words of content beyond which a denial lists several things."""
_LISTS = re.compile(r",.*(?:,|\bor\b|\band\b)")
_LISTS_TWO = re.compile(r",|\bor\b|\w/[a-z]{3}")
_HEAD = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:any|one|one or more|either|of|the|following|conditions?|diseases?"
    r"|patients?|subjects?|participants?|individuals?|with|who|have|has|having|known|a|an"
    r"|history|presence|evidence|diagnosis)\b[\s:]*)+",
    re.IGNORECASE,
)
"""Words before a list that say nothing of its items."""
_HANGS = re.compile(r"\b(?:of|for|in|before|after|at|by|on|to|from|been)\b")
"""Words by which the things around an `or` hang together."""
_EXCEPTION = gated(
    r",?\s+\(?(?:except\w*|excluding|with the exception of|apart from|unless|but (?:not|no))\b"
)
_MEMBERS = gated(r"\b(?:such as|including|includes?|like|e\.\s?g\.|for example)[,:]?|[():;/]")
_BINDS = re.compile(
    r"\b(?:except\w*|unless|other than|if|within|during|requir\w+|that|which|due to|caused by|may"
    r"|secondary to|related to|associated with|previous|prior|in the past|severe|significant"
    r"|uncontrolled|unstable|family|combin\w+|both|with|only|locali[sz]ed|include\w*|alcohol)\b|:"
)
"""Words that bind what a list names, so that an item by itself is something else."""
_ELSE = gated(
    r"\b(?:that|which|due to|may|might|other than|not|past|prior|previous|studies|time|since"
    r"|interfer\w+|at least|greater|less|more than)\b|[<>\u2264\u2265]"
)
"""Words by which an example alone is not what a criterion means."""
_NON_ACUTE = re.compile(r"\W*non-?\s?acute")
"""Who has no acute pain need not have one that is not acute."""
_SURE = frozenset(("told", "excluded", "shown whole", "measured"))
_DATED = ("window", "test", "laboratory", "imaging", "planned", "study", "heart_rhythm")
_UNTOLD = "not told"


def open_case(statement: ReadStatement, kind: CriterionKind, view: NoteView) -> Case:
    """Put a criterion beside a note."""
    return Case(statement, kind is CriterionKind.EXCLUSION, view, find_matches(statement, view))


def decide(case: Case) -> Decision:
    """Judge a case: its parts where they say more, and open where it can be read in two ways."""

    def judge(text: str, *, exclusion: bool) -> Decision | None:
        part = _part(case, text)
        return None if part is None else _decide_parts(part._replace(exclusion=exclusion))

    composed = judge_composed(case, judge)
    if composed is not None:
        return composed
    return doubt_reading(case, _decide_parts(case), judge)


def _decide_parts(case: Case) -> Decision:
    """Judge what a case asks for together, each by itself, then as a whole."""
    if case.exclusion:
        return _decide_whole(case)
    pieces = split_demands(case.statement.text)
    parts = [part for text in pieces if (part := _part(case, text))]
    if len(pieces) < _SEVERAL or _speaks_of_both(parts):
        return _decide_whole(case)
    unconcerned = judge_other_sex(case)
    if unconcerned is not None and unconcerned.applicability is Applicability.NOT_APPLICABLE:
        return unconcerned
    decisions = [_decide_whole(part) for part in parts]
    if len(parts) < _SEVERAL and not any(_is_plain_demand(part) for part in parts):
        return _decide_whole(case)
    broken = next((each for each in decisions if each.verdict is Verdict.NOT_MET), None)
    if broken is not None:
        return broken
    asked = [each for each in decisions if each.rule != NO_DEMAND]
    if len(parts) == len(pieces) and asked and all(each.verdict is Verdict.MET for each in asked):
        return _together(asked)
    whole = _decide_whole(case)
    held = whole.verdict is Verdict.MET
    return _untold() if held and _leaves_denial_open(parts, decisions) else whole


def _is_plain_demand(part: Case) -> bool:
    """Whether a part asks for the same by itself as beside others."""
    return part.statement.demographic or denied_part(part.statement.text) is not None


def _leaves_denial_open(parts: Sequence[Case], decisions: Sequence[Decision]) -> bool:
    """Whether it is open that the patient is free of what a part denies."""
    return any(
        decision.verdict is Verdict.UNKNOWN and denied_part(part.statement.text) is not None
        for part, decision in zip(parts, decisions, strict=True)
    )


def _speaks_of_both(parts: Sequence[Case]) -> bool:
    """Whether some parts are about women and others about men, which nobody need be at once."""
    wanted = {part.statement.sex for part in parts}
    return WantedSex.FEMALE in wanted and WantedSex.MALE in wanted


def _together(decisions: Sequence[Decision]) -> Decision:
    sightings = tuple(place for each in decisions for place in each.sightings)
    reason = " ".join(dict.fromkeys(each.reason for each in decisions))
    return Decision("together", Verdict.MET, reason, sightings)


def _judge_choice(case: Case) -> Decision | None:
    """A list of which the patient has enough."""
    choice = None if case.exclusion else find_choice(case.statement.text)
    if choice is None:
        return None
    head = _part(case, choice.head) if choice.head else None
    decisions = [] if head is None else [_decide_whole(head)]
    if any(each.verdict is not Verdict.MET for each in decisions):
        return None
    parts = (_part(case, item) for item in choice.items)
    met = [
        each
        for part in parts
        if part is not None and (each := _decide_whole(part)).verdict is Verdict.MET
    ]
    told = [each for each in met if each.sightings]
    return _together([*decisions, *told]) if len(told) >= choice.least else None


def _part(case: Case, text: str) -> Case | None:
    """Put a part of a criterion beside the note."""
    statement = read_statement(text)
    if not (statement.contents or statement.ages or statement.demographic):
        return None
    return Case(statement, case.exclusion, case.view, find_matches(statement, case.view))


def _decide_whole(case: Case) -> Decision:
    listed = _judge_items(case) if case.exclusion else None
    if listed is not None:
        return listed
    decision = _decide_one(case)
    if case.exclusion or decision.verdict is not Verdict.NOT_MET:
        return decision
    return _judge_ways(case) or decision


def _judge_ways(case: Case) -> Decision | None:
    """Whole demands of which one is enough: `has asthma or has COPD`."""
    ways = [part for text in split_ways(case.statement.text) if (part := _part(case, text))]
    if len(ways) < _SEVERAL:
        return None
    return next((each for way in ways if (each := _decide_one(way)).verdict is Verdict.MET), None)


def _judge_items(case: Case) -> Decision | None:
    """A list of what excludes, of which the note tells one item."""
    statement = case.statement
    head = _HEAD.match(statement.text)
    listed = statement.text[head.end() :] if head else statement.text
    lowered = listed.lower()
    if statement.denies or not _LISTS_TWO.search(lowered) or _BINDS.search(lowered):
        return None
    short = len(statement.contents) <= _MANY and not _HANGS.search(lowered)
    if not short and not _LISTS.search(lowered):
        return None
    return _find_item(case, listed)


def _find_item(case: Case, listed: str) -> Decision | None:
    for text in split_items(listed.replace("/", " , ")):
        part = _part(case, text) if _may_be_told(text, case.view) else None
        if part is None or not (part.matches.named or part.matches.held):
            continue
        decision = _decide_one(part)
        if _is_surely_met(decision):
            return decision
    return None


def _may_be_told(text: str, view: NoteView) -> bool:
    """Whether a text may name what the note tells or shows, which is sooner seen than read."""
    if not text.isprintable() or not view.names.keys().isdisjoint(fold(text)):
        return True
    return bool(find_syndromes(text.lower()))


def _judge_member(case: Case) -> Decision | None:
    """Something of which the criterion gives examples, and the note tells one of them."""
    text = case.statement.text
    excepted = _EXCEPTION.search(text)
    if excepted is not None:
        part = _part(case, text[: excepted.start()])
        found = None if part is None or case.statement.denies else _decide_one(part)
        return _open_member(found) if found and _is_surely_met(found) else None
    if case.statement.denies or not _MEMBERS.search(text) or _ELSE.search(case.statement.lowered):
        return None
    found = _find_item(case, _MEMBERS.sub(" , ", text))
    return None if found is None else _open_member(found)


def _is_surely_met(decision: Decision) -> bool:
    return decision.verdict is Verdict.MET and decision.rule in _SURE


def _open_member(found: Decision) -> Decision:
    reason = f"{found.reason} Whether it is meant by all that the criterion says is open."
    return replace(found, rule="member", verdict=Verdict.UNKNOWN, reason=reason)


def _decide_denied(case: Case, denied: str) -> Decision:
    """Judge what a criterion denies, in the other sense."""
    part = read_statement(_ASIDE.sub(" ", denied))
    other = Case(part, not case.exclusion, case.view, find_matches(part, case.view))
    decision = turned(_decide_whole(other))
    silent = decision.verdict is Verdict.MET and not decision.sightings
    if silent and (_is_dated(part) or _is_told(other)):
        return _untold()
    if decision.verdict is Verdict.MET and _NON_ACUTE.match(case.statement.lowered):
        return _untold()
    return decision


def _is_told(case: Case) -> bool:
    """Whether the note tells of what a criterion names, though no rule could decide it."""
    return any(
        link.fact.holds and link.relation is Relation.SAME
        for hit in case.view.chart.find(case.statement.text)
        for link in hit.links
    )


def _decide_one(case: Case) -> Decision:
    denied = None if case.exclusion else denied_part(case.statement.text)
    if denied is not None and len(case.statement.contents) > _MANY:
        return _decide_denied(case, denied)
    for rule in _BEFOREHAND:
        decision = rule(case)
        if decision is not None:
            return decision
    if denied is not None:
        return _decide_denied(case, denied)
    if _has_too_few(case):
        return _untold()
    for rule in _RULES:
        decision = rule(case)
        if decision is not None:
            opened = decision.verdict is Verdict.UNKNOWN
            return (_judge_choice(case) if opened else None) or decision
    return _judge_choice(case) or judge_stated(case) or _closed_world(case)


def _has_too_few(case: Case) -> bool:
    """Whether several things of a list are asked for, and too many are known not to be there."""
    choice = None if case.exclusion else find_choice(case.statement.text)
    if choice is None or choice.least < _SEVERAL:
        return False
    parts = [_part(case, item) for item in choice.items]
    failed = [part and _decide_whole(part).verdict is Verdict.NOT_MET for part in parts]
    return len(parts) - failed.count(True) < choice.least


def _closed_world(case: Case) -> Decision:
    if case.exclusion:
        return (
            _judge_member(case)
            or judge_silence(case)
            or Decision(
                "nothing told",
                Verdict.NOT_MET,
                "The note tells of nothing like it, which it would if it were so.",
            )
        )
    return _untold()


def _untold() -> Decision:
    return Decision(_UNTOLD, Verdict.UNKNOWN, "The note does not tell enough to say.")


def _is_dated(statement: ReadStatement) -> bool:
    """Whether a note that is silent leaves it open that there was nothing: a time, a test."""
    return statement.speaks_of(*_DATED)
