"""From elements to a requirement: sentences, openings of lists, conditions, parentheses.

Recursion is bounded: what is nested deeper than `_DEEPEST` is read flat.
"""

from __future__ import annotations

from trialyst.eligibility.definitions import excepted, headed, names_kind, with_aside
from trialyst.eligibility.elements import CONNECTORS, Element, divided
from trialyst.eligibility.joins import (
    are_alternatives,
    as_alternatives,
    join_all,
    join_any,
    span_of,
)
from trialyst.eligibility.operands import ElementList
from trialyst.eligibility.requirement import (
    Administrative,
    All,
    AnyOf,
    AtLeast,
    Childbearing,
    Except,
    Given,
    Measured,
    Not,
    Opaque,
    Requirement,
    Sex,
    leaves,
)

__all__ = ["build_requirement"]

_DEEPEST = 10
_PERMITTING = ("allow", "permit", "accept", "not required", "exclu")
_MODAL_DENIALS = ("must", "should", "may", "will", "can", "shall")


def build_requirement(
    elements: list[Element], text: str = "", *, excludes: bool = False
) -> Requirement | None:
    """Give the requirement of a text's elements; None where they hold no leaf.

    Args:
        excludes: whether it stands among what excludes, where every sentence counts by itself.
    """
    if len(elements) == 1 and elements[0].node is not None:
        return elements[0].node
    return _Grammar(text, excludes=excludes).read(elements)


