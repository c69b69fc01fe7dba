"""Dates as the registry gives them: a year, a month or a day.

A partial date keeps its precision and sorts as the first day it may mean.
"""

from __future__ import annotations

import calendar
import datetime
import re
from dataclasses import dataclass
from functools import lru_cache, total_ordering
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

__all__ = ["PartialDate"]

_SHAPE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", re.ASCII)


@total_ordering
@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date known to the year, the month or the day.

    >>> PartialDate.parse("2021-02") < PartialDate.parse("2021-02-15")
    True
    >>> str(PartialDate.parse("2021-02")), PartialDate.parse("2021-02").last_day
    ('2021-02', datetime.date(2021, 2, 28))
    """

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.day is not None and self.month is None:
            raise ValueError("a day needs a month")
        datetime.date(self.year, self.month or 1, self.day or 1)

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """Read `yyyy`, `yyyy-MM` or `yyyy-MM-dd`; raise ValueError for anything else."""
        return _parse(text)

    @property
    def first_day(self) -> datetime.date:
        """The earliest day this may be."""
        return datetime.date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> datetime.date:
        """The latest day this may be."""
        month = self.month or 12
        return datetime.date(self.year, month, self.day or calendar.monthrange(self.year, month)[1])

    def __str__(self) -> str:
        return "-".join(
            f"{part:0{width}d}"
            for part, width in ((self.year, 4), (self.month, 2), (self.day, 2))
            if part is not None
        )

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, PartialDate):
            return NotImplemented
        return self._sort_key() < other._sort_key()

    def _sort_key(self) -> tuple[int, int, int, int]:
        # A coarser date stands before the finer one that begins on the same day, so that two
        # dates are equal in order only when they are equal.
        precision = (self.month is not None) + (self.day is not None)
        return self.year, self.month or 1, self.day or 1, precision

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[Any], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from_text = core_schema.no_info_after_validator_function(
            cls.parse, core_schema.str_schema(max_length=10)
        )
        return core_schema.union_schema(
            [core_schema.is_instance_schema(cls), from_text],
            mode="left_to_right",
            custom_error_type="partial_date",
            custom_error_message="not a date of the form yyyy, yyyy-MM or yyyy-MM-dd",
            serialization=core_schema.to_string_ser_schema(),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {
            "type": "string",
            "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$",
            "description": "yyyy, yyyy-MM or yyyy-MM-dd",
        }


@lru_cache(maxsize=20_000)
def _parse(text: str) -> PartialDate:
    shape = _SHAPE.fullmatch(text)
    if not shape:
        raise ValueError(f"not a date of the form yyyy, yyyy-MM or yyyy-MM-dd: {text!r}")
    year, month, day = (int(part) if part else None for part in shape.groups())
    assert year is not None
    return PartialDate(year, month, day)
