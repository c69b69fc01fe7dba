"""The nearest valid value to one that is not: what a good error message names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from trialyst.errors import InvalidInput
from trialyst.essie.enums import enums, fold_label
from trialyst.essie.pieces import Piece, find_piece, pieces

__all__ = ["enum_value", "known_piece", "nearest", "unknown_value"]

_SPOKEN = {
    "Phase": "phase",
    "RecruitmentStatus": "site status",
    "Sex": "sex",
    "Status": "status",
    "StudyType": "study type",
}
# Below it a suggestion has little to do with what was asked for.
_LIKENESS = 0.5
_TELLING = 8
"""Letters from which on the end of an option tells which is meant."""


def nearest(text: str, options: Iterable[str] | Mapping[str, str]) -> str | None:
    """Give the option that is written most like the text, or None if none is.

    A mapping gives the option for each of its spellings.

    >>> nearest("Phase 5", ["PHASE1", "PHASE4"]), nearest("zzz", ["PHASE1"])
    ('PHASE4', None)
    """
    spellings = options if isinstance(options, Mapping) else {each: each for each in options}
    folded = {fold_label(spelling): value for spelling, value in spellings.items()}
    written = fold_label(text)
    ending = [each for each in folded if len(written) >= _TELLING and each.endswith(written)]
    close = ending or difflib.get_close_matches(written, folded, n=1, cutoff=_LIKENESS)
    return folded[min(close, key=len)] if close else None


def unknown_value(what: str, text: str, options: Iterable[str] | Mapping[str, str]) -> InvalidInput:
    """Give the error for a value outside a list: all of them, and the nearest as the way out.

    >>> unknown_value("sex", "femal", ["FEMALE", "MALE"]).message
    "Invalid sex value 'femal'. Must be one of: FEMALE, MALE"
    """
    near = nearest(text, options)
    known = options.values() if isinstance(options, Mapping) else options
    listed = ", ".join(dict.fromkeys(known))
    guess = f"Did you mean {near}? " if near else ""
    return InvalidInput(
        f"Invalid {what} value {text!r}. Must be one of: {listed}",
        hint=f"{guess}Use one of {listed}.",
        invalid_input=text,
    )


def enum_value(type_name: str, text: str) -> str:
    """Give the value of an enumeration by its code or legacy label, or raise InvalidInput.

    >>> enum_value("Status", "Active, not recruiting")
    'ACTIVE_NOT_RECRUITING'
    """
    enumeration = enums()[type_name]
    found = enumeration.find(text)
    if found is not None:
        return found.value
    codes = {value.value: value.value for value in enumeration.values}
    labels = {value.label: value.value for value in enumeration.values}
    raise unknown_value(_SPOKEN.get(type_name, type_name), text, {**codes, **labels})


def known_piece(name: str) -> Piece:
    """Give a piece by any of its names, or raise InvalidInput with the nearest one."""
    piece = find_piece(name)
    if piece is None:
        near = nearest(name, pieces())
        raise InvalidInput(
            f"Unknown piece {name!r}",
            hint=f"Did you mean {near}?" if near else None,
            invalid_input=name,
        )
    return piece
