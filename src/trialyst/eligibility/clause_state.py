"""What the words before a noun phrase make of it: tense, verb, count, what still lacks its object.

One pass from left to right; `clauses.py` drives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.elements import CONNECTORS, Element
from trialyst.eligibility.modifiers import with_count
from trialyst.eligibility.requirement import Requirement, Tense, Took
from trialyst.eligibility.sharing import NounSharing
from trialyst.eligibility.timing import before_parenthesis
from trialyst.eligibility.typed_leaves import build_objectless_leaf

if TYPE_CHECKING:
    from trialyst.eligibility.leaves import Mood
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.phrases import Item
    from trialyst.eligibility.requirement import Interval, Window

__all__ = ["ClauseState"]


class ClauseState:
    """What was read so far of a text, and what it says of what comes next."""

    def __init__(self, text: str, lexicon: Lexicon, mood: Mood) -> None:
        self.text, self.lexicon = text, lexicon
        self.base, self.mood = mood, mood.copy()
        self.out: list[Element] = []
        self.sharing = NounSharing(text, lexicon, self.out)
        self.chunk: list[Item] = []
        self.prep = ""
        self.fresh = False
        self.after_cue = False
        self.window: Window | None = None
        self.count: Interval | None = None
        """How many are asked for of what comes next."""
        self.depth = 0
        self.moods: list[Mood] = []
        self.opened = False
        self.open_cue: Item | None = None
        """An allergy, a contraindication, a stable dose that still lacks what it is of."""

    def add_leaf(self, node: Requirement, item: Item) -> None:
        """Add a leaf."""
        if node.span == (0, 0):
            node = msgspec.structs.replace(node, span=(item.start, item.end))
        self.out.append(Element("leaf", item.start, item.end, node, fresh=self.fresh))
        self.fresh = False
        self.prep = ""

    def begin_anew(self, _item: Item | None = None) -> None:
        """Forget what the words before said of what comes next."""
        self.mood = self.base.copy()
        self.fresh = True
        self.prep = ""

    def is_joined(self) -> bool:
        """Tell whether "or", "and" stands right before: "without consent or who are ..."."""
        return bool(self.out) and self.out[-1].kind in ("or", "and") and not self.chunk

    def take_tense(self, item: Item) -> None:
        """Take when things have to have been so."""
        told = Tense(item.value)
        if self.after_cue and self.mood.tense is not None and Tense.EVER in (told, self.mood.tense):
            told = Tense.EVER
        self.mood.tense, self.mood.family = told, False

    def take_verb(self, item: Item) -> None:
        """Take what is said of the noun phrases that come next."""
        if item.kind == "has" and item.value == "weak":
            if not self.mood.family:
                self.begin_anew()
            return
        if item.value == "intolerant" and self.after_cue and self.mood.response == "failed":
            return
        if item.kind == "allergy":
            if not self.after_cue:
                self.close_cue()
            self.open_cue = item
        if item.kind == "treats":
            words = self.text[item.start : item.end].rpartition(" ")[0]
            self.add_leaf(Took(words=words, general="prior therapy", tense=Tense(item.value)), item)
            self.out.append(Element("link", item.end, item.end))
        self.mood.verb, self.mood.direct = item.kind, True
        if self.open_cue is None or item.kind != "took":
            self.mood.response = ""
        if item.kind != "allergy" and item.value and not (self.after_cue and self.mood.tense):
            self.mood.tense = Tense(item.value)

    def take_response(self, item: Item) -> None:
        """Take how treatments have to have worked."""
        if not self.after_cue:
            self.close_cue()
        self.open_cue = None
        self.mood.response = item.value
        self.mood.verb, self.mood.direct = "took", True
        if item.value == "contraindicated":
            self.open_cue = item

    def close_cue(self) -> None:
        """Give an allergy or contraindication to nothing named as a leaf of its own."""
        item, self.open_cue = self.open_cue, None
        if item is not None:
            leaf = build_objectless_leaf(item, self.text, self.lexicon)
            if self.window is not None and isinstance(leaf, Took):
                leaf, self.window = msgspec.structs.replace(leaf, when=self.window), None
            self.add_leaf(leaf, item)

    def ask_family(self, _item: Item) -> None:
        """Ask what comes next of relatives."""
        self.mood.family, self.mood.verb = True, "has"

    def take_stable(self, item: Item) -> None:
        """Ask what comes next in a stable dose."""
        self.close_cue()
        self.mood.stable = True
        self.mood.verb, self.mood.direct = "took", True
        self.open_cue = item

    def add_lines(self, item: Item) -> None:
        """Add treatments that are counted, of no kind that is told."""
        words = self.text[item.start : item.end]
        last = self.out[-1] if self.out else None
        if last is not None and isinstance(last.node, Took) and item.start - last.end <= 1:
            # "Platinum-based chemotherapy regimens" are that chemotherapy.
            return
        leaf = Took(words=words, general="prior therapy", tense=Tense.EVER)
        self.add_leaf(with_count(leaf, self.take_count()), item)
        self.mood.verb = "took"

    def set_count(self, item: Item) -> None:
        """Keep how many are asked for of what comes next."""
        self.count = item.value

    def take_count(self) -> Interval | None:
        """Give how many are asked for, once."""
        count, self.count = self.count, None
        return count

    def narrow_last(self, item: Item) -> None:
        """Let "medications that prolong the QT interval" be such medications only."""
        said = before_parenthesis(self.out)
        told = self.text[item.start : item.end].lower()
        for element in reversed(said):
            node = element.node
            if isinstance(node, Took) and (element is said[-1] or node.general):
                element.node = msgspec.structs.replace(node, general="", modifiers=told)
            elif element.kind not in CONNECTORS:
                break

    def set_preposition(self, item: Item) -> None:
        """Keep the preposition before a noun phrase."""
        self.prep = item.value or self.text[item.start : item.end].lower()
