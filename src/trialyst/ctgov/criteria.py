"""Eligibility text to criteria: each statement with its kind, its group and its place in the text.

Owns the layout of free text: headings, lists, nesting, run-on paragraphs. A criterion is always a
span of the record's own text; nothing is invented, and no word is lost. What a criterion means is
not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from trialyst.ctgov.headings import (
    CriterionKind,
    Heading,
    find_headings,
    read_heading,
    stem_kind,
)
from trialyst.ctgov.marks import find_breaks, read_mark

__all__ = [
    "Criterion",
    "CriterionKind",
    "Outline",
    "outline_criteria",
    "split_criteria",
    "without_escapes",
]

Span = tuple[int, int]

_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|~^=&$])")
_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_INDENT = re.compile(r"\s*")
_WORD = re.compile(r"\w")
_NOTE = re.compile(
    r"(?:no eligibility criteria|(?:please )?contact (?:the )?(?:site|sponsor)\b.*"
    r"|(?:please )?(?:see|refer to)\b.*\bprotocol\b.*"
    r"|(?:note:? )?(?:there may be )?other\b.{0,60}\bcriteri(?:a|on)\b"
    r".{0,60}\b(?:apply|applied)\b.*)",
    re.IGNORECASE,
)
_LONGEST_NOTE = 160
_LONGEST_JOIN = 16
_COHORT = re.compile(
    r"\b(?:cohorts?|groups?|arms?|parts?|phase|stage|strat(?:um|a)|volunteers?|controls?|donors?"
    r"|caregivers?|parents?|healthy|recipients?)\b",
    re.IGNORECASE,
)
_JOINING = re.compile(r"[\s,;]+((?:and/)?or)[\s.,;:]*$", re.IGNORECASE)
_UNFINISHED = re.compile(r"[,(\-–/]\s*$|\b(?:and|or|of|with|the|a|in|to)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One eligibility statement."""

    kind: CriterionKind
    text: str
    """The record's own text from `start` to `end`."""
    start: int
    end: int
    position: int
    """Rank among the criteria of the same kind, from 1."""
    group: str | None = None
    """The sub-heading it stands under, such as a cohort."""
    parent: int | None = None
    """Index of the statement that opens the list it stands in."""
    depth: int = 0
    joined: str | None = None
    """`or` or `and/or`, where that stood behind it: the next one of its list is an alternative."""

    @property
    def plain(self) -> str:
        """The text on one line, without markdown escapes."""
        return " ".join(without_escapes(self.text).split())


def without_escapes(text: str) -> str:
    r"""Give a text of a record without the backslashes that markdown wants before signs.

    >>> without_escapes(r"5 to \< 12 years \[PD-1\]")
    '5 to < 12 years [PD-1]'
    """
    return _ESCAPE.sub(r"\1", text)


@dataclass(frozen=True, slots=True)
class Outline:
    """Criteria with what stands between them; together they hold every word of the text."""

    criteria: tuple[Criterion, ...]
    headings: tuple[Heading, ...]
    marks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    start: int
    end: int
    indent: int
    style: str
    """The shape of its mark; empty for a paragraph."""
    joined: str | None = None


_Part = _Item | Heading


def split_criteria(text: str) -> tuple[Criterion, ...]:
    """Split an eligibility text into criteria, in the order of the text.

    Without any heading, statements are inclusion criteria: they say who may take part.

    >>> [(c.kind.value, c.text) for c in split_criteria("Inclusion: adult. Exclusion: asthma")]
    [('inclusion', 'adult.'), ('exclusion', 'asthma')]
    """
    return outline_criteria(text).criteria


def outline_criteria(text: str) -> Outline:
    """Split an eligibility text into criteria, headings and the marks of lists."""
    marks: list[Span] = []
    parts = _with_groups(text, _read_parts(text, marks))
    parts = list(_with_run_ons_split(text, parts, marks))
    parts = list(_with_joins_told(text, parts, marks))
    headings = tuple(part for part in parts if isinstance(part, Heading))
    return Outline(_criteria(text, parts), headings, tuple(sorted(marks)))


