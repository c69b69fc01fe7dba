"""Units of measurement: one spelling for each, and what one is in another.

The units of a clinic are a table; what is not in it goes to pint. Mass and amount of a substance
turn into each other by its molar mass, HbA1c by the equation of the IFCC.
"""

from __future__ import annotations

import math
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trialyst.eligibility.tables import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.eligibility.quantity import Quantity

__all__ = ["Unit", "convert_number", "convert_quantity", "find_unit", "to_unit"]

_LETTER = {
    "\u00b5": "u", "\u03bc": "u", "\u00d7": "x", "\u00ba": "\u00b0",
    "\u00b2": "2", "\u00b3": "3", "\u2079": "9", "\u2076": "6", "\u00b9": "1",
}  # fmt: skip
_MICRO = str.maketrans(_LETTER)
_SPACES = re.compile(r"\s+")
_MOST_BLANKS = 2


class Unit(NamedTuple):
    """A unit: its name, what it measures, and its size in the unit of that dimension."""

    name: str
    dimension: str
    size: float


@cache
def _units() -> tuple[dict[str, Unit], dict[str, Unit]]:
    """Give the units by name and by plain spelling."""
    by_name: dict[str, Unit] = {}
    by_spelling: dict[str, Unit] = {}
    parts: dict[str, tuple[str, ...]] = {}
    rows = [[part.strip() for part in line.split("|")] for line in read_lines("units.txt")]
    for name, dimension, size, spellings in rows:
        others = tuple(filter(None, map(str.strip, spellings.split(";"))))
        if dimension == "part":
            parts[name.lower()] = (_plain(name), *map(_plain, others))
            continue
        unit = by_name[name] = Unit(name, dimension, float(size))
        for spelling in (name, *others):
            for worded in _worded(_plain(spelling), parts):
                by_spelling.setdefault(worded, unit)
    return by_name, by_spelling


def _worded(spelling: str, parts: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Give a spelling with every spelling of its parts: `g/dl`, `gramsperdeciliter`."""
    yield spelling
    above, slash, below = spelling.partition("/")
    if not slash or not parts:
        return
    for one in parts.get(above, (above,)):
        for other in parts.get(below, (below,)):
            yield f"{one}/{other}"
            yield f"{one}per{other}"


def _plain(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_MICRO)).translate(_MICRO)
    return _SPACES.sub("", text).lower().rstrip(".")


def to_unit(text: str) -> str | None:
    """Give the one spelling of a unit, None if it is not known.

    >>> to_unit("x 10e9/L"), to_unit("mcg/ml"), to_unit("apples")
    ('10^9/L', 'ug/mL', None)
    """
    unit = _units()[1].get(_plain(text))
    return None if unit is None else unit.name


_Letters: TypeAlias = "dict[str, _Letters | str]"


@cache
def _letters() -> _Letters:
    """Give the spellings letter by letter; an empty key holds the unit that ends there."""
    tree: _Letters = {}
    for spelling, unit in _units()[1].items():
        node = tree
        for letter in spelling:
            following = node.setdefault(letter, {})
            assert isinstance(following, dict)
            node = following
        node[""] = unit.name
    return tree


def find_unit(text: str, at: int) -> tuple[str, int] | None:
    """Find the longest unit that stands at a place, and where it ends.

    >>> find_unit("8.6 % today", 3), find_unit("10 grams per deciliter", 2)
    (('%', 5), ('g/dL', 22))
    """
    node: _Letters | str | None = _letters()
    found: tuple[str, int] | None = None
    blanks = 0
    for place in range(at, len(text)):
        letter = text[place]
        if letter in " \t\u00a0":
            blanks += 1
            if blanks > _MOST_BLANKS:
                break
            continue
        node = node.get(_LETTER.get(letter) or letter.lower()) if isinstance(node, dict) else None
        if not isinstance(node, dict):
            break
        blanks = 0
        end = place + 1
        if "" in node and not (letter.isalnum() and text[end : end + 1].isalnum()):
            found = str(node[""]), end
    return found


def convert_number(
    number: float, unit: str, wanted: str, *, molar_mass: float | None = None, valence: int = 1
) -> float | None:
    """Give a number in another unit, None where the two do not measure the same.

    Args:
        molar_mass: of the substance in g/mol, to go between mass and amount.
        valence: charges of its ion, to go between amount and mEq.

    >>> round(convert_number(1.0, "mg/dL", "umol/L", molar_mass=113.12), 1)
    88.4
    >>> convert_number(98.6, "F", "C")
    37.0
    """
    if unit == wanted:
        return number
    if {unit, wanted} <= {"C", "F"}:
        return round((number - 32) / 1.8 if wanted == "C" else number * 1.8 + 32, 4)
    if {unit, wanted} == {"%", "mmol/mol"}:
        # Only HbA1c is given in both.
        return (number - 2.15) * 10.929 if wanted == "mmol/mol" else number / 10.929 + 2.15
    factor = _factor(unit, wanted, molar_mass, valence)
    return None if factor is None else number * factor


def convert_quantity(
    quantity: Quantity, wanted: str, *, molar_mass: float | None = None, valence: int = 1
) -> Quantity | None:
    """Give a quantity in another unit, comparator and range kept."""
    from dataclasses import replace

    def converted(number: float) -> float | None:
        return convert_number(number, quantity.unit, wanted, molar_mass=molar_mass, valence=valence)

    number = converted(quantity.number)
    upper = None if quantity.upper is None else converted(quantity.upper)
    if number is None or (upper is None) != (quantity.upper is None):
        return None
    return replace(quantity, number=number, upper=upper, unit=wanted)


_NO_UNITS = frozenset({"", "score"})
"""What bare numbers are given in; pint takes seconds to say that nothing converts to them."""


@lru_cache(maxsize=2_000)
def _factor(unit: str, wanted: str, molar_mass: float | None, valence: int) -> float | None:
    if not {unit, wanted}.isdisjoint(_NO_UNITS):
        return None
    by_name, _ = _units()
    one, other = by_name.get(unit), by_name.get(wanted)
    if one is None or other is None:
        return _pint_factor(unit, wanted)
    if one.dimension == other.dimension:
        return one.size / other.size
    there = _substance_factor(one.dimension, other.dimension, molar_mass, valence)
    if there is not None:
        return one.size / other.size * there
    back = _substance_factor(other.dimension, one.dimension, molar_mass, valence)
    return None if back is None else one.size / other.size / back


def _substance_factor(
    given: str, wanted: str, molar_mass: float | None, valence: int
) -> float | None:
    """Give how much of one dimension's own unit is one of another's, for a substance."""
    if (given, wanted) == ("mass per volume", "amount per volume") and molar_mass:
        return 1 / molar_mass
    if (given, wanted) == ("amount per volume", "charge per volume"):
        return float(valence)
    if (given, wanted) == ("mass per volume", "charge per volume") and molar_mass:
        return valence / molar_mass
    if (given, wanted) == ("mass per amount", "mass per mass"):
        # The amount is that of creatinine, 113.12 g/mol.
        return 1 / 113.12
    if (given, wanted) == ("charge per volume", "amount per volume"):
        return 1 / valence
    return None


def _pint_factor(unit: str, wanted: str) -> float | None:
    import pint

    try:
        registry = pint.get_application_registry()  # type: ignore[no-untyped-call]
        factor = float(registry.Quantity(1, unit).to(wanted).magnitude)
    except (pint.PintError, ValueError, TypeError, AttributeError, AssertionError):
        return None
    return factor if math.isfinite(factor) else None
