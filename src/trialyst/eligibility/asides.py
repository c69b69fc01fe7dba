"""Words of a criterion that ask nothing by themselves: short forms, reasons, origins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.leaves import MODIFIERS, NOUNS
from trialyst.eligibility.parentheses import read_parenthesis
from trialyst.eligibility.phrases import Item, find_items
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["read_items"]

_ORIGINS = frozenset(("related", "induced", "associated"))
_CRITERIA = frozenset(
    "criteria guideline guidelines classification consensus definitions recommendations "
    "statement".split()
)
_MEETING = frozenset(
    "met meet meets fulfill fulfil fulfills fulfils fulfilled satisfy satisfies".split()
)
_NAMING = frozenset((*NOUNS, *MODIFIERS, "skip", "prep", "person", "subject", "(", ")", "/", "and"))
"""What the name of criteria may be made of."""
_OPENERS = frozenset(
    "neg tense count admin able unable took underwent subject modal severity activity state proof "
    "childbearing".split()
)
"""Cues with which a statement begins where they are written with a capital letter."""
_DETERMINERS = frozenset("the a an any this that these our their its his her".split())
_LEADING = frozenset("neg and or , ; : ( / but stop prep skip tense link if unless except".split())
"""What another word has to follow."""
_NUMBERS = {
    each: series[:2]
    for series in ("abcdefgh", "12345678", ("i", "ii", "iii", "iv"))
    for each in series
}
"""How items of a list are numbered, each with the first two of its series."""
_LETTERED = tuple(f"{letter}." for letter in "abcdefgh")
_FIRST = ("(a)", "(1)", "(i)")
_DRUG_WORDS = frozenset(("any_drug", "therapy_head"))
_ANY_DRUG = ("Dietary Supplements", "Pharmaceutical Preparations", "Plants, Medicinal")
_RELATIVE = ("that", "which", "known to")
_DESCRIBING = frozenset(("link", "admin", "prep"))
_VERBAL = frozenset(("word", "skip", "state", "cause", "admin"))
_DESCRIBED = frozenset("stop ; , ( ) : window neg unless except examples if took has".split())
"""Where the description of drugs ends."""
_LONGEST_NAME = 14


def read_items(text: str, lexicon: Lexicon) -> list[Item]:
    """Give the typed phrases of a text without short forms and reasons beside what is asked."""
    items = _without_numbering(text, find_items(text, lexicon))
    out: list[Item] = []
    at = 0
    while at < len(items):
        item = items[at]
        if item.kind == "(" and (following := read_parenthesis(text, items, at, out)):
            at = following
        elif item.kind == "non" and _is_adjective_with_non(items, at):
            out.append(Item("adjective", "", item.start, items[at + 1].end))
            at += 2
        elif item.value == "anti" and (against := _against(text, items, at, lexicon)):
            out.append(against)
            at += 3
        elif item.kind == "explains":
            at = _after_reason(items, at) if out else at + 1
        elif item.kind in ("link", "admin", "prep") and (
            end := _end_of_description(text, items, at, out)
        ):
            out.append(Item("describes", "", item.start, items[end - 1].end))
            at = end
        elif _names_criteria(text, item) and (end := _end_of_criteria(text, items, at)):
            out.append(Item("proof", "", items[at + 1].start, items[end - 1].end))
            at = end
        else:
            _add(text, items, at, out)
            at += 1
    return out


def _add(text: str, items: list[Item], at: int, out: list[Item]) -> None:
    """Add an item that says something, with the mark that is missing before it."""
    item = items[at]
    if _is_origin(text, items, at, out):
        item = _as_adjective(item, out)
    elif _runs_on(text, item, out):
        listed = item.kind in MODIFIERS and _is_in_list(out)
        out.append(Item("," if listed else "stop", "", item.start, item.start))
    elif item.value == "like" and out and out[-1].kind in NOUNS:
        item = item._replace(kind="examples")
    out.append(item)


def _without_numbering(text: str, items: list[Item]) -> list[Item]:
    """Put commas where "(a) ..., (b) ..." or bullets written "o" part the items of a list."""
    bullets, lettered = text.count(" o ") > 1, "a. " in text and " b. " in text
    if not bullets and not lettered and not any(first in text for first in _FIRST):
        return items
    out: list[Item] = []
    at = 0
    while at < len(items):
        item = items[at]
        if item.kind == "(" and _is_numbering(text, items, at):
            if out and out[-1].kind not in _LEADING and not text.startswith(_FIRST, item.start):
                out.append(Item(",", "", item.start, item.start))
            at += 3
            continue
        if lettered and text[item.start : item.end + 1] in _LETTERED and at + 1 < len(items):
            out.append(Item(";", "", item.start, item.start))
            at += 2
            continue
        bullet = bullets and item.kind == "word" and text[item.start : item.end] == "o"
        out.append(Item(";", "", item.start, item.start) if bullet else item)
        at += 1
    return out


def _is_numbering(text: str, items: list[Item], at: int) -> bool:
    """Tell whether a parenthesis but numbers an item of a list: "(a) ..., (b) ..."."""
    if at + 2 >= len(items) or items[at + 2].kind != ")":
        return False
    inner = text[items[at].end : items[at + 2].start]
    return inner in _NUMBERS and all(f"({first})" in text for first in _NUMBERS[inner])


def _is_adjective_with_non(items: list[Item], at: int) -> bool:
    """Tell "non-malignant pain", which is a pain, from "non-diabetic patients"."""
    if at + 2 >= len(items):
        return False
    first, second = items[at + 1], items[at + 2]
    if first.kind in ("activity", "severity") and first.start - items[at].end <= 1:
        return second.kind in NOUNS or second.kind in MODIFIERS or second.kind in ",/orand"
    return first.kind in NOUNS and second.kind in NOUNS and second.start - first.end == 1


def _against(text: str, items: list[Item], at: int, lexicon: Lexicon) -> Item | None:
    """Give what "anti-" makes of the next word: "anti-cholinergics", "anti-viral"."""
    if at + 2 >= len(items) or items[at + 1].kind != "-":
        return None
    start, name = items[at].start, items[at + 2]
    sought = f"anti{text[name.start : name.end]}"
    found = lexicon.find(sought) if name.start - items[at].end == 1 else []
    if len(found) == 1 and found[0].end - found[0].start == len(sought):
        named = found[0]._replace(start=start, end=name.end)
        return Item("name", named, start, name.end)
    if name.kind == "name" and name.value.kind in (TermKind.DRUG, TermKind.DRUG_CLASS):
        return Item("word", sought.lower(), start, name.end)
    return None


def _names_criteria(text: str, item: Item) -> bool:
    """Tell whether the name of criteria may follow: "according to ...", "who met ..."."""
    if item.kind in ("skip", "name"):
        # "Met" may be short for a metastasis.
        return text[item.start : item.end].lower() in _MEETING
    return item.kind == "definition"


def _end_of_criteria(text: str, items: list[Item], at: int) -> int:
    """Give where "according to the ... criteria" ends; 0 where more than their name is told."""
    for place in range(at + 1, min(at + _LONGEST_NAME, len(items))):
        kind, value, start, end = items[place]
        if not _CRITERIA.isdisjoint(text[start:end].lower().split()):
            return place + 1 if place > at + 1 else 0
        if kind not in _NAMING or (kind == "name" and value.kind is TermKind.CONDITION):
            return 0
    return 0


def _end_of_description(text: str, items: list[Item], at: int, out: list[Item]) -> int:
    """Give where "that prolong the QT interval" ends behind a word for drugs; else 0."""
    last = _before_parenthesis(out)
    if last is None or not _is_drug_word(last) or at + 1 == len(items):
        return 0
    said = text[items[at].start : items[at].end].lower()
    if not said.startswith(_RELATIVE) and said != "to":
        return 0
    if said in ("that", "which", "to") and items[at + 1].kind not in _VERBAL:
        return 0
    end = at + 1
    while end < len(items) and items[end].kind not in _DESCRIBED:
        end += 1
    return end


def _is_drug_word(item: Item) -> bool:
    """Tell whether a word stands for drugs of any kind."""
    if item.value == "other trial":
        return False
    return item.kind in _DRUG_WORDS or (item.kind == "name" and item.value.what.name in _ANY_DRUG)


def _before_parenthesis(out: list[Item]) -> Item | None:
    """Give the last item, or the one before a parenthesis at the end."""
    if out and out[-1].kind == ")":
        opened = max((at for at, item in enumerate(out) if item.kind == "("), default=0)
        return out[opened - 1] if opened else None
    return out[-1] if out else None


def _after_reason(items: list[Item], at: int) -> int:
    """Give where reading goes on behind the words that say why something is asked."""
    while at < len(items) and items[at].kind not in ("stop", ";", ")"):
        at += 1
    return at


def _is_origin(text: str, items: list[Item], at: int, out: list[Item]) -> bool:
    """Tell whether "related", "-induced" makes an adjective of the words before it."""
    item = items[at]
    if item.kind not in ("skip", "cause") or not out:
        return False
    if text[item.start : item.end].lower() not in _ORIGINS:
        return False
    if out[-1].kind == "-":
        return len(out) > 1 and out[-2].kind in NOUNS
    near = out[-1].kind in NOUNS and item.start - out[-1].end == 1
    return near and at + 1 < len(items) and items[at + 1].kind in NOUNS


def _runs_on(text: str, item: Item, out: list[Item]) -> bool:
    """Tell whether a statement begins without a mark: "... not required No metastases"."""
    values = item.kind == "value" and bool(out) and out[-1].kind == "value"
    if not out or not (values or item.kind in _OPENERS):
        return False
    if out[-1].kind in _LEADING and (out[-1].kind != "skip" or item.kind in MODIFIERS):
        return False
    if not text[item.start].isupper() or not text[item.start + 1 : item.start + 2].islower():
        return False
    before = text[out[-1].start : item.start]
    last = before.split()[-1:] or [""]
    if last[0] in _DETERMINERS or not before.endswith(" "):
        return False
    return values or last[0][0].islower() or last[0].endswith(")")


def _is_in_list(out: list[Item]) -> bool:
    """Tell whether exceptions or examples are being listed: "except: Treated A Treated B"."""
    for item in reversed(out):
        if item.kind in ("stop", ";"):
            return False
        if item.kind in ("except", "examples", "following"):
            return True
    return False


def _as_adjective(item: Item, out: list[Item]) -> Item:
    start = item.start
    while out and (out[-1].kind in NOUNS or out[-1].kind in MODIFIERS):
        start = out.pop().start
    return Item("adjective", "", start, item.end)
