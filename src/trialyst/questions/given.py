"""What a caller gave, under the names and in the types that a tool declares.

Flags and whole numbers are read here, within their bounds. Texts stay as they are: reading them is
the work of other modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.questions.values import read_flag, take_arguments
from trialyst.signatures import Parameter, parameters_of

__all__ = ["read_given", "read_whole"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}(?:\.0*)?")


def read_given(declared: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments that have a value, as a TypedDict of arguments declares them.

    Raises:
        InvalidInput: one is unknown, given twice, or not of its type.
    """
    known = _parameters(declared)
    taken = take_arguments(given, tuple(known)).arguments
    return {name: _read(known[name], value) for name, value in taken.items()}


@cache
def _parameters(declared: type) -> Mapping[str, Parameter]:
    return {each.name: each for each in parameters_of(declared)}


def _read(parameter: Parameter, value: Any) -> Any:
    reader = _READERS.get(parameter.wire.type)
    return reader(parameter, value) if reader else value


def _flag(parameter: Parameter, value: Any) -> bool:
    return read_flag(parameter.name, value, default=False)


def _whole(parameter: Parameter, value: Any) -> int:
    wire = parameter.wire
    return read_whole(parameter.name, value, least=wire.minimum, most=wire.maximum)


_READERS: Mapping[str, Callable[[Parameter, Any], Any]] = {"boolean": _flag, "integer": _whole}


def read_whole(
    name: str, value: Any, *, least: float | None = None, most: float | None = None
) -> int:
    """Read a whole number within bounds, also as text.

    >>> read_whole("page_size", "20.0", least=1, most=200)
    20
    """
    text = str(value).strip()
    number = None if isinstance(value, bool) or not _WHOLE.fullmatch(text) else int(float(text))
    if (
        number is None
        or (least is not None and number < least)
        or (most is not None and number > most)
    ):
        span = _span(least, most)
        raise InvalidInput(
            Hint(
                "{argument} is {given}, not a whole number{span}",
                argument=Argument(name),
                given=repr(value),
                span=span,
            ),
            hint=Hint(
                "Give {argument} as a whole number{span}.", argument=Argument(name), span=span
            ),
            invalid_input=str(value),
        )
    return number


def _span(least: float | None, most: float | None) -> str:
    if least is None:
        return ""
    return f" from {least:g}" if most is None else f" from {least:g} to {most:g}"
