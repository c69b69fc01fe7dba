"""From elements to a requirement: sentences, lists, scopes of denial, exceptions, conditions.

Recursion is bounded: what is nested deeper than `_DEEPEST` is read flat.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.clauses import CONNECTORS, Element
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    Allergy,
    AnyOf,
    AtLeast,
    Bound,
    Childbearing,
    Except,
    Given,
    Habit,
    Has,
    Interval,
    Marker,
    Measured,
    Not,
    Opaque,
    Person,
    Requirement,
    Sex,
    Took,
    Underwent,
    leaves,
)
from trialyst.eligibility.tokens import is_abbreviation

__all__ = ["build_requirement"]

_DEEPEST = 10
_LISTED = (Has, Took, Underwent, Allergy, Habit, Marker, Childbearing, Opaque, Person)
"""Leaves of which a list without "and" or "or" names alternatives."""
_CONTINUING = frozenset(("except", "examples", "definition", "cause", "optional"))
"""Words that go on with what stands before a comma."""
_TIMED = (Has, Took, Underwent)
_DEFINED = (
    "hyper",
    "hypo",
    "impair",
    "insufficien",
    "dysfunction",
    "failure",
    "emia",
    "penia",
    "obes",
    "fever",
)

Node = TypeVar("Node", bound=Requirement)
Parts = list[tuple[str, Requirement]]


def build_requirement(elements: list[Element]) -> Requirement | None:
    """Give the requirement of a text's elements; None where they hold no leaf."""
    grouped = _without_parentheses(elements)
    sentences: list[list[Element]] = [[]]
    for element in grouped:
        if element.kind == "stop":
            sentences.append([])
        else:
            sentences[-1].append(element)
    whole: Requirement | None = None
    for sentence in sentences:
        node = _sentence(sentence, 0)
        if node is None:
            continue
        if whole is not None and any(element.kind == "allowed" for element in sentence):
            whole = Except(of=whole, but=_permitted(node), span=_span((whole, node)))
        else:
            whole = node if whole is None else _all([whole, node])
    return whole


def _permitted(node: Requirement) -> Requirement:
    return node.part if isinstance(node, Not) else node


def _without_parentheses(elements: list[Element]) -> list[Element]:
    """Let what stands in parentheses act on the leaf before them."""
    out: list[Element] = []
    stack: list[int] = []
    for element in elements:
        if element.kind == "(":
            stack.append(len(out))
            out.append(element)
        elif element.kind == ")":
            if not stack:
                continue
            opened = stack.pop()
            inner = out[opened + 1 :]
            del out[opened:]
            _apply_parenthesis(out, inner)
        else:
            out.append(element)
    return [
        # A parenthesis that is never closed is read as a comma.
        Element(",", element.start, element.end) if element.kind == "(" else element
        for element in out
    ]


def _apply_parenthesis(out: list[Element], inner: list[Element]) -> None:
    if not inner:
        return
    last = out[-1] if out else None
    if last is None or last.kind != "leaf" or last.node is None:
        node = _sentence([element for element in inner if element.kind != "stop"], 1)
        if node is not None:
            out.append(Element("leaf", inner[0].start, inner[-1].end, node))
        return
    first = inner[0].kind
    sentences = [element for element in inner if element.kind != "stop"]
    node = _sentence(sentences[1:] if first in ("examples", "except", "unless") else sentences, 1)
    if node is None:
        return
    last.node = _with_aside(last.node, node, first)
    last.end = max(last.end, inner[-1].end)


def _with_aside(node: Requirement, aside: Requirement, opening: str) -> Requirement:
    if opening in ("except", "unless"):
        return Except(of=node, but=aside, span=_span((node, aside)))
    if opening == "examples":
        return _any([node, aside])
    if isinstance(aside, Opaque) and (is_abbreviation(aside.words) or len(aside.words) < 4):
        return node
    if isinstance(node, Opaque) and isinstance(aside, Has | Took | Underwent | Measured):
        return aside
    if isinstance(aside, Has) and isinstance(node, Has) and aside.what == node.what:
        return node
    if _measures(node) & _measures(aside):
        other = _all([aside.who, aside.then]) if isinstance(aside, Given) else aside
        return _any([node, other])
    if isinstance(node, Has | Took | Allergy) and _is_listing(aside):
        return _any([node, aside])
    return _defined(node, aside)


def _measures(node: Requirement) -> set[str]:
    return {leaf.analyte for leaf in leaves(node) if isinstance(leaf, Measured)}