class _Grammar:
    """Reads the elements of one text."""

    def __init__(self, text: str, *, excludes: bool) -> None:
        self.text, self.excludes = text, excludes

    def read(self, elements: list[Element]) -> Requirement | None:
        grouped = self._without_parentheses(elements)
        sentences: list[list[Element]] = [[]]
        for element in grouped:
            if element.kind == "stop":
                sentences.append([])
            else:
                sentences[-1].append(element)
        nodes: list[Requirement] = []
        for sentence in sentences:
            node = self._sentence(sentence, 0)
            if node is None:
                continue
            if sentence[0].kind == "except" and nodes:
                nodes = self._with_permission(nodes, node)
            elif not _is_permission(sentence, excludes=self.excludes):
                nodes.append(node)
            elif nodes:
                nodes = self._with_permission(nodes, node)
            elif all(leaf.span != (0, 0) for leaf in leaves(node)) and not _is_limited(sentence):
                nodes.append(_permission(sentence, self.text))
            else:
                nodes.append(node)
        if not nodes and any(element.kind == "both_sexes" for element in elements):
            return AnyOf(parts=(Sex(sex="FEMALE"), Sex(sex="MALE")))
        return self._join_sentences(nodes) if nodes else None

    def _with_permission(
        self, nodes: list[Requirement], permitted: Requirement
    ) -> list[Requirement]:
        """Take from what is denied or excludes the things that are allowed."""
        but = permitted.part if isinstance(permitted, Not) else permitted
        if self.excludes:
            whole = self._join_sentences(nodes)
            return [Except(of=whole, but=but, span=span_of((whole, but)))]
        last = nodes[-1]
        if isinstance(last, Not):
            return [*nodes[:-1], excepted(last, but) or last]
        return nodes

    def _join_sentences(self, nodes: list[Requirement]) -> Requirement:
        """Join sentences: each of those that exclude counts by itself."""
        told = [node for node in nodes if not isinstance(node, Opaque)]
        denied = any(isinstance(node, Not) and not node.left_out for node in nodes)
        if self.excludes and not denied:
            return join_any(told or nodes)
        return join_all(nodes)

    def _without_parentheses(self, elements: list[Element]) -> list[Element]:
        """Let what stands in parentheses act on the leaf before them."""
        if not any(element.kind in "()" for element in elements):
            return elements
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
                self._apply_parenthesis(out, inner)
            else:
                out.append(element)
        return [
            # A parenthesis that is never closed is read as a comma.
            Element(",", element.start, element.end) if element.kind == "(" else element
            for element in out
        ]

    def _apply_parenthesis(self, out: list[Element], inner: list[Element]) -> None:
        if not inner:
            return
        last = out[-1] if out else None
        kinds = [each.kind for each in out[-3:]]
        if kinds == ["leaf", "before", "leaf"] or kinds[-2:] == ["leaf", "before"]:
            # "Rifampicin within 7 days prior to study treatment (or ...)" tells no more of it.
            last = out[-3] if kinds[-1] == "leaf" else out[-2]
        if last is None or last.kind != "leaf" or last.node is None:
            node = self._sentence([element for element in inner if element.kind != "stop"], 1)
            if node is not None:
                out.append(Element("leaf", inner[0].start, inner[-1].end, node))
            return
        first = inner[0].kind
        sentences = [element for element in inner if element.kind != "stop"]
        node = self._sentence(
            sentences[1:] if first in ("examples", "except", "unless") else sentences, 1
        )
        if node is None:
            return
        if first == "examples" and len(out) > 2 and out[-2].kind == "except":
            # "Tumors other than melanoma (e.g. sarcoma)": the examples are of the tumors.
            last = out[-3]
        if last.node is None:
            return
        if _is_permission(inner, excludes=True):
            if not self.excludes and not any(element.kind == "neg" for element in out[-6:]):
                return
            first = "except"
        last.node = with_aside(last.node, node, first)
        last.end = max(last.end, inner[-1].end)

    def _sentence(self, elements: list[Element], depth: int) -> Requirement | None:
        if not elements or depth > _DEEPEST:
            return _all_of([element.node for element in elements])
        kinds = [element.kind for element in elements]
        if ":" in kinds:
            return self._headed(elements, kinds.index(":"), depth)
        if ";" in kinds:
            return self._items(elements, "", depth + 1)
        if "left_out" in kinds:
            return self._left_out(elements, depth)
        if "unless" in kinds:
            at = kinds.index("unless")
            return excepted(
                self._sentence(elements[:at], depth + 1),
                self._sentence(elements[at + 1 :], depth + 1),
            )
        if "if" in kinds:
            return self._conditional(elements, kinds, depth)
        at = _demand_of_some(elements)
        if at:
            return _given(
                self._sentence(elements[:at], depth + 1), self._sentence(elements[at:], depth + 1)
            )
        if "modal" in kinds:
            return self._demanded(elements, kinds.index("modal"), depth)
        return ElementList(elements, excludes=self.excludes).read()

    def _left_out(self, elements: list[Element], depth: int) -> Requirement | None:
        """Read "X and Y are excluded" of either of them, "X for Y is excluded" of both."""
        node = self._sentence(
            [element for element in elements if element.kind != "left_out"], depth + 1
        )
        if node is None:
            return None
        if any(element.kind in ("and", ",", "/") for element in elements):
            node = as_alternatives(node)
        return Not(part=node, left_out=True, span=node.span)

    def _headed(self, elements: list[Element], at: int, depth: int) -> Requirement | None:
        """Read "any of the following: ..." and what has a heading before a colon."""
        head, items = elements[:at], elements[at + 1 :]
        count = next((element.value for element in head if element.kind == "following"), "")
        exempt = any(element.kind in ("except", "unless") for element in head[-3:])
        denied = not exempt and any(element.kind == "neg" for element in head[-3:])
        plain = [element for element in head if element.kind not in ("following",)]
        if denied or exempt:
            plain = plain[
                : max(i for i, each in enumerate(plain) if each.kind in ("neg", "except", "unless"))
            ]
        body = self._items(items, count, depth + 1)
        if head and head[0].kind == "if":
            return _given(self._sentence(plain[1:], depth + 1), body)
        if body is not None and _goes_on(head):
            inner = self._headed(elements[1:], at - 1, depth)
            return None if inner is None else Not(part=inner, span=inner.span)
        opening = self._sentence(plain, depth + 1)
        if body is None:
            return opening
        if denied:
            body = Not(part=body, span=body.span)
        if opening is None or isinstance(opening, Opaque):
            return body
        if exempt:
            return excepted(opening, body)
        if count and not names_kind(opening, body):
            return join_all([opening, body])
        if head and head[-1].kind in ("link", "cause", "examples"):
            join = join_any if head[-1].kind == "examples" else join_all
            return join([opening, body])
        return headed(opening, body)

    def _items(self, elements: list[Element], count: str, depth: int) -> Requirement | None:
        """Read the items of a list; `count` is how many of them must hold, all for `0`."""
        divider = ";" if any(element.kind == ";" for element in elements) else ","
        if divider == "," and count in ("", "0"):
            return self._sentence(elements, depth + 1)
        pieces = divided(elements, divider)
        joins = {
            piece[at].kind for piece in pieces for at in (0, -1) if piece[at].kind in ("or", "and")
        }
        read = (self._sentence(piece, depth + 1) for piece in pieces)
        parts = [node for node in read if node is not None]
        if not parts:
            return None
        if count == "" and len(parts) > 1:
            count = (
                "1"
                if "or" in joins
                or (
                    (not joins or self.excludes) and are_alternatives(parts, excludes=self.excludes)
                )
                else "0"
            )
        if count in ("", "1"):
            return join_any(parts)
        if count == "0":
            return join_all(parts)
        if len(parts) == 1 and isinstance(parts[0], AnyOf | All):
            parts = list(parts[0].parts)
        return AtLeast(count=int(count), parts=tuple(parts), span=span_of(parts))

    def _conditional(
        self, elements: list[Element], kinds: list[str], depth: int
    ) -> Requirement | None:
        at = kinds.index("if")
        again = [i for i in range(at + 1, len(kinds)) if kinds[i] == "if" and kinds[i - 1] == "and"]
        if at and again:
            # "... if A and if B".
            return self._sentence([e for i, e in enumerate(elements) if i not in again], depth + 1)
        if at and kinds.count("if") > 1:
            pieces = _split_between(elements, kinds)
            if len(pieces) > 1:
                nodes = [self._sentence(piece, depth + 1) for piece in pieces]
                return _all_of(nodes)
        if at == 0:
            ends = next(
                (i for i, kind in enumerate(kinds) if kind in (",", "modal") and i > 1), len(kinds)
            )
            who = self._sentence(elements[1:ends], depth + 1)
            then = self._sentence(elements[ends + 1 :], depth + 1)
            if then is None:
                return who
        else:
            then = self._sentence(elements[:at], depth + 1)
            who = self._sentence(elements[at + 1 :], depth + 1)
            if "allowed" in kinds[:at]:
                # "Women can be included if their test is negative" asks for the test.
                if self.excludes:
                    return excepted(then, who)
                then, who = who, then
        # "Anaemia in men and non-pregnant women" is asked of everybody.
        return then if _is_of_both_sexes(elements) else _given(who, then)

    def _demanded(self, elements: list[Element], at: int, depth: int) -> Requirement | None:
        who = self._sentence(elements[:at], depth + 1)
        cut = _next_demand(elements, at)
        if cut:
            first, second = elements[:cut], elements[cut + 1 :]
            nodes = [self._sentence(first, depth + 1), self._sentence(second, depth + 1)]
            return _all_of(nodes)
        # "... must have A and must have B" is asked of the same people.
        then = self._sentence([e for e in elements[at + 1 :] if e.kind != "modal"], depth + 1)
        if who is None or then is None:
            return who or then
        asked = [
            leaf for leaf in leaves(who) if not isinstance(leaf, Opaque | Administrative | Measured)
        ]
        if len(asked) > 1 and all(isinstance(leaf, Sex) for leaf in asked):
            return then
        if asked and not isinstance(who, Not):
            return _given(who, then)
        return join_all([who, then])


