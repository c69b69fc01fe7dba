"""An eligibility text as read: each criterion with its opening, its list and its requirement.

The registry keeps this, matching judges it and the command line shows it. `to_demands` joins lists
and alternatives into whole requirements, each of which a patient has to fulfil by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from trialyst.ctgov.criteria import Criterion, CriterionKind, split_criteria
from trialyst.eligibility.criterion_lists import CriteriaList, find_alternatives, find_lists
from trialyst.eligibility.requirement import (
    All,
    AnyOf,
    AtLeast,
    Except,
    Opaque,
    Requirement,
)

__all__ = [
    "Demand",
    "Parser",
    "ReadCriterion",
    "Structure",
    "decode_criteria",
    "encode_criteria",
    "read_eligibility",
    "read_structure",
    "structure_of",
    "to_demands",
]


class Parser(Protocol):
    """Whatever reads a criterion."""

    def parse(
        self, text: str, *, opening: str | None = None, excludes: bool = False
    ) -> Requirement:
        """Give what a criterion demands; `opening` is the statement above its list."""
        ...


class ReadCriterion(msgspec.Struct, frozen=True):
    """A criterion as understood."""

    criterion: Criterion
    requirement: Requirement
    opening: str | None = None
    """The statement above its list, where that binds it."""
    opens: CriteriaList | None = None
    """The list below it."""
    alternatives: tuple[int, ...] = ()
    """Places of the inclusion criteria of which one is enough, its own among them."""


class Structure(NamedTuple):
    """How the criteria of a text hang together."""

    criteria: tuple[Criterion, ...]
    lists: list[CriteriaList]
    """The innermost first."""
    alternatives: list[tuple[int, ...]]
    openings: Mapping[int, str]
    """By the place of a criterion, the statement above its list that binds it."""


class Demand(NamedTuple):
    """What a patient has to fulfil by itself: a criterion, or a list of them as a whole."""

    kind: CriterionKind
    requirement: Requirement
    places: tuple[int, ...]
    """The criteria it was made of."""


def read_eligibility(text: str, parser: Parser) -> tuple[ReadCriterion, ...]:
    """Read an eligibility text, in the order of the text."""
    criteria, lists, groups, openings = read_structure(text)
    below = {found.parent: found for found in lists}
    group_of = {place: group for group in groups for place in group}
    return tuple(
        ReadCriterion(
            criterion,
            parser.parse(
                criterion.plain,
                opening=openings.get(place),
                excludes=criterion.kind is CriterionKind.EXCLUSION,
            ),
            openings.get(place),
            below.get(place),
            group_of.get(place, ()),
        )
        for place, criterion in enumerate(criteria)
    )


def read_structure(text: str) -> Structure:
    """Read how the criteria of a text hang together, without what they demand."""
    criteria = split_criteria(text)
    lists = find_lists(criteria)
    # A list settles its own members, whatever `or` stands between them.
    listed = {place for each in lists for place in each.changed - {each.parent}}
    openings = {
        place: criteria[found.parent].plain
        for found in lists
        if not (found.exceptions or found.unread)
        for place in found.children
    }
    return Structure(criteria, lists, find_alternatives(criteria, listed=listed), openings)


def structure_of(read: Sequence[ReadCriterion]) -> Structure:
    """Give how criteria that were read hang together."""
    lists = [each.opens for each in read if each.opens is not None]
    return Structure(
        tuple(each.criterion for each in read),
        sorted(lists, key=lambda found: found.parent, reverse=True),
        list(dict.fromkeys(each.alternatives for each in read if each.alternatives)),
        {place: each.opening for place, each in enumerate(read) if each.opening is not None},
    )


def to_demands(read: Sequence[ReadCriterion]) -> tuple[Demand, ...]:
    """Join lists and alternatives, so that each demand can be evaluated by itself.

    Remarks that are neither inclusion nor exclusion demand nothing.
    """
    return _Joining(read).demands()


class _Joining:
    def __init__(self, read: Sequence[ReadCriterion]) -> None:
        self._read = read
        self._listed = {
            place for each in read if each.opens is not None for place in each.opens.children
        }

    def demands(self) -> tuple[Demand, ...]:
        found: list[Demand] = []
        for place, each in enumerate(self._read):
            if each.criterion.kind is CriterionKind.OTHER or place in self._listed:
                continue
            group = [other for other in each.alternatives if other not in self._listed]
            if not group:
                found.append(Demand(each.criterion.kind, self._whole(place), self._below(place)))
            elif group[0] == place:
                parts = tuple(self._whole(other) for other in group)
                places = tuple(below for other in group for below in self._below(other))
                found.append(Demand(each.criterion.kind, AnyOf(parts=parts), places))
        return tuple(found)

    def _below(self, place: int) -> tuple[int, ...]:
        opens = self._read[place].opens
        children = opens.children if opens is not None else ()
        return (place, *(below for child in children for below in self._below(child)))

    def _whole(self, place: int) -> Requirement:
        """Give what a criterion demands together with its list."""
        own, opens = self._read[place].requirement, self._read[place].opens
        if opens is None:
            return own
        if opens.unread:
            return Opaque(words=self._read[place].criterion.plain)
        if opens.exceptions:
            return Except(of=own, but=AnyOf(parts=tuple(map(self._whole, opens.children))))
        listed = self._listed_below(opens)
        if opens.bare:
            return listed
        if self._read[place].criterion.kind is CriterionKind.INCLUSION:
            return All(parts=(own, listed))
        # Who has none of what the list names does not have what it specifies.
        narrowed = opens.defines or opens.spelled
        return listed if narrowed else AnyOf(parts=(own, listed))

    def _listed_below(self, opens: CriteriaList) -> Requirement:
        parts: list[Requirement] = []
        joined: set[int] = set()
        for place in opens.children:
            group = self._read[place].alternatives
            if place in joined:
                continue
            if group and opens.needed == len(opens.children):
                joined.update(group)
                parts.append(AnyOf(parts=tuple(map(self._whole, group))))
            else:
                parts.append(self._whole(place))
        if opens.needed == len(opens.children):
            return All(parts=tuple(parts))
        if opens.needed == 1:
            return AnyOf(parts=tuple(parts))
        return AtLeast(count=opens.needed, parts=tuple(parts))


class _Stored(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A criterion as it is kept: the words stay in the record."""

    kind: int
    start: int
    end: int
    requirement: Requirement
    parent: int | None = None
    depth: int = 0
    opens: CriteriaList | None = None
    alternatives: tuple[int, ...] = ()
    bound: bool = False
    """Whether the statement above its list binds it."""
    joined: str | None = None
    group: str | None = None