def _is_listing(aside: Requirement) -> bool:
    parts = aside.parts if isinstance(aside, AnyOf | All) else (aside,)
    return all(isinstance(part, Has | Took | Underwent) for part in parts)


def _defined(node: Requirement, definition: Requirement) -> Requirement:
    """Join a thing with the words that say how it is told."""
    if (
        isinstance(node, Measured)
        and node.interval is None
        and node.state in ("normal", "abnormal", "")
    ):
        if any(isinstance(leaf, Measured) for leaf in leaves(definition)):
            return definition
    if not isinstance(node, Has):
        return _all([node, definition])
    told = list(leaves(definition))
    if all(isinstance(leaf, Underwent | Opaque) for leaf in told):
        words = (leaf.words for leaf in told if isinstance(leaf, Underwent | Opaque))
        proof = ", ".join(filter(None, (node.proof, *words)))
        return msgspec.structs.replace(node, proof=proof)
    measured = all(isinstance(leaf, Measured) for leaf in leaves(definition))
    words = node.words.lower()
    if (measured and any(sign in words for sign in _DEFINED)) or isinstance(
        definition, Has | AnyOf
    ):
        return _any([node, definition])
    return _all([node, definition])


def _sentence(elements: list[Element], depth: int) -> Requirement | None:
    if not elements or depth > _DEEPEST:
        return _flat(elements)
    kinds = [element.kind for element in elements]
    if ":" in kinds:
        return _headed(elements, kinds.index(":"), depth)
    if ";" in kinds:
        return _items(elements, "", depth + 1)
    if "left_out" in kinds:
        rest = [element for element in elements if element.kind != "left_out"]
        node = _sentence(rest, depth + 1)
        return None if node is None else Not(part=node, left_out=True, span=node.span)
    if "unless" in kinds:
        at = kinds.index("unless")
        return _excepted(
            _sentence(elements[:at], depth + 1), _sentence(elements[at + 1 :], depth + 1)
        )
    if "if" in kinds:
        return _conditional(elements, kinds, depth)
    if "modal" in kinds:
        return _demanded(elements, kinds.index("modal"), depth)
    return _List(elements, depth).read()


def _flat(elements: list[Element]) -> Requirement | None:
    nodes = [element.node for element in elements if element.node is not None]
    return _all(nodes) if nodes else None


def _excepted(of: Requirement | None, but: Requirement | None) -> Requirement | None:
    if of is None or but is None:
        return of or (None if but is None else Not(part=but, span=but.span))
    if isinstance(of, Not) and not of.left_out:
        inner = Except(of=of.part, but=but, span=_span((of, but)))
        return Not(part=inner, span=inner.span)
    return Except(of=of, but=but, span=_span((of, but)))


def _headed(elements: list[Element], at: int, depth: int) -> Requirement | None:
    """Read "any of the following: ..." and what has a heading before a colon."""
    head, items = elements[:at], elements[at + 1 :]
    count = next((element.value for element in head if element.kind == "following"), "")
    denied = bool(head) and any(element.kind == "neg" for element in head[-3:])
    excepted = any(element.kind in ("except", "unless") for element in head[-3:])
    plain = [element for element in head if element.kind not in ("following",)]
    if denied or excepted:
        plain = plain[
            : max(i for i, each in enumerate(plain) if each.kind in ("neg", "except", "unless"))
        ]
    opening = _sentence(plain, depth + 1)
    body = _items(items, count, depth + 1)
    if body is None:
        return opening
    if denied:
        body = Not(part=body, span=body.span)
    if opening is None or isinstance(opening, Opaque):
        return body
    if excepted:
        return _excepted(opening, body)
    if count:
        return _all([opening, body])
    if isinstance(opening, Has) and _is_listing(body):
        return _any([opening, body])
    return _defined(opening, body)


def _items(elements: list[Element], count: str, depth: int) -> Requirement | None:
    divider = ";" if any(element.kind == ";" for element in elements) else ","
    if divider == "," and count in ("", "0"):
        return _sentence(elements, depth + 1)
    parts: list[Requirement] = []
    held: list[Element] = []
    joins = set()
    for element in [*elements, Element(divider, 0, 0)]:
        if element.kind != divider:
            held.append(element)
            continue
        if held and held[0].kind in ("or", "and"):
            joins.add(held[0].kind)
        if held and held[-1].kind in ("or", "and"):
            joins.add(held[-1].kind)
        node = _sentence(held, depth + 1)
        held = []
        if node is not None:
            parts.append(node)
    if not parts:
        return None
    if count == "" and len(parts) > 1:
        count = "1" if "or" in joins or (not joins and _are_alternatives(parts)) else "0"
    if count == "1" or count == "":
        return _any(parts)
    if count == "0":
        return _all(parts)
    if len(parts) == 1 and isinstance(parts[0], AnyOf | All):
        parts = list(parts[0].parts)
    return AtLeast(count=int(count), parts=tuple(parts), span=_span(parts))


