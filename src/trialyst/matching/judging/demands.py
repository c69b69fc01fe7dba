"""Bounds a criterion sets on what is measured: laboratory values, vital signs, scores, classes.

Names, numbers and units are read as in notes. Bounds stand behind a name (`platelets >= 100`,
`HbA1c between 7 and 10 %`, `ECOG 0 or 1`, `BMI 27 or greater`, `ALT < 3 x ULN`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from trialyst.eligibility.analytes import Analyte, analyte_names, find_panels
from trialyst.eligibility.numbers import LIMIT_OF_NORMAL, Figure, find_figure
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.units import convert_number
from trialyst.eligibility.words import find_places, split_texts
from trialyst.matching.judging.gates import gated

__all__ = ["Demand", "criterion_words", "find_demands", "to_demand"]

_DIGIT = re.compile("[0-9]")
_NUMERAL = re.compile(r"\b[iv]{1,3}\b")
_GAP = re.compile(
    r"(?:[\s:,(\[)\]-]|\b(?:performance|functional|status|score|scale|counts?|levels?|values?|class"
    r"|grade|stage|concentration|total|serum|plasma|blood|baseline|screening|interval|is|are|was|be"
    r"|being|of|a|an|the|must|should|has|have|with|at(?! least| most)|in|range|from|between|ps"
    r"|who|and|within|rate"
    r"|index|percent|fasting|resting|adequate|ecog|kps|lvef|anc|wbc|hgb|hb|plt|alt|ast|sgot|sgpt"
    r"|bmi|egfr|gfr|crcl|either|both|or)\b){0,12}"
)
_MORE = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:or|and|\+)?\s*(greater|higher|more|above|over|older|better|\+|less"
    r"|lower"
    r"|fewer|below|under|worse)\b"
)
_UP = frozenset({"greater", "higher", "more", "above", "over", "older", "+"})
_SECOND = re.compile(
    r"\s*(?:,|and|but|&|to|-|\u2013|or)\s*(?=[<>\u2264\u2265=]|less|no more|at most|below|up to)"
)
_WITHIN = re.compile(r"\bwithin\s*$")
_TO = re.compile(r"\s*(?:-|\u2013|to|through)\s*(?=[0-9])")
_AND = re.compile(r"\s*and\s*")
_ALSO = re.compile(r"\s*(?:,\s*(?:or\s+)?|or\s+|and\s+|/|to\s+|through\s+|-|\u2013)\s*([0-5])\b")
_LOWER_OF_NORMAL = re.compile(
    r"\s*(?:x|\u00d7|\*|times)?\s*(?:the\s+)?(?:institutional\s+)*(?:lln|lower\s+limit)\b"
)
_CLASS = gated(
    r"\b(nyha|new york heart association|ecog|zubrod|eastern cooperative oncology group|karnofsky"
    r"|kps|lansky)\b"
)
_CLASS_IDS = {
    "nyha": "score:nyha",
    "new york heart association": "score:nyha",
    "karnofsky": "score:kps",
    "kps": "score:kps",
    "lansky": "score:lansky",
}
_ECOG = "score:ecog"
_ROMAN = re.compile(r"\s*(iv|i{1,3})\b(?:\s*(?:-|\u2013|to|or|/|,|and|through)+\s*(iv|i{1,3})\b)?")
_NUMERALS = {"i": 1.0, "ii": 2.0, "iii": 3.0, "iv": 4.0}


@dataclass(frozen=True, slots=True)
class Demand:
    """What a measured thing must be: between bounds, in the unit its concept is compared in."""

    concept: str
    """`lab:` or `score:` and its key."""
    low: float | None
    high: float | None
    low_open: bool = False
    """Whether the bound itself is outside."""
    high_open: bool = False
    of_normal: bool = False
    """Whether the bounds are multiples of the upper limit of normal."""
    at: int = 0
    """Where its name begins in the criterion."""
    end: int = 0
    """Where its first number ends."""

    def holds(self, value: float) -> bool:
        """Whether a value keeps to the bounds."""
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return self.high is None or not (
            value > self.high or (self.high_open and value == self.high)
        )


@lru_cache(maxsize=20_000)
def criterion_words(lowered: str) -> tuple[str, ...]:
    """Give the words of a criterion in lower case, marks too, to see what it cannot hold."""
    return split_texts(lowered)


@lru_cache(maxsize=20_000)
def find_demands(lowered: str) -> tuple[Demand, ...]:
    """Find the bounds in a criterion in lower case.

    >>> find_demands("platelets >= 100 x 10^9/l")[0].holds(301)
    True
    """
    if _DIGIT.search(lowered) is None and _NUMERAL.search(lowered) is None:
        return ()
    found = (*_of_analytes(lowered), *_of_classes(lowered))
    return tuple(sorted(found, key=lambda demand: demand.at))


def _of_analytes(lowered: str) -> Iterator[Demand]:
    phrases = list(analyte_names().find_texts(criterion_words(lowered)))
    places = find_places(lowered) if phrases else []
    named = [
        (places[each.first][0], places[each.last - 1][1], (each.value.analyte,)) for each in phrases
    ]
    for start, end, analytes in (*named, *find_panels(lowered)):
        found = _bounds_at(lowered, end)
        if found is None:
            continue
        for analyte in analytes:
            demand = _in_common_unit(analyte, found.quantity, of_normal=found.of_normal)
            if demand is not None:
                yield replace(demand, at=start, end=found.end)


class _Found(NamedTuple):
    quantity: Quantity
    of_normal: bool
    end: int


def _bounds_at(text: str, at: int) -> _Found | None:
    """Read the bounds behind a name, as one quantity whose comparator says which side counts."""
    gap = _GAP.match(text, at)
    figure = find_figure(text, gap.end() if gap else at)
    if figure is None or figure.over is not None:
        return None
    between = text[at : figure.start].rstrip().endswith("between")
    if between and (other := _AND.match(text, figure.end)):
        upper = find_figure(text, other.end())
        if upper is not None:
            return _Found(_joined(figure, upper), of_normal=False, end=upper.end)
    if figure.quantity.comparator == "=" and (to := _TO.match(text, figure.end)):
        upper = find_figure(text, to.end())
        if upper is not None and upper.quantity.number > figure.quantity.number:
            return _Found(_joined(figure, upper), of_normal=False, end=upper.end)
    if _LOWER_OF_NORMAL.match(text, figure.end):
        return None
    of_normal = LIMIT_OF_NORMAL.match(text, figure.end) is not None
    if of_normal and figure.quantity.comparator == "=" and _WITHIN.search(text, at, figure.start):
        return _Found(replace(figure.quantity, comparator="<="), of_normal, figure.end)
    if figure.quantity.comparator != "=" or figure.quantity.upper is not None:
        return _Found(_with_second(text, figure), of_normal, figure.end)
    more = _MORE.match(text, figure.end)
    if more is None:
        return None
    sign = ">=" if more.group(1) in _UP else "<="
    quantity = Quantity(figure.quantity.number, figure.quantity.unit, sign)
    return _Found(quantity, of_normal, more.end())


def _joined(low: Figure, high: Figure) -> Quantity:
    unit = high.quantity.unit or low.quantity.unit
    return Quantity(low.quantity.number, unit, "=", high.quantity.number)


def _with_second(text: str, figure: Figure) -> Quantity:
    """Join `>= 18 and <= 30 kg/m2` into one range."""
    quantity = figure.quantity
    second = _SECOND.match(text, figure.end)
    other = find_figure(text, second.end()) if second else None
    if other is None or not quantity.comparator.startswith(">"):
        return quantity
    if not other.quantity.comparator.startswith("<"):
        return quantity
    return _joined(figure, other)


def _in_common_unit(analyte: Analyte, quantity: Quantity, *, of_normal: bool) -> Demand | None:
    concept = analyte.concept.id
    if of_normal:
        if analyte.high is None:
            return None
        scaled = Quantity(
            quantity.number * analyte.high, analyte.unit, quantity.comparator,
            None if quantity.upper is None else quantity.upper * analyte.high,
        )  # fmt: skip
        return to_demand(concept, scaled, of_normal=True)
    unit = quantity.unit or analyte.guess_unit(quantity.number) or ""
    if not unit and analyte.unit:
        return None
    numbers = [
        None
        if number is None
        else convert_number(
            number, unit, analyte.unit, molar_mass=analyte.molar_mass, valence=analyte.valence
        )
        for number in (quantity.number, quantity.upper)
    ]
    if numbers[0] is None or (numbers[1] is None) != (quantity.upper is None):
        return None
    return to_demand(concept, Quantity(numbers[0], analyte.unit, quantity.comparator, numbers[1]))


def to_demand(concept: str, quantity: Quantity, *, of_normal: bool = False) -> Demand | None:
    """Give the demand that a quantity with a comparator or a range makes."""
    number, sign = quantity.number, quantity.comparator
    if quantity.upper is not None:
        return Demand(concept, number, quantity.upper, of_normal=of_normal)
    if sign.startswith(">"):
        return Demand(concept, number, None, low_open=sign == ">", of_normal=of_normal)
    if sign.startswith("<"):
        return Demand(concept, None, number, high_open=sign == "<", of_normal=of_normal)
    return None


def _of_classes(lowered: str) -> Iterator[Demand]:
    for match in _CLASS.finditer(lowered):
        concept = _CLASS_IDS.get(match.group(1), _ECOG)
        at = _GAP.match(lowered, match.end())
        start = at.end() if at else match.end()
        roman = _ROMAN.match(lowered, start)
        if roman is not None:
            low = _NUMERALS[roman.group(1)]
            high = _NUMERALS.get(roman.group(2) or "", low)
            yield Demand(concept, low, high, at=match.start(), end=roman.end())
            continue
        figure = find_figure(lowered, start)
        demand = None if figure is None else _of_score(concept, lowered, figure)
        if demand is not None:
            yield replace(demand, at=match.start())


def _of_score(concept: str, lowered: str, figure: Figure) -> Demand | None:
    quantity, end = figure.quantity, figure.end
    more = _MORE.match(lowered, end)
    if quantity.comparator != "=" or quantity.upper is not None:
        demand = to_demand(concept, quantity)
    elif more is not None:
        # A better ECOG status is a lower number, a better Karnofsky a higher one.
        up = more.group(1) in _UP or (more.group(1) == "better" and concept != _ECOG)
        low, high = (quantity.number, None) if up else (None, quantity.number)
        demand, end = Demand(concept, low, high), more.end()
    else:
        numbers = [quantity.number]
        while (also := _ALSO.match(lowered, end)) is not None:
            numbers.append(float(also.group(1)))
            end = also.end()
        demand = Demand(concept, min(numbers), max(numbers))
    return None if demand is None else replace(demand, end=end)
