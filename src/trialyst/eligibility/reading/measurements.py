"""Measured values as notes write them: lists of values, drug doses, panels that are normal."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.chart import LabValue
from trialyst.eligibility.mentions import find_name_phrases
from trialyst.eligibility.panels import panel_names
from trialyst.eligibility.scales import get_scale
from trialyst.eligibility.values import ValuePhrase, find_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.eligibility.reading.passage import Passage

__all__ = ["find_noted_values", "read_measurements"]

_NO_VALUE = re.compile(
    r"\s*(?:st|nd|rd|th)?\s*-?(?:%ile|percentile)|\s*(?:\w+\s*)?(?:/|per)\s*(?:hpf|high[- ]power)"
    r"|\s*(?:mEq|mg|mcg|g|IU|units?|tablets?|caps\w*)\b(?!\s*/)\s*(?:\w+\s+){0,2}"
    r"(?:daily|once|twice|bid|tid|qd|weekly|every|per day|a day|tablets?|po\b|by mouth|at bedtime)",
    re.IGNORECASE,
)
"""What stands behind a number that is no value: a percentile, a count in urine, a dose."""
_OTHERS = re.compile(r"\bf(?:o)?etal\s+$", re.IGNORECASE)
_FOR_SIZE = re.compile(r"\bfor (?:his|her|their|the) ", re.IGNORECASE)
_FURTHER = re.compile(r"\s*(?:,\s*and|,|and|&|/)\s*([0-9]+(?:\.[0-9]+)?)")
_CHANGED = re.compile(r"\s+to\s+(?:about\s+|approximately\s+)?([0-9][0-9.,]*\s?[^\s\d,.;)]*)")
"""Where a value has gone: "fell from 9.1 % to 7.2 %"."""
_BEHIND_RANGE = re.compile(r"\s{2,}([0-9][0-9.,]*(?:\s?[^\s\d]\S*)?)")
_LETTERS = re.compile(r"(?<![\w/])(P|R)\s*[=:]\s*([0-9]{1,3})\b(?!/)")
_LETTER_NAMES = {"P": "heart rate", "R": "respiratory rate"}
_WRITTEN = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (
            r"\b([1-4][0-9])\s?w(?:(?:ee)?ks?)?(?:\s?\+?\s?[0-6]\s?d(?:ays?)?)?\s+(?:of\s+)?gestation\w*",
            "gestational age {0} weeks",
        ),
        (
            r"\b(?:pregnant|pregnancy|G[1-9]P[0-9]+)\s+(?:\w+\s+){0,2}?(?:at|in)\s+(?:week\s+)?([1-4]?[0-9])"
            r"(?:\s?\+?/?\s?[0-6])?(?:\s?w(?:(?:ee)?ks?)?)?\b(?!\s*(?:days|hours|months|%))",
            "gestational age {0} weeks",
        ),
        (
            r"\bborn\s+(?:\w+\s+)?at\s+([2-4][0-9])\b[^.;,]{0,8}?\bw(?:ee)?ks?\b",
            "gestational age {0} weeks",
        ),
        (
            r"\b([0-9]+(?:\.[0-9]+)?)(?:\s*(?:cm|mm)?\s*(?:x|\u00d7|by)\s*[0-9.]+){0,2}[\s-]*(cm|mm)\s+"
            r"(?:[a-z-]+\s+){0,4}?"
            r"(?:(?:adeno)?carcinoma|tumou?r|mass|cancer|neoplasm|sarcoma|melanoma|nodule)\b",
            "tumor size {0} {1}",
        ),
        (
            r"\bpain\b[^.;]{0,60}?\b([0-9]{1,2}(?:\.[0-9])?)(?:\s?/\s?|\s+out\s+of\s+"
            r"|\s+on\s+(?:an?|the)\s+(?:[\w-]+\s+){0,3}scale\s+(?:of|from)\s+[01]\s?(?:to|-)\s?)10\b",
            "pain score {0}",
        ),
        (
            r"\b(9[5-9](?:\.[0-9])?|10[0-9](?:\.[0-9])?)\s?(?:\u00b0\s?|degrees?\s)?(?-i:F)\b",
            "temperature {0} F",
        ),
        (r"\b([4-7])\s?['\u2019]\s?([01]?[0-9])\b(?!\s?(?:s\b|%))", "height {0} ft {1} in"),
        (
            r"\burine\b[^.;]{0,40}\bpositive for (?:\w+(?:,| and| or) )*protein\b",
            "urine protein positive",
        ),
    )
)
"""Values written without the name of what is measured, and how they are written with it."""
_HINTS = ("estation", "born", "cm ", "mm ", "rine", "10", "F", "'", "\u2019")
_NORMAL = (
    r"(?:normal|unremarkable|wnl|within (?:the )?(?:normal|reference) (?:limits?|ranges?|levels?))"
)
_IS_NORMAL = re.compile(
    rf"(?P<list>[^.;:()]{{0,120}}?)(?:,?\s*(?:\ball\s+)?\b(?:is|are|was|were|remain\w*|appear\w*"
    rf"|came back|showed|have been|has been|reported as)\b\s*"
    rf"(?:all\s+|also\s+|otherwise\s+|completely\s+)?"
    rf"|\s*:\s*|\s+(?=within)|[\s(]+){_NORMAL}\b(?!\s+except)",
    re.IGNORECASE,
)
_NORMAL_BEFORE = re.compile(r"\bnormal\s+(?:(?!and\b)[\w-]+[\s,]+){0,4}$", re.IGNORECASE)
_TELLS_MORE = re.compile(
    r"\b(?:is|are|was|were|had|has|abnormal|elevated|low|high|except|not|but|which|who|showed|revealed|includes?|with)\b",
    re.IGNORECASE,
)
_CONTRARY = {"positive": "negative", "detectable": "negative"}


@lru_cache(maxsize=2_000)
def find_noted_values(text: str) -> list[ValuePhrase]:
    """Find the values of a sentence of a note, each with the number that is its own.

    >>> [str(each.quantity) for each in find_noted_values("AST and ALT were 37 and 20 U/L")]
    ['37 U/L', '20 U/L']
    """
    kept = [each for each in find_values(text) if _is_value(text, each)]
    kept = _dealt_out(text, kept)
    if any(hint in text for hint in _HINTS):
        taken = {each.analyte for each in kept}
        for pattern, plain in _WRITTEN:
            for match in pattern.finditer(text):
                found = _again(plain.format(*match.groups()), match.span(), match.end())
                kept += [each for each in found if each.analyte not in taken]
    if "=" in text or ":" in text:
        taken = {each.analyte for each in kept}
        for match in _LETTERS.finditer(text) if taken & {"systolic", "temperature"} else ():
            name = _LETTER_NAMES.get(match.group(1), "respiratory rate")
            kept += _again(f"{name} {match.group(2)}", match.span(1), match.end())
    return kept


def _is_value(text: str, value: ValuePhrase) -> bool:
    known = get_analyte(value.analyte) is not None or get_scale(value.analyte) is not None
    if not known and " " not in value.analyte:
        return False
    if _OTHERS.search(text, 0, value.name_start):
        return False
    if value.quantity is None:
        return _FOR_SIZE.search(text, value.start, value.end) is None
    return _NO_VALUE.match(text, value.end) is None


def _dealt_out(text: str, values: list[ValuePhrase]) -> list[ValuePhrase]:
    """Give each name of "LDL and HDL were 145 and 53" its own number."""
    kept: list[ValuePhrase] = []
    at = 0
    while at < len(values):
        first = values[at]
        names = [first]
        for each in values[at + 1 :]:
            if each.end != first.end or each.name_start <= names[-1].name_start:
                break
            names.append(each)
        numbers = _numbers(text, first, len(names))
        if len(names) == len(numbers) > 1:
            for each, (number, end) in zip(names, numbers, strict=True):
                place = (each.name_start, each.name_end)
                kept += _again(f"{each.words} {number}", place, end)
            at += len(names)
            last = numbers[-1][1]
            while at < len(values) and values[at].start < last + len(names):
                at += 1
            continue
        behind = None
        if first.quantity is not None and first.quantity.upper is not None:
            behind = _BEHIND_RANGE.match(text, first.end)
        elif "from" in text[first.name_end : first.end]:
            behind = _CHANGED.match(text, first.end)
        if behind is not None:
            place = (first.name_start, first.name_end)
            kept += _again(f"{first.words} {behind.group(1)}", place, behind.end()) or [first]
        else:
            kept.append(first)
        at += 1
    return kept


def _numbers(text: str, first: ValuePhrase, most: int) -> list[tuple[str, int]]:
    """Give the numbers listed where a value of several names stands, and where each ends."""
    if first.quantity is None or most == 1:
        return []
    begin = re.search(r"[0-9]+(?:\.[0-9]+)?", text[first.name_end : first.end])
    if begin is None:
        return []
    found = [(begin.group(), first.name_end + begin.end())]
    while len(found) < most:
        match = _FURTHER.match(text, max(found[-1][1], first.end if len(found) == 1 else 0))
        if match is None:
            break
        found.append((match.group(1), match.end()))
    unit = re.match(r"\s*(?:mg|g|mmol|umol|U|IU|mEq|ng|pg|cm|mm|%)\S*", text[found[-1][1] :])
    if unit is None:
        return found
    return [(number + unit.group().rstrip(".,;)"), end) for number, end in found]


def _again(plain: str, place: tuple[int, int], end: int) -> list[ValuePhrase]:
    """Read a name with a number that stands apart from it, put together."""
    found = find_values(plain)
    return [
        replace(each, start=place[0], end=end, name_start=place[0], name_end=place[1], join="")
        for each in found[:1]
    ]


def read_measurements(passage: Passage) -> Iterator[LabValue]:
    """Give the values of a sentence, and what it calls normal by the name of a group."""
    measured = []
    for value in passage.values:
        if value.impossible:
            continue
        fields = passage.stated(value.start, value.end)
        state = value.state
        if value.quantity is None and not value.grades and _is_denied(passage, value):
            state = _CONTRARY.get(state, "")
            if not state:
                continue
        measured.append(value.analyte)
        yield LabValue(
            **fields,
            analyte=value.analyte,
            name=value.name,
            value=value.quantity,
            status=state,
            grade=value.grades[0] if value.grades else "",
        )
    if not passage.vocabulary.isdisjoint(("normal", "unremarkable", "wnl")):
        yield from _read_normal(passage, frozenset(measured))


def _is_denied(passage: Passage, value: ValuePhrase) -> bool:
    return value.state not in ("normal", "negative") and any(
        reach.effect == "negated" and reach.forward
        for reach in passage.scope.at(value.start, value.end)
    )


def _read_normal(passage: Passage, measured: frozenset[str]) -> Iterator[LabValue]:
    """Read "vital signs are normal", "CBC and TSH within normal limits"."""
    given: set[str] = set(measured)
    for start, end, analytes in _groups(passage):
        after = _IS_NORMAL.match(passage.text, end)
        said = after is not None and _TELLS_MORE.search(after["list"]) is None
        if not said and _NORMAL_BEFORE.search(passage.text, 0, start) is None:
            continue
        if "family" in passage.effects(start, end):
            continue
        close = after.end() if said and after is not None else end
        for key in analytes:
            analyte = get_analyte(key)
            if analyte is not None and key not in given:
                given.add(key)
                fields = passage.stated(start, close)
                yield LabValue(**fields, analyte=key, name=analyte.name, status="normal")


def _groups(passage: Passage) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    words = passage.words
    for phrase in panel_names().find(words):
        yield words[phrase.first].start, words[phrase.last - 1].end, phrase.value.analytes
    for name in find_name_phrases(passage.text):
        keys = tuple(each.analyte.id for each in name.value if hasattr(each, "analyte"))
        if keys:
            yield words[name.first].start, words[name.last - 1].end, keys[:1]
