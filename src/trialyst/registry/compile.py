"""Meaning to an index query, exactly: the compiled query matches what the expression says.

What the index cannot decide alone (long texts as written, conditions on one site that involve its
contacts) is decided on the stored records of the candidates, and enters as a set of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.query import Circle
from trialyst.essie.ast import ExpansionLevel
from trialyst.essie.pieces import Piece, pieces
from trialyst.essie.resolved import (
    Absent,
    AllOf,
    Annotated,
    AnyOf,
    Everything,
    MatchEnum,
    MatchText,
    Near,
    NoneOf,
    Resolved,
    SameLocation,
    SizeBetween,
    Tilted,
)
from trialyst.registry.exact import SiteCheck, TextCheck
from trialyst.registry.expansion import Expander, Segment
from trialyst.registry.index import Searcher
from trialyst.registry.leafquery import LeafQueries, column_of
from trialyst.registry.phrases import Queries
from trialyst.registry.placed import place_text, reads_stored_text
from trialyst.registry.schema import NUMBER, SITE
from trialyst.registry.sites import SiteIndex
from trialyst.registry.textquery import Clauses, needs_stored_text, text_pieces

if TYPE_CHECKING:
    import tantivy

__all__ = ["Compiler", "Lookups"]

Check = Callable[[Any], bool]
Verify = Callable[["tantivy.Query", Check, Sequence[Piece]], Sequence[int]]
"""Gives the numbers of the candidates of a query whose stored record passes a check that looks at
these pieces only."""
Quantiles = Callable[[str], Sequence[int]]
"""Gives values that cut a column into parts of equal size."""

FindAnnotated = Callable[[str, str | None], Sequence[int] | None]
"""Gives the trials of a value of an area of our own, or of any; None where nothing is kept."""

TILT_STEP = 0.1
READ_SCORE = 0.01
"""Of a text found in the record alone: it stands in a long piece or one of little weight."""


class Lookups(NamedTuple):
    """What is looked up elsewhere while a query is compiled."""

    verify: Verify
    quantiles: Quantiles
    annotated: FindAnnotated


class Compiler:
    """Compiles meanings for the index of studies."""

    def __init__(
        self,
        make: Queries,
        searcher: Searcher,
        expander: Expander,
        *,
        sites: SiteIndex,
        lookups: Lookups,
    ) -> None:
        self.make = make
        self._leaves = LeafQueries(searcher, make, expander)
        self.values = self._leaves.values
        self._expander = expander
        self._sites = sites
        self._verify, self._quantiles, self._annotated = lookups

    def compile_texts(
        self, nodes: Sequence[Resolved], within: tantivy.Query | None, *, narrowed: bool
    ) -> Clauses:
        """Give the parts of a query for meanings that must all hold, the texts to be scored.

        Args:
            narrowed: what is asked for besides a text leaves few of the studies that match it.
        """
        whole = Clauses([], [])
        for node in nodes:
            if isinstance(node, MatchText) and _is_by_words(node):
                found, scored = self._leaves.text.clauses(node, narrowed=narrowed)
                whole.found.extend(found)
                whole.scored.extend(scored)
            else:
                whole.found.append(self.compile(node, within))
        return whole

    def compile_filter(self, node: Resolved, *, narrowed: bool) -> tantivy.Query:
        """Give the query of a meaning that is not scored.

        Args:
            narrowed: texts of the query leave few studies to be filtered.
        """
        if isinstance(node, AllOf) and not _is_costly(node):
            children = [self.compile_filter(child, narrowed=narrowed) for child in node.children]
            return self.make.all_of(children)
        if isinstance(node, AnyOf) and (named := _values_of_one_piece(node.children)):
            return self.values.any_of(*named, narrowed=narrowed)
        return self.compile(node)

    def compile(self, node: Resolved, within: tantivy.Query | None = None) -> tantivy.Query:
        """Give the query of a meaning; it need only be right for studies that `within` matches."""
        match node:
            case AllOf():
                return self._all_of(node.children, within)
            case AnyOf():
                return self.make.any_of([self.compile(child, within) for child in node.children])
            case NoneOf():
                return self.make.none_of(self.compile(node.child, within))
            case Tilted():
                return self._tilted(node, within)
            case Near():
                return self.near(Circle(node.latitude, node.longitude, node.km))
            case SameLocation():
                return self._same_location(node.child, within)
            case MatchText():
                return self._text(node, within)
            case Annotated():
                return self._by_annotation(node)
            case _:
                return self._leaves.compile(node)

    def reads_records(self, node: Resolved) -> bool:
        """Whether stored records have to be read to compile a meaning."""
        match node:
            case MatchText():
                return needs_stored_text(node) and reads_stored_text(node)
            case SameLocation():
                return not self._sites.can_decide(node.child)
            case AllOf() | AnyOf():
                return any(map(self.reads_records, node.children))
            case NoneOf() | Tilted():
                return self.reads_records(node.child)
            case _:
                return False

    def near(self, circle: Circle) -> tantivy.Query:
        """Match studies with a site in a circle."""
        return self.make.terms(SITE, self._sites.distances(circle))

    def _by_annotation(self, node: Annotated) -> tantivy.Query:
        found = self._annotated(node.area, node.value)
        if found is None:
            return self.compile(node.otherwise)
        listed = self.make.terms(NUMBER, found)
        return self.make.none_of(listed) if node.value is None else listed

    def _all_of(self, children: Sequence[Resolved], within: tantivy.Query | None) -> tantivy.Query:
        """Compile what the index decides first: the rest is then decided among fewer studies."""
        costly = [child for child in children if _is_costly(child)]
        cheap = [self.compile(child) for child in children if not _is_costly(child)]
        scope = [*cheap, *([within] if within is not None else [])]
        narrowed = self.make.all_of(scope) if scope else None
        return self.make.all_of([*cheap, *(self.compile(child, narrowed) for child in costly)])

    def _text(self, node: MatchText, within: tantivy.Query | None) -> tantivy.Query:
        if _is_by_words(node):
            return self._leaves.text.match(node)
        if needs_stored_text(node):
            return self._exact_text(node, within)
        return self._place(node)

    def _exact_text(self, node: MatchText, within: tantivy.Query | None) -> tantivy.Query:
        segment = self._leaves.text.segment_of(node)
        placed = place_text(self.make, node, segment)
        decided = self.make.best_of(placed.decided)
        values = self._leaves.text.enum_values(node)
        if not placed.candidates:
            return self.make.any_of([decided, values])
        # Neither are studies read again that match whatever their records say.
        others = self.make.but_not(self.make.any_of(placed.candidates), decided)
        checks = _text_checks(node, segment)
        unread = frozenset(placed.unread)

        def check(study: Any) -> bool:
            return any(
                each.holds(study, [piece for piece in searched if piece in unread])
                for each, searched in checks
            )

        held = self._verify(self._narrow(others, within), check, placed.unread)
        read = self.make.constant(self.make.terms(NUMBER, held), READ_SCORE)
        return self.make.any_of([decided, read, values])

    def _place(self, node: MatchText) -> tantivy.Query:
        """Unquoted places must all be found at one site; one alone needs no look at sites."""
        if node.level in (ExpansionLevel.RELAXATION, ExpansionLevel.LOSSY):
            query, places = self._leaves.text.match_places(node)
            if places < 2:
                return query
            if node.level is ExpansionLevel.RELAXATION:
                found = self.make.terms(SITE, self._sites.find(node))
                return self.make.preferring(self.make.constant(found), [query])
        return self._leaves.compile(node)

    def _same_location(self, child: Resolved, within: tantivy.Query | None) -> tantivy.Query:
        if isinstance(child, MatchText) and child.level not in (
            ExpansionLevel.RELAXATION,
            ExpansionLevel.LOSSY,
        ):
            return self._text(child, within)
        if isinstance(child, MatchEnum | Near):
            return self.compile(child)
        if self._sites.can_decide(child):
            return self.make.terms(SITE, self._sites.find(child))
        candidates = self._narrow(self._superset(child), within)
        check = SiteCheck(child, self._expander).holds
        return self.make.terms(NUMBER, self._verify(candidates, check, [pieces()["Location"]]))

    def _superset(self, node: Resolved) -> tantivy.Query:
        """Match at least the studies that have a site for which the node holds."""
        match node:
            case AllOf():
                return self.make.all_of([self._superset(child) for child in node.children])
            case AnyOf():
                return self.make.any_of([self._superset(child) for child in node.children])
            case NoneOf() | Absent() | SizeBetween() | Everything():
                return self.make.none_of(self._leaves.compile(Absent(pieces()["Location"])))
            case _:
                return self.compile(node)

    def _tilted(self, node: Tilted, within: tantivy.Query | None) -> tantivy.Query:
        query = self.compile(node.child, within)
        column = column_of(node.piece)
        bonuses = [
            self.make.constant(self.make.integers(column, step, None), TILT_STEP)
            for step in self._quantiles(column)
        ]
        return self.make.preferring(query, bonuses)

    def _narrow(self, query: tantivy.Query, within: tantivy.Query | None) -> tantivy.Query:
        return query if within is None else self.make.all_of([query, within])


def _text_checks(node: MatchText, segment: Segment) -> list[tuple[TextCheck, Sequence[Piece]]]:
    """Give the check for each part of an area, and the pieces it is for."""
    plain = TextCheck(node, segment.variants, codes=segment.codes)
    broad = TextCheck(node, (*segment.variants, *segment.synonyms), codes=segment.codes)
    return [(broad if part.synonyms else plain, text_pieces(part)) for part in node.target.parts]


def _values_of_one_piece(nodes: Sequence[Resolved]) -> tuple[str, list[str]] | None:
    values = [(node.piece.name, node.value) for node in nodes if isinstance(node, MatchEnum)]
    names = {name for name, _ in values}
    if len(values) < len(nodes) or len(names) != 1:
        return None
    return names.pop(), [value for _, value in values]


def _is_by_words(node: MatchText) -> bool:
    """Whether the words of a study's pieces alone decide the match."""
    is_place = node.target.name == "LocationSearch" and not node.quoted
    return not is_place and not needs_stored_text(node)


def _is_costly(node: Resolved) -> bool:
    match node:
        case MatchText():
            return needs_stored_text(node)
        case SameLocation():
            return True
        case AllOf() | AnyOf():
            return any(_is_costly(child) for child in node.children)
        case NoneOf() | Tilted():
            return _is_costly(node.child)
        case _:
            return False
