"""Answers as plain values: absent keys left out, sets in order, ids as the reader expects them.

The tools speak CURIEs (`NCT:00461032`), the library and files the bare id.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from trialyst.ids import NctId

__all__ = ["to_plain", "to_wire"]

WireId = Annotated[str, Field(json_schema_extra={"pattern": "^NCT:[0-9]{8}$"})]
"""The id of a trial as contracts show it: the tools send CURIEs."""

_IDS = frozenset({"nct_id", "nct_ids"})


def to_plain(model: BaseModel) -> dict[str, Any]:
    """Give a model as plain values with bare ids."""
    plain: dict[str, Any] = _present(model.model_dump(mode="python"))
    return plain


def to_wire(model: BaseModel) -> dict[str, Any]:
    """Give a model as the tools send it."""
    wire: dict[str, Any] = _with_curies(to_plain(model))
    return wire


def _present(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _present(each) for key, each in value.items() if each is not None}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [_present(each) for each in value]
    return str(value.value) if hasattr(value, "value") else value


def _with_curies(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_curies(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: _as_sent(key, each) for key, each in value.items()}


def _as_sent(key: str, value: Any) -> Any:
    # The arguments of calls are written as tools take them.
    if key == "next":
        return value
    return _curies(value) if key in _IDS else _with_curies(value)


def _curies(value: Any) -> Any:
    if isinstance(value, list):
        return [NctId.parse(each).curie for each in value]
    return NctId.parse(value).curie
