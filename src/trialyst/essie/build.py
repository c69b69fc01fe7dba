"""Trees without text: how other packages say what they look for.

Text enters as `phrase`, `words` or `render.text_node`; nothing here is ever read as an operator.
"""

from __future__ import annotations

from typing import TypeVar

from trialyst.errors import InvalidInput
from trialyst.essie.ast import (
    All,
    And,
    Area,
    Distance,
    Missing,
    Node,
    Not,
    Or,
    Phrase,
    Range,
    Search,
    Span,
    Words,
)

__all__ = [
    "all_of",
    "any_of",
    "area",
    "between",
    "everything",
    "matching",
    "missing",
    "near",
    "negate",
    "one_of",
    "phrase",
    "same_location",
    "size_between",
    "words",
]

Group = TypeVar("Group", And, Or)


def words(text: str) -> Words:
    """Give plain words as one term under relaxation.

    >>> words("heart  attack")
    Words(words=('heart', 'attack'))
    """
    return Words(tuple(text.split()))


def phrase(text: str) -> Phrase:
    """Give a text as a quoted phrase."""
    return Phrase(text)


def all_of(*children: Node) -> Node:
    """Join with AND; groups of the same kind merge, a single child stays itself.

    >>> all_of(words("a"), all_of(words("b"), words("c"))) == all_of(*map(words, "abc"))
    True
    """
    return _join(And, children)


def any_of(*children: Node) -> Node:
    """Join with OR; groups of the same kind merge, a single child stays itself."""
    return _join(Or, children)


def negate(child: Node) -> Not:
    """Give what the child does not match."""
    return Not(child)


def everything() -> All:
    """Match every study."""
    return All()


def area(name: str, child: Node) -> Area:
    """Look for the child in a piece or search area."""
    return Area(name, child)


def matching(name: str, value: str) -> Area:
    """Look for one value, as a phrase, in a piece or search area.

    >>> matching("Sex", "ALL")
    Area(name='Sex', child=Phrase(text='ALL'), size=False)
    """
    return Area(name, Phrase(value))


def one_of(name: str, *values: str) -> Area:
    """Look for any of some values in a piece or search area."""
    return Area(name, any_of(*map(Phrase, values)))


def between(name: str, low: object = None, high: object = None) -> Area:
    """Match values from `low` to `high`, both included; None leaves an end open.

    >>> between("StartDate", "2020-01-01").child
    Range(low='2020-01-01', high=None)
    """
    return Area(name, _range(low, high))


def size_between(name: str, low: int | None = None, high: int | None = None) -> Area:
    """Match lists of `low` to `high` values."""
    return Area(name, _range(low, high), size=True)


def missing(name: str) -> Area:
    """Match studies where the piece has no value."""
    return Area(name, Missing())


def near(latitude: float, longitude: float, *, radius: float, unit: str = "mi") -> Area:
    """Match studies with a site in the circle; `unit` is `mi` or `km`."""
    return Area("LocationGeoPoint", Distance(latitude, longitude, radius, unit))


def same_location(child: Node) -> Search:
    """Require that the child holds within one site."""
    return Search("Location", child)


def _range(low: object, high: object) -> Range:
    return Range(None if low is None else str(low), None if high is None else str(high))


def _join(kind: type[Group], children: tuple[Node, ...]) -> Node:
    if not children:
        raise InvalidInput(
            f"{kind.__name__} of no expressions", hint="Give at least one expression."
        )
    if len(children) == 1:
        return children[0]
    flat: list[Node] = []
    for child in children:
        flat.extend(child.children if isinstance(child, kind) else (child,))
    return kind(tuple(flat), span=Span(children[0].span.start, children[-1].span.end))
