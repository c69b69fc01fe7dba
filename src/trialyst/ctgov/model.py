"""What every model of a record shares: frozen, closed, read by our names or the API's."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    AliasGenerator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

__all__ = ["REPORT_UNKNOWN", "UNKNOWN_VALUE", "Known", "Part"]

UNKNOWN_VALUE = "unknown_value"
"""The error type of a value outside its vocabulary."""

REPORT_UNKNOWN = {"report_unknown": True}
"""The validation context under which such a value is an error instead of being kept."""


def _check_reported(value: str, info: ValidationInfo) -> str:
    if info.context and info.context.get("report_unknown"):
        raise PydanticCustomError(UNKNOWN_VALUE, "unknown value")
    return value


Value = TypeVar("Value", bound=str)

Known = Annotated[
    Value | Annotated[str, AfterValidator(_check_reported)], Field(union_mode="left_to_right")
]
"""A member of a vocabulary; a value it does not list stays the plain string it is."""


class Part(BaseModel):
    """Any part of a trial. Its own JSON uses our field names; the API's names are read too."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        # Built once, as part of a trial, and not each part on its own at import.
        defer_build=True,
        alias_generator=AliasGenerator(validation_alias=to_camel),
        validate_by_name=True,
        validate_by_alias=True,
        coerce_numbers_to_str=True,
    )