def _conditional(elements: list[Element], kinds: list[str], depth: int) -> Requirement | None:
    at = kinds.index("if")
    if at == 0:
        ends = next(
            (i for i, kind in enumerate(kinds) if kind in (",", "modal") and i > 1), len(kinds)
        )
        who = _sentence(elements[1:ends], depth + 1)
        then = _sentence(elements[ends + 1 :], depth + 1)
        if then is None:
            return who
    else:
        then = _sentence(elements[:at], depth + 1)
        who = _sentence(elements[at + 1 :], depth + 1)
    return _given(who, then)


def _given(who: Requirement | None, then: Requirement | None) -> Requirement | None:
    sexes = {leaf.sex for leaf in leaves(who) if isinstance(leaf, Sex)} if who else set()
    if len(sexes) > 1 and then is not None:
        return then
    if who is None or then is None or isinstance(who, Opaque):
        return then if who is None or then is not None else who
    return Given(who=who, then=then, span=_span((who, then)))


def _demanded(elements: list[Element], at: int, depth: int) -> Requirement | None:
    who = _sentence(elements[:at], depth + 1)
    then = _sentence(elements[at + 1 :], depth + 1)
    if who is None or then is None:
        return who or then
    asked = [
        leaf for leaf in leaves(who) if not isinstance(leaf, Opaque | Administrative | Measured)
    ]
    if asked and not isinstance(who, Not):
        return _given(who, then)
    return _all([who, then])


class _List:
    """Operands and what joins them, read from left to right."""

    def __init__(self, elements: list[Element], depth: int) -> None:
        self.elements, self.depth = elements, depth
        self.at = 0

    def read(self) -> Requirement | None:
        parts: Parts = []
        while self.at < len(self.elements):
            self._next_part(parts, 0)
        return _combine(parts)

    def _next_part(self, parts: Parts, depth: int) -> None:
        """Read what joins the next operand, and the operand.

        "..., except", "..., such as" go on with what stands before the comma.
        """
        join = self._join()
        left: Requirement | None = None
        if parts and self._peek() in _CONTINUING:
            if self._peek() == "except":
                left = _combine(parts)
                parts.clear()
            else:
                join, left = parts.pop()
        node = self._operand(depth, left)
        if node is not None:
            parts.append((join, node))

    def _join(self) -> str:
        joins = []
        while self.at < len(self.elements) and self.elements[self.at].kind in CONNECTORS:
            joins.append(self.elements[self.at].kind)
            self.at += 1
        if not joins:
            return "with"
        said = next((join for join in reversed(joins) if join in ("or", "and", "but")), joins[-1])
        comma = "," if len(joins) > 1 and joins[0] in ",;" else ""
        return comma + ("or" if said == "/" else "and" if said == "but" else said)

    def _peek(self) -> str:
        return self.elements[self.at].kind if self.at < len(self.elements) else ""

    def _operand(self, depth: int, node: Requirement | None = None) -> Requirement | None:
        while self.at < len(self.elements) and self._peek() not in CONNECTORS:
            element = self.elements[self.at]
            self.at += 1
            kind = element.kind
            if kind == "leaf":
                node = (
                    element.node
                    if node is None or element.node is None
                    else _linked(node, element.node)
                )
                continue
            if depth > _DEEPEST:
                continue
            node = self._bind(kind, node, element, depth)
        return node

    def _bind(
        self, kind: str, node: Requirement | None, element: Element, depth: int
    ) -> Requirement | None:
        if kind in ("neg", "non"):
            right = self._scope(depth) if kind == "neg" else self._operand(depth + 1)
            if right is None:
                return node
            right = _denied(right)
            return right if node is None else _all([node, right])
        if kind == "link":
            right = self._tight(depth)
            return _joined(node, right, _linked)
        if kind == "optional":
            self._operand(depth + 1)
            return node
        if kind == "examples":
            return _joined(node, self._rest(depth), lambda one, other: _any([one, _as_any(other)]))
        if kind == "except":
            right = self._rest(depth)
            return (
                _excepted(node, right)
                if node is not None
                else right and Not(part=right, span=right.span)
            )
        if kind == "definition":
            return _joined(node, self._tight(depth), _defined)
        if kind == "cause":
            return _joined(node, self._tight(depth), _caused)
        if kind == "following" and element.value not in ("0", ""):
            return _joined(
                node, self._counted(int(element.value), depth), lambda a, b: _all([a, b])
            )
        return node

    def _counted(self, count: int, depth: int) -> Requirement | None:
        right = self._rest(depth)
        if right is None or count == 1:
            return None if right is None else _as_any(right)
        parts = right.parts if isinstance(right, AnyOf | All) else (right,)
        return AtLeast(count=count, parts=parts, span=right.span) if len(parts) > 1 else right

    def _tight(self, depth: int) -> Requirement | None:
        """Read an operand and those that follow it without a comma."""
        first = self._operand(depth + 1)
        if first is None:
            return None
        parts: Parts = [("with", first)]
        while self._peek() in ("or", "and", "/") and not self._starts_anew():
            self._next_part(parts, depth + 1)
        return _combine(parts)

    def _scope(self, depth: int) -> Requirement | None:
        """Read what a denial reaches: its own list, up to a new statement."""
        first = self._operand(depth + 1)
        if first is None:
            return None
        parts: Parts = [("with", first)]
        while self._peek() in CONNECTORS - {"but", ";"} and not self._starts_anew(listed=True):
            self._next_part(parts, depth + 1)
        nodes = [node for _, node in parts]
        _share_windows(nodes)
        return _any(nodes)

    def _rest(self, depth: int) -> Requirement | None:
        """Read the list behind "such as" or "except", up to a new statement."""
        first = self._operand(depth + 1)
        parts: Parts = [] if first is None else [("with", first)]
        while self._peek() in CONNECTORS - {"but", ";"} and not self._starts_anew():
            self._next_part(parts, depth + 1)
        return _combine(parts)

    def _starts_anew(self, *, listed: bool = False) -> bool:
        """Tell whether behind the next connectors a statement of its own begins."""
        at = self.at
        while at < len(self.elements) and self.elements[at].kind in CONNECTORS:
            at += 1
        if at >= len(self.elements):
            return False
        element = self.elements[at]
        if element.fresh or element.kind == "neg":
            return True
        node = element.node
        if isinstance(node, Age | Sex | Administrative):
            return True
        return listed and (
            (
                isinstance(node, Measured)
                and (node.interval is not None or node.state == "normal" or bool(node.values))
            )
            or isinstance(node, Not)
        )


