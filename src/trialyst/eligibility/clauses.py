"""From typed phrases to elements: leaves, and the words that join, deny or limit them.

One pass from left to right. A verb, a tense or a list's opening holds for the noun phrases behind
it until a new statement begins; a noun phrase that lacks its noun borrows the one behind it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.administrative import read_administrative
from trialyst.eligibility.asides import read_items
from trialyst.eligibility.clause_state import ClauseState
from trialyst.eligibility.elements import CONNECTORS, Element
from trialyst.eligibility.leaves import MODIFIERS, NOUNS, Mood, build_leaf, is_bare
from trialyst.eligibility.modifiers import with_count
from trialyst.eligibility.phrases import Item
from trialyst.eligibility.requirement import (
    Person,
    Requirement,
    Sex,
    Took,
    Underwent,
)
from trialyst.eligibility.timing import before_parenthesis, time_at_end, time_last
from trialyst.eligibility.typed_leaves import build_typed_leaf

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
_OF_A_SEX = (" men", " women", " male", " males", " female", " females")
_MODALS = ("must", "should", "shall", "have to", "need to")
_AWAITING = frozenset("tense risks took treats underwent allergy has response".split())
"""Cues that say nothing without the phrase behind them."""
_OPENING = frozenset(
    "tense has risks took treats underwent allergy response family link before neg".split()
)
_REASONS = ("for", "directed at", "directed against")
"""Prepositions before what a treatment is for."""
_HOLDING = frozenset("stop : if unless except left_out allowed neg link before".split())
"""Words before which modifiers without a noun do not wait for one behind them."""


def read_elements(text: str, lexicon: Lexicon, mood: Mood) -> list[Element]:
    """Read a text into elements.

    Args:
        mood: what a list's opening says of its items.
    """
    return _Clauses(text, lexicon, mood).read(read_items(text, lexicon))


def read_opening_elements(text: str, lexicon: Lexicon) -> tuple[list[Element], Mood]:
    """Read the opening of a list into elements and what it says of what follows."""
    clauses = _Clauses(text, lexicon, Mood())
    elements = clauses.read(read_items(text, lexicon))
    clauses.mood.when = clauses.window or clauses.mood.when
    return elements, clauses.mood


class _Clauses(ClauseState):
    def read(self, items: list[Item]) -> list[Element]:
        self.items = items
        at = 0
        while at < len(items):
            item = items[at]
            if item.kind in NOUNS or item.kind in MODIFIERS:
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
        self.close_cue()
        time_at_end(self.out, self.window, self.text)
        self.sharing.finish()
        if any(each.kind == "leaf" and not each.aside for each in self.out):
            return [each for each in self.out if not each.aside]
        return self.out

    def _cue(self, item: Item) -> None:
        kind = item.kind
        if kind in CONNECTORS:
            self._connect(item)
            return
        if kind == "skip":
            self._skip(item)
            return
        if kind == "treats" and any(held.kind in NOUNS for held in self.chunk):
            self._split_treats(item)
            return
        if self._leads_to(item):
            self.chunk = []
        if kind == "marker" and self._only_modifiers():
            item = self._in_state(item)
        if kind in _HOLDING or not self._only_modifiers() or self._closes_modifiers(kind):
            self._flush()
        handle = _HANDLERS.get(kind, _Clauses._mark if kind in _MARKS else None)
        if handle is not None:
            handle(self, item)
        self.opened = self.opened or kind in _OPENING or kind == "prep"
        self.after_cue = kind in _AWAITING

    def _skip(self, item: Item) -> None:
        if self.text[item.start] != "'" and not self._only_modifiers():
            self._flush()
        said = self.text[item.start : item.end].lower()
        if said in ("who has", "who have", "who had") and self._ask_relatives():
            return
        if said.startswith("who ") and self.is_joined():
            self.begin_anew()

    def _leads_to(self, item: Item) -> bool:
        """Tell whether the words before tell but more of what is measured or not tolerated."""
        if item.kind in ("allergy", "habit", "childbearing"):
            return self._only_modifiers()
        if item.kind != "value" or not self.chunk:
            return False
        near = item.start - self.chunk[-1].end <= 1
        return self._only_modifiers() or (near and is_bare(self.chunk))

    def _in_state(self, item: Item) -> Item:
        """Give markers in the state told before them: "negative high-risk HPV test"."""
        told = [held.value for held in self.chunk if held.kind == "state"]
        if not told or told[-1] not in ("positive", "negative"):
            return item
        self.chunk = []
        return item._replace(value=tuple(replace(each, state=told[-1]) for each in item.value))

    def _mark(self, item: Item) -> None:
        value = item.value or self.text[item.start : item.end].lower()
        if item.kind == "examples" and self.mood.response == "contraindicated":
            # What may be a contraindication has none itself.
            self.mood.response = self.mood.verb = ""
        self.out.append(Element(item.kind, item.start, item.end, value=value))
        if item.kind == "both_sexes":
            self.begin_anew()
        elif item.kind == "neg" and not self.after_cue:
            self.mood = self.base.copy()

    def _only_modifiers(self) -> bool:
        return bool(self.chunk) and all(held.kind in MODIFIERS for held in self.chunk)

    def _closes_modifiers(self, kind: str) -> bool:
        """Tell whether a parenthesis ends that held but modifiers: "anemia (mild or severe)"."""
        return kind == ")" and [each.kind for each in self.out[-2:]] == ["leaf", "("]

    def _split_treats(self, item: Item) -> None:
        """Read "hormone therapy for asthma" as a noun and its object."""
        words = self.text[item.start : item.end].split()
        middle = item.start + len(words[0])
        self.chunk.append(Item("therapy_head", "", item.start, middle))
        self._flush()
        self.set_preposition(Item("prep", "", item.end - len(words[-1]), item.end))

    def _connect(self, item: Item) -> None:
        last = self.out[-1].kind if self.out and not self.chunk else ""
        if item.kind == "," and last == "link":
            # "Any condition which, in the opinion of ...": the clause goes on behind the comma.
            return
        excepted = bool(self.out) and self.out[-1].kind == "except"
        if (self._only_modifiers() and item.kind != ";" and not excepted) or (
            self.after_cue and item.kind in ("or", "and", "/", ",")
        ):
            return
        self._flush()
        self.close_cue()
        self.prep = ""
        if item.kind == "but":
            self.begin_anew()
        if item.kind == ";":
            self.mood = self.base.copy()
        self.out.append(Element(item.kind, item.start, item.end))
        self.opened = False
        self.mood.direct = self.mood.verb in ("allergy", "took") and item.kind != ";"

    def _subject(self, item: Item) -> None:
        """Begin anew; "obese or overweight subjects with" speaks of both."""
        listed = len(self.out) > 2 and self.out[-2].kind in ("or", "and", "/")
        if listed and self.out[-1].kind == "leaf" and not self.opened:
            self.out.append(Element("subject", item.start, item.end))
        self.begin_anew()

    def _stop(self, item: Item) -> None:
        self.close_cue()
        if self.out:
            time_at_end(self.out, self.window, self.text)
            self.window = None
        self.out.append(Element("stop", item.start, item.end))
        self.begin_anew()
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

    def _link(self, item: Item) -> None:
        objectless = self.open_cue is not None
        self.close_cue()
        if objectless or self.mood.verb != "allergy":
            self.mood.verb = ""
        if item.end - item.start > 4 or not self._ask_relatives():
            said = self.text[item.start : item.end].lower()
            again = said.startswith("who") and self.is_joined()
            self.out.append(Element(item.kind, item.start, item.end, value=item.value, fresh=again))

    def _ask_relatives(self) -> bool:
        """Ask what follows "a sister with, a parent who has" of them; give whether it is so."""
        before = len(before_parenthesis(self.out)) - 1
        last = self.out[before].node if before >= 0 else None
        if not isinstance(last, Person) or last.role != "relative":
            return False
        del self.out[before:]
        self.mood.family, self.mood.verb = True, "has"
        return True

    def _typed(self, item: Item) -> None:
        self.add_leaf(build_typed_leaf(item, self.text, self.lexicon, self.mood), item)

    def _lead(self, item: Item) -> None:
        self.window = item.value

    def _window(self, item: Item) -> None:
        awaited = self.open_cue is not None or (bool(self.out) and self.out[-1].kind == "neg")
        awaited = awaited or self.text.startswith("recent", item.start)
        if awaited or not time_last(self.out, item, self.text):
            self.window = item.value

    def _sex(self, item: Item) -> None:
        self.begin_anew()
        last = next((each.node for each in reversed(self.out) if each.node is not None), None)
        healthy = isinstance(last, Person) and last.words.lower().endswith(_OF_A_SEX)
        if healthy and self.out[-1].kind in ("and", "or", "/"):
            # "Healthy men and women": of either sex.
            self.out.pop()
            return
        self.add_leaf(Sex(sex=item.value), item)

    def _if(self, item: Item) -> None:
        self.out.append(Element("if", item.start, item.end))
        self.begin_anew()
        if item.value:
            self.add_leaf(Sex(sex=item.value), item)

    def _modal(self, item: Item) -> None:
        self.out.append(Element("modal", item.start, item.end))
        self.begin_anew()

    def _person(self, item: Item) -> None:
        self.add_leaf(
            Person(role=item.value, words=(words := self.text[item.start : item.end])), item
        )
        self.prep = "of" if words.lower().endswith((" of", " in", " by")) else ""

    def _administrative(self, at: int) -> int:
        """Read what is said of consent, willingness and the like; give where it ends."""
        self._flush()
        first = self.items[at]
        said = self.text[first.start : first.end].lower()
        joined = not self.out or self.out[-1].kind in CONNECTORS
        if first.kind == "able" and said.startswith(_MODALS) and not joined:
            self._modal(Item("modal", "", first.start, first.start))
        found = read_administrative(self.text, self.items, at)
        start, end = found.start, found.end
        if found.node is not None:
            relative = self.text[start:end].lower().startswith(("which", "that"))
            excepting = any(each.kind == "except" for each in self.out)
            if relative and self.out and self.out[-1].kind in CONNECTORS and not excepting:
                # "At screening or baseline which would interfere": said of what stands before.
                self.out.pop()
            self.add_leaf(found.node, Item("admin", None, start, end))
            self.out[-1].aside = found.judged
            self.mood = self.base.copy()
        elif found.denied:
            self.out.append(Element("neg", start, end))
        return found.following

    def _flush(self) -> None:
        chunk, self.chunk = self.chunk, []
        if not chunk:
            return
        cue, self.open_cue = self.open_cue, None
        leading = self.window is not None
        if self.window is not None:
            self.mood.when, self.window = self.window, None
        if chunk[-1].kind == "measure_head":
            chunk = self.sharing.with_state(chunk)
        leaf = build_leaf(chunk, self.mood, self.text, self.lexicon)
        if leaf is None:
            self.sharing.trail(chunk, fresh=self.fresh)
            return
        leaf = with_count(leaf, self.take_count())
        if cue is not None:
            leaf = msgspec.structs.replace(leaf, span=(cue.start, leaf.span[1]))
        bare = is_bare(chunk)
        if self._shares(leaf, chunk, bare=bare):
            return
        field = bare and any(item.kind == "field" for item in chunk)
        element = Element("leaf", *leaf.span, leaf, "", self.fresh, bare=bare, field=field)
        element.leading = leading
        element.chunk = chunk if bare else ()
        said = before_parenthesis(self.out) if self.prep in _REASONS else ()
        if said:
            element.reason = isinstance(said[-1].node, Underwent | Took)
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


_HANDLERS: dict[str, Callable[[_Clauses, Item], None]] = {
    "stop": _Clauses._stop,
    "(": _Clauses._open,
    ")": _Clauses._close,
    ":": _Clauses._colon,
    "subject": _Clauses._subject,
    "tense": _Clauses.take_tense,
    "has": _Clauses.take_verb,
    "risks": _Clauses.take_verb,
    "took": _Clauses.take_verb,
    "treats": _Clauses.take_verb,
    "underwent": _Clauses.take_verb,
    "allergy": _Clauses.take_verb,
    "response": _Clauses.take_response,
    "family": _Clauses.ask_family,
    "stable": _Clauses.take_stable,
    "lines": _Clauses.add_lines,
    "count": _Clauses.set_count,
    "link": _Clauses._link,
    "before": _Clauses._link,
    "describes": _Clauses.narrow_last,
    "prep": _Clauses.set_preposition,
    "value": _Clauses._typed,
    "age": _Clauses._typed,
    "marker": _Clauses._typed,
    "window": _Clauses._window,
    "leading": _Clauses._lead,
    "sex": _Clauses._sex,
    "if": _Clauses._if,
    "modal": _Clauses._modal,
    "childbearing": _Clauses._typed,
    "habit": _Clauses._typed,
    "person": _Clauses._person,
}