def _all_of(nodes: list[Requirement | None]) -> Requirement | None:
    """Give the nodes there are as one that asks for every one of them."""
    told = [node for node in nodes if node is not None]
    return join_all(told) if told else None


def _is_permission(sentence: list[Element], *, excludes: bool) -> bool:
    """Tell whether a sentence allows what it names.

    "Are eligible" asks for it among inclusions; "acceptable" before a noun is but an adjective.
    """
    kinds = [element.kind for element in sentence]
    at = kinds.index("allowed") if "allowed" in kinds else 0
    if "leaf" not in kinds[:at] or kinds[at + 1 : at + 2] == ["leaf"]:
        return False
    return excludes or any(stem in sentence[at].value for stem in _PERMITTING)


def _is_limited(sentence: list[Element]) -> bool:
    """Tell whether a permission asks for something all the same: "X is allowed if Y"."""
    return any(element.kind in ("if", "unless", "modal", "neg", "except") for element in sentence)


def _permission(sentence: list[Element], text: str) -> Administrative:
    span = sentence[0].start, sentence[-1].end
    return Administrative(topic="permission", words=text[slice(*span)], span=span)


def _demand_of_some(elements: list[Element]) -> int:
    """Give where "must not" begins behind words for women or men alone; 0 where it does not."""
    at = next((i for i, each in enumerate(elements) if each.kind == "neg"), 0)
    if not elements[at].value.startswith(_MODAL_DENIALS):
        return 0
    before = [element for element in elements[:at] if element.node is not None]
    asked = all(isinstance(element.node, Sex | Childbearing) for element in before)
    return at if before and asked else 0


def _goes_on(head: list[Element]) -> bool:
    """Tell whether a denial before a colon reaches what stands behind it: "no X due to:"."""
    rest = [element.kind for element in head if element.kind != "following"]
    return len(rest) > 2 and rest[0] == "neg" and rest[-1] in ("link", "cause")


def _split_between(elements: list[Element], kinds: list[str]) -> list[list[Element]]:
    """Part "A if B, C if D" before C."""
    pieces, start, last = [], 0, None
    for at, kind in enumerate(kinds):
        if kind in CONNECTORS:
            last = at
        elif kind == "if":
            if last is not None and "if" in kinds[start:last]:
                pieces.append(elements[start:last])
                start = last + 1
            last = None
    return [*pieces, elements[start:]]


def _is_of_both_sexes(elements: list[Element]) -> bool:
    nodes = [element.node for element in elements]
    sexes = {node.sex for node in nodes if isinstance(node, Sex)}
    bearing = any(isinstance(node, Childbearing) and node.state == "pregnant" for node in nodes)
    return len(sexes) > 1 or ("MALE" in sexes and bearing)


def _given(who: Requirement | None, then: Requirement | None) -> Requirement | None:
    if who is None or then is None or isinstance(who, Opaque):
        return then if who is None or then is not None else who
    return Given(who=who, then=then, span=span_of((who, then)))


def _next_demand(elements: list[Element], at: int) -> int:
    """Give the joint before the next demand on women or men; 0 where there is none."""
    cut = 0
    for place in range(at + 1, len(elements)):
        element = elements[place]
        if element.kind in CONNECTORS:
            cut = place
        elif element.kind == "modal" and cut:
            between = [each.node for each in elements[cut:place] if each.node is not None]
            return cut if any(isinstance(node, Sex | Childbearing) for node in between) else 0
    return 0
