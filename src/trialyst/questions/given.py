"""What a caller gave, under the names and in the types that a tool declares.

Models send null, empty strings, numbers as text and names of other tools; people of the library do
too. What stands for no value is left out, what is called otherwise is renamed, flags and whole
numbers are read. Texts stay as they are: reading them is the work of other modules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from trialyst.ctgov.suggest import unknown_argument
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.questions.arguments import ALIASES
from trialyst.signatures import Parameter, parameters_of

__all__ = ["is_given", "read_flag", "read_given", "read_point", "read_several", "read_whole"]

_NO_VALUE = frozenset({"", "null", "none", "undefined"})
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_ALTERNATIVES = re.compile(r"\s+OR\s+|\s*[|;\n]\s*")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}(?:\.0*)?")


def is_given(value: object) -> bool:
    """Say whether a value is one; null, blank text and the word none are not.

    >>> [is_given(each) for each in (None, " ", "None", 0, "no")]
    [False, False, False, True, True]
    """
    if isinstance(value, str):
        return value.strip().lower() not in _NO_VALUE
    return value is not None


def read_given(declared: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments that have a value, as a TypedDict of arguments declares them.

    Raises:
        InvalidInput: one is unknown, given twice, or not of its type.
    """
    known = _parameters(declared)
    read: dict[str, Any] = {}
    for name, value in given.items():
        if not is_given(value):
            continue
        parameter = _find(name, known)
        meant = _read(parameter, value)
        if read.setdefault(parameter.name, meant) != meant:
            raise InvalidInput(
                f"{name} means {parameter.name}, which is given too",
                hint=Hint("Give {argument} once.", argument=Argument(parameter.name)),
                invalid_input=str(value),
            )
    return read


@cache
def _parameters(declared: type) -> Mapping[str, Parameter]:
    return {each.name: each for each in parameters_of(declared)}


def _find(name: str, known: Mapping[str, Parameter]) -> Parameter:
    """Give the argument of a name, or of what others call it."""
    found = known.get(name)
    if found is None:
        target = ALIASES.get(name, name)
        alike = (each for each in known.values() if ALIASES.get(each.name, each.name) == target)
        found = known.get(target) or next(alike, None)
    if found is None:
        raise unknown_argument(name, tuple(known))
    return found


def _read(parameter: Parameter, value: Any) -> Any:
    reader = _READERS.get(parameter.wire.type)
    return reader(parameter, value) if reader else value


def _flag(parameter: Parameter, value: Any) -> bool:
    return read_flag(parameter.name, value)


def _whole(parameter: Parameter, value: Any) -> int:
    wire = parameter.wire
    return read_whole(parameter.name, value, least=wire.minimum, most=wire.maximum)


_READERS: Mapping[str, Callable[[Parameter, Any], Any]] = {"boolean": _flag, "integer": _whole}


def read_flag(name: str, value: Any) -> bool:
    """Read true or false, also as text."""
    found = _FLAGS.get(str(value).strip().lower())
    if found is None:
        raise InvalidInput(
            f"{name} is {value!r}, neither true nor false",
            hint=Hint("Give {argument} as true or false.", argument=Argument(name)),
            invalid_input=str(value),
        )
    return found


def read_whole(
    name: str, value: Any, *, least: float | None = None, most: float | None = None
) -> int:
    """Read a whole number within bounds, also as text."""
    text = str(value).strip()
    number = None if isinstance(value, bool) or not _WHOLE.fullmatch(text) else int(float(text))
    if (
        number is None
        or (least is not None and number < least)
        or (most is not None and number > most)
    ):
        span = _span(least, most)
        raise InvalidInput(
            f"{name} is {value!r}, not a whole number{span}",
            hint=Hint(f"Give {{argument}} as a whole number{span}.", argument=Argument(name)),
            invalid_input=str(value),
        )
    return number


def _span(least: float | None, most: float | None) -> str:
    if least is None:
        return ""
    return f" from {least:g}" if most is None else f" from {least:g} to {most:g}"


def read_several(value: Any, *, is_value: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Give several values however they were sent: a list, JSON in a string, joined by OR or `|`.

    Commas separate too, but for those of a value that holds one itself.

    >>> read_several("RECRUITING OR COMPLETED, SUSPENDED"), read_several('["a", "b"]')
    (['RECRUITING', 'COMPLETED', 'SUSPENDED'], ['a', 'b'])
    """
    if isinstance(value, str):
        text = value.strip()
        listed = _from_json(text) if text.startswith("[") else None
        if listed is not None:
            return read_several(listed, is_value=is_value)
        parts = [part.strip() for part in _ALTERNATIVES.split(text.strip("[]"))]
        split = ([part] if is_value(part) else part.split(",") for part in parts)
        return [each.strip(" '\"") for several in split for each in several if each.strip(" '\"")]
    if isinstance(value, Sequence | set | frozenset):
        return [each for part in value for each in read_several(str(part), is_value=is_value)]
    return [] if value is None else [str(value)]


def _from_json(text: str) -> list[Any] | None:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return listed if isinstance(listed, list) else None


def read_point(value: Any) -> str | None:
    """Give a place or a point as one text; two numbers or an object of two are a point.

    >>> read_point([42.3, -71]), read_point({"lat": 42.3, "lng": -71}), read_point("Boston")
    ('42.3,-71', '42.3,-71', 'Boston')
    """
    if isinstance(value, Mapping):
        given = {str(key).lower()[:3]: part for key, part in value.items()}
        value = [given[key] for key in ("lat", "lon", "lng") if key in given]
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = ",".join(str(part) for part in value)
    return None if value is None else str(value).strip().strip("[]()")
