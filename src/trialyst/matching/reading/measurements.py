"""Laboratory values, vital signs and scores in a text, with value, unit and comparator."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.analytes import (
    TIMES_NORMAL,
    Analyte,
    analyte_names,
    get_analyte,
    to_common_unit,
)
from trialyst.eligibility.numbers import (
    COUNTS,
    LIMIT_OF_NORMAL,
    Figure,
    find_figure,
    to_number,
)
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.units import to_unit
from trialyst.eligibility.words import Word, split_words
from trialyst.matching.reading.rows import read_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.eligibility.analytes import AnalyteName
    from trialyst.eligibility.words import Phrase

__all__ = ["Measurement", "find_measurements"]

_FILLERS = frozenset(
    "level levels count counts value values concentration of is was were are at = : - ~ about "
    "to be being measured found today now currently on admission score scores result results "
    "remained ( ) , which only just a an the initial peak last recent reported as showed shows "
    "revealed showing estimated from improved increased decreased rose fell dropped worsened "
    "declined rising elevated high low normal raised reduced mildly slightly markedly "
    "significantly very total baseline stable had has been by predicted in ] [ test tests "
    "blood serum plasma up down * her his went trended peaked range ranged ranging still and "
    "or".split()
)
_MOST_FILLERS = 7
_STATUS = {
    "normal": "normal",
    "unremarkable": "normal",
    "wnl": "normal",
    "elevated": "high",
    "high": "high",
    "raised": "high",
    "increased": "high",
    "elevation": "high",
    "low": "low",
    "decreased": "low",
    "reduced": "low",
    "depressed": "low",
    "abnormal": "abnormal",
    "positive": "positive",
    "negative": "negative",
    "undetectable": "undetectable",
    "detectable": "detectable",
}
_BEFORE = frozenset("level levels of serum blood plasma mildly slightly the her his total".split())
_SHARE_BEFORE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*%\s*(?:of\s+|are\s+)?$")
_OLD = re.compile(r"[\s-]*(?:y\.?/?o\b|yrs?\b|years?[\s-]*old\b)", re.IGNORECASE)
_FEET = re.compile(
    r"\s*(?:is|was|of|:|,|=)?\s*([3-8])\s*(?:'|\u2019|ft\.?|feet|foot)\s*([0-9]{1,2})?"
)
_TALL = re.compile(r"([0-9]{2,3}(?:\.[0-9]+)?)\s*(cm|inches|in|m)\s+(?:tall|in height)\b")
_LETTERS = frozenset(("C", "F", "L", "in", "m", "s", "g", "10^3/uL"))
_WORDED_TIMES = re.compile(
    r"(?:\s+(?:was|were|is|are|of|at|elevated|increased|raised|to|up|more|than|over|about|levels?))+"
    rf"\s+({'|'.join(COUNTS)})(?=\s+times\b|[- ]fold\b)",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(r"[\s-]*(?:x|\u00d7|\*|times|fold|i?uln)", re.IGNORECASE)
"""`ALT 90 above the upper limit` is no multiple of it."""
_COLUMN = re.compile(r"(?:\s*\||\t|[ \t]{2,})[ \t]*(?=[<>]?[0-9])")
_TO = re.compile(r"\s*to\s+(?=[0-9.])")


class Measurement(NamedTuple):
    """A value of an analyte, or the word for it, at `text[start:end]`."""

    analyte: Analyte
    value: Quantity | None
    status: str
    start: int
    end: int
    unit_assumed: bool = False


def find_measurements(
    text: str, words: Sequence[Word] | None = None, offset: int = 0
) -> list[Measurement]:
    """Find the measurements in a text; places are counted from `offset`.

    >>> [found] = find_measurements("LDH normal")
    >>> found.analyte.id, found.status
    ('ldh', 'normal')
    """
    words = split_words(text, offset) if words is None else words
    names = [
        phrase
        for phrase in analyte_names().find(words)
        if _is_as_written(phrase, text, words, offset)
    ]
    found: list[Measurement] = []
    taken = 0
    for phrase in names:
        for measurement, (start, end) in _read(text, words, phrase, offset, taken):
            if start >= taken:
                taken = end
                found.append(measurement)
    found += _sharing(words, names, found)
    found += _tall(text, offset)
    return sorted(found, key=lambda each: each.start)


def _is_as_written(
    phrase: Phrase[AnalyteName], text: str, words: Sequence[Word], offset: int
) -> bool:
    written = phrase.value.written
    if written is None:
        return True
    start, end = words[phrase.first].start - offset, words[phrase.last - 1].end - offset
    return text[start:end] == written


def _sharing(
    words: Sequence[Word], names: list[Phrase[AnalyteName]], found: list[Measurement]
) -> Iterator[Measurement]:
    """Give what shares the word of the next name, as in "B12 and TSH normal"."""
    by_start = {each.start: each for each in found}
    for phrase, following in pairwise(names):
        start = words[phrase.first].start
        joined = [word.text for word in words[phrase.last : following.first]]
        shared = by_start.get(words[following.first].start)
        if start in by_start or shared is None or shared.value is not None:
            continue
        if joined and not set(joined) - {"and", ",", "or", "/"}:
            yield Measurement(phrase.value.analyte, None, shared.status, start, shared.end)


def _tall(text: str, offset: int) -> Iterator[Measurement]:
    height = get_analyte("height")
    for match in _TALL.finditer(text):
        unit = to_unit(match.group(2))
        if height is not None and unit is not None:
            value = Quantity(to_number(match.group(1)), unit)
            yield Measurement(height, value, "", match.start() + offset, match.end() + offset)


def _read(
    text: str, words: Sequence[Word], phrase: Phrase[AnalyteName], offset: int, taken: int
) -> Iterator[tuple[Measurement, tuple[int, int]]]:
    """Give the measurements of one name, each with the span of its value."""
    analyte = phrase.value.analyte
    start = words[phrase.first].start
    if (before := _share_before(text, words, phrase, offset, taken)) is not None:
        yield before
        return
    if analyte.id == "height" and (feet := _FEET.match(text, words[phrase.last - 1].end - offset)):
        inches = int(feet.group(1)) * 12 + int(feet.group(2) or 0)
        end = feet.end() + offset
        yield Measurement(analyte, Quantity(inches, "in"), "", start, end), (start, end)
        return
    if (row := read_row(text, words[phrase.last - 1].end - offset)) is not None:
        yield from _with_figure(analyte, row, start, offset, needs_unit=False)
        return
    at, status = _skip_fillers(words, phrase.last)
    figure = None if at is None else find_figure(text, words[at].start - offset)
    if (times := _times_normal(text, figure, words[phrase.last - 1].end - offset)) is not None:
        end = times.end + offset
        yield Measurement(analyte, times.quantity, "", start, end), (times.start + offset, end)
        return
    if figure is not None and _OLD.match(text, figure.end):
        # "PT is a 45 yo man" gives an age, not a prothrombin time.
        return
    if figure is not None:
        assert at is not None
        figure = _latest(text, figure, risen=words[at - 1].text == "from")
        needs_unit = phrase.value.needs_unit and text[start - offset :][:4].isupper()
        yield from _with_figure(analyte, figure, start, offset, needs_unit=needs_unit)
        return
    yield from _without_figure(words, phrase, status)


def _skip_fillers(words: Sequence[Word], at: int) -> tuple[int | None, tuple[str, int] | None]:
    """Give the word a number may begin at, and the word for the value with its place."""
    status = None
    comma = False
    for place in range(at, min(at + _MOST_FILLERS, len(words))):
        word = words[place].text
        comma = comma or word == ","
        if word in _STATUS and status is None and not comma:
            status = (_STATUS[word], place)
            if word not in _FILLERS:
                return None, status
        if word[0].isdigit() or word in "<>\u2264\u2265~\u2248" or word in ("less", "greater"):
            return place, status
        if word == "." and place + 1 < len(words) and words[place + 1].start == words[place].end:
            return place, status
        if word == "within" and (normal := _normal(words, place)) is not None:
            return None, ("normal", normal)
        if word not in _FILLERS:
            return None, status
    return None, status


def _normal(words: Sequence[Word], at: int) -> int | None:
    near = range(at + 1, min(at + 3, len(words)))
    return next((place for place in near if words[place].text == "normal"), None)


def _times_normal(text: str, figure: Figure | None, at: int) -> Figure | None:
    """Give a multiple of the upper limit of normal, in digits or, behind the name, in words."""
    if figure is None:
        worded = _WORDED_TIMES.match(text, at)
        if worded is None:
            return None
        number = float(COUNTS[worded.group(1).lower()])
        figure = Figure(Quantity(number), None, worded.start(1), worded.end(1))
    limit = None if figure.quantity.unit else LIMIT_OF_NORMAL.match(text, figure.end)
    if limit is None or not _MULTIPLE.match(limit.group()):
        return None
    return figure._replace(quantity=replace(figure.quantity, unit=TIMES_NORMAL), end=limit.end())


def _latest(text: str, figure: Figure, *, risen: bool) -> Figure:
    """Of "from 1.2 to 2.5 mg/dL" take the last."""
    quantity = figure.quantity
    if risen and quantity.upper is not None:
        return figure._replace(quantity=Quantity(quantity.upper, quantity.unit))
    to = _TO.match(text, figure.end)
    later = None if to is None else find_figure(text, to.end())
    if later is None and quantity.upper is not None:
        # A column with the laboratory's range stands before the patient's value.
        gap = _COLUMN.match(text, figure.end)
        later = None if gap is None else find_figure(text, gap.end())
    return figure if later is None else later


def _with_figure(
    analyte: Analyte, figure: Figure, start: int, offset: int, *, needs_unit: bool
) -> Iterator[tuple[Measurement, tuple[int, int]]]:
    quantity = figure.quantity
    begin, end = figure.start + offset, figure.end + offset
    if needs_unit and not quantity.unit.startswith("mL"):
        return
    if analyte.id == "blood_pressure":
        yield from _blood_pressure(figure, start, offset)
        return
    unit_assumed = False
    if _is_bare(analyte, quantity):
        guessed = analyte.guess_unit(quantity.number)
        if guessed is None:
            return
        quantity = Quantity(quantity.number, guessed, quantity.comparator, quantity.upper)
        unit_assumed = guessed not in ("", "score")
    elif not _fits(analyte, quantity):
        return
    yield Measurement(analyte, quantity, "", start, end, unit_assumed), (begin, end)


def _is_bare(analyte: Analyte, quantity: Quantity) -> bool:
    """Say whether a number has no unit, or a letter or slip of the pen that looks like one."""
    if not quantity.unit:
        return True
    if quantity.unit == "/mL":
        return analyte.guess_unit(quantity.number) == "/uL"
    return quantity.unit in _LETTERS and not _fits(analyte, quantity)


def _fits(analyte: Analyte, quantity: Quantity) -> bool:
    return any(quantity.unit == unit for unit, _, _ in analyte.units) or (
        to_common_unit(quantity, analyte) is not None
    )


def _blood_pressure(
    figure: Figure, start: int, offset: int
) -> Iterator[tuple[Measurement, tuple[int, int]]]:
    systolic, diastolic = get_analyte("systolic"), get_analyte("diastolic")
    begin, end = figure.start + offset, figure.end + offset
    if figure.over is None or systolic is None or diastolic is None:
        return
    pressure = figure.quantity
    yield (
        Measurement(
            systolic, Quantity(pressure.number, "mmHg", pressure.comparator), "", start, end
        ),
        (begin, begin + 1),
    )
    yield (
        Measurement(diastolic, Quantity(float(figure.over), "mmHg"), "", start, end),
        (begin + 1, end),
    )


def _share_before(
    text: str, words: Sequence[Word], phrase: Phrase[AnalyteName], offset: int, taken: int
) -> tuple[Measurement, tuple[int, int]] | None:
    """Give the share that stands before a name, as in "25% eosinophils"."""
    analyte, start = phrase.value.analyte, words[phrase.first].start
    if all(unit != "%" for unit, _, _ in analyte.units):
        return None
    share = _SHARE_BEFORE.search(text, max(0, start - offset - 16), start - offset)
    if share is None or share.start() + offset < taken:
        return None
    span = share.start() + offset, words[phrase.last - 1].end
    return Measurement(analyte, Quantity(to_number(share.group(1)), "%"), "", *span), span


def _without_figure(
    words: Sequence[Word], phrase: Phrase[AnalyteName], status: tuple[str, int] | None
) -> Iterator[tuple[Measurement, tuple[int, int]]]:
    analyte = phrase.value.analyte
    start, end = words[phrase.first].start, words[phrase.last - 1].end
    if status is not None:
        yield Measurement(analyte, None, status[0], start, words[status[1]].end), (start, end)
        return
    for place in range(phrase.first - 1, max(phrase.first - 4, -1), -1):
        word = words[place].text
        if word in _STATUS:
            begin = words[place].start
            yield Measurement(analyte, None, _STATUS[word], begin, end), (begin, end)
            return
        if word not in _BEFORE:
            return
