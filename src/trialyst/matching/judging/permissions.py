"""Rules about what an inclusion criterion permits: `brain metastases are allowed if stable`.

A permission keeps nobody out. It is met where the patient has no need of it by the note's word, or
keeps to its terms; where the note is silent it does not concern the patient, as far as is told.
"""

from __future__ import annotations

import re

from trialyst.folding import fold
from trialyst.matching.judging.apart import is_idle
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import Hit, criterion_tokens
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.periods import find_times
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.taken import lasted
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import Assertion, Fact

__all__ = ["judge_permitted"]

_ALLOWED = gated(
    r"\b(?:is|are|will be|may be)\s+(?:allowed|permitted|acceptable|accepted)\b(?! to)"
    r"|\b(?:allowed|permitted)\b(?=\s*(?:if|provided|as long as|when|$|\.))"
)
_IF_TAKEN = gated(r"\bif (?:taken|used|present|applicable)\b,?")
_TERMS = re.compile(r"\b(?:if|provided(?: that)?|as long as|when|only if)\b(.*)", re.DOTALL)
_IDLE = frozenset(
    fold("a an the is are be been have has had and they it patient they if on at of for dose stable"
         " least taken used must least months weeks days years month week day year treatment")
)  # fmt: skip
_FEW = 6
"""Words of a permission's terms beyond which they are more than can be checked."""
_SHORT = 8
_MORE = re.compile(r"[.;:]")
_NOT_YET = re.compile(r"\bnot\b|\bno\b|\bonly\b|\bunless\b")


def judge_permitted(case: Case) -> Decision | None:
    """What is allowed, with or without terms."""
    lowered = case.statement.lowered
    allowed, taken = _ALLOWED.search(lowered), _IF_TAKEN.search(lowered)
    match = allowed or taken
    if case.exclusion or match is None or _NOT_YET.search(lowered[: match.end()]):
        return None
    if len(case.statement.contents) > _SHORT or _MORE.search(lowered.rstrip(" .;:")):
        return None
    hits = [hit for hit in case.view.chart.find(case.statement.text) if hit.start < match.start()]
    held = [fact for hit in hits for fact in _facts(hit, absent=False)]
    absent = [fact for hit in hits for fact in _facts(hit, absent=True)]
    if hits and _leaves_over(case, hits, match.start()):
        return None
    if held:
        return _by_terms(case, held, lowered[match.end() :], allowed=allowed is not None)
    if absent:
        reason = f"The note tells of no {absent[0].text}, so nothing is to be permitted."
        return Decision("permitted", Verdict.MET, reason, _places(absent))
    if allowed is None:
        return None
    reason = "The criterion permits something that the note does not tell of."
    return Decision(
        "permitted", Verdict.UNKNOWN, reason, applicability=Applicability.NOT_APPLICABLE
    )


def _leaves_over(case: Case, hits: list[Hit], end: int) -> bool:
    """Whether what is permitted has words beside the names that were found."""
    return any(
        not is_idle(token.folded) and not any(hit.start <= token.start < hit.end for hit in hits)
        for token in criterion_tokens(case.statement.text)
        if token.start < end
    )


def _facts(hit: Hit, *, absent: bool) -> list[Fact]:
    if absent:
        return [link.fact for link in hit.links if link.fact.assertion is Assertion.ABSENT]
    wanted = (Relation.SAME, Relation.WIDER)
    return [link.fact for link in hit.links if link.fact.holds and link.relation in wanted]


def _by_terms(case: Case, held: list[Fact], behind: str, *, allowed: bool) -> Decision | None:
    match = _TERMS.search(behind)
    if allowed and match is None:
        reason = f"The criterion permits {held[0].text!r}, which the note tells of."
        return Decision("permitted", Verdict.MET, reason, _places(held))
    terms = match.group(1) if allowed and match is not None else behind
    times = find_times(case.statement.lowered)
    told = [lasted(held, time, case.view) for time in times if not time.within]
    words = [word for word in fold(terms) if word not in _IDLE and not word.isdigit()]
    said = {word for fact in held for word in fold(case.view.note.sentence_at(fact.start).text)}
    stable = "stable" not in terms or bool(told) or "stable" in said
    kept = stable and all(each.truth for each in told) and said.issuperset(words)
    if kept and len(words) <= _FEW:
        reason = f"The note tells of {held[0].text!r} within the terms of the criterion."
        return Decision("permitted", Verdict.MET, reason, _places(held))
    if any(each.truth is False for each in told):
        reason = f"The note tells of {held[0].text!r}, but not for as long as asked."
        return Decision("permitted", Verdict.NOT_MET, reason, _places(held))
    return None


def _places(facts: list[Fact]) -> tuple[Sighting, ...]:
    return tuple(Sighting(fact.sentence, fact.start, fact.end, "has") for fact in facts)
