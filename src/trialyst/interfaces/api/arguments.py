"""Reading the query string, with the live service's words for what is wrong in it."""

from __future__ import annotations

import re
from collections.abc import Collection

from starlette.requests import Request

from trialyst.errors import InvalidInput

__all__ = ["read_arguments", "read_choice", "read_flag", "split_list"]

_SEPARATOR = re.compile(r"[,|]")


def read_arguments(request: Request, allowed: Collection[str] | None) -> dict[str, str]:
    """Give the arguments by name; a repeated one, or one not allowed, raises InvalidInput.

    Args:
        allowed: Names without a dot; None leaves names to be checked by who reads them.
    """
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if allowed is not None and name not in allowed:
            if "." in name:
                raise InvalidInput(f"Invalid prefix in parameter name: {name}")
            raise InvalidInput(f"`{name}` is unknown parameter")
        if name in given:
            raise InvalidInput(f"Parameter `{name}` is specified more than once")
        given[name] = value
    return given


def read_choice(arguments: dict[str, str], name: str, choices: Collection[str]) -> str:
    """Give a parameter that must be one of the choices; the first one is the default."""
    value = arguments.get(name, next(iter(choices)))
    if value not in choices:
        raise InvalidInput(f"Invalid value in parameter `{name}`: `{value}`", invalid_input=value)
    return value


def read_flag(arguments: dict[str, str], name: str) -> bool:
    """Give a boolean parameter, false by default; Python clients send `True`."""
    value = arguments.get(name, "false")
    if value.lower() not in {"true", "false"}:
        raise InvalidInput(f"Invalid value in parameter `{name}`: `{value}`", invalid_input=value)
    return value.lower() == "true"


def split_list(arguments: dict[str, str], name: str) -> list[str] | None:
    """Give the items of a comma- or pipe-separated parameter, or None where it is not given.

    Raises:
        InvalidInput: it is given and holds no item.
    """
    text = arguments.get(name)
    if text is None:
        return None
    items = [item.strip() for item in _SEPARATOR.split(text)]
    if not any(items):
        raise InvalidInput(f"Parameter `{name}` must be a non-empty list", invalid_input=text)
    return [item for item in items if item]
