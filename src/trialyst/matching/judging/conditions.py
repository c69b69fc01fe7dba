"""Rules about conditions: what the note shows, denies, or shows of another kind.

A condition is taken as given where the note names it or shows findings enough; what a criterion
asks for beyond it (a test, a time, a degree) must be in the note as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trialyst.folding import fold
from trialyst.matching.judging.case import Case, Decision, places
from trialyst.matching.judging.chart import find_conditions
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.lexicon import Syndrome, find_kinds, meaning
from trialyst.matching.judging.matches import Matches, find_matches
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.statement import ReadStatement
from trialyst.matching.judging.taken import is_to_come
from trialyst.matching.judging.view import NoteView
from trialyst.matching.patient import Assertion, FactKind

__all__ = ["is_of_another_type", "judge_denied", "judge_presence", "judge_whole", "names_another"]

_HALF = 0.5
_TRAILING = 1
"""Words of content behind a condition that only describe it."""
_BEFORE = 2
"""Words before a condition that tell which kind of it is meant."""
_HEADING = 2
"""Words of which a heading such as `Renal` has no more."""
_LONGEST_LIST = 24
_LONGEST = 9
"""Words of content beyond which a criterion is no plain list of alternatives."""
_SHORT = 4
_DEMANDS = (
    "test", "laboratory", "lung_function", "score", "imaging", "drug_name", "ability", "opinion",
    "practical", "language", "negated", "birth",
)  # fmt: skip
"""Kinds of things an inclusion criterion asks for beside a condition."""
_BESIDE = frozenset(
    ("comparison", "window", "planned", "study", "drug_use", "drug_name", "except", "allergy")
)
"""What makes a thing of its own of a condition that is named with its degree."""
_UNTOLD = ("ability", "opinion", "practical", "language")
_QUALIFIERS = (
    "severity", "window", "chronic", "comparison", "score", "allergy", "study", "planned",
    "contraindication",
)  # fmt: skip
_CONDITIONAL = re.compile(
    r"\b(?:other than|another|not related|unrelated|due to|caused by|secondary to|related to"
    r"|because of|resistan\w+|refractory|interfer\w+|preclud\w+|prevent\w*|limit\w*|except\w*"
    r"|but (?:not|no)|absence of"
    r"|unless|if|may|complicat\w+|without|other|extra-\w+|that|which|involving|family|contact"
    r"|exposure)\b"
)
_NUMBERED = re.compile(r"\w\s*[<>\u2264\u2265]=?\s*\d")
"""A bound on a score, such as `PASI >= 12`."""
_WORD_REST = re.compile(r"^\w+")
_DISEASE = re.compile(r"(?:itis|osis|oma|pathy|emia|syndrome)$")
_TYPE = re.compile(
    r"\btype[- ]?(1|2|ii|i)\b(?=.{0,20}\bdiab)|\bdiabetes(?: mellitus)?,? type[- ]?(1|2|ii|i)\b"
    r"|\bt([12])dm?\b|\b(i)ddm\b"
)
_VIRUS = gated(r"\bhep(?:atitis)?[- ]([abcde])\b|\bh([abcde])v\b|\bh(b)sag\b")
_OPERATION = re.compile(
    r"\w(?:ectomy|plasty|otomy|ostomy)\b|\btransplant|\bbypass\b|\bstents?\b|\bpacemaker"
    r"|\bdialysis|\btransfusion"
    r"|\bpci\b|\bcabg\b"
)
_IN_THE_PAST = re.compile(r"\b(?:history of|prior|previous|past)\b")
_BOUND = gated(r"\bconsistent with\b|\bafter (?:the )?age\b|\bwith at least\b")
"""Words that ask for an alternative together with something else."""
_TOGETHER = gated(
    r"\bboth\b|\bcombin\w+ with\b|\btogether with\b|\balso (?:have|has|had)\b|\w with\b"
)
_BOTH = gated(r"\bboth\b|\bcombin\w+ with\b|\btogether with\b|\balso (?:have|has|had)\b")
_AND = gated(r"\band\b(?!/or)|\bboth\b|\w with\b|\balso\b|,")
_EXCEPTED = gated(
    r"\b(?:except(?:ing| for)?|other than|excluding|apart from|exception of"
    r"|but (?:not|no|without)|in the absence of)\b"
)
_OTHERWISE = re.compile(
    r"negativ|\bfamily (?:history|members?)\b|\b(?:relatives?|siblings?) with\b"
)
"""Words by which something else is asked for than that the patient has a thing."""
_EARLIER = gated(r"\b(?:previous(?:ly)?|prior(?! to)|in the past)\b")
_CONDITIONS = (FactKind.CONDITION, FactKind.SYMPTOM)
_ALCOHOL = "alcohol"
_ABUSE = gated(r"abus|depend|excess|heavy|misus|addict|units|per (?:day|week)|alcoholi")
_DRUG_USE = re.compile(
    r"(?<!-)\b(?:taking|use of|treat\w*|therap\w+|receiv\w+|medications?|drugs?|dos(?:e|age)s?)\b"
)


def judge_presence(case: Case) -> Decision | None:
    """A thing the criterion names and the note shows, with nothing more asked."""
    statement, matches = case.statement, case.matches
    if statement.denies or not (matches.held or matches.has_name or matches.share >= _HALF):
        return None
    if case.exclusion and (not _is_plain(statement) or _is_past_only(case)):
        return _of_some_degree(case)
    for part in _alternatives(case):
        if _fits(part) and not _is_mere_drinking(case, part):
            rule = "excluded" if case.exclusion else "holds"
            return Decision(rule, Verdict.MET, _reason(part), places(part))
    return _of_some_degree(case)


def _is_mere_drinking(case: Case, part: Case) -> bool:
    """Whether a criterion asks for abuse of alcohol and the note tells that the patient drinks."""
    drinks = any(shown.syndrome.name == _ALCOHOL for shown in part.matches.held)
    return drinks and _ABUSE.search(case.statement.lowered) is not None


def judge_whole(case: Case) -> Decision | None:
    """A condition of a degree that the note shows, such as severe renal impairment."""
    statement = case.statement
    whole = [shown for shown in case.matches.held if shown.syndrome.whole]
    if not whole or statement.denies:
        return None
    if _CONDITIONAL.search(statement.lowered) or names_another(case):
        return None
    for shown in whole:
        rest = shown.syndrome.named.sub(" ", statement.lowered)
        beside = find_kinds(rest)
        listed = case.exclusion or statement.speaks_of("choice")
        if not beside.isdisjoint(_BESIDE) or (not listed and _is_more(case, rest)):
            continue
        places = tuple(place for place, _ in case.view.findings(shown.syndrome))
        reason = f"The note shows {shown.syndrome.name}."
        if "negativ" in statement.lowered:
            return Decision("shown whole", Verdict.NOT_MET, reason, places)
        return Decision("shown whole", Verdict.MET, reason, places)
    return None


def _is_more(case: Case, rest: str) -> bool:
    return sum(meaning(word) in case.matches.residue for word in fold(rest)) > 1


def judge_denied(case: Case) -> Decision | None:
    """A thing the note expressly denies."""
    statement, matches = case.statement, case.matches
    if statement.denies or not matches.denies_name or matches.held:
        return None
    more = matches.unseen or statement.speaks_of("list", "choice", "number")
    if more and not case.exclusion:
        return None
    denied = tuple(item.sighting for item in matches.named if item.sighting.standing == "denied")
    return Decision(
        "denied", Verdict.NOT_MET, "The note says that the patient does not have it.", denied
    )


def _alternatives(case: Case) -> Iterator[Case]:
    """Give the criterion and, of a list, the parts of which one is enough."""
    yield case
    statement = case.statement
    if not case.exclusion:
        if not statement.speaks_of("list", "choice") or _BOUND.search(statement.lowered):
            return
        longest = _LONGEST_LIST if statement.speaks_of("list") else _LONGEST
        bound = statement.speaks_of("window", "chronic", "drug_use", "drug_name", "test")
        if len(statement.contents) > longest or (bound and not statement.speaks_of("list")):
            return
    for part in statement.parts:
        if part is statement:
            return
        yield Case(part, case.exclusion, case.view, find_matches(part, case.view))


def _fits(case: Case) -> bool:
    """Whether what the note has is what the criterion, or a part of it, asks for."""
    statement, matches = case.statement, case.matches
    if not statement.contents or _is_out_of_reach(case) or _is_only_planned(case):
        return False
    if _tells_operation(statement, matches):
        return True
    if not matches.residue and (matches.has_word or matches.has_name):
        if statement.speaks_of("comparison", "number") and not matches.held:
            return False
        if len(statement.contents) > 1:
            return True
    if statement.speaks_of(*(_UNTOLD if case.exclusion else _DEMANDS)):
        return False
    if _NUMBERED.search(statement.lowered) and matches.residue:
        return False
    if not matches.residue and (matches.has_name or matches.held):
        return True
    if not matches.residue and matches.has_word and len(statement.tokens) > _HEADING:
        return not case.exclusion
    few = len(matches.residue) <= _TRAILING and not names_another(case)
    return few and any(
        not shown.syndrome.general and not _is_of_a_kind(shown.syndrome, statement, matches)
        for shown in matches.held
    )


def names_another(case: Case, known: Sequence[tuple[int, int]] = ()) -> bool:
    """Whether a further condition is asked for together, of which the note does not tell.

    What stands at a known place of the criterion is none.
    """
    lowered, residue = case.statement.lowered, case.matches.residue
    if not (_TOGETHER if case.exclusion else _AND).search(lowered) or " or " in lowered:
        return False
    if _untold_viruses(case):
        return True
    hits = case.view.chart.find(case.statement.text)
    if any(all(link.fact.negated for link in hit.links) for hit in hits):
        return True
    return any(
        any(meaning(word) in residue for word in fold(lowered[mention.start : mention.end]))
        for mention in find_conditions(case.statement.text, case.view.vocabulary)
        if not any(start < mention.end and mention.start < end for start, end in known)
    )


def _is_out_of_reach(case: Case) -> bool:
    """Whether the criterion asks for a time, a drug or a denial, which a condition is not."""
    statement, matches = case.statement, case.matches
    if statement.denies or _OTHERWISE.search(statement.lowered) or _excepts(case):
        return True
    if statement.speaks_of("window", "chronic", "planned") or is_of_another_type(case):
        return True
    if case.exclusion:
        if _tells_operation(statement, matches):
            return False
        past = not matches.has_name and _IN_THE_PAST.search(statement.lowered)
        if past or statement.speaks_of("procedure", "drug_name"):
            return True
    if case.exclusion and not matches.residue:
        return False
    return statement.speaks_of("drug_name") or _DRUG_USE.search(statement.lowered) is not None


def _excepts(case: Case) -> bool:
    """Whether the criterion excepts what the note has."""
    match = _EXCEPTED.search(case.statement.lowered)
    if match is None:
        return False
    excepted = fold(case.statement.lowered[match.end() :])
    contents = [meant for word in excepted if (meant := meaning(word)) is not None]
    return not any(content in case.matches.residue for content in contents)


def is_of_another_type(case: Case) -> bool:
    """Whether a type of diabetes or of hepatitis is meant that the note does not tell."""
    lowered = case.statement.lowered
    lacking = _untold_viruses(case)
    if lacking and (lacking == _viruses(lowered) or _BOTH.search(lowered)):
        return True
    wanted = _types(lowered)
    return bool(wanted) and wanted.isdisjoint(_types(_affirmed(case.view, _TYPE)))


def _affirmed(view: NoteView, pattern: re.Pattern[str]) -> str:
    """Give the note without the places of a pattern that it denies or tells of a relative."""
    told = view.lowered
    for place in view.sightings(pattern.pattern):
        if place.standing != "has":
            told = f"{told[: place.start]}{' ' * (place.end - place.start)}{told[place.end :]}"
    return told


def _untold_viruses(case: Case) -> set[str | None]:
    """Give the viruses of hepatitis a criterion tells and the note does not."""
    viruses = _viruses(case.statement.lowered)
    return viruses and viruses - _viruses(_affirmed(case.view, _VIRUS.pattern))


def _viruses(lowered: str) -> set[str | None]:
    """Give the letters of the viruses of hepatitis a text tells."""
    return {match[match.lastindex or 0] for match in _VIRUS.finditer(lowered)}


def _types(lowered: str) -> set[str]:
    """Give the types of diabetes a text tells, as `1` and `2`."""
    told = {next(filter(None, match.groups())) for match in _TYPE.finditer(lowered)}
    return {{"i": "1", "ii": "2"}.get(each, each) for each in told}


def _tells_operation(statement: ReadStatement, matches: Matches) -> bool:
    """Whether the note tells of the very operation a criterion names."""
    return not matches.residue and matches.has_word and bool(_OPERATION.search(statement.lowered))


def _is_only_planned(case: Case) -> bool:
    """Whether every operation of the criterion that the note tells of is still to come."""
    facts = [
        link.fact
        for hit in case.view.chart.find(case.statement.text)
        for link in hit.links
        if link.fact.holds and link.fact.kind is FactKind.PROCEDURE
    ]
    return bool(facts) and all(is_to_come(fact, case.view) for fact in facts)


def _is_of_a_kind(syndrome: Syndrome, statement: ReadStatement, matches: Matches) -> bool:
    """Whether a kind of a condition is meant: words the note does not have stand before it, or the
    name of another disease right behind it, as in `CMV retinitis`.
    """
    match = syndrome.named.search(statement.lowered)
    if match is None:
        return False
    before = fold(statement.lowered[: match.start()])[-_BEFORE:]
    behind = fold(_WORD_REST.sub("", statement.lowered[match.end() :]))[:1]
    kinds = before + [word for word in behind if _DISEASE.search(word)]
    return any(meaning(word) in matches.residue for word in kinds)


def _is_plain(statement: ReadStatement) -> bool:
    """Whether an exclusion criterion names a thing without a condition on it.

    A trial of a disease excludes kinds and causes of it; those are not the disease itself.
    """
    if statement.speaks_of(*_QUALIFIERS):
        return False
    return _CONDITIONAL.search(statement.lowered) is None


def _is_past_only(case: Case) -> bool:
    """Whether a thing of before is meant, and the note tells of one that is there now."""
    if not _EARLIER.search(case.statement.lowered):
        return False
    facts = [
        link.fact
        for hit in case.view.chart.find(case.statement.text)
        for link in hit.links
        if link.fact.holds
    ]
    return all(fact.assertion is Assertion.PRESENT and fact.kind in _CONDITIONS for fact in facts)


def _of_some_degree(case: Case) -> Decision | None:
    """A condition the note shows, of a degree it does not tell."""
    statement, matches = case.statement, case.matches
    if not (case.exclusion and matches.held):
        return None
    untyped = is_of_another_type(case) and not _types(case.view.lowered)
    if not untyped and not statement.speaks_of("severity"):
        return None
    if len(matches.residue) > 1 or len(statement.contents) > _SHORT:
        return None
    name = matches.held[0].syndrome.name
    return Decision(
        "degree",
        Verdict.UNKNOWN,
        f"The note shows {name}, but not of which degree or type.",
        places(case),
        missing=f"the degree or type of {name}",
    )


def _reason(case: Case) -> str:
    held = case.matches.held
    if held:
        return f"The note shows {held[0].syndrome.name}."
    if case.matches.named:
        first = case.matches.named[0].sighting
        return f"The note tells of {case.view.note.text[first.start : first.end]!r}."
    return "The note tells of what the criterion asks for."
