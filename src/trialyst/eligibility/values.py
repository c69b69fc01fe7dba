"""Measured values in a text, criterion or note alike: what is measured, and between which numbers.

One engine for laboratory values, vital signs, scores and classes such as NYHA III.
"""

from __future__ import annotations

from dataclasses import dataclass

from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.requirement import Bound, Interval

__all__ = ["ValuePhrase", "find_values"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePhrase:
    """A measured thing at `text[start:end]` with what is said of its value."""

    analyte: str
    """Id of `analytes.txt` or `scales.txt`."""
    name: str
    words: str
    """The words that name it, `text[name_start:name_end]`."""
    start: int
    end: int
    name_start: int
    name_end: int
    interval: Interval | None = None
    """In the analyte's own unit where `bound` is `UNIT` and the unit is known; a note's value is
    an interval of one number."""
    quantity: Quantity | None = None
    """The value as written, with the unit as written or assumed."""
    unit: str = ""
    """The unit of `interval`."""
    bound: Bound = Bound.UNIT
    state: str = ""
    """`normal`, `abnormal`, `high`, `low`, `positive`, `negative`, `detectable`, `undetectable`;
    empty where there is a number, a class, or nothing but the name."""
    grades: tuple[str, ...] = ()
    """Classes that count, each in the spelling of `scales.txt`."""
    assumed_unit: bool = False
    impossible: bool = False
    """Whether no living patient can have the value."""
    join: str = ""
    """How it stands to the phrase before it where the two share a value or a name: `and`, `or`."""
    given: str = ""
    """For whom it holds, where the text says so: `liver metastases` of "(5 x ULN if ...)"."""


def find_values(text: str, *, names: bool = False) -> list[ValuePhrase]:
    """Find the measured values in a text, in its order.

    Args:
        names: also give names of which no value is told.
    """
    return []
