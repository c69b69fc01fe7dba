"""Criteria that open a list: how many of the list must hold, and in which sense.

"Any of the following:" states nothing by itself, its list does; "none of the following:" turns the
list round; "except for:" lists what does not count. Read from the words of the opening alone.
Inclusion criteria with `or` between them are alternatives without an opening.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set

import msgspec

from trialyst.ctgov.criteria import Criterion, CriterionKind
from trialyst.ctgov.headings import stem_kind
from trialyst.eligibility.times import find_windows

__all__ = ["CriteriaList", "find_alternatives", "find_lists"]

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
    """a about above absence all allergen allergens allergic allergies allergy an and any applies
    apply are as at be been below both by can cannot characteristic characteristics condition
    conditions considered contra contraindication contraindications criteria criterion current
    currently defined do documented does each either eligible enrolled ensure evidence exclude
    excluded excludes excluding exclusion exhibit existing experienced few five follow following
    follows for four from fulfil fulfill fulfilling fulfills had has have having history hyper
    hypersensitivity if in include included includes inclusion indication indications individual
    individuals intolerance intolerances intolerant is it known lack least list listed may
    medical meet meeting meets met more must neither no none not of on one or participant
    participants patient patients people person persons presence present prior reaction
    reactions requirement requirements s satisfied satisfies satisfy satisfying sensitivity
    should show shown some study subject subjects such suffering that the their them these they
    this those three to trial two unless volunteer volunteers was were which who whom will with
    without 1 2 3 4 5""".split()
)
"""Words that say nothing of a patient by themselves, or bind each member of the list."""


class CriteriaList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A list below a criterion, by the places of its criteria."""

    parent: int
    children: tuple[int, ...]
    needed: int
    """How many must hold for what the list states."""
    each: bool = False
    """Whether each child counts by itself, as the aggregate takes it anyway."""
    bare: bool = False
    """Whether the opening says nothing itself, so that nobody need judge it."""
    defines: bool = False
    """Whether the list says what the opening means."""
    spelled: bool = False
    """Whether the opening points to its list in words."""
    negated: bool = False
    """Whether it names what is to be absent; its members are read so, by their opening."""
    exceptions: bool = False
    unread: bool = False
    """Whether the words leave open what of the list must hold."""

    @property
    def changed(self) -> frozenset[int]:
        """The places whose verdicts the list may change."""
        kept = self.each and not (self.exceptions or self.unread)
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
    """Whether an opening states nothing but what its members are read with."""
    for window in reversed(find_windows(text)):
        text = f"{text[: window.start]} {text[window.end :]}"
    return all(word in _INTRODUCING for word in _WORD.findall(text.lower()))


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


def find_alternatives(
    criteria: Sequence[Criterion], *, listed: Set[int] = frozenset()
) -> list[tuple[int, ...]]:
    """Give the places of the inclusion criteria that are alternatives to each other.

    Args:
        listed: places that something else settles.

    >>> from trialyst.ctgov.criteria import split_criteria
    >>> find_alternatives(split_criteria("Inclusion:\\n* asthma; or\\n* COPD\\n* adult"))
    [(0, 1)]
    """
    groups: list[tuple[int, ...]] = []
    joined: list[int] = []
    for place, criterion in enumerate(criteria):
        if criterion.kind is not CriterionKind.INCLUSION or place in listed:
            continue
        joined.append(place)
        if criterion.joined is None:
            groups.append(tuple(joined))
            joined = []
    return [group for group in (*groups, tuple(joined)) if len(group) > 1]