def _read_parts(text: str, marks: list[Span]) -> list[_Part]:
    parts: list[_Part] = []
    pending = ""
    last_end = -1
    for line in _LINE.finditer(text):
        start, end = _trimmed(text, line.start(), line.end())
        if start == end:
            continue
        indent = len(line.group()[: start - line.start()].expandtabs(4))
        mark = read_mark(text, start, end)
        follows = not mark and _breaks_between(text, last_end, start) == 1
        body = mark.end if mark else start
        style = mark.style if mark else pending
        pending = ""
        if mark:
            marks.append((start, body))
        last_end = end
        if body >= end:
            pending = style
        elif not (follows and _continues(text, parts, body, indent)):
            _read_line(text, _Item(body, end, indent, style), parts, marks)
        else:
            last = parts.pop()
            parts.append(replace(last, end=end))
    return parts


def _breaks_between(text: str, start: int, end: int) -> int:
    return text.count("\n", start, end) if start >= 0 else 0


def _continues(text: str, parts: Sequence[_Part], start: int, indent: int) -> bool:
    """Whether a line without a mark goes on with the item above it."""
    if not parts or not isinstance(parts[-1], _Item):
        return False
    last = parts[-1]
    if last.style and indent > last.indent:
        return True
    tail = text[max(last.start, last.end - 20) : last.end]
    return text[start].islower() or bool(_UNFINISHED.search(tail))


def _read_line(text: str, item: _Item, parts: list[_Part], marks: list[Span]) -> None:
    """Take a line apart where headings stand in it."""
    start, style = item.start, item.style
    opening = read_heading(text, start, item.end, listed=bool(style))
    if opening:
        parts.append(opening)
        start, style = _after_mark(text, opening.end, item.end, marks)
    for heading in find_headings(text, start, item.end):
        _add_item(text, _Item(start, heading.start, item.indent, style), parts)
        parts.append(heading)
        start, style = _after_mark(text, heading.end, item.end, marks)
    _add_item(text, _Item(start, item.end, item.indent, style), parts)


def _add_item(text: str, item: _Item, parts: list[_Part]) -> None:
    start, end = _trimmed(text, item.start, item.end)
    if _WORD.search(text, start, end):
        parts.append(_Item(start, end, item.indent, item.style))


def _after_mark(text: str, start: int, end: int, marks: list[Span]) -> tuple[int, str]:
    """Where the text behind a heading starts, and the style of the mark before it."""
    start, _ = _trimmed(text, start, end)
    mark = read_mark(text, start, end)
    if not mark:
        return start, ""
    marks.append((start, mark.end))
    return mark.end, mark.style


def _trimmed(text: str, start: int, end: int) -> Span:
    found = _INDENT.match(text, start, end)
    start = found.end() if found else start
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _with_groups(text: str, parts: list[_Part]) -> list[_Part]:
    """Turn short paragraphs that name a cohort, right above a list, into headings."""
    found: list[_Part] = []
    for index, part in enumerate(parts):
        below = parts[index + 1] if index + 1 < len(parts) else None
        if (
            isinstance(part, _Item)
            and isinstance(below, _Item)
            and not part.style
            and below.style
            and _names_cohort(text[part.start : part.end])
        ):
            found.append(
                Heading(part.start, part.end, None, text[part.start : part.end], section=False)
            )
        else:
            found.append(part)
    return found


def _names_cohort(line: str) -> bool:
    return (
        len(line) < 80
        and len(line.split()) <= 8
        and line[:1].isupper()
        and line[-1].isalnum()
        and ":" not in line
        and bool(_COHORT.search(line))
    )


