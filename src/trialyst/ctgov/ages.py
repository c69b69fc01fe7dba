"""Ages and durations as the registry gives them: a number and a unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, total_ordering
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from trialyst.essie.values import age_days

__all__ = ["Age", "AgeUnit"]

_SHAPE = re.compile(r"\s*([0-9]{1,9})\s*(Year|Month|Week|Day|Hour|Minute)s?\s*", re.IGNORECASE)


class AgeUnit(StrEnum):
    """A unit of age."""

    YEAR = "Year"
    MONTH = "Month"
    WEEK = "Week"
    DAY = "Day"
    HOUR = "Hour"
    MINUTE = "Minute"

    @property
    def days(self) -> float:
        """The length of one unit."""
        return age_days(f"1 {self}") or 0.0


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Age:
    """An age as written, comparable by its length; `value` and `unit` tell the completed units.

    >>> age = Age.parse("18 Years")
    >>> age.value, age.unit.value, age.days, str(age)
    (18, 'Year', 6574.5, '18 Years')
    >>> Age.parse("6 Months") < Age.parse("1 Year") == Age.parse("12 Months")
    True
    """

    text: str
    value: int
    unit: AgeUnit
    days: float
    """The length; a year has 365.25 days and twelve equal months."""

    @classmethod
    def parse(cls, text: str) -> Age:
        """Read a number and a unit; raise ValueError for anything else."""
        return _parse(text)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return self.days == other.days if isinstance(other, Age) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.days < other.days if isinstance(other, Age) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.days)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[Any], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from_text = core_schema.no_info_after_validator_function(
            cls.parse, core_schema.str_schema(max_length=40)
        )
        return core_schema.union_schema(
            [core_schema.is_instance_schema(cls), from_text],
            mode="left_to_right",
            custom_error_type="age",
            custom_error_message="not an age: a number and a unit such as `18 Years`",
            serialization=core_schema.to_string_ser_schema(),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string", "description": "A number and a unit, such as `18 Years`"}


@lru_cache(maxsize=4_000)
def _parse(text: str) -> Age:
    shape, days = _SHAPE.fullmatch(text), age_days(text)
    if shape is None or days is None:
        raise ValueError(f"not a number and a unit of age: {text!r}")
    return Age(text, int(shape.group(1)), AgeUnit(shape.group(2).capitalize()), days)
