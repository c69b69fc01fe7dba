"""Studies to the members of their documents: text folded, dates and numbers as keys, sizes counted.

`NativeWalker` reads JSON in C without holding up other threads; `walk_study` does the same to a
decoded study in Python and gives the same bytes. The rules for one word, date, age, number or
site are Python functions that both ask.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from trialyst.essie.pieces import Kind, pieces
from trialyst.folding import fold_phrase, fold_word, native
from trialyst.registry.keys import age_text, date_text, number_text
from trialyst.registry.rows import ROW_PIECES
from trialyst.registry.schema import (
    EDGE_AFTER,
    EDGE_BEFORE,
    EDGE_BETWEEN,
    FILTERED,
    GROUPS,
    IRREGULAR,
    SITE,
    USUAL,
    VALUE_GAP,
    columns_from_zero,
    edged_pieces,
    size_field,
    word_lists,
    written_fields,
)
from trialyst.registry.sitebook import SITE_KEYS, SiteBook
from trialyst.registry.written import is_irregular, written_tokens

__all__ = ["Handling", "NativeWalker", "Walked", "walk_study"]


class Handling(IntEnum):
    """How the values of a leaf are taken; `src/native/plan.h` has the same numbers."""

    TEXT = 0
    RAW = 1
    FLAG = 2
    DATE = 3
    AGE = 4
    NUMBER = 5
    NOTED = 6


_KEEP, _SPAN, _USUAL, _ROW, _EDGED, _AS_WRITTEN = 16, 32, 64, 128, 256, 512
_KEPT = frozenset(
    {"NCTId", "NCTIdAlias", "BriefTitle", "OfficialTitle", "BriefSummary", "InterventionName"}
    | {"Condition", "LocationCountry", "HasResults", "LeadSponsor", "VersionHolder", *FILTERED}
)
"""Pieces whose values are handed back besides; of a structure only that it is there."""
_SPANS = frozenset({"Intervention", "ConditionMesh"})
"""Structures whose JSON is handed back."""
_HANDLING = {
    Kind.TEXT: Handling.TEXT,
    Kind.ENUM: Handling.RAW,
    Kind.BOOLEAN: Handling.FLAG,
    Kind.DATE: Handling.DATE,
    Kind.AGE: Handling.AGE,
    Kind.NUMBER: Handling.NUMBER,
}


class Walked(NamedTuple):
    """What was found in one study."""

    document: bytes
    """Members of a JSON object: the values of pieces, groups, words and sizes, the ids of sites
    and places; one value alone is no list."""
    unusual: str
    """Names for the field of that name, in the order of the piece table."""
    values: Mapping[str, list[Any]]
    """Distinct values of some pieces: text as written, dates as keys."""
    cells: bytes
    """The values of each piece of a row but for blanks: lists of JSON with a comma between them."""
    spans: Mapping[str, bytes]
    """The JSON of some structures."""
    unreadable: Sequence[str]
    """Pieces with a value that is not what it should be."""
    totals: Mapping[str, int]
    """How much each column of sizes counted in all, where anything."""


@dataclass(slots=True)
class _Child:
    piece: int
    handling: Handling
    column: int
    """Which column counts the list; -1 for what is no list."""
    inner: _Branch | None
    span: str | None
    """The piece under whose name the JSON is handed back, if it is."""


@dataclass(slots=True)
class _Branch:
    """A structure of the study with its known keys."""

    children: dict[str, _Child] = field(default_factory=dict)
    columns: dict[str, int] = field(default_factory=dict)
    """The column that counts each key that holds a list."""
    is_site: bool = False

    def to_tuple(self) -> tuple[Any, ...]:
        flags = _handling()
        children = {
            key: (
                child.piece,
                flags[child.piece][1],
                child.column,
                child.inner and child.inner.to_tuple(),
            )
            for key, child in self.children.items()
        }
        return children, SITE_KEYS if self.is_site else ()


@cache
def _handling() -> tuple[tuple[str, int], ...]:
    """Give every piece with how it is taken, in order."""
    return tuple(
        (
            piece.name,
            _HANDLING.get(piece.kind, Handling.NOTED)
            | (_KEEP if piece.name in _KEPT or _has_year(piece.name) else 0)
            | (_SPAN if piece.name in _SPANS else 0)
            | (_USUAL if piece.name in USUAL and not piece.indexed_only else 0)
            | (_ROW if piece.name in ROW_PIECES else 0)
            | (_EDGED if piece.name in edged_pieces() else 0)
            | (_AS_WRITTEN if piece.name in written_fields() else 0),
        )
        for piece in pieces().values()
    )


def _has_year(name: str) -> bool:
    return name.endswith("Date") and f"{name.removesuffix('Date')}Year" in pieces()


@cache
def _columns() -> tuple[tuple[str, bool], ...]:
    """Name the columns of sizes, and whether 0 is left unsaid."""
    names = (size_field(piece) for piece in pieces().values() if piece.is_list)
    return tuple((name, name in columns_from_zero()) for name in names)


@cache
def _row() -> tuple[int, ...]:
    return tuple(map(list(pieces()).index, ROW_PIECES))


@cache
def _groups() -> tuple[tuple[str, tuple[int, ...]], ...]:
    return _numbered(GROUPS.items())


@cache
def _word_lists() -> tuple[tuple[str, tuple[int, ...]], ...]:
    return _numbered(word_lists())


def _numbered(
    lists: Iterable[tuple[str, Sequence[str]]],
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    order = list(pieces())
    return tuple((name, tuple(map(order.index, members))) for name, members in lists)


@cache
def _tree() -> _Branch:
    columns = {name: number for number, (name, _) in enumerate(_columns())}
    root = _Branch()
    nodes: dict[str | None, _Branch] = {None: root}
    for number, piece in enumerate(pieces().values()):
        if piece.indexed_only:
            continue
        branch = nodes[piece.name] = _Branch(is_site=piece.name == "Location")
        parent, key = nodes[piece.parent], piece.path[-1]
        parent.children[key] = child = _Child(
            number,
            Handling(_handling()[number][1] & 15),
            columns.get(size_field(piece), -1),
            branch if piece.kind is Kind.STRUCT else None,
            piece.name if piece.name in _SPANS else None,
        )
        if child.column >= 0:
            parent.columns[key] = child.column
    return root


class NativeWalker:
    """Walks through batches of studies given as JSON; needs the compiled module."""

    def __init__(self, sites: SiteBook) -> None:
        if native is None:
            raise RuntimeError("Trialyst was installed without its compiled module")
        plan = (_tree().to_tuple(), _handling(), _columns(), _groups(), _word_lists(), _row())
        asks = (fold_word, date_text, age_text, number_text, sites.ids_of_json)
        self._walker = native.Walker(plan, asks)

    def __call__(self, studies: Sequence[bytes]) -> list[Walked | None]:
        """Walk through each; None stands for one that only the full decoder can judge."""
        return [found and Walked(*found) for found in self._walker(studies)]


class _Found:
    def __init__(self) -> None:
        self.values: defaultdict[int, dict[str, None]] = defaultdict(dict)
        """Distinct values of each piece as text, in order; of flags and numbers as JSON."""
        self.sizes: defaultdict[int, list[int]] = defaultdict(list)
        self.present: set[int] = set()
        self.unreadable: set[int] = set()
        self.cells: defaultdict[int, list[Any]] = defaultdict(list)
        self.spans: dict[str, bytes] = {}
        self.sites: dict[int, None] = {}


def walk_study(study: Mapping[str, Any], sites: SiteBook) -> Walked:
    """Walk through one decoded study."""
    found = _Found()
    _walk(study, _tree(), found, sites)
    names = [name for name, _ in _handling()]
    members = _members(found)
    return Walked(
        _document(found, members),
        " ".join(
            name
            for piece, (name, handling) in enumerate(_handling())
            if (piece in found.present) != bool(handling & _USUAL)
        ),
        {
            names[piece]: _kept(piece, found, members)
            for piece in sorted(found.present)
            if _handling()[piece][1] & _KEEP
        },
        b",".join(msgspec.json.encode(found.cells[piece]) for piece in _row()),
        found.spans,
        [names[piece] for piece in sorted(found.unreadable)],
        {
            name: sum(found.sizes[number])
            for number, (name, _) in enumerate(_columns())
            if any(found.sizes.get(number, ()))
        },
    )


def _walk(node: Mapping[str, Any], branch: _Branch, found: _Found, sites: SiteBook) -> None:
    for key, column in branch.columns.items():
        items = node.get(key)
        found.sizes[column].append(len(items) if type(items) is list else 0)
    for key, items in node.items():
        child = branch.children.get(key)
        if child is None:
            continue
        if child.span:
            found.spans[child.span] = msgspec.json.encode(items)
        for item in items if type(items) is list else (items,):
            if child.inner is None:
                _take_value(item, child, found)
            elif type(item) is dict:
                found.present.add(child.piece)
                _walk(item, child.inner, found, sites)
            elif item is not None:
                found.unreadable.add(child.piece)
    if branch.is_site:
        found.sites.update(dict.fromkeys(sites.ids_of(node)))


def _take_value(value: Any, child: _Child, found: _Found) -> None:
    if value is None or value == "":
        return
    found.present.add(child.piece)
    found.cells[child.piece].append(value)
    values = found.values[child.piece]
    if child.handling is Handling.TEXT:
        values[str(value)] = None
    elif child.handling in _WRITTEN and type(value) is str:
        values[value] = None
    elif child.handling is Handling.FLAG and type(value) is bool:
        values["true" if value else "false"] = None
    elif child.handling is Handling.NUMBER and type(value) in (int, float):
        values[msgspec.json.encode(value).decode()] = None
    elif child.handling is not Handling.NOTED:
        found.unreadable.add(child.piece)


UNLIMITED = "N/A"
"""How older interfaces write an age that is not limited: no key, and nothing wrong with it."""
_WRITTEN = frozenset({Handling.RAW, Handling.DATE, Handling.AGE})
"""What is taken as it is written, if it is text."""

_TO_KEY: dict[Handling, Callable[[str], str]] = {
    Handling.DATE: date_text,
    Handling.AGE: age_text,
    Handling.NUMBER: number_text,
}


def _members(found: _Found) -> dict[int, list[Any]]:
    """Give what each piece puts into the document."""
    members: dict[int, list[Any]] = {}
    for piece in sorted(found.values):
        values = found.values[piece]
        handling = Handling(_handling()[piece][1] & 15)
        if to_key := _TO_KEY.get(handling):
            keys = {value: to_key(value) for value in values}
            kept: list[Any] = sorted({int(key) for key in keys.values() if key})
            if any(not key and value != UNLIMITED for value, key in keys.items()):
                found.unreadable.add(piece)
        elif handling is Handling.TEXT:
            kept = [line for value in values if (line := fold_phrase(value))]
        else:
            kept = list(values)
        if kept:
            members[piece] = kept
    return members


def _kept(piece: int, found: _Found, members: Mapping[int, list[Any]]) -> list[Any]:
    is_key = Handling(_handling()[piece][1] & 15) in _TO_KEY
    return members.get(piece, []) if is_key else list(found.values.get(piece, ()))


def _document(found: _Found, members: Mapping[int, list[Any]]) -> bytes:
    written = {
        name: _texts(members[piece], handling) if not handling & 15 else members[piece]
        for piece, (name, handling) in enumerate(_handling())
        if piece in members
    }
    written |= _as_written(found, members)
    for group, grouped in _groups():
        if lines := dict.fromkeys(line for piece in grouped for line in members.get(piece, ())):
            written[group] = _kept_apart(list(lines))
    written |= _words(members)
    for number, (name, from_zero) in enumerate(_columns()):
        sizes = sorted(set(found.sizes.get(number, ())))
        if sizes and not (from_zero and sizes == [0]):
            written[name] = sizes
    if found.sites:
        written[SITE] = list(found.sites)
    members_alone = {name: v[0] if len(v) == 1 else v for name, v in written.items()}
    return msgspec.json.encode(members_alone)[1:-1]


def _kept_apart(lines: list[str]) -> list[str]:
    return [lines[0], *(f"{VALUE_GAP}{line}" for line in lines[1:])]


def _texts(lines: list[str], handling: int) -> list[str]:
    return _edged(lines) if handling & _EDGED else _kept_apart(lines)


def _edged(lines: list[str]) -> list[str]:
    first, *others = lines
    *begun, last = f"{EDGE_BEFORE}{first}", *(f"{EDGE_BETWEEN}{line}" for line in others)
    return [*begun, f"{last}{EDGE_AFTER}"]


def _as_written(found: _Found, members: Mapping[int, list[Any]]) -> dict[str, list[str]]:
    """Give the words of short pieces as written, and the pieces of which that leaves some out."""
    written: dict[str, list[str]] = {}
    irregular: list[str] = []
    for piece, (name, handling) in enumerate(_handling()):
        if not handling & _AS_WRITTEN or piece not in members:
            continue
        texts = [text for text in found.values[piece] if fold_phrase(text)]
        regular = [text for text in texts if not is_irregular(text)]
        if len(regular) < len(texts):
            irregular.append(name)
        if regular:
            lines = [" ".join(written_tokens(text)) for text in regular]
            written[written_fields()[name]] = _edged(lines)
    return written | ({IRREGULAR: [" ".join(irregular)]} if irregular else {})


def _words(members: Mapping[int, list[Any]]) -> dict[str, list[str]]:
    """Give the words that each list of pieces has, and those that only the last one has again."""
    (field, _), *_, (plain_field, _) = _word_lists()
    distinct = [
        dict.fromkeys(w for piece in held for line in members.get(piece, ()) for w in line.split())
        for _, held in _word_lists()
    ]
    plain = [word for word in distinct.pop() if word not in distinct[-1]]
    words = [*chain.from_iterable(distinct), *plain]
    return {name: [" ".join(each)] for name, each in ((field, words), (plain_field, plain)) if each}
