"""From typed phrases to elements: leaves, and the words that join, deny or limit them.

One pass from left to right. A verb, a tense or a list's opening holds for the noun phrases behind
it until a new statement begins; a noun phrase that lacks its noun borrows the one behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.leaves import MODIFIERS, NOUNS, Mood, build_leaf, describe, is_bare
from trialyst.eligibility.phrases import STAGED, Item, find_items
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    AnyOf,
    Childbearing,
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
    Tense,
    Took,
    Underwent,
    Window,
)
from trialyst.eligibility.tokens import is_adjective, read_count

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.values import ValuePhrase

__all__ = ["CONNECTORS", "Element", "read_elements", "read_opening_elements"]

CONNECTORS = frozenset(("or", "and", "but", ",", ";", "/"))
_DEEPEST = 6
"""Parentheses within parentheses; deeper ones are read as if they were not there."""
_SITE_WORDS = 7
"""Most words of a phrase that only tells where a thing is: "of the left knee"."""
_MARKS = frozenset(
    "neg non except unless examples definition cause optional left_out allowed following".split()
)
_OPENING = frozenset("tense has took treats underwent allergy response family link neg".split())
_HOLDING = frozenset(("stop", ":", "if", "unless", "except", "left_out", "allowed", "neg", "link"))
"""Words before which modifiers without a noun do not wait for one behind them."""
_ENDS_ADMINISTRATIVE = frozenset(
    "neg name value age childbearing habit allergy took underwent cause unless except if tense proof "
    "general condition_head treats response".split()
)

_AFTER_ADMINISTRATIVE = frozenset(
    "stop ; : unless cause if except childbearing age value left_out allowed".split()
)


@dataclass(slots=True)
class Element:
    """A leaf, or a word that joins, denies or limits."""

    kind: str
    start: int
    end: int
    node: Requirement | None = None
    value: str = ""
    fresh: bool = False
    """Whether a subject or a verb of its own stands before it."""
    bare: bool = False
    field: bool = False
    """Whether it names nothing but a part of the body."""


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
    return elements, replace(clauses.mood, when=clauses.window or clauses.mood.when)


class _Clauses:
    def __init__(self, text: str, lexicon: Lexicon, mood: Mood) -> None:
        self.text, self.lexicon = text, lexicon
        self.base, self.mood = mood, replace(mood)
        self.out: list[Element] = []
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
                self._cue(item)
                at += 1
        self._flush()
        self._close_cue()
        return self.out

    def _cue(self, item: Item) -> None:
        kind = item.kind
        if kind in CONNECTORS:
            self._connect(item)
            return
        if kind == "skip":
            if not all(held.kind in MODIFIERS for held in self.chunk):
                self._flush()
            return
        if kind == "non" and not self._denies(item):
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
            self._add(Element(kind, item.start, item.end, value=item.value))
        self.opened = self.opened or kind in _OPENING or kind == "prep"
        self.after_cue = kind in (
            "tense",
            "took",
            "treats",
            "underwent",
            "allergy",
            "has",
            "response",
        )

    def _only_modifiers(self) -> bool:
        return bool(self.chunk) and all(held.kind in MODIFIERS for held in self.chunk)

    def _split_treats(self, item: Item) -> None:
        """Read "hormone therapy for asthma" as a noun and its object."""
        words = self.text[item.start : item.end].split()
        middle = item.start + len(words[0])
        self.chunk.append(Item("therapy_head", "", item.start, middle))
        self._flush()
        self._prep(Item("prep", "", item.end - len(words[-1]), item.end))

    def _denies(self, item: Item) -> bool:
        """Tell whether "non-" denies a thing, and is no part of an adjective."""
        at = self.items.index(item)
        following = self.items[at + 1].kind if at + 1 < len(self.items) else ""
        return following in ("name", "childbearing", "habit", "person", "general")

    def _add(self, element: Element) -> None:
        self.out.append(element)

    def _leaf(self, node: Requirement, item: Item) -> None:
        if node.span == (0, 0):
            node = msgspec.structs.replace(node, span=(item.start, item.end))
        self._add(Element("leaf", item.start, item.end, node, fresh=self.fresh))
        self.fresh = False
        self.prep = ""

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
            self.mood = replace(self.base)
        self._add(Element(item.kind, item.start, item.end))
        self.opened = False

    def _reset(self) -> None:
        self.mood = replace(self.base)
        self.fresh = True
        self.prep = ""

    def _stop(self, item: Item) -> None:
        self._close_cue()
        self._add(Element("stop", item.start, item.end))
        self._reset()
        self.fresh = False

    def _open(self, item: Item) -> None:
        self.depth += 1
        if self.depth <= _DEEPEST:
            self.moods.append(replace(self.mood))
            self._add(Element("(", item.start, item.end))

    def _close(self, item: Item) -> None:
        if self.depth == 0:
            # "1)" and "a)" number the items of a list.
            if self.out and self.out[-1].kind == "leaf" and item.end - self.out[-1].start <= 4:
                self.out.pop()
            self._add(Element(";", item.start, item.end))
            return
        self.depth -= 1
        if self.depth < _DEEPEST:
            self.mood = self.moods.pop()
            self._add(Element(")", item.start, item.end))

    def _colon(self, item: Item) -> None:
        self._add(Element(":", item.start, item.end))
        self.base = replace(self.mood, when=self.window or self.mood.when)
        self.mood = replace(self.base)
        self.window = None

    def _subject(self, item: Item) -> None:
        self._reset()

    def _tense(self, item: Item) -> None:
        told = Tense(item.value)
        if self.after_cue and self.mood.tense is not None and Tense.EVER in (told, self.mood.tense):
            told = Tense.EVER
        self.mood.tense = told

    def _verb(self, item: Item) -> None:
        if item.kind == "has" and item.value == "weak":
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
            self._add(Element("link", item.end, item.end))
        self.mood.verb = item.kind
        self.mood.response = ""
        if item.kind != "allergy" and item.value and not (self.after_cue and self.mood.tense):
            self.mood.tense = Tense(item.value)

    def _response(self, item: Item) -> None:
        self._close_cue()
        self.mood.response = item.value
        self.mood.verb = "took"
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

    def _family(self, item: Item) -> None:
        self.mood.family = True
        self.mood.verb = "has"

    def _stable(self, item: Item) -> None:
        self.mood.stable = True
        self.mood.verb = "took"

    def _lines(self, item: Item) -> None:
        lines = read_count(self.text, item.start)
        words = self.text[item.start : item.end]
        self._leaf(Took(words=words, general="prior therapy", tense=Tense.EVER, lines=lines), item)
        self.mood.verb = "took"

    def _link(self, item: Item) -> None:
        self.mood.verb = "" if self.mood.verb != "allergy" else self.mood.verb
        self._add(Element("link", item.start, item.end))

    def _prep(self, item: Item) -> None:
        self.prep = self.text[item.start : item.end].lower()

    def _value(self, item: Item) -> None:
        values: tuple[ValuePhrase, ...] = item.value
        nodes: tuple[Requirement, ...] = tuple(map(self._measured, values))
        join = values[-1].join
        node: Requirement = nodes[0]
        if len(nodes) > 1:
            node = (AnyOf if join == "or" and not values[0].join else All)(parts=nodes)
        self._leaf(node, item)

    def _measured(self, value: ValuePhrase) -> Measured | Has:
        span = (value.name_start, value.name_end)
        if value.analyte in STAGED:
            what = self.lexicon.term(STAGED[value.analyte])
            return Has(what=what, words=value.words, stage=value.grades, span=span)
        return Measured(
            analyte=value.analyte,
            words=value.words,
            interval=value.interval,
            unit=value.unit,
            bound=value.bound,
            state=value.state,
            values=value.grades,
            span=span,
        )

    def _marker(self, item: Item) -> None:
        nodes = tuple(
            Marker(
                name=marker.key,
                states=(marker.state,) if marker.state else (),
                variant=marker.variant,
                words=self.text[marker.start : marker.end],
                span=(marker.start, marker.end),
            )
            for marker in item.value
        )
        self._leaf(nodes[0] if len(nodes) == 1 else All(parts=nodes), item)

    def _age(self, item: Item) -> None:
        self._leaf(Age(years=item.value.interval, gestational=item.value.gestational), item)

    def _window(self, item: Item) -> None:
        last = next(
            (each for each in reversed(self.out) if each.kind in ("leaf", "stop", ":", ";")), None
        )
        if last is not None and last.kind == "leaf" and last.node is not None:
            node = attach_window(last.node, item.value)
            if node is not None:
                last.node = node
                return
        self.window = item.value

    def _sex(self, item: Item) -> None:
        self._reset()
        self._leaf(Sex(sex=item.value), item)

    def _if(self, item: Item) -> None:
        self._add(Element("if", item.start, item.end))
        self._reset()
        if item.value:
            self._leaf(Sex(sex=item.value), item)

    def _modal(self, item: Item) -> None:
        self._add(Element("modal", item.start, item.end))
        self._reset()

    def _childbearing(self, item: Item) -> None:
        if item.value == "not able":
            self._leaf(Not(part=Childbearing(state="able", span=(item.start, item.end))), item)
        else:
            self._leaf(Childbearing(state=item.value), item)

    def _habit(self, item: Item) -> None:
        whats, _, state = item.value.partition(":")
        if self.mood.tense is Tense.EVER and state == "current":
            state = "ever"
        habits = tuple(
            Habit(what=what, state=state, when=self.mood.when, span=(item.start, item.end))
            for what in whats.split(",")
        )
        self._leaf(habits[0] if len(habits) == 1 else AnyOf(parts=habits), item)

    def _person(self, item: Item) -> None:
        self._leaf(Person(role=item.value, words=self.text[item.start : item.end]), item)

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
        if bare and self._extend(leaf, chunk):
            return
        if self.prep and self._specify(leaf):
            return
        if bare and self._borrow_prefix(leaf):
            return
        field = bare and any(item.kind == "field" for item in chunk)
        self._add(Element("leaf", *leaf.span, leaf, fresh=self.fresh, bare=bare, field=field))
        self.fresh, self.prep, self.mood.when = False, "", self.base.when
        if not bare:
            self._lend_head()
        self.opened = False

    def _trailing(self, chunk: list[Item]) -> None:
        """Give modifiers without a noun to the leaf before them: "hypertension, uncontrolled"."""
        last = self.out[-1] if self.out else None
        if last is not None and last.kind in (",", "(") and len(self.out) > 1:
            last = self.out[-2]
        if last is None or last.kind != "leaf" or not isinstance(last.node, Has):
            told = [item for item in chunk if item.kind in ("activity", "stage")]
            if told and (last is None or last.kind != "leaf"):
                start, end = told[0].start, told[-1].end
                node = Has(words=self.text[start:end], general="disease", span=(start, end))
                node = describe(node, chunk, self.text)
                self._add(Element("leaf", start, end, node, fresh=self.fresh, bare=True))
            return
        last.node = describe(last.node, chunk, self.text)

    def _extend(self, leaf: Requirement, chunk: list[Item]) -> bool:
        """Let a phrase that only tells where or of what sort lengthen the leaf before it."""
        last = self.out[-1] if self.out else None
        if not self.prep or last is None or last.kind != "leaf" or len(chunk) > _SITE_WORDS:
            return False
        node = last.node
        if not isinstance(node, Has | Took | Underwent | Measured | Person):
            return False
        start, end = node.span[0], chunk[-1].end
        fields = [item.value for item in chunk if item.kind == "field"]
        if isinstance(node, Has) and node.general and fields and node.what is None:
            node = msgspec.structs.replace(node, what=self.lexicon.term(fields[-1]))
        elif isinstance(node, Has) and self.prep in ("of", "in") and len(chunk) <= 3:
            node = self._reordered(node, chunk)
        last.node = msgspec.structs.replace(node, words=self.text[start:end], span=(start, end))
        last.end, self.prep = end, ""
        return True

    def _reordered(self, node: Has, chunk: list[Item]) -> Has:
        """Look for "breast carcinoma" where the text has "carcinoma of the breast"."""
        site = self.text[chunk[0].start : chunk[-1].end]
        sought = f"{site} {node.words}"
        found = self.lexicon.find(sought)
        if len(found) == 1 and found[0].end - found[0].start == len(sought):
            return msgspec.structs.replace(node, what=found[0].what, kind=found[0].kind)
        return node

    def _specify(self, leaf: Requirement) -> bool:
        """Let "symptoms of asthma" name asthma."""
        last = self.out[-1] if self.out else None
        if last is None or last.kind != "leaf" or self.prep not in ("of", "from", "in"):
            return False
        node = last.node
        if not (isinstance(node, Has) and isinstance(leaf, Has) and node.what is None):
            return False
        span = (node.span[0], leaf.span[1])
        words = self.text[span[0] : span[1]]
        last.node = msgspec.structs.replace(
            node, what=leaf.what, kind=leaf.kind, words=words, general=leaf.general, span=span
        )
        last.end, self.prep = span[1], ""
        return True

    def _borrow_prefix(self, leaf: Requirement) -> bool:
        """Read "hepatitis B or C" as if "hepatitis" stood twice."""
        if len(self.out) < 2 or self.out[-1].kind not in CONNECTORS or self.out[-2].kind != "leaf":
            return False
        node, (start, end) = self.out[-2].node, leaf.span
        if end - start > 3 or not isinstance(node, Has | Took) or node.what is None:
            return False
        stem, _, last = node.words.rpartition(" ")
        if not stem or len(last) > 3:
            return False
        sought = f"{stem} {self.text[start:end]}"
        found = self.lexicon.find(sought)
        if len(found) != 1 or found[0].end - found[0].start < len(sought):
            return False
        same = msgspec.structs.replace(node, what=found[0].what, words=sought, span=(start, end))
        self._add(Element("leaf", start, end, same))
        return True

    def _lend_head(self) -> None:
        """Give the noun just read to the phrases before it that lack one."""
        at = len(self.out) - 1
        node = self.out[at].node
        if not isinstance(node, Has | Took | Underwent | Measured) or self.opened:
            return
        heads = node.words.split()
        if len(heads) == 1 and not getattr(node, "general", ""):
            return
        while at >= 2 and self.out[at - 1].kind in CONNECTORS - {";", "but"}:
            lacking = self.out[at - 2]
            if lacking.kind != "leaf" or not lacking.bare or self.out[at].fresh:
                return
            if not isinstance(lacking.node, Opaque | Has | Took):
                return
            whole = self._completed(lacking, node, heads)
            if whole is None:
                return
            lacking.node = whole
            lacking.bare = False
            at -= 2

    def _completed(
        self, lacking: Element, node: Has | Took | Underwent | Measured, heads: list[str]
    ) -> Requirement | None:
        own = self.text[lacking.start : lacking.end]
        change = msgspec.structs.replace
        for size in range(1, min(3, len(heads)) + 1):
            sought = f"{own} {' '.join(heads[-size:])}"
            found = self.lexicon.find(sought)
            if isinstance(node, Measured) or not found or found[-1].start >= len(own):
                continue
            if found[-1].end == len(sought):
                named = found[-1]
                same = change(
                    node, words=sought, what=named.what, span=(lacking.start, lacking.end)
                )
                return change(same, kind=named.kind) if isinstance(node, Has) else same
        words, span = f"{own} {heads[-1]}", (lacking.start, lacking.end)
        if not is_adjective(own.split()[-1]) and not lacking.field:
            return None
        if isinstance(node, Measured):
            return change(node, words=words, analyte=words.lower(), span=span)
        return change(node, words=words, what=None, span=span)

    def _administrative(self, at: int) -> int:
        """Read what is said of consent, willingness and the like as one leaf; give where it ends."""
        self._flush()
        first, ends, denied, topic = self.items[at], at, None, ""
        depth = 0
        while ends < len(self.items):
            item = self.items[ends]
            depth += (item.kind == "(") - (item.kind == ")")
            if item.kind in _AFTER_ADMINISTRATIVE or depth < 0:
                break
            if item.kind in CONNECTORS and self._ends_here(ends):
                break
            if item.kind == "unable":
                denied = denied or item
            elif item.kind == "admin" and topic in ("", "compliance"):
                topic = item.value
            ends += 1
        end = self.items[ends - 1].end if ends > at else first.end
        following = self.items[ends].kind if ends < len(self.items) else ""
        if following == "childbearing" and topic in ("", "compliance", "opinion"):
            if denied is not None:
                self._add(Element("neg", first.start, end))
            return ends
        topic = topic or ("compliance" if first.kind != "able" else "procedure")
        start = first.start if denied is None or denied.end >= end else denied.end
        words = self.text[start:end].strip()
        node: Requirement = Administrative(topic=topic, words=words, span=(first.start, end))
        if denied is not None:
            node = Not(part=node, span=(first.start, end))
        self._leaf(node, Item("admin", None, first.start, end))
        self.mood = replace(self.base)
        return max(ends, at + 1)

    def _ends_here(self, at: int) -> bool:
        """Tell whether a new statement begins behind a connector in administrative words."""
        listing = self.items[at - 1].kind == "name"
        for item in self.items[at + 1 : at + 6]:
            if item.kind == "name" and listing:
                return False
            if item.kind in _ENDS_ADMINISTRATIVE:
                return True
            if item.kind not in (
                "skip",
                "subject",
                "has",
                "link",
                "severity",
                "activity",
                "adjective",
            ):
                return False
        return False


def attach_window(node: Requirement, window: Window) -> Requirement | None:
    """Give a leaf with its window; None for one that takes none."""
    match node:
        case Has() | Took() | Underwent() | Measured() | Habit():
            return msgspec.structs.replace(node, when=window)
        case Person(role="life expectancy"):
            interval = Interval(low=window.lasting_at_least, high=window.lasting_at_most)
            return msgspec.structs.replace(node, interval=interval)
        case AnyOf(parts=parts) | All(parts=parts):
            inners = tuple(attach_window(part, window) or part for part in parts)
            return msgspec.structs.replace(node, parts=inners)
        case Not(part=part):
            inner = attach_window(part, window)
            return None if inner is None else msgspec.structs.replace(node, part=inner)
        case _:
            return None


_HANDLERS = {
    "stop": _Clauses._stop,
    "(": _Clauses._open,
    ")": _Clauses._close,
    ":": _Clauses._colon,
    "subject": _Clauses._subject,
    "both_sexes": _Clauses._subject,
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
    "value": _Clauses._value,
    "age": _Clauses._age,
    "marker": _Clauses._marker,
    "window": _Clauses._window,
    "sex": _Clauses._sex,
    "if": _Clauses._if,
    "modal": _Clauses._modal,
    "childbearing": _Clauses._childbearing,
    "habit": _Clauses._habit,
    "person": _Clauses._person,
}