def _with_run_ons_split(text: str, parts: Sequence[_Part], marks: list[Span]) -> Iterator[_Part]:
    """Split items that hold a list in themselves."""
    for index, part in enumerate(parts):
        if isinstance(part, Heading):
            yield part
            continue
        near = (*parts[max(0, index - 1) : index], *parts[index + 1 : index + 2])
        alone = not any(isinstance(other, _Item) for other in near)
        yield from _split_item(text, part, marks, alone=alone)


def _split_item(text: str, item: _Item, marks: list[Span], *, alone: bool) -> Iterator[_Item]:
    breaks = find_breaks(text, item.start, item.end, style=item.style, alone=alone)
    start, indent = item.start, item.indent
    for sign_start, sign_end in (*breaks, (item.end, item.end)):
        piece = _trimmed(text, start, sign_start)
        if _WORD.search(text, *piece):
            yield _Item(*piece, indent, item.style)
            if start == item.start and sign_end > sign_start and text[piece[1] - 1] == ":":
                indent += 1
        if sign_end > sign_start:
            marks.append((sign_start, sign_end))
        start = sign_end


def _with_joins_told(text: str, parts: Sequence[_Part], marks: list[Span]) -> Iterator[_Part]:
    """Take the `or` that leads on to the next item out of the item it stands at the end of."""
    for part, below in zip_longest(parts, parts[1:]):
        if isinstance(part, _Item) and isinstance(below, _Item):
            found = _JOINING.search(text, max(part.start, part.end - _LONGEST_JOIN), part.end)
            if found and _WORD.search(text, part.start, found.start()):
                marks.append((found.start(1), part.end))
                yield replace(part, end=found.start(), joined=found.group(1).lower())
                continue
        yield part


def _criteria(text: str, parts: Sequence[_Part]) -> tuple[Criterion, ...]:
    found: list[Criterion] = []
    counts = dict.fromkeys(CriterionKind, 0)
    section = _kind_before(parts)
    kind, group = section, None
    listing = False
    open_items: list[tuple[_Item, int]] = []
    for part in parts:
        if isinstance(part, Heading):
            section = part.kind if part.section and part.kind else section
            kind = part.kind or section
            group, listing = part.group, False
            open_items.clear()
            continue
        if listing and not part.style:
            kind, listing = section, False
        listing = listing or bool(part.style)
        parent = _parent_of(text, part, open_items)
        body = text[part.start : part.end]
        own = _own_kind(body, kind, found[parent] if parent is not None else None)
        counts[own] += 1
        open_items.append((part, len(found)))
        found.append(
            Criterion(
                kind=own,
                text=body,
                start=part.start,
                end=part.end,
                position=counts[own],
                group=group,
                parent=parent,
                depth=len(open_items) - 1,
                joined=part.joined,
            )
        )
    return tuple(found)


def _kind_before(parts: Sequence[_Part]) -> CriterionKind:
    """The kind of what stands above the first heading: an introduction, or who may take part."""
    kinds = (part.kind for part in parts if isinstance(part, Heading) and part.section)
    first = next((kind for kind in kinds if kind), None)
    return CriterionKind.OTHER if first is CriterionKind.INCLUSION else CriterionKind.INCLUSION


def _own_kind(body: str, kind: CriterionKind, parent: Criterion | None) -> CriterionKind:
    if len(body) <= _LONGEST_NOTE and _NOTE.match(body):
        return CriterionKind.OTHER
    inherited = parent.kind if parent else kind
    return stem_kind(body) or inherited if len(body) <= _LONGEST_NOTE else inherited


def _parent_of(text: str, item: _Item, open_items: list[tuple[_Item, int]]) -> int | None:
    """Close the items that end before this one, and give the index of the one it stands under."""
    while open_items and open_items[-1][0].indent > item.indent:
        open_items.pop()
    level = [near.style for near, _ in open_items if near.indent == item.indent]
    if item.style in level:
        while open_items[-1][0].style != item.style:
            open_items.pop()
        open_items.pop()
    elif level and text[open_items[-1][0].end - 1] != ":":
        del open_items[-len(level) :]
    return open_items[-1][1] if open_items else None
