"""What a patient's age and sex ask of a trial, as expressions.

A trial that states no bound admits every age. Bounds compare in their own unit, in completed
units: "75 Years" admits until the 76th birthday.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil

from trialyst.ctgov.ages import Age, AgeUnit
from trialyst.ctgov.suggest import enum_value
from trialyst.errors import InvalidInput
from trialyst.essie.ast import Node
from trialyst.essie.build import all_of, any_of, between, missing, one_of
from trialyst.hints import Argument, Hint

__all__ = ["admits_age", "admits_sex", "begins_by", "lasts_until", "parse_age"]

OLDEST_YEARS = 130
_AGE = re.compile(
    r"(?P<number>[0-9]{1,5}(?:\.[0-9]{1,3})?)[\s-]*(?P<unit>[a-z]+)?(?:[\s-]*old)?", re.IGNORECASE
)
_UNITS = {
    AgeUnit.YEAR: ("y", "yr", "yrs", "year", "years", "yo"),
    AgeUnit.MONTH: ("m", "mo", "mos", "month", "months"),
    AgeUnit.WEEK: ("w", "wk", "wks", "week", "weeks"),
    AgeUnit.DAY: ("d", "day", "days"),
}
_UNIT_OF = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings}
_FINER = {
    AgeUnit.YEAR: (Fraction(12), AgeUnit.MONTH),
    AgeUnit.MONTH: (Fraction(36525, 1200), AgeUnit.DAY),
    AgeUnit.WEEK: (Fraction(7), AgeUnit.DAY),
}


def parse_age(text: str | int | float) -> Age:
    """Read a patient's age; a bare number is in years.

    >>> str(parse_age(63)), str(parse_age("6 months")), str(parse_age("2.5 years"))
    ('63 Years', '6 Months', '30 Months')
    """
    shape = _AGE.fullmatch(str(text).strip())
    unit = _UNIT_OF.get((shape["unit"] or "years").lower()) if shape else None
    if shape is None or unit is None:
        raise _bad_age(text)
    number = Fraction(shape["number"])
    while number.denominator != 1 and unit in _FINER:
        parts, unit = _FINER[unit]
        number *= parts
    age = Age.parse(f"{int(number)} {unit}s")
    if age.days > OLDEST_YEARS * AgeUnit.YEAR.days:
        raise _bad_age(text)
    return age


def admits_age(age: Age) -> Node:
    """Match trials that may admit a patient of this age."""
    return all_of(begins_by(age), lasts_until(age))


def begins_by(age: Age) -> Node:
    """Match trials whose lower bound, if any, is not above an age."""
    return any_of(missing("MinimumAge"), between("MinimumAge", None, _oldest(age)))


def lasts_until(age: Age) -> Node:
    """Match trials whose upper bound, if any, is not below an age."""
    return any_of(
        missing("MaximumAge"),
        between("MaximumAge", age),
        *(between("MaximumAge", bound, bound) for bound in _completed_bounds(age)),
    )


def admits_sex(sex: str) -> Node:
    """Match trials that admit a patient of this sex, those open to all among them."""
    return one_of("Sex", *dict.fromkeys((enum_value("Sex", sex), "ALL")))


def _completed_bounds(age: Age) -> list[Age]:
    """Give the upper bounds in other units that lie below the age and still admit it.

    Someone of 18 months is one year old: "1 Year" admits them, though it is shorter. Someone of
    one year has lived 52 weeks and a day: "52 Weeks" admits them too.
    """
    others = [unit for unit in _UNITS if unit is not age.unit]
    completed = (Age.parse(f"{int(age.days / unit.days)} {unit}s") for unit in others)
    return list(dict.fromkeys(bound for bound in completed if bound < age))


def _oldest(age: Age) -> Age:
    """Give the greatest age that is written the same: a two-year-old may be 35 months old."""
    next_birthday = Age.parse(f"{age.value + 1} {age.unit}s")
    return max(age, Age.parse(f"{ceil(next_birthday.days) - 1} Days"))


def _bad_age(text: object) -> InvalidInput:
    return InvalidInput(
        f"{text!r} is not an age",
        hint=Hint(
            "Give the patient's age in years, such as {years}, or with a unit, such as {months}.",
            years=Argument("age", 63),
            months=Argument("age", "6 months"),
        ),
        invalid_input=str(text),
    )
