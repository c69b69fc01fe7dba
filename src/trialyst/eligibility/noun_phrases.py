"""The noun phrases of a clause: gathered word by word, made into leaves, shared or borrowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.elements import Element
from trialyst.eligibility.leaves import (
    MODIFIERS,
    Mood,
    build_leaf,
    course_leaf,
    describe,
    is_bare,
)
from trialyst.eligibility.phrases import Item
from trialyst.eligibility.requirement import Has, Requirement, Took, Underwent, Window
from trialyst.eligibility.sharing import NounSharing

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["NounPhrases"]


class NounPhrases:
    """What a reader of clauses holds: the words gathered so far, and the elements made."""

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
        self.depth = 0
        self.moods: list[Mood] = []
        self.opened = False
        self.open_cue: Item | None = None
        """An allergy, a contraindication that still lacks what it is to."""

    def _only_modifiers(self) -> bool:
        return bool(self.chunk) and all(held.kind in MODIFIERS for held in self.chunk)

    def _leaf(self, node: Requirement, item: Item) -> None:
        if node.span == (0, 0):
            node = msgspec.structs.replace(node, span=(item.start, item.end))
        self.out.append(Element("leaf", item.start, item.end, node, fresh=self.fresh))
        self.fresh = False
        self.prep = ""

    def _flush(self) -> None:
        chunk, self.chunk = self.chunk, []
        if not chunk:
            return
        cue, self.open_cue = self.open_cue, None
        if self.window is not None:
            self.mood.when, self.window = self.window, None
        leaf = build_leaf(chunk, self.mood, self.text, self.lexicon)
        if leaf is None:
            self._trailing(chunk)
            return
        if cue is not None:
            leaf = msgspec.structs.replace(leaf, span=(cue.start, leaf.span[1]))
        bare = is_bare(chunk)
        if self._shares(leaf, chunk, bare=bare):
            return
        field = bare and any(item.kind == "field" for item in chunk)
        element = Element("leaf", *leaf.span, leaf, "", self.fresh, bare=bare, field=field)
        element.chunk = chunk if bare else ()
        last = self.out[-1].node if self.out else None
        element.reason = self.prep == "for" and isinstance(last, Underwent | Took)
        self.out.append(element)
        self.fresh, self.prep, self.mood.when = False, "", self.base.when
        self.mood.direct = False
        if not bare and not self.opened:
            self.sharing.lend_head()
        self.opened = False

    def _shares(self, leaf: Requirement, chunk: list[Item], *, bare: bool) -> bool:
        """Tell whether the phrase went into a leaf already there."""
        prep = self.prep
        if prep and (
            (bare and self.sharing.extend(prep, chunk)) or self.sharing.specify(prep, leaf)
        ):
            self.prep = ""
            return True
        return bare and self.sharing.borrow_prefix(leaf)

    def _trailing(self, chunk: list[Item]) -> None:
        """Give modifiers without a noun to the leaf before them: "hypertension, uncontrolled"."""
        last = self.out[-1] if self.out else None
        if last is not None and last.kind in (",", "(") and len(self.out) > 1:
            last = self.out[-2]
        if last is None or last.kind != "leaf" or not isinstance(last.node, Has):
            node = course_leaf(chunk, self.text)
            if node is not None and (last is None or last.kind != "leaf"):
                self.out.append(Element("leaf", *node.span, node, fresh=self.fresh, bare=True))
            return
        last.node = describe(last.node, chunk, self.text)
