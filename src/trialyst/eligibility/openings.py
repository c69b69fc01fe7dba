"""What the statement that opens a list says of each of its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.eligibility.clauses import read_opening_elements
from trialyst.eligibility.elements import Element
from trialyst.eligibility.grammar import build_requirement
from trialyst.eligibility.leaves import Mood
from trialyst.eligibility.requirement import (
    All,
    Allergy,
    AnyOf,
    Given,
    Has,
    Measured,
    Not,
    Opaque,
    Requirement,
    Took,
    Underwent,
)

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["Opening", "read_opening"]

_VERBS = {Took: "took", Underwent: "underwent", Allergy: "allergy"}


@dataclass(frozen=True, slots=True)
class Opening:
    """How the items of a list are to be read."""

    mood: Mood
    denied: bool = False
    left_out: bool = False
    who: Requirement | None = None
    """Those of whom the items are asked: "Women of child-bearing potential must:"."""
    about: Has | None = None
    """The one condition it names, which an item of a mere grade or course is about."""

    def bind(self, item: Requirement) -> Requirement:
        """Give an item as the opening means it."""
        if self.about is not None:
            item = _specified(item, self.about)
        if self.denied or self.left_out:
            item = Not(part=item, left_out=not self.denied, span=item.span)
        if self.who is not None:
            item = Given(who=self.who, then=item, span=item.span)
        return item


def read_opening(text: str, lexicon: Lexicon) -> Opening:
    """Read the statement that opens a list."""
    elements, mood = read_opening_elements(text.rstrip(" :"), lexicon)
    kinds = [element.kind for element in elements]
    last = max((at for at, kind in enumerate(kinds) if kind == "neg"), default=None)
    denied = last is not None and all(_is_vague(element) for element in elements[last + 1 :])
    denied = denied and not {"allowed", "if"}.intersection(kinds[last:])
    if denied and last is not None and {"and", "following"} <= set(kinds[last:]):
        # "... where it was not performed, and met all of the following:".
        denied = "following" in kinds[last : kinds.index("and", last)]
    if denied and "following" not in kinds[last:] and "leaf" in kinds[last:]:
        # "Lymphoma for which no standard therapy exists:" denies the therapy, not its list.
        denied = all(_is_vague(element) for element in elements[:last])
    if mood.response == "contraindicated":
        mood.response = mood.verb = ""
    if "following" in kinds or text.rstrip().endswith(":"):
        _take_verb(mood, elements)
        mood.direct = True
    else:
        mood = Mood()
    who = None
    if "modal" in kinds:
        who = build_requirement(elements[: kinds.index("modal")])
        if isinstance(who, Opaque | Measured):
            who = None
    who = None if who is None else _without_spans(who)
    named = [each.node for each in elements if isinstance(each.node, Has) and each.node.what]
    about = named[0] if len(named) == 1 and isinstance(named[0], Has) else None
    return Opening(mood, denied, "left_out" in kinds and not denied, who, about)


def _specified(item: Requirement, about: Has) -> Requirement:
    """Give "grade 3 or higher" and "for at least 3 months" of the opening's condition."""
    if isinstance(item, All | AnyOf):
        parts = tuple(_specified(part, about) for part in item.parts)
        return msgspec.structs.replace(item, parts=parts)
    if not isinstance(item, Has) or item.what is not None:
        return item
    told = item.stage or item.severity or item.activity
    mere = item.general == "disease" and told and "disease" not in item.words.lower()
    if mere or (item.general == "symptoms" and item.when is not None):
        return msgspec.structs.replace(item, what=about.what, kind=about.kind, general="")
    return item


def _without_spans(node: Requirement) -> Requirement:
    fields: dict[str, Any] = {"span": (0, 0)}
    for name in ("part", "of", "but", "who", "then"):
        if hasattr(node, name):
            fields[name] = _without_spans(getattr(node, name))
    if hasattr(node, "parts"):
        fields["parts"] = tuple(map(_without_spans, node.parts))
    return msgspec.structs.replace(node, **fields)


def _is_vague(element: Element) -> bool:
    node = element.node
    if node is None or isinstance(node, Opaque):
        return True
    return isinstance(node, Has | Took) and node.what is None


def _take_verb(mood: Mood, elements: list[Element]) -> None:
    """Let a general noun at the end tell what the items are: "the following medications:"."""
    last = next((each for each in reversed(elements) if each.kind == "leaf"), None)
    if last is None:
        return
    node = last.node
    if isinstance(node, Has | Took | Underwent) and node.what is None:
        mood.verb = mood.verb or _VERBS.get(type(node), "has" if isinstance(node, Has) else "")
        mood.when = mood.when or node.when
        mood.tense = mood.tense or node.tense
