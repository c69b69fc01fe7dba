"""Operands of a sentence read from left to right: lists, and what a denial reaches.

Nesting deeper than `_DEEPEST` is read flat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.definitions import caused, defined, excepted, is_method, linked
from trialyst.eligibility.elements import CONNECTORS, Element
from trialyst.eligibility.joins import (
    Parts,
    as_alternatives,
    combine,
    join_all,
    join_any,
    share_reason,
    share_time_since,
    share_windows,
)
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    AnyOf,
    AtLeast,
    Childbearing,
    Has,
    Interval,
    Measured,
    Not,
    Requirement,
    Sex,
    Took,
    Underwent,
    leaves,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ElementList"]

_DEEPEST = 10
_KINDS: dict[type, str] = {Has: "condition", Took: "treatment", Underwent: "treatment"}
_CONTINUING = frozenset("except examples definition cause optional link before".split())
"""Words that go on with what stands before a comma."""
_RELATIVE = ("link", "before")
_NEW_DENIALS = frozenset(("no", "without", "have no", "has no", "with no"))
"""Denials that begin a statement of their own even without a comma before them."""


def _with_examples(one: Requirement, other: Requirement) -> Requirement:
    """Give examples of the thing named last, or of all where they are of one kind."""
    if isinstance(one, All) and not _kind_of(one):
        last = join_any([one.parts[-1], as_alternatives(other)])
        return join_all([*one.parts[:-1], last])
    return join_any([one, as_alternatives(other)])


def _before(node: Requirement | None, later: Requirement | None) -> Requirement | None:
    """Give what is so before an age; an event from which time is counted asks nothing."""
    if isinstance(later, Age):
        years = Interval(high=later.years.low, high_included=False)
        later = msgspec.structs.replace(later, years=years)
    elif not _is_undated(node) or getattr(later, "what", None) is None:
        return node or later
    return _joined(node, later, linked)


def _denied(node: Requirement | None) -> Requirement | None:
    """Give the denial of a thing; what is denied twice holds."""
    if node is None or (isinstance(node, Not) and not node.left_out):
        return None if node is None else node.part
    return Not(part=node, span=node.span)


def _is_undated(node: Requirement | None) -> bool:
    """Tell whether it happened at no time told, as in "hormone therapy before surgery"."""
    return isinstance(node, Took | Underwent | Has) and node.when is None


def _joined(
    one: Requirement | None,
    other: Requirement | None,
    join: Callable[[Requirement, Requirement], Requirement],
) -> Requirement | None:
    if one is None or other is None:
        return one or other
    return join(one, other)


def _kind_of(node: Requirement | None) -> str:
    """Say of which kind all leaves of a node are, treatments and procedures being one."""
    if node is None:
        return ""
    kinds = {_KINDS.get(type(leaf), "other") for leaf in leaves(node)}
    return kinds.pop() if len(kinds) == 1 else ""


class ElementList:
    """Operands and what joins them, read from left to right."""

    def __init__(self, elements: list[Element], *, excludes: bool) -> None:
        self.elements, self.excludes = elements, excludes
        self.at = 0

    def read(self) -> Requirement | None:
        parts: Parts = []
        while self.at < len(self.elements):
            if self._peek() == "subject":
                self.at += 1
                whole = combine(parts, excludes=self.excludes)
                parts = [] if whole is None else [("with", self._operand(0, whole) or whole)]
            else:
                self._next_part(parts, 0)
        return combine(parts, excludes=self.excludes)

    def _next_part(self, parts: Parts, depth: int) -> None:
        """Read what joins the next operand, and the operand.

        "..., except", "..., such as" go on with what stands before the comma.
        """
        join = self._join()
        left: Requirement | None = None
        if parts and self._peek() in _CONTINUING and (join == "," or self._peek() not in _RELATIVE):
            if self._peek() in ("except", *_RELATIVE):
                left = combine(parts, excludes=self.excludes)
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
            kind = element.kind
            if kind == "subject" and not depth:
                break
            self.at += 1
            if kind == "neg" and depth and node is not None and element.value in _NEW_DENIALS:
                self.at -= 1
                break
            if kind == "leaf" and element.reason and node is not None:
                reason = self._listed_alike(element.node, node, depth)
                node = node if reason is None else linked(node, reason)
                continue
            if kind == "leaf":
                node = (
                    element.node
                    if node is None or element.node is None
                    else linked(node, element.node)
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
            right = self._scope(depth) if kind == "neg" else self._denied_states()
            return _joined(node, _denied(right), lambda one, other: join_all([one, other]))
        if kind == "link":
            right = self._listed_alike(self._tight(depth), node, depth)
            return _joined(node, right, linked)
        if kind in ("optional", "before"):
            later = self._operand(depth + 1)
            untimed = kind == "optional" or (node is not None and element.value == "event")
            return node if untimed else _before(node, later)
        if kind == "examples":
            return _joined(node, self._rest(depth), _with_examples)
        if kind == "except":
            return excepted(node, self._exception(depth))
        if kind == "definition":
            right = self._definition(depth)
            if node is None and right is not None and self.at < len(self.elements):
                # "Diagnosis by CT scan or MRI, of ...": how it is told comes first.
                right = None if all(map(is_method, leaves(right))) else right
            return _joined(node, right, defined)
        if kind == "cause":
            return _joined(node, self._rest(depth), caused)
        if kind == "following" and element.value not in ("0", ""):
            return _joined(node, self._counted(int(element.value), depth), linked)
        return node

    def _counted(self, count: int, depth: int) -> Requirement | None:
        right = self._rest(depth)
        if right is None or count == 1:
            return None if right is None else as_alternatives(right)
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
        return combine(parts, excludes=self.excludes)

    def _denied_states(self) -> Requirement | None:
        """Read what "non-" denies: one word, or both states of "non-pregnant/lactating women"."""
        states: list[Requirement] = []
        while self.at < len(self.elements):
            place = self.at + (bool(states) and self._peek() in CONNECTORS)
            node = self.elements[place].node if place < len(self.elements) else None
            if node is None or (states and not isinstance(node, Childbearing)):
                break
            states.append(node)
            self.at = place + 1
            if not isinstance(node, Childbearing):
                break
        return join_any(states) if states else None

    def _definition(self, depth: int) -> Requirement | None:
        """Read how a thing is told; behind an examination only other ones go on with it."""
        first = self._operand(depth + 1)
        if first is None:
            return None
        parts: Parts = [("with", first)]
        method = is_method(first)
        while self._peek() in ("or", "and", "/") and not self._starts_anew():
            following = next((each.node for each in self.elements[self.at :] if each.node), None)
            if method and following is not None and not is_method(following):
                break
            self._next_part(parts, depth + 1)
        return combine(parts, excludes=self.excludes)

    def _listed_alike(
        self, first: Requirement | None, node: Requirement | None, depth: int
    ) -> Requirement | None:
        """Read on a list of one kind: "cancer after surgery, radiotherapy or chemotherapy".

        The list ends in "or" or "and"; things of the kind of what it is said of are no part of it.
        """
        kind = _kind_of(first)
        if first is None or not kind or kind == _kind_of(node):
            return first
        at, ended = self.at, False
        while at < len(self.elements) and not ended:
            joins = 0
            while at < len(self.elements) and self.elements[at].kind in CONNECTORS - {"but", ";"}:
                ended = ended or self.elements[at].kind in ("or", "and")
                at, joins = at + 1, joins + 1
            element = self.elements[at] if at < len(self.elements) else None
            if not joins or element is None or element.fresh or _kind_of(element.node) != kind:
                return first
            at += 1
        if not ended:
            return first
        parts: Parts = [("with", first)]
        while self.at < at:
            self._next_part(parts, depth + 1)
        return combine(parts, excludes=self.excludes)

    def _scope(self, depth: int) -> Requirement | None:
        """Read what a denial reaches: its own list, up to a new statement."""
        first = self._operand(depth + 1)
        if first is None:
            return None
        parts: Parts = [("with", first)]
        while self._peek() in CONNECTORS - {"but", ";"} and not self._starts_anew(listed=True):
            self._next_part(parts, depth + 1)
        nodes = [node for _, node in parts]
        share_windows(nodes)
        share_time_since(nodes)
        return share_reason(nodes) or join_any(nodes)

    def _exception(self, depth: int) -> Requirement | None:
        """Read what is excepted: of one item in the middle of a list, the next thing alone."""
        before = [element.kind for element in self.elements[: self.at - 1]]
        behind = {element.kind for element in self.elements[self.at :]}
        bare_list = "," in behind and not behind & {"or", "and", "/", "examples"}
        within = self.excludes and before[-1:] == ["leaf"] and ("," in before or bare_list)
        return self._tight(depth) if within else self._rest(depth, either=True)

    def _rest(self, depth: int, *, either: bool = False) -> Requirement | None:
        """Read the list behind "such as" or "except", up to a new statement.

        Args:
            either: whether "and" joins things of which each counts by itself.
        """
        first = self._operand(depth + 1)
        parts: Parts = [] if first is None else [("with", first)]
        while self._peek() in CONNECTORS - {"but", ";"} and not self._starts_anew():
            if either:
                self._pass_second_except()
            self._next_part(parts, depth + 1)
        if either and len(parts) > 1 and all(_kind_of(node) for _, node in parts):
            return join_any([node for _, node in parts])
        return combine(parts, excludes=self.excludes)

    def _pass_second_except(self) -> None:
        """Read "except A and except B" as "except A and B"."""
        if [each.kind for each in self.elements[self.at : self.at + 2]] == ["and", "except"]:
            self.elements = [*self.elements[: self.at + 1], *self.elements[self.at + 2 :]]

    def _starts_anew(self, *, listed: bool = False) -> bool:
        """Tell whether behind the next connectors a statement of its own begins."""
        at = self.at
        while at < len(self.elements) and self.elements[at].kind in CONNECTORS:
            at += 1
        if at >= len(self.elements):
            return False
        element = self.elements[at]
        linked_to = self.elements[at + 1 : at + 2] if element.kind == "link" else []
        if element.kind == "neg" or any(each.fresh for each in (element, *linked_to)):
            return True
        if element.kind == "link" and self.elements[at - 1].kind == ",":
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