def _joined(one, other, join):  # type: ignore[no-untyped-def]
    if one is None or other is None:
        return one if other is None else other
    return join(one, other)


def _denied(node: Requirement) -> Requirement:
    return Not(part=node, span=node.span)


def _linked(one: Requirement, other: Requirement) -> Requirement:
    if isinstance(other, Opaque) and isinstance(one, Has | Took | Underwent | Measured):
        pass
    return _all([one, other])


def _caused(one: Requirement, cause: Requirement) -> Requirement:
    named = next(leaves(cause), None)
    if isinstance(one, Has) and named is not None:
        one = msgspec.structs.replace(one, cause=getattr(named, "words", "") or one.cause)
        if isinstance(cause, Opaque):
            return one
    return _all([one, cause])


def _as_any(node: Requirement) -> Requirement:
    if isinstance(node, All) and all(isinstance(part, _LISTED) for part in node.parts):
        return AnyOf(parts=node.parts, span=node.span)
    return node


def _combine(parts: Parts) -> Requirement | None:
    """Join operands: "and" binds before "or", a comma joins as the next word does."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0][1]
    parts = _with_shared_states(parts)
    joins = _resolve([join for join, _ in parts], [node for _, node in parts])
    groups: list[tuple[str, Parts]] = [("and", [])]
    for join, (_, node) in zip(joins, parts, strict=True):
        if join == ",and":
            groups.append(("and", [("with", node)]))
        else:
            groups[-1][1].append((join, node))
    return _all([_alternatives(group) for _, group in groups])


def _with_shared_states(parts: Parts) -> Parts:
    """Let "abnormal lipase or amylase" speak of an abnormal amylase."""
    shared: Parts = []
    state = ""
    for join, node in parts:
        if isinstance(node, Measured) and node.interval is None and not node.values:
            state = node.state or state
            node = msgspec.structs.replace(node, state=state)
        else:
            state = ""
        shared.append((join, node))
    return shared


def _alternatives(parts: Parts) -> Requirement:
    terms: list[list[Requirement]] = []
    for join, node in parts:
        if not terms or join == "or":
            terms.append([node])
        else:
            terms[-1].append(node)
    if len(terms) > 1:
        flat = [group[-1] for group in terms]
        _share_windows(flat)
        for group, node in zip(terms, flat, strict=True):
            group[-1] = node
    return _any([_all(group) for group in terms])


def _resolve(joins: list[str], nodes: list[Requirement]) -> list[str]:
    """Give every comma the sense of the list it stands in."""
    explicit = [join.lstrip(",;") for join in joins[1:] if join.lstrip(",;")]
    commas = any(join in (",", ";") for join in joins[1:])
    listed = all(_is_listed(node) for node in nodes)
    if commas and listed and len(nodes) > 2 and (set(explicit) <= {"and"} or len(nodes) > 4):
        return ["or"] * len(joins)
    default = "or" if _are_alternatives(nodes) else "and"
    resolved: list[str] = []
    following = default if not explicit else ""
    for join in reversed(joins):
        if join in (",", ";"):
            resolved.append(following or default)
            continue
        if join in ("or", ",or"):
            following = "or"
            resolved.append("or")
        elif join in ("and", ",and"):
            mixed = join == ",and" and "or" in explicit and following != "and"
            following = "and"
            resolved.append(",and" if mixed and not commas else "and")
        else:
            resolved.append("and")
    return resolved[::-1]


def _is_listed(node: Requirement) -> bool:
    return all(isinstance(leaf, _LISTED) for leaf in leaves(node)) and not isinstance(node, Not)


def _are_alternatives(nodes: list[Requirement]) -> bool:
    """Tell whether a list without "and" or "or" names things of which one suffices."""
    return all(_is_adverse(node) for node in nodes)


def _is_adverse(node: Requirement) -> bool:
    match node:
        case Measured(interval=interval, analyte=analyte, bound=bound):
            return _is_away_from_normal(interval, analyte, bound)
        case Not() | Age() | Administrative() | Sex():
            return False
        case AnyOf(parts=parts) | All(parts=parts):
            return all(_is_adverse(part) for part in parts)
        case Except(of=of):
            return _is_adverse(of)
        case Person(role=role):
            return role != "healthy volunteer"
        case _:
            return isinstance(node, _LISTED)


def _is_away_from_normal(interval: Interval | None, analyte: str, bound: Bound) -> bool:
    if interval is None:
        return False
    if bound in (Bound.UPPER_LIMIT, Bound.BASELINE):
        return interval.low is not None
    if bound is Bound.LOWER_LIMIT:
        return interval.high is not None
    known = get_analyte(analyte)
    if known is None or known.low is None or known.high is None:
        return False
    return not interval.contains((known.low + known.high) / 2)


def _share_windows(parts: list[Requirement]) -> None:
    """Give a list's last window to those of its kind before it that have none."""
    last = parts[-1] if parts else None
    if not isinstance(last, _TIMED) or last.when is None:
        return
    for at in range(len(parts) - 2, -1, -1):
        node = parts[at]
        if not isinstance(node, _TIMED) or type(node) is not type(last):
            return
        if node.when is not None or node.tense is not last.tense:
            return
        parts[at] = msgspec.structs.replace(node, when=last.when)


