"""Drugs against conditions: lists as people give them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trialyst.errors import InvalidInput

__all__ = ["check_drawable", "read_names"]

MOST_PAIRS = 2_500
"""A pair is five questions; on the live service each takes a second."""
MOST_CELLS, LONGEST_SIDE = 1_000, 200
"""What a heat map can hold and still be an image that programs open."""


def read_names(given: dict[str, Any]) -> dict[str, Any]:
    """Take the names out of what was given: one pair, or with `matrix` two lists.

    Raises:
        InvalidInput: a name is missing, there are lists without `matrix`, or too many pairs.
    """
    wanted = given.pop("matrix")
    listed = {name: given.pop(f"{name}s", None) or [] for name in ("drug", "condition")}
    stated = {name: given.pop(name, None) for name in listed}
    if not wanted:
        return _pair(stated, listed)
    names = {
        f"{name}s": list(dict.fromkeys(_split([*filter(None, [stated[name]]), *listed[name]])))
        for name in listed
    }
    for name, values in names.items():
        if not values:
            raise InvalidInput(
                f"The matrix has no {name}",
                hint="Give them by --drug and --condition: repeated, by commas, or as @FILE.",
            )
    if len(names["drugs"]) * len(names["conditions"]) > MOST_PAIRS:
        raise InvalidInput(
            f"{len(names['drugs'])} drugs and {len(names['conditions'])} conditions are too many",
            hint=f"Ask for at most {MOST_PAIRS:,} pairs at a time.",
        )
    return names


def check_drawable(names: Mapping[str, Sequence[str]]) -> None:
    """Refuse a heat map that nobody could look at, before anything is asked."""
    sides = [len(values) for values in names.values()]
    if max(sides) > LONGEST_SIDE or sides[0] * sides[1] > MOST_CELLS:
        raise InvalidInput(
            f"A matrix of {sides[0]} by {sides[1]} is too large for a heat map",
            hint=f"Draw at most {MOST_CELLS:,} pairs, or leave out --plot and take --csv.",
        )


def _pair(stated: Mapping[str, str | None], listed: Mapping[str, list[str]]) -> dict[str, Any]:
    pair = {}
    for name, value in stated.items():
        values = [*filter(None, [value]), *listed[name]]
        if len(values) != 1:
            problem = "missing" if not values else "given more than once"
            raise InvalidInput(
                f"The {name} is {problem}",
                hint="Give one drug and one condition, or several of both with --matrix.",
                invalid_input=", ".join(values) or None,
            )
        pair[name] = values[0]
    return pair


def _split(values: Sequence[str]) -> Iterator[str]:
    for value in values:
        if value.startswith("@"):
            lines = _read(value[1:]).splitlines()
            yield from (line.strip() for line in lines if line.strip()[:1] not in ("", "#"))
        else:
            # A name may hold a comma, as in "Diabetes Mellitus, Type 2".
            parts = re.split(";" if ";" in value else ",", value)
            yield from filter(None, map(str.strip, parts))


def _read(name: str) -> str:
    try:
        return Path(name).expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"The names cannot be read from {name!r}: {error}",
            hint="Give a text file with one name a line.",
            invalid_input=name,
        ) from None
