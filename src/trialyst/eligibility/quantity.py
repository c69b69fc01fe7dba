"""A number with its unit and comparator, as a note or a criterion gives it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Quantity"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value as written: `number` and `unit`, to `upper` if it is a range.

    >>> str(Quantity(8.6, "%")), str(Quantity(60, "mL/min", comparator=">="))
    ('8.6 %', '>= 60 mL/min')
    """

    number: float
    unit: str = ""
    """In one spelling, such as `mg/dL`, `10^9/L`, `%`; empty if none is given."""
    comparator: str = "="
    """One of `=`, `<`, `<=`, `>`, `>=`, `~`."""
    upper: float | None = None

    def __str__(self) -> str:
        shown = (
            f"{self.number:.10g}" if self.upper is None else f"{self.number:.10g}-{self.upper:.10g}"
        )
        sign = "" if self.comparator == "=" else f"{self.comparator} "
        return f"{sign}{shown}{' ' if self.unit else ''}{self.unit}"
