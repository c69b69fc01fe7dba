"""Criteria that open a list: how many of the list must hold, and in which sense.

"Any of the following:" states nothing by itself, its list does; "none of the following:" turns the
list round; "except for:" lists what does not count. Read from the words of the opening alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trialyst.ctgov.criteria import Criterion, CriterionKind
from trialyst.ctgov.headings import stem_kind
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.openings import read_frame

__all__ = ["CriteriaList", "find_lists", "set_apart", "set_list_apart", "settle_list"]

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_THINGS = r"(?:the |these )?(?:[\w-]+ ){0,3}?(?:following|below|criteria|conditions)"
_COUNTED = re.compile(
    r"\b(one|two|three|four|five|[1-5])(?: ?\(\d\))?(?: or more| or both| of more)? of "
    rf"(?:{_THINGS}|:)",
    re.IGNORECASE,
)
_ANY = re.compile(
    rf"\b(?:any|either|some)(?: of)? {_THINGS}|\b(?:either|any) of:"
    r"|\b(?:such as|including|includes?|e\.g\.|for example)\b[^:]*:?$",
    re.IGNORECASE,
)
_ALL = re.compile(rf"\b(?:all|both|each)(?: of)? {_THINGS}|\b(?:all|both) of:", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?:except(?:ing|ions?|ed)?|unless|other than|apart from|excluding|not including)\b"
    r"[^.;:]*:?$",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:no|not|never|none|without|neither|absence|lack|cannot)\b"
    r"(?! (?:more|less|fewer|later|earlier|greater|limited|only|necessarily|exceeding)\b)",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\b(?:following|below|of|with|for|in|to|by|from|have|has|had|any|be|criteria|conditions):?$"
    r"|\bfollowing\b[^:;.]*:?$",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:defined (?:as|by)|as follows|evidenced by|demonstrated by|documented by|determined by"
    r"|based on|indicated by|shown by|as measured by|meaning)\b[^:]*:?$",
    re.IGNORECASE,
)
_SPELLED = re.compile(r"\b(?:following|below|listed)\b|\bof:?$", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:and|but|who|least|unless|if)\b|[,;]", re.IGNORECASE)
_AT_MOST = re.compile(
    r"\b(?:no|not) more than\b|\b(?:at most|fewer than|less than|only|exactly) (?:one|two|three"
    r"|[1-5])\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+|\d+", re.IGNORECASE)
_INTRODUCING = frozenset(
    """a about above absence all an and any apply applies are as at be been below both by can
    cannot characteristic characteristics condition conditions considered criteria criterion current
    currently defined documented does do each either eligible enrolled ensure evidence exclude
    excluded excludes excluding exclusion exhibit existing experienced few five follow following
    follows for four from fulfil fulfill fulfilling fulfills had has have having history if in
    include included includes inclusion individual individuals is it known lack least list listed
    may medical meet meeting meets met more must neither no none not of on one or participant
    participants patient patients people person persons presence present prior requirement
    requirements s satisfied satisfies satisfy satisfying should show shown some study subject
    subjects such suffering that the their them these they this those three to trial two unless
    volunteer volunteers was were which who whom will with without 1 2 3 4 5""".split()
)
"""Words that say nothing of a patient by themselves."""


@dataclass(frozen=True, slots=True)
class CriteriaList:
    """A list below a criterion, by the places of its criteria."""

    parent: int
    children: tuple[int, ...]
    needed: int
    """How many must hold for what the list states."""
    each: bool
    """Whether each child counts by itself, as the aggregate takes it anyway."""
    bare: bool
    """Whether the opening says nothing itself, so that nobody need judge it."""
    defines: bool
    """Whether the list says what the opening means."""
    spelled: bool
    """Whether the opening points to its list in words."""
    negated: bool
    """Whether it names what is to be absent."""
    exceptions: bool
    unread: bool
    """Whether the words leave open what of the list must hold."""

    @property
    def changed(self) -> frozenset[int]:
        """The places whose verdicts the list may change."""
        kept = self.each and not (self.negated or self.exceptions or self.unread)
        return frozenset((self.parent,) if kept else (self.parent, *self.children))


def find_lists(criteria: Sequence[Criterion]) -> list[CriteriaList]:
    """Give the lists below criteria, the innermost first.

    >>> from trialyst.ctgov.criteria import split_criteria
    >>> (found,) = find_lists(split_criteria("Inclusion:\\n* Any of:\\n  * asthma\\n  * COPD"))
    >>> found.children, found.needed, found.bare
    ((1, 2), 1, True)
    """
    below: defaultdict[int, list[int]] = defaultdict(list)
    for place, criterion in enumerate(criteria):
        parent = criterion.parent
        if (
            parent is not None
            and criteria[parent].kind is criterion.kind is not CriterionKind.OTHER
        ):
            below[parent].append(place)
    return [
        _read_list(criteria[parent], parent, tuple(below[parent]))
        for parent in sorted(below, reverse=True)
    ]


def _read_list(opening: Criterion, parent: int, children: tuple[int, ...]) -> CriteriaList:
    text = opening.plain.rstrip(" .-–")
    excludes = opening.kind is CriterionKind.EXCLUSION
    exceptions = _EXCEPT.search(text) is not None
    opens = text.endswith(":") or _OPENS.search(text) is not None
    negated = opens and not exceptions and _is_negated(text, excludes=excludes)
    needed = len(children) if negated else _needed(text, len(children), excludes=excludes)
    return CriteriaList(
        parent=parent,
        children=children,
        needed=needed,
        each=needed == (1 if excludes else len(children)),
        bare=opens and not exceptions and _only_introduces(text),
        defines=_DEFINES.search(text) is not None,
        spelled=_SPELLED.search(text) is not None,
        negated=negated,
        exceptions=exceptions,
        # "Exclusion: none of the following" is written by those who mean it either way.
        unread=_AT_MOST.search(text) is not None or (negated and excludes),
    )


def _only_introduces(text: str) -> bool:
    """Whether an opening states nothing but what its members are judged with."""
    rest = text.lower()
    for words in read_frame(text) or ():
        rest = rest.replace(words.lower(), " ", 1) if words else rest
    return all(word in _INTRODUCING for word in _WORD.findall(rest))


def _is_negated(text: str, *, excludes: bool) -> bool:
    """Say whether the words deny the list, and not something before it."""
    if excludes and stem_kind(text) is CriterionKind.EXCLUSION:
        # "Must not have:" made exclusion criteria of its list already.
        return False
    denial = _NOT.search(text)
    return denial is not None and _TURNS.search(text, denial.end()) is None


def _needed(text: str, size: int, *, excludes: bool) -> int:
    counted = _COUNTED.search(text)
    if counted:
        number = counted.group(1).lower()
        return min(_NUMBERS.get(number) or int(number), size)
    if _ALL.search(text):
        return size
    return 1 if excludes or _ANY.search(text) else size


def _count(results: Sequence[CriterionResult], needed: int) -> Verdict:
    """Say whether so many of some statements hold."""
    met = sum(result.verdict is Verdict.MET for result in results)
    failed = sum(result.verdict is Verdict.NOT_MET for result in results)
    if met >= needed:
        return Verdict.MET
    return Verdict.NOT_MET if len(results) - failed < needed else Verdict.UNKNOWN


def settle_list(settled: list[CriterionResult], found: CriteriaList) -> None:
    """Give an opening what its list comes to, and take back what the list makes good."""
    if found.exceptions:
        _settle_exceptions(settled, found)
        return
    if found.unread:
        _leave_open(settled, found)
        return
    if found.negated:
        for place in found.children:
            settled[place] = _turned(settled[place])
    _settle_members(settled, found)


def set_list_apart(settled: list[CriterionResult], found: CriteriaList) -> None:
    """Set a list apart whose opening does not concern the patient, or need not hold."""
    own = settled[found.parent]
    if found.exceptions or _speaks(own) or own.applicability is not Applicability.NOT_APPLICABLE:
        return
    for place in found.children:
        result = settled[place]
        if result.disqualifies or (result.verdict is Verdict.UNKNOWN and _speaks(result)):
            settled[place] = set_apart(result, "What opens its list does not count here.")


def _settle_members(settled: list[CriterionResult], found: CriteriaList) -> None:
    listed = [settled[place] for place in found.children]
    every = found.needed == len(listed)
    counted = [each for each in listed if _speaks(each)] if every else listed
    verdict = _count(counted, len(counted) if every else found.needed)
    if not counted:
        verdict = Verdict.UNKNOWN
    own = settled[found.parent]
    if found.bare or _decides(found, own, verdict):
        settled[found.parent] = _come_to(own, found, counted or listed, verdict)
    if not found.each:
        for place in found.children:
            settled[place] = _made_good(settled[place], verdict)


def _decides(found: CriteriaList, own: CriterionResult, verdict: Verdict) -> bool:
    """Whether a list decides an opening that says something itself."""
    if found.defines and own.verdict is Verdict.UNKNOWN:
        return True
    # Who has none of what the list names does not have what it specifies.
    narrowed = own.criterion_type is CriterionKind.EXCLUSION and (found.defines or found.spelled)
    return narrowed and own.verdict is not Verdict.NOT_MET and verdict is not Verdict.MET


def _speaks(result: CriterionResult) -> bool:
    """Whether a result says something of this patient."""
    return result.verdict is not Verdict.UNKNOWN or result.applicability is Applicability.APPLIES


def _turned(result: CriterionResult) -> CriterionResult:
    other = {Verdict.MET: Verdict.NOT_MET, Verdict.NOT_MET: Verdict.MET}
    if result.verdict not in other:
        return result
    return replace(
        result,
        verdict=other[result.verdict],
        reasoning=f"Its list names what is to be absent. {result.reasoning}",
    )


def _come_to(
    own: CriterionResult,
    found: CriteriaList,
    counted: Sequence[CriterionResult],
    verdict: Verdict,
) -> CriterionResult:
    deciding = [each for each in counted if each.verdict is verdict]
    # What rests on many is as sure as the least sure of them; one that is enough tells by itself.
    many = (found.needed > 1) is (verdict is Verdict.MET)
    pick = min if many and verdict is not Verdict.UNKNOWN else max
    telling = pick(deciding, key=lambda each: (_speaks(each), each.confidence))
    return replace(
        own,
        verdict=verdict,
        confidence=telling.confidence,
        applicability=telling.applicability,
        sentences=telling.sentences,
        quotes=telling.quotes,
        reasoning=f"Its list decides: {_words(found, len(counted))}. {telling.reasoning}",
        missing=telling.missing,
    )


def _words(found: CriteriaList, size: int) -> str:
    hold = "be absent" if found.negated else "hold"
    if size == 1:
        return f"its one member must {hold}"
    if found.needed == 1:
        return f"one of {size} is enough"
    return f"all {size} must {hold}" if found.needed >= size else f"{found.needed} of {size} must"


def _made_good(result: CriterionResult, verdict: Verdict) -> CriterionResult:
    """Take back a verdict that does not decide the list it stands in."""
    if result.criterion_type is CriterionKind.EXCLUSION:
        if verdict is Verdict.MET or result.verdict is not Verdict.MET:
            return result
        return set_apart(result, "It holds, but excludes only with others of its list.")
    if verdict is Verdict.MET and result.verdict is not Verdict.MET:
        return set_apart(result, "An alternative to it holds.")
    if verdict is Verdict.UNKNOWN and result.verdict is Verdict.NOT_MET:
        return set_apart(result, "It does not hold, but an alternative may.")
    return result


def _settle_exceptions(settled: list[CriterionResult], found: CriteriaList) -> None:
    own = settled[found.parent]
    listed = [settled[place] for place in found.children]
    holding = next((each for each in listed if each.verdict is Verdict.MET), None)
    if own.disqualifies and holding is not None:
        settled[found.parent] = replace(
            own,
            verdict=Verdict.UNKNOWN,
            sentences=holding.sentences,
            quotes=holding.quotes,
            reasoning=f"An exception seems to hold: {holding.criterion}. {own.reasoning}",
            missing=f"whether the exception applies: {holding.criterion}",
        )
    for place, result in zip(found.children, listed, strict=True):
        settled[place] = set_apart(result, "It names an exception.")


def _leave_open(settled: list[CriterionResult], found: CriteriaList) -> None:
    own = settled[found.parent]
    settled[found.parent] = replace(
        own,
        verdict=Verdict.UNKNOWN,
        applicability=Applicability.APPLIES,
        reasoning="How much of its list must hold cannot be told from its words.",
        missing=f"what of this list holds: {own.criterion}",
    )
    for place in found.children:
        result = settled[place]
        told = "holds" if result.verdict is Verdict.MET else "does not hold"
        known = "It is open." if result.verdict is Verdict.UNKNOWN else f"It {told}."
        settled[place] = set_apart(result, f"What its list asks for cannot be told. {known}")


def set_apart(result: CriterionResult, why: str) -> CriterionResult:
    """Give a result that neither keeps a patient out nor has to be settled, with the reason."""
    return replace(
        result,
        verdict=Verdict.UNKNOWN,
        applicability=Applicability.NOT_APPLICABLE,
        reasoning=f"{why} {result.reasoning}",
        missing=None,
    )
