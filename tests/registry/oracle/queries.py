"""Makes Essie trees from the records themselves, so that most of them find something.

Every tree stands under EXPANSION[None] or EXPANSION[Term]: the levels whose match sets are exact.
The same records and seed give the same queries.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.registry.oracle import wording
from tests.registry.oracle.evaluator import km_between
from tests.registry.oracle.records import Record, searchable_pieces
from trialyst.essie.areas import areas
from trialyst.essie.ast import (
    All,
    And,
    Area,
    Coverage,
    CoverageKind,
    Distance,
    Expansion,
    ExpansionLevel,
    Missing,
    Node,
    Not,
    Or,
    Range,
    Search,
    Tilt,
)
from trialyst.essie.pieces import Kind, Piece, pieces

__all__ = ["QueryMaker"]

DEEPEST = 4
RECORDS_KEPT_PER_PIECE = 50


class QueryMaker:
    """A seeded source of queries about some records."""

    def __init__(self, records: Sequence[Record], *, seed: int) -> None:
        self.rng = random.Random(seed)
        self._records = records
        self._holders: dict[str, list[Record]] = {}
        for record in records:
            for name in record.names():
                holders = self._holders.setdefault(name, [])
                if len(holders) < RECORDS_KEPT_PER_PIECE:
                    holders.append(record)

    def make(self) -> Node:
        """Make one query."""
        level = self.rng.choice((ExpansionLevel.NONE, ExpansionLevel.TERM, ExpansionLevel.TERM))
        tree = self._tree(self.rng.choice((0, 0, 1, 2, 3, DEEPEST)), self._record())
        if self.rng.random() < 0.05:
            tree = Tilt("StudyFirstPostDate", tree)
        return Expansion(level, tree)

    def make_about(self, piece: Piece) -> Node:
        """Make a query about one piece, with a value that occurs where there is one."""
        record = self.rng.choice(self._holders.get(piece.name, self._records))
        return Expansion(ExpansionLevel.TERM, self._piece_condition(piece, record))

    def _record(self) -> Record:
        if self.rng.random() < 0.5:
            return self.rng.choice(self._records)
        return self.rng.choice(self._holders[self.rng.choice(sorted(self._holders))])

    def _tree(self, depth: int, record: Record) -> Node:
        if depth == 0:
            return self._condition(record)
        draw = self.rng.random()
        if draw < 0.15:
            return Not(self._tree(depth - 1, record))
        if draw < 0.2:
            other = self.rng.choice((ExpansionLevel.NONE, ExpansionLevel.TERM))
            return Expansion(other, self._tree(depth - 1, record))
        if draw < 0.6:
            return _join(And, [self._branch(depth, record) for _ in range(2)])
        others = [self._record() for _ in range(self.rng.randint(1, 2))]
        return _join(Or, [self._branch(depth, each) for each in (record, *others)])

    def _branch(self, depth: int, record: Record) -> Node:
        return self._tree(self.rng.randint(0, depth - 1), record)

    def _condition(self, record: Record) -> Node:
        draw = self.rng.random()
        if draw < 0.25:
            return self._area_condition(record)
        if draw < 0.35 and record.locations():
            return self._location_condition(record)
        if draw < 0.42:
            return self._missing_condition(self.rng.choice(searchable_pieces()))
        if draw < 0.44:
            return All()
        names = sorted(record.names())
        return self._piece_condition(pieces()[self.rng.choice(names)], record)

    def _area_condition(self, record: Record) -> Node:
        area = self.rng.choice((*areas().values(), areas()["BasicSearch"]))
        searched = [piece for part in area.parts for piece in part.pieces]
        holding = [piece for piece in searched if record.values(piece)]
        term = self._term(self.rng.choice(holding or searched), record)
        if holding and self.rng.random() < 0.05:
            ends = [self.rng.choice(record.values(self.rng.choice(holding))) for _ in range(2)]
            term = wording.seam_term(*map(str, ends))
        if area.name == "BasicSearch" and self.rng.random() < 0.6:
            return term
        if self.rng.random() < 0.15:
            term = _join(Or, [term, self._term(self.rng.choice(holding or searched), record)])
        return Area(area.name, term)

    def _location_condition(self, record: Record) -> Node:
        site, other = (self.rng.choice(record.locations()) for _ in range(2))
        conditions = [self._site_condition(site) for _ in range(self.rng.randint(1, 3))]
        if self.rng.random() < 0.2:
            conditions.append(self._site_condition(other))
        return Search("Location", _join(self.rng.choice((And, And, Or)), conditions))

    def _site_condition(self, site: Record) -> Node:
        here = [pieces()[name] for name in sorted(site.names()) if pieces()[name].in_location]
        draw = self.rng.random()
        place = pieces()[self.rng.choice(("LocationCity", "LocationFacility", "LocationCountry"))]
        if draw < 0.1:
            name = self.rng.choice(("LocationState", "LocationZip", "LocationStatus"))
            condition: Node = Area(name, Missing())
        elif draw < 0.2:
            condition = Area("LocationSearch", self._term(place, site))
        elif draw < 0.3:
            condition = self._term(place, site)
        else:
            condition = self._piece_condition(self.rng.choice(here), site)
        return Not(condition) if self.rng.random() < 0.2 else condition

    def _missing_condition(self, piece: Piece) -> Node:
        missing = Area(self._name(piece), Missing())
        return Not(missing) if self.rng.random() < 0.5 else missing

    def _piece_condition(self, piece: Piece, record: Record) -> Node:
        values = record.values(piece)
        if piece.is_list and self.rng.random() < (0.7 if piece.kind is Kind.STRUCT else 0.2):
            return Area(
                piece.name, self._number(self.rng.choice(record.sizes(piece) or [0])), size=True
            )
        if piece.kind is Kind.STRUCT and self.rng.random() < 0.3:
            return self._struct_condition(piece, record)
        if piece.kind is Kind.STRUCT or not values:
            return self._missing_condition(piece)
        if piece.kind is Kind.GEO:
            return Area(piece.name, self._circle(self.rng.choice(values), values[0]))
        return Area(self._name(piece), self._term(piece, record))

    def _struct_condition(self, struct: Piece, record: Record) -> Node:
        """Look for a word in all that lies below a structure."""
        depth = len(struct.path)
        below = [
            piece
            for piece in searchable_pieces()
            if piece.kind in (Kind.TEXT, Kind.ENUM)
            and piece.path[:depth] == struct.path
            and piece.name in record.names()
        ]
        holds_country_code = pieces()["LocationCountryCode"].path[:depth] == struct.path
        if holds_country_code or not below:
            return self._missing_condition(struct)
        return Area(struct.name, self._term(self.rng.choice(below), record))

    def _term(self, piece: Piece, record: Record) -> Node:
        """Make what follows AREA[piece], from one of the record's values."""
        values = record.values(piece) or ["none"]
        value = self.rng.choice(values)
        match piece.kind:
            case Kind.TEXT:
                if self.rng.random() < 0.05:
                    return wording.seam_term(str(values[0]), str(values[-1]))
                return self._text(str(value))
            case Kind.ENUM:
                return wording.enum_term(piece, str(value), self.rng)
            case Kind.BOOLEAN:
                return wording.words(self.rng.choice(("true", "false", "True")))
            case Kind.DATE:
                return wording.date_term(str(value), self.rng)
            case Kind.AGE:
                return wording.age_term(str(value), self.rng)
        return self._number(value)

    def _text(self, value: str) -> Node:
        if self.rng.random() < 0.8:
            return wording.text_term(value, self.rng)
        kind = self.rng.choice(tuple(CoverageKind))
        return Coverage(kind, wording.covering_term(value, kind, self.rng))

    def _number(self, value: Any) -> Node:
        number = int(value)
        spread = self.rng.randint(0, 1 + number // 3)
        low, high = str(max(0, number - spread)), str(number + spread)
        if self.rng.random() < 0.05:
            return Range(None, None)
        return self.rng.choice(
            (wording.words(str(number)), Range(low, high), Range(None, low), Range(high, None))
        )

    def _circle(self, point: dict[str, float], other: dict[str, float]) -> Node:
        """Draw a circle around a site or near it, sometimes just to or just short of another."""
        latitude = min(point["lat"] + self.rng.choice((0.0, 0.0, 0.01, 0.5, 3.0)), 90.0)
        circle = Distance(latitude, point["lon"], 1.0, "km")
        between = round(km_between(circle, other) + self.rng.choice((-0.01, 0.01)), 2)
        if 1 <= between <= 805 and self.rng.random() < 0.5:
            return replace(circle, radius=between)
        radius = float(self.rng.choice((1, 5, 25, 50, 100, 345, 500)))
        return replace(circle, radius=radius, unit=self.rng.choice(("mi", "km")))

    def _name(self, piece: Piece) -> str:
        draw = self.rng.random()
        if draw < 0.05 and piece.alt_names:
            return self.rng.choice(piece.alt_names)
        return piece.name.lower() if draw < 0.1 else piece.name


def _join(kind: type[And] | type[Or], children: list[Node]) -> Node:
    """Join conditions without nesting a kind in itself, as the parser would give them."""
    flat: list[Node] = []
    for child in children:
        flat.extend(child.children if isinstance(child, kind) else [child])
    return kind(tuple(flat)) if len(flat) > 1 else flat[0]