def _span(nodes) -> tuple[int, int]:  # type: ignore[no-untyped-def]
    spans = [node.span for node in nodes]
    return min(start for start, _ in spans), max(end for _, end in spans)


def _all(nodes: list[Requirement]) -> Requirement:
    parts: list[Requirement] = []
    for node in nodes:
        for part in node.parts if isinstance(node, All) else (node,):
            if part not in parts:
                parts.append(part)
    parts = _without_idle_sex(parts)
    return parts[0] if len(parts) == 1 else All(parts=tuple(parts), span=_span(parts))


def _without_idle_sex(parts: list[Requirement]) -> list[Requirement]:
    sexes = {part.sex for part in parts if isinstance(part, Sex)}
    if not sexes or len(parts) == len(sexes):
        return parts
    bearing = any(isinstance(part, Childbearing) and part.state != "fathering" for part in parts)
    if len(sexes) > 1 or bearing:
        return [part for part in parts if not isinstance(part, Sex)]
    return parts


def _any(nodes: list[Requirement]) -> Requirement:
    parts: list[Requirement] = []
    for node in nodes:
        for part in node.parts if isinstance(node, AnyOf) else (node,):
            if part not in parts:
                parts.append(part)
    return parts[0] if len(parts) == 1 else AnyOf(parts=tuple(parts), span=_span(parts))
