"""One argument of a question: what it asks of a trial, and how it was read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.site_filters import in_circle
from trialyst.essie.areas import find_param
from trialyst.essie.ast import Node
from trialyst.essie.build import all_of, any_of, area, matching, negate
from trialyst.essie.render import text_node
from trialyst.questions.readings import ArgumentReading

__all__ = ["Clause", "Element", "combine", "denying", "text_clause"]


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a text that must be found: a name, a phrase or a word."""

    text: str
    param: str
    """The `query.*` parameter that it is searched by."""
    node: Node | None = None
    """None for a word, which is searched together with the words beside it."""


@dataclass(frozen=True, slots=True)
class Clause:
    """What an argument adds to a query."""

    argument: str
    reading: ArgumentReading
    part: TrialQuery
    elements: tuple[Element, ...] = ()
    """Of a text its parts, each of which could be left out."""

    def dropping(self, dropped: Sequence[Element]) -> Clause:
        """Give the clause of a text without some of its parts, and say which."""
        kept = tuple(each for each in self.elements if each not in dropped)
        names = tuple(each.text for each in self.elements if each in dropped)
        told = (*(self.reading.dropped or ()), *names)
        return replace(
            self,
            reading=self.reading.model_copy(update={"dropped": told}),
            part=replace(_text_query([kept]), filters=self.part.filters),
            elements=kept,
        )


def text_clause(
    argument: str, reading: ArgumentReading, alternatives: Sequence[Sequence[Element]]
) -> Clause:
    """Give the clause of a text; of several alternatives any must be found, of each all parts."""
    elements = tuple(alternatives[0]) if len(alternatives) == 1 else ()
    return Clause(argument, reading, _text_query(alternatives), elements)


def _text_query(alternatives: Sequence[Sequence[Element]]) -> TrialQuery:
    parts = [_params(elements) for elements in alternatives]
    if len(parts) == 1:
        return TrialQuery(queries=tuple(parts[0]))
    either = any_of(*(all_of(*(_in_area(*part) for part in each)) for each in parts))
    return TrialQuery(queries=(("term", either),))


def _params(elements: Sequence[Element]) -> list[tuple[str, Node]]:
    """Give the parameters of elements, the words of each searched as one text."""
    queries = [(each.param, each.node) for each in elements if each.node is not None]
    for param in dict.fromkeys(each.param for each in elements if each.node is None):
        words = [each.text for each in elements if each.param == param and each.node is None]
        queries.append((param, text_node(" ".join(words))))
    return queries


def denying(part: TrialQuery) -> Node:
    """Give the expression for which a query does not hold."""
    placed = () if part.circle is None else (_in_circle(part),)
    status = tuple(matching("OverallStatus", code) for code in part.statuses)
    asked = (_in_area(param, node) for param, node in part.queries)
    statuses = (any_of(*status),) if status else ()
    return negate(all_of(*asked, *part.filters, *statuses, *placed))


def _in_area(param: str, node: Node) -> Node:
    """Give what a `query.*` parameter asks as an expression."""
    searched = find_param(param)
    return area(searched.name, node) if searched and param != "term" else node


def combine(parts: Iterable[TrialQuery]) -> TrialQuery:
    """Give the query for which all parts hold."""
    listed = list(parts)
    circles = [part for part in listed if part.circle]
    return TrialQuery(
        queries=tuple(query for part in listed for query in part.queries),
        filters=(
            *(node for part in listed for node in part.filters),
            *(_in_circle(part) for part in circles[1:]),
        ),
        statuses=tuple(status for part in listed for status in part.statuses),
        ids=tuple(nct_id for part in listed for nct_id in part.ids),
        accepts=tuple(fact for part in listed for fact in part.accepts),
        circle=circles[0].circle if circles else None,
        beside_circle=circles[0].beside_circle if circles else None,
    )


def _in_circle(part: TrialQuery) -> Node:
    """Say as an expression what a query says by its circle; a query has one circle only."""
    assert part.circle is not None
    beside = () if part.beside_circle is None else (part.beside_circle,)
    return any_of(in_circle(part.circle), *beside)