_KINDS = tuple(CriterionKind)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[_Stored, ...])


def encode_criteria(read: Sequence[ReadCriterion]) -> bytes:
    """Give criteria as they are stored, without the words of the text."""
    return _encoder.encode(
        [
            _Stored(
                _KINDS.index(each.criterion.kind),
                each.criterion.start,
                each.criterion.end,
                each.requirement,
                each.criterion.parent,
                each.criterion.depth,
                each.opens,
                each.alternatives,
                each.opening is not None,
                each.criterion.joined,
                each.criterion.group,
            )
            for each in read
        ]
    )


def decode_criteria(data: bytes, text: str = "") -> tuple[ReadCriterion, ...]:
    """Read stored criteria; without the text they were read from, their words are empty.

    Raises:
        msgspec.MsgspecError: the data is something else.
    """
    counts = dict.fromkeys(CriterionKind, 0)
    criteria: list[Criterion] = []
    found: list[ReadCriterion] = []
    for each in _decoder.decode(data):
        kind = _KINDS[each.kind]
        counts[kind] += 1
        criterion = Criterion(
            kind=kind,
            text=text[each.start : each.end],
            start=each.start,
            end=each.end,
            position=counts[kind],
            group=each.group,
            parent=each.parent,
            depth=each.depth,
            joined=each.joined,
        )
        above = criteria[each.parent].plain if each.bound and each.parent is not None else None
        criteria.append(criterion)
        found.append(
            ReadCriterion(criterion, each.requirement, above, each.opens, each.alternatives)
        )
    return tuple(found)
