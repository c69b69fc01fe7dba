"""Typed phrases of a criterion: names, measured values, ages, windows, cue words, single words.

What is named longest counts; a measured value, an age and a window count before any name in them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trialyst.eligibility.ages import AgePhrase, find_ages
from trialyst.eligibility.reading.markers import find_markers
from trialyst.eligibility.requirement import Window
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.times import find_windows
from trialyst.eligibility.tokens import (
    find_counts,
    find_stages,
    is_adjective,
    read_mark,
    since_when,
    split_words,
    trim_window,
)
from trialyst.eligibility.values import find_values
from trialyst.eligibility.words import PhraseTable, Word
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["STAGED", "Item", "field_words", "fields_of_medicine", "find_items"]

STAGED = {"ckd_stage": "Chronic kidney disease"}
"""Scales that are the stages of a condition, with its name."""
_WEAK = frozenset(
    "skip adjective activity severity prep route field admin person condition_head therapy_head "
    "procedure_head measure_head".split()
)
"""Cue words that give way to a name of the same length."""


_NO_MEASURES = frozenset(
    ("age", "grade", "grades", "ctc grade", "ctcae grade", "scale", "point scale")
)
"""What numbers stand behind without measuring it: a score goes "on a scale of 0 to 10"."""


class Item(NamedTuple):
    """A typed phrase at `text[start:end]`."""

    kind: str
    value: Any
    start: int
    end: int


@cache
def _cues() -> PhraseTable[tuple[str, str]]:
    entries = []
    for line in read_lines("cues.txt"):
        kind, value, phrases = (part.strip() for part in line.split("|", 2))
        for phrase in filter(None, (part.strip() for part in phrases.split(";"))):
            for written in _spellings(phrase):
                entries.append((written, (kind, value)))
    return PhraseTable(entries)


@cache
def fields_of_medicine() -> frozenset[str]:
    """Give the names of the wide terms that stand for a field of medicine."""
    split = (line.split("|", 2) for line in read_lines("cues.txt"))
    return frozenset(value.strip() for kind, value, _ in split if kind.strip() == "field")


@cache
def field_words() -> frozenset[str]:
    """Give the words that stand for a field of medicine or an organ."""
    split = (line.split("|", 2) for line in read_lines("cues.txt"))
    said = (phrases for kind, _, phrases in split if kind.strip() == "field")
    return frozenset(word.strip() for phrases in said for word in phrases.split(";"))


def _spellings(phrase: str) -> tuple[str, ...]:
    if "(s)" not in phrase:
        return (phrase,)
    return phrase.replace("(s)", ""), phrase.replace("(s)", "s")


def find_items(text: str, lexicon: Lexicon) -> list[Item]:
    """Give a text as typed phrases, in its order; together they hold every word."""
    words = split_words(text)
    firm = _firm_items(text)
    loose = _loose_items(text, words, lexicon, firm)
    items: list[Item] = []
    at = 0
    for word_at, (letters, start, end) in enumerate(words):
        if start < at:
            continue
        item = firm.get(start) or loose.get(start)
        if item is None:
            item = _single(text, words, word_at, letters, start, end)
            if item is None:
                continue
        items.append(item)
        at = item.end
    return items


def _firm_items(text: str) -> dict[int, Item]:
    """Give values, ages, windows and stages by their start, none overlapping."""
    found = _age_items(text)
    found.extend(_value_items(text))
    for start, end, window in find_windows(text):
        since = since_when(text, start, end) if window.beyond is not None else None
        if since is None:
            trimmed = trim_window(text, start, end)
            if trimmed < end:
                window = msgspec.structs.replace(window, words=text[start:trimmed])
            found.append(Item("window", window, start, trimmed))
        else:
            # "At least 4 weeks since chemotherapy": none in these weeks, whoever had none before.
            denial, ends = since
            recent = Window(within=window.beyond)
            found.append(Item("neg", "", start, denial - 1))
            found.append(Item("window", recent, denial, ends))
    found.extend(Item("stage", each, each.start, each.end) for each in find_stages(text))
    found.extend(Item("count", each, start, end) for start, end, each in find_counts(text))
    kept: dict[int, Item] = {}
    after = 0
    for item in sorted(found, key=lambda item: (item.start, -item.end)):
        if item.start >= after:
            kept[item.start] = item
            after = item.end
    return kept


def _age_items(text: str) -> list[Item]:
    """Give ages; "16 years and 11 months" is one."""
    items: list[Item] = []
    for age in find_ages(text):
        last: AgePhrase = items[-1].value if items else age
        months, years = age.interval, last.interval.high
        goes_on = text[last.end : age.start].strip() == "and" and months.low
        if goes_on and years and months.high and months.high <= 1:
            interval = msgspec.structs.replace(last.interval, high=years - 1 + months.high)
            age = age._replace(start=last.start, interval=interval)
            items.pop()
        items.append(Item("age", age, age.start, age.end))
    return items


def _value_items(text: str) -> list[Item]:
    """Give measured values, those that share their words as one item."""
    items: list[Item] = []
    for value in find_values(text, names=True):
        bare = value.interval is None and not value.state and not value.grades
        if value.analyte in _NO_MEASURES or (bare and value.analyte in STAGED):
            continue
        if bare:
            items.append(Item("analyte", value, value.start, value.end))
            continue
        if items and items[-1].kind == "value" and value.start < items[-1].end:
            _, values, start, end = items[-1]
            items[-1] = Item("value", (*values, value), start, max(end, value.end))
        else:
            items.append(Item("value", (value,), value.start, value.end))
    return items


def _loose_items(
    text: str, words: list[Word], lexicon: Lexicon, firm: dict[int, Item]
) -> dict[int, Item]:
    """Give names and cue words by their start; drop from `firm` the bare names they hold."""
    covered = sorted((item.start, item.end) for item in firm.values())
    found: dict[int, Item] = {}
    for item in (*_name_items(text, lexicon), *_marker_items(text, words)):
        other = found.get(item.start)
        if (other is None or item.end >= other.end) and _clear(item, covered, firm):
            found[item.start] = item
    for item in _cue_items(words, firm):
        other = found.get(item.start)
        if other is not None and not _is_longer(item, other):
            continue
        if _clear(item, covered, firm):
            found[item.start] = item
    kept = _without_overlaps(found)
    if len(kept) < len(found):
        # "Heart failure with": what is left of a cue that began within a name may be one too.
        for item in _cue_items(words, kept | firm):
            kept.setdefault(item.start, item)
    return kept


def _cue_items(words: list[Word], taken: dict[int, Item]) -> list[Item]:
    return [
        Item(kind, value, words[first].start, words[last - 1].end)
        for (kind, value), first, last in _cues().find_texts(_open_texts(words, taken))
    ]


def _name_items(text: str, lexicon: Lexicon) -> list[Item]:
    """Give names; "surgical", "percutaneous" name nothing without their noun."""
    return [
        Item("name", named, named.start, named.end)
        for named in lexicon.find(text)
        if named.kind is not TermKind.PROCEDURE or not is_adjective(text[named.start : named.end])
    ]


def _marker_items(text: str, words: list[Word]) -> list[Item]:
    """Give biomarkers in a state, those of the same words as one item."""
    items: list[Item] = []
    for marker in find_markers(text, words):
        if not marker.state and not marker.variant:
            continue
        if items and items[-1].start == marker.start:
            _, markers, start, end = items[-1]
            items[-1] = Item("marker", (*markers, marker), start, end)
        else:
            items.append(Item("marker", (marker,), marker.start, marker.end))
    return items


def _open_texts(words: list[Word], firm: dict[int, Item]) -> tuple[str, ...]:
    """Give the words with those of firm phrases blanked, so that no cue reaches into one."""
    texts = [text for text, _, _ in words]
    at, count = 0, len(words)
    for start in sorted(firm):
        item = firm[start]
        if item.kind == "analyte":
            continue
        while at < count and words[at].start < start:
            at += 1
        while at < count and words[at].start < item.end:
            texts[at] = ""
            at += 1
    return tuple(texts)


def _is_longer(cue: Item, name: Item) -> bool:
    if cue.end == name.end:
        return cue.kind not in _WEAK
    return cue.end > name.end


def _clear(item: Item, covered: list[tuple[int, int]], firm: dict[int, Item]) -> bool:
    """Tell whether no firm phrase stands in the way; a bare analyte gives way to a longer name."""
    for start, end in covered:
        if start >= item.end:
            break
        if end <= item.start or start not in firm:
            continue
        held = firm[start]
        longer = item.start <= start and item.end >= end and item.end - item.start > end - start
        if (item.start, item.end) == (start, end) and item.kind == "name":
            longer = item.value.kind is TermKind.CONDITION
        if held.kind == "analyte" and longer:
            del firm[start]
        else:
            return False
    return True


def _without_overlaps(found: dict[int, Item]) -> dict[int, Item]:
    kept: dict[int, Item] = {}
    last: Item | None = None
    for start in sorted(found):
        item = found[start]
        if last is not None and start < last.end:
            # "known non-small cell": a name that begins within a cue counts before it.
            if item.kind in ("name", "marker") and last.kind != "name" and item.end > last.end:
                del kept[last.start]
            else:
                continue
        kept[start] = item
        last = item
    return kept


def _single(
    text: str, words: list[Word], at: int, letters: str, start: int, end: int
) -> Item | None:
    if letters.isalnum():
        return Item("number" if letters.isdigit() else "word", letters, start, end)
    mark = read_mark(text, words, at)
    return Item(mark, "", start, end) if mark else None
