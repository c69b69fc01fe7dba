"""What a tool takes, declared once and read off by every interface.

The arguments of a tool are a TypedDict. Each is annotated with the Python types that are
understood, with the one JSON type that is declared to clients, and with a sentence that says what
it means: `query: Annotated[Text, "Words to find."]`. Tool lists, contracts, reference pages and
the help of commands are made from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, Required, get_args, get_origin, get_type_hints

__all__ = [
    "Flag",
    "Number",
    "Parameter",
    "Several",
    "Text",
    "Whole",
    "Wire",
    "parameters_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """How an argument is declared to clients: one JSON type, never a union, and its bounds."""

    type: str
    values: tuple[str, ...] = ()
    """The only values there are; not for what may name several at once."""
    items: str | None = None
    """The JSON type of the members of an array."""
    minimum: float | None = None
    maximum: float | None = None
    default: object = None

    def to_schema(self) -> dict[str, Any]:
        """Give the JSON schema, without a description."""
        schema = {
            "type": self.type,
            "items": {"type": self.items} if self.items else None,
            "enum": list(self.values) or None,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "default": self.default,
        }
        return {name: value for name, value in schema.items() if value is not None}


Text = Annotated[str | None, Wire(type="string")]
Several = Annotated[str | Sequence[str] | None, Wire(type="string")]
"""One value or several, any of which will do: joined by ` OR ` or `|`, or as a list."""
Number = Annotated[int | float | str | None, Wire(type="number")]
Whole = Annotated[int | str | None, Wire(type="integer")]
Flag = Annotated[bool | str | None, Wire(type="boolean")]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool."""

    name: str
    wire: Wire
    description: str
    required: bool = False
    several: bool = False
    """Whether it takes several values, of which any will do."""

    def to_schema(self) -> dict[str, Any]:
        """Give the JSON schema with its description."""
        return {**self.wire.to_schema(), "description": self.description}


def parameters_of(arguments: type) -> tuple[Parameter, ...]:
    """Give the arguments that a TypedDict declares, in its order.

    Raises:
        TypeError: one has no JSON type or no description.
    """
    hints = get_type_hints(arguments, include_extras=True)
    # Said in text, as annotations of a module may be, Required is not yet in the set of keys.
    keys = arguments.__required_keys__  # type: ignore[attr-defined]
    return tuple(
        _parameter(name, annotation, required=name in keys) for name, annotation in hints.items()
    )


def _parameter(name: str, annotation: Any, *, required: bool) -> Parameter:
    # Where annotations are kept as text, the class itself does not see these marks.
    if get_origin(annotation) in (Required, NotRequired):
        required = get_origin(annotation) is Required
        (annotation,) = get_args(annotation)
    kind, *told = get_args(annotation)
    # The last word counts: an alias brings a type, and the argument may narrow it.
    wires = [each for each in told if isinstance(each, Wire)]
    texts = [each for each in told if isinstance(each, str)]
    if get_origin(annotation) is not Annotated or not wires or not texts:
        raise TypeError(f"The argument {name!r} is declared without a JSON type or a description")
    several = any(get_origin(each) is Sequence for each in get_args(kind))
    return Parameter(name, wires[-1], texts[-1], required=required, several=several)
