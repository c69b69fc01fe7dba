"""From typed phrases to elements: leaves, and the words that join, deny or limit them.

One pass from left to right. A verb, a tense or a list's opening holds for the noun phrases behind
it until a new statement begins; a noun phrase that lacks its noun borrows the one behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.administrative import read_administrative
from trialyst.eligibility.elements import CONNECTORS, Element
from trialyst.eligibility.leaves import MODIFIERS, NOUNS, Mood
from trialyst.eligibility.noun_phrases import NounPhrases
from trialyst.eligibility.phrases import Item, find_items
from trialyst.eligibility.requirement import Has, Person, Requirement, Sex, Tense, Took
from trialyst.eligibility.tokens import is_short_for, read_count
from trialyst.eligibility.typed_leaves import age_of_window, attach_window, build_typed_leaf
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["read_elements", "read_opening_elements"]

_DEEPEST = 6
"""Parentheses within parentheses; deeper ones are read as if they were not there."""
_MARKS = frozenset(
    "neg non except unless examples definition cause optional left_out allowed following "
    "both_sexes".split()
)
_DENIABLE = frozenset(("name", "childbearing", "habit", "person", "general"))
"""What "non-" denies; before other words it is part of an adjective."""
_AWAITING = frozenset("tense took treats underwent allergy has response".split())
"""Cues that say nothing without the phrase behind them."""
_OPENING = frozenset("tense has took treats underwent allergy response family link neg".split())
_HOLDING = frozenset(("stop", ":", "if", "unless", "except", "left_out", "allowed", "neg", "link"))
"""Words before which modifiers without a noun do not wait for one behind them."""


def read_elements(text: str, lexicon: Lexicon, mood: Mood) -> list[Element]:
    """Read a text into elements.

    Args:
        mood: what a list's opening says of its items.
    """
    return _Clauses(text, lexicon, mood).read(find_items(text, lexicon))


def read_opening_elements(text: str, lexicon: Lexicon) -> tuple[list[Element], Mood]:
    """Read the opening of a list into elements and what it says of what follows."""
    clauses = _Clauses(text, lexicon, Mood())
    elements = clauses.read(find_items(text, lexicon))
    mood = clauses.mood.copy()
    mood.when = clauses.window or mood.when
    return elements, mood


class _Clauses(NounPhrases):
    def read(self, items: list[Item]) -> list[Element]:
        self.items = items
        at = 0
        while at < len(items):
            item = items[at]
            if item.kind == "(" and self._is_gloss(at):
                at += 3
            elif item.kind in NOUNS or item.kind in MODIFIERS:
                self.chunk.append(item)
                self.after_cue = False
                at += 1
            elif item.kind in ("admin", "able", "unable"):
                at = self._administrative(at)
            else:
                following = items[at + 1].kind if at + 1 < len(items) else ""
                if item.kind != "non" or following in _DENIABLE:
                    self._cue(item)
                at += 1
        self._flush()
        self._close_cue()
        if self.window is not None and not any(each.kind == "leaf" for each in self.out):
            # "For at least 3 months" tells how long what the list is about has to have lasted.
            words, span = self.text.strip(), (0, len(self.text))
            node = Has(words=words, general="symptoms", when=self.window, span=span)
            self.out.append(Element("leaf", *span, node))
        elif self.window is not None:
            self._attach_left()
        self.sharing.drop_places()
        if any(each.kind == "leaf" and not each.aside for each in self.out):
            return [each for each in self.out if not each.aside]
        return self.out

    def _is_gloss(self, at: int) -> bool:
        """Tell whether a parenthesis holds but the short form of the words before it."""
        if at + 2 >= len(self.items) or self.items[at + 2].kind != ")":
            return False
        start, end = self.items[at + 1][2:]
        before = self.text[max(0, self.items[at].start - 80) : self.items[at].start]
        if not is_short_for(self.text[start:end], before):
            return False
        if not self.chunk:
            return True
        inner = self.items[at + 1]
        if inner.kind != "name" or any(item.kind in ("name", "analyte") for item in self.chunk):
            return True
        return inner.value.kind is not TermKind.CONDITION

    def _attach_left(self) -> None:
        """Give a window behind a colon to the one leaf before it."""
        leaves = [each for each in self.out if each.kind == "leaf"]
        if len(leaves) == 1 and leaves[0].node is not None and self.window is not None:
            leaves[0].node = attach_window(leaves[0].node, self.window) or leaves[0].node

    def _cue(self, item: Item) -> None:
        kind = item.kind
        if kind in CONNECTORS:
            self._connect(item)
            return
        if kind == "skip":
            if not all(held.kind in MODIFIERS for held in self.chunk):
                self._flush()
            return
        if kind == "treats" and any(held.kind in NOUNS for held in self.chunk):
            self._split_treats(item)
            return
        if kind == "value" and self._only_modifiers():
            self.chunk = []
        if kind in _HOLDING or not self._only_modifiers():
            self._flush()
        handle = _HANDLERS.get(kind)
        if handle is not None:
            handle(self, item)
        elif kind in _MARKS:
            self._mark(item)
        self.opened = self.opened or kind in _OPENING or kind == "prep"
        self.after_cue = kind in _AWAITING

    def _mark(self, item: Item) -> None:
        value = item.value or self.text[item.start : item.end].lower()
        self.out.append(Element(item.kind, item.start, item.end, value=value))
        if item.kind == "both_sexes":
            self._reset()
        elif item.kind == "neg" and not self.after_cue:
            self.mood = self.base.copy()

    def _split_treats(self, item: Item) -> None:
        """Read "hormone therapy for asthma" as a noun and its object."""
        words = self.text[item.start : item.end].split()
        middle = item.start + len(words[0])
        self.chunk.append(Item("therapy_head", "", item.start, middle))
        self._flush()
        self._prep(Item("prep", "", item.end - len(words[-1]), item.end))

    def _connect(self, item: Item) -> None:
        if (self._only_modifiers() and item.kind != ";") or (
            self.after_cue and item.kind in ("or", "and", "/", ",")
        ):
            return
        self._flush()
        self._close_cue()
        self.prep = ""
        if item.kind == "but":
            self._reset()
        if item.kind == ";":
            self.mood = self.base.copy()
        self.out.append(Element(item.kind, item.start, item.end))
        self.opened = False

    def _reset(self, _item: Item | None = None) -> None:
        self.mood = self.base.copy()
        self.fresh = True
        self.prep = ""

    def _stop(self, item: Item) -> None:
        self._close_cue()
        self.out.append(Element("stop", item.start, item.end))
        self._reset()
        self.fresh = False

    def _open(self, item: Item) -> None:
        self.depth += 1
        if self.depth <= _DEEPEST:
            self.moods.append(self.mood.copy())
            self.out.append(Element("(", item.start, item.end))

    def _close(self, item: Item) -> None:
        if self.depth == 0:
            # "1)" and "a)" number the items of a list.
            if self.out and self.out[-1].kind == "leaf" and item.end - self.out[-1].start <= 4:
                self.out.pop()
            self.out.append(Element(";", item.start, item.end))
            return
        self.depth -= 1
        if self.depth < _DEEPEST:
            self.mood = self.moods.pop()
            self.out.append(Element(")", item.start, item.end))

    def _colon(self, item: Item) -> None:
        self.out.append(Element(":", item.start, item.end))
        self.base = self.mood.copy()
        self.base.when = self.window or self.mood.when
        self.mood = self.base.copy()
        self.window = None

    def _tense(self, item: Item) -> None:
        told = Tense(item.value)
        if self.after_cue and self.mood.tense is not None and Tense.EVER in (told, self.mood.tense):
            told = Tense.EVER
        self.mood.tense, self.mood.family = told, False

    def _verb(self, item: Item) -> None:
        if item.kind == "has" and item.value == "weak":
            if not self.mood.family:
                self._reset()
            return
        if item.value == "intolerant" and self.after_cue and self.mood.response == "failed":
            return
        if item.kind == "allergy":
            self._close_cue()
            self.open_cue = item
        if item.kind == "treats":
            words = self.text[item.start : item.end]
            self._leaf(Took(words=words, general="prior therapy", tense=Tense(item.value)), item)
            self.out.append(Element("link", item.end, item.end))
        self.mood.verb, self.mood.direct = item.kind, True
        if self.open_cue is None or item.kind != "took":
            self.mood.response = ""
        if item.kind != "allergy" and item.value and not (self.after_cue and self.mood.tense):
            self.mood.tense = Tense(item.value)

    def _response(self, item: Item) -> None:
        self._close_cue()
        self.mood.response = item.value
        self.mood.verb, self.mood.direct = "took", True
        if item.value == "contraindicated":
            self.open_cue = item

    def _close_cue(self) -> None:
        """Give an allergy or contraindication to nothing named as a leaf of its own."""
        item, self.open_cue = self.open_cue, None
        if item is None:
            return
        words = self.text[item.start : item.end]
        if item.kind == "allergy":
            self._leaf(Has(what=self.lexicon.term("Hypersensitivity"), words=words), item)
        else:
            self._leaf(Has(words=words, general="contraindication"), item)

    def _family(self, _item: Item) -> None:
        self.mood.family, self.mood.verb = True, "has"

    def _stable(self, _item: Item) -> None:
        self.mood.stable = True
        self.mood.verb, self.mood.direct = "took", True

    def _lines(self, item: Item) -> None:
        lines = read_count(self.text, item.start)
        words = self.text[item.start : item.end]
        self._leaf(Took(words=words, general="prior therapy", tense=Tense.EVER, lines=lines), item)
        self.mood.verb = "took"

    def _link(self, item: Item) -> None:
        self.mood.verb = "" if self.mood.verb != "allergy" else self.mood.verb
        at = len(self.out) - 1
        if at > 0 and self.out[at].kind == ")":
            at = max((i for i, each in enumerate(self.out) if each.kind == "("), default=1) - 1
        last = self.out[at].node if at >= 0 else None
        if isinstance(last, Person) and last.role == "relative" and item.end - item.start < 5:
            # "A sister with, a parent who has": what follows is asked of them.
            del self.out[at:]
            self.mood.family, self.mood.verb = True, "has"
            return
        self.out.append(Element("link", item.start, item.end))

    def _prep(self, item: Item) -> None:
        self.prep = self.text[item.start : item.end].lower()

    def _typed(self, item: Item) -> None:
        self._leaf(build_typed_leaf(item, self.text, self.lexicon, self.mood), item)

    def _window(self, item: Item) -> None:
        age = age_of_window(item.value) if self.out and self.out[-1].kind == "if" else None
        if age is not None:
            self._leaf(age, item)
            return
        ends = (each for each in reversed(self.out) if each.kind in ("leaf", "stop", ":", ";"))
        last = next(ends, None)
        if last is not None and last.kind == "leaf" and last.node is not None:
            node = attach_window(self._lasting(last.node, item), item.value)
            if last.reason and len(self.out) > 1 and self.out[-2].node is not None:
                # "Surgery for cancer within 6 months": it is the surgery that is timed.
                last, node = self.out[-2], attach_window(self.out[-2].node, item.value)
            if node is not None:
                last.node = node
                return
        self.window = item.value

    def _lasting(self, node: Requirement, item: Item) -> Requirement:
        """Read "disease duration" as that of the patient's own disease."""
        if not isinstance(node, Has) or node.general != "disease" or node.what is not None:
            return node
        if not self.text[item.start : item.end].lower().startswith("duration"):
            return node
        return msgspec.structs.replace(node, general="symptoms")

    def _sex(self, item: Item) -> None:
        self._reset()
        self._leaf(Sex(sex=item.value), item)

    def _if(self, item: Item) -> None:
        self.out.append(Element("if", item.start, item.end))
        self._reset()
        if item.value:
            self._leaf(Sex(sex=item.value), item)

    def _modal(self, item: Item) -> None:
        self.out.append(Element("modal", item.start, item.end))
        self._reset()

    def _person(self, item: Item) -> None:
        words = self.text[item.start : item.end]
        self._leaf(Person(role=item.value, words=words), item)
        self.prep = "of" if words.lower().endswith((" of", " in", " by")) else ""

    def _administrative(self, at: int) -> int:
        """Read what is said of consent, willingness and the like; give where it ends."""
        self._flush()
        found = read_administrative(self.text, self.items, at)
        start, end = found.start, found.end
        if found.node is not None:
            self._leaf(found.node, Item("admin", None, start, end))
            self.out[-1].aside = found.judged
            self.mood = self.base.copy()
        elif found.denied:
            self.out.append(Element("neg", start, end))
        return found.following


_HANDLERS: dict[str, Callable[[_Clauses, Item], None]] = {
    "stop": _Clauses._stop,
    "(": _Clauses._open,
    ")": _Clauses._close,
    ":": _Clauses._colon,
    "subject": _Clauses._reset,
    "tense": _Clauses._tense,
    "has": _Clauses._verb,
    "took": _Clauses._verb,
    "treats": _Clauses._verb,
    "underwent": _Clauses._verb,
    "allergy": _Clauses._verb,
    "response": _Clauses._response,
    "family": _Clauses._family,
    "stable": _Clauses._stable,
    "lines": _Clauses._lines,
    "link": _Clauses._link,
    "prep": _Clauses._prep,
    "value": _Clauses._typed,
    "age": _Clauses._typed,
    "marker": _Clauses._typed,
    "window": _Clauses._window,
    "sex": _Clauses._sex,
    "if": _Clauses._if,
    "modal": _Clauses._modal,
    "childbearing": _Clauses._typed,
    "habit": _Clauses._typed,
    "person": _Clauses._person,
}
