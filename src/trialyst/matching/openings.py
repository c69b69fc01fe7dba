"""What an opening says of each member of its list, put beside the member for the judge.

`Stroke` under `Any of the following within 6 months:` asks for a stroke within 6 months, and
`Penicillin` under `Allergy to any of:` for an allergy. Only words that bind every member are taken:
a time, a history, an allergy. What is shown stays the record's own text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.criteria import Criterion
from trialyst.matching.judging.periods import find_times

if TYPE_CHECKING:
    from trialyst.matching.lists import CriteriaList

__all__ = ["Frame", "frame_members", "read_frame"]

_POINTER = (
    r"(?:(?:at least )?(?:any|either|both|all|some|one|two|three|[1-5])(?: \(\d\))?(?: or more)?\b"
    r"(?: of)?)?\s*(?:the |these )?(?:(?:[\w-]+ )?(?:following|below)"
    r"(?: (?!within|in|during|over|prior|before|at)[\w/-]+){0,3})?"
)
_BINDING = (
    r"(?:family )?history of|allerg(?:y|ies|ic|ic reactions?) (?:to|against)"
    r"|(?:hyper-?sensitivity|intoleran(?:ce|t)|contra-?indications?|sensitivity) (?:to|for)"
)
_FRAME = re.compile(
    rf"^(?:[\w/'-]+,? ){{0,8}}?(?P<before>{_BINDING})\s*{_POINTER}\s*(?P<after>[^:;.()]*?)\s*:?$",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:following|below)\b|\b(?:any|one|either|all) of\b|:$", re.IGNORECASE)
_HANGING = re.compile(
    r"(?:of|to|in|on|from|due to|caused by|involving|requiring|within|lasting"
    r"|for (?:at least|more))\s"
)
_REMARK = re.compile(
    r"(?:note|allowed|exceptions?|except|e\.g|i\.e|including|wom[ae]n|females?|pregnan\w*|patients?"
    r"|subjects?|participants?|who|must|any|inability|unable)\b",
    re.IGNORECASE,
)
"""How something begins that says by itself whom it concerns, list or not."""
_MEASURED = re.compile(
    r"[<>=\u2264\u2265]|\b(?:less|more|greater|fewer|least|above|below|normal)\b"
)
"""What a window before it says when to measure, not when it was so."""
_ASIDE = re.compile(r"\([^()]*\)")
_EDGES = " .;:,"
_LONGEST = 12
"""Words of a member beyond which it says by itself what it asks for."""
_SHORT = 5
"""Words of a heading on which members may hang."""
_DURING = 4
"""Letters from an end of an opening within which a time binds its list."""


class Frame(NamedTuple):
    """Words that bind every member of a list."""

    before: str = ""
    """`Allergy to`, `history of`."""
    within: str = ""
    """A time, such as `within 6 months`."""

    def around(self, member: str) -> str:
        """Give a member with the words that bind it."""
        text = member.strip(_EDGES)
        lowered = text.lower()
        bound = _MEASURED.search(lowered) or find_times(lowered)
        within = "" if bound else self.within
        before = "" if _says(text, self.before) else self.before
        return " ".join(filter(None, (before, text, within))) if before or within else member


def _says(member: str, before: str) -> bool:
    """Whether a member has the binding word itself."""
    words = before.lower().split()
    return any(word in member.lower() for word in words if len(word) > len("with"))


_NOTHING = Frame()


def frame_members(criteria: Sequence[Criterion], lists: Sequence[CriteriaList]) -> dict[int, str]:
    """Give, by place, what members of lists ask for beyond their own words.

    >>> from trialyst.ctgov.criteria import split_criteria
    >>> from trialyst.matching.lists import find_lists
    >>> read = split_criteria("Exclusion:\\n* Any of the following within 6 months:\\n  * stroke")
    >>> frame_members(read, find_lists(read))
    {1: 'stroke within 6 months'}
    """
    texts: dict[int, str] = {}
    frames: dict[int, Frame] = {}
    for found in sorted(lists, key=lambda each: each.parent):
        opening = criteria[found.parent].plain.rstrip(" .-–")
        frame = frames.get(found.parent, _NOTHING)
        if not (found.exceptions or found.unread):
            frame = read_frame(opening) or frame
        for place in found.children:
            frames[place] = frame
            text = _framed(criteria[place].plain, frame, opening)
            if text != criteria[place].plain:
                texts[place] = text
    return texts


def _framed(member: str, frame: Frame, opening: str) -> str:
    if len(member.split()) > _LONGEST or _REMARK.match(member):
        return member
    heading = opening.strip(_EDGES)
    if _HANGING.match(member) and len(heading.split()) <= _SHORT and not _POINTS.search(heading):
        return f"{heading} {member.strip(_EDGES)}"
    return frame.around(member) if frame != _NOTHING else member


def read_frame(opening: str) -> Frame | None:
    """Read what an opening says of each of its members, None where it says nothing.

    >>> read_frame("Known allergy to any of the following drugs:")
    Frame(before='allergy to', within='')
    """
    match = _FRAME.match(opening)
    within = _find_window(opening)
    if match is None or (match["after"].strip() and match["after"].strip() not in within):
        return Frame(within=within) if within and _POINTS.search(opening) else None
    return Frame(match["before"], within)


def _find_window(opening: str) -> str:
    """Give the time at the beginning or the end of an opening in which its members must be."""
    text = _ASIDE.sub(" ", opening).strip(_EDGES)
    for time in find_times(text.lower()):
        at_end = len(text) - time.end < _DURING
        if time.within and (time.start < _DURING or at_end):
            return text[time.start : time.end].strip(_EDGES).lower()
    return ""
