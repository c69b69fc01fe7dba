"""Laboratory values, vital signs and scores: their names, units, molar masses and usual ranges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.units import convert_quantity
from trialyst.eligibility.words import PhraseTable
from trialyst.vocabulary.term import Term

__all__ = [
    "TIMES_NORMAL",
    "Analyte",
    "AnalyteName",
    "analyte_names",
    "get_analyte",
    "measured_entries",
    "to_common_unit",
]

TIMES_NORMAL = "xULN"
"""The unit of a multiple of the upper limit of normal."""


@dataclass(frozen=True, slots=True)
class Analyte:
    """Something that is measured."""

    id: str
    name: str
    units: tuple[tuple[str, float | None, float | None], ...]
    """Its units, ours first, with the span in which a bare number is read as one."""
    molar_mass: float | None = None
    valence: int = 1
    low: float | None = None
    high: float | None = None
    """The usual range of adults, in our unit; a rough guide and no laboratory's own."""

    @property
    def unit(self) -> str:
        """Our unit; empty where there is none."""
        return self.units[0][0] if self.units else ""

    @property
    def concept(self) -> Term:
        """The concept of facts about it."""
        return Term(f"lab:{self.id}", self.name)

    def guess_unit(self, number: float) -> str | None:
        """Give the unit in which a bare number is plausible, None if in none."""
        for unit, low, high in self.units:
            if low is not None and high is not None and low <= number <= high:
                return unit
        return None


@dataclass(frozen=True, slots=True)
class AnalyteName:
    """A name of an analyte, and how strictly it is read."""

    analyte: Analyte
    written: str | None = None
    """The only spelling that counts, where case tells it from a word."""
    needs_unit: bool = False
    """Whether it counts only with its unit, when written in capitals."""
    needs_value: bool = False
    """Whether it counts only with a value of its own kind: the word means other things."""
    shared: bool = False
    """Whether it stands for every analyte that lists it."""


@cache
def _analytes() -> tuple[dict[str, Analyte], tuple[tuple[str, AnalyteName], ...]]:
    by_id: dict[str, Analyte] = {}
    names: list[tuple[str, AnalyteName]] = []
    for line in read_lines("analytes.txt"):
        key, name, others, units, mass, usual = (part.strip() for part in line.split("|"))
        analyte = by_id[key] = _analyte(key, name, units=units, mass=mass, usual=usual)
        names.append((name, AnalyteName(analyte)))
        for other in filter(None, (part.strip() for part in others.split(";"))):
            bare = other.rstrip("!?&")
            plain = bare.strip('"')
            written = plain if bare != plain else None
            marks = other[len(bare) :]
            names.append(
                (plain, AnalyteName(analyte, written, "!" in marks, "?" in marks, "&" in marks))
            )
    return by_id, tuple(names)


def _analyte(key: str, name: str, *, units: str, mass: str, usual: str) -> Analyte:
    molar, _, valence = mass.partition("*")
    low, high = _span(usual)
    return Analyte(
        id=key,
        name=name,
        units=tuple(_unit(part.strip()) for part in units.split(";") if part.strip()),
        molar_mass=float(molar) if molar else None,
        valence=int(valence or 1),
        low=low,
        high=high,
    )


def _unit(text: str) -> tuple[str, float | None, float | None]:
    unit, _, span = text.rpartition(" ")
    return (unit, *_span(span)) if "-" in span and span[-1].isdigit() else (text, None, None)


def _span(text: str) -> tuple[float | None, float | None]:
    low, _, high = text[1:].partition("-") if text else ("", "", "")
    return (float(text[0] + low), float(high)) if text else (None, None)


def get_analyte(analyte_id: str) -> Analyte | None:
    """Give an analyte by its id, with or without `lab:`."""
    return _analytes()[0].get(analyte_id.removeprefix("lab:"))


@cache
def analyte_names() -> PhraseTable[AnalyteName]:
    """Give every name of an analyte, to find in a text."""
    return PhraseTable(_analytes()[1])


def measured_entries() -> tuple[tuple[str, AnalyteName], ...]:
    """Give every name with what it is of; several analytes may list one."""
    return _analytes()[1]


def to_common_unit(quantity: Quantity, analyte: Analyte) -> Quantity | None:
    """Give a quantity in the analyte's own unit, None where that cannot be.

    >>> creatinine = get_analyte("creatinine")
    >>> round(to_common_unit(Quantity(92, "umol/L"), creatinine).number, 2)
    1.04
    """
    if quantity.unit == TIMES_NORMAL:
        limit, upper = analyte.high, quantity.upper
        if limit is None:
            return None
        return replace(
            quantity,
            number=quantity.number * limit,
            unit=analyte.unit,
            upper=None if upper is None else upper * limit,
        )
    return convert_quantity(
        quantity, analyte.unit, molar_mass=analyte.molar_mass, valence=analyte.valence
    )
