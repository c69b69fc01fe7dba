"""What the wire says of a tool: few words, made from its contract.

A host pays for every byte of the tool list in every conversation, so it carries types and the
first sentence of each description; the whole contract is a resource.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trialyst.interfaces.mcp.published import load_contract

__all__ = ["argument_names", "input_schema", "output_schema"]

_TOLD_ONCE = ("search_trials", "search_drug_trials", "search_pathways")
"""Arguments that mean the same here and in a later tool are described here only."""
_TYPES = ("type", "items")
_ENVELOPE = {"items": "array", "pagination": "object", "provenance": "object"}


def argument_names(tool: str) -> tuple[str, ...]:
    """Name what a tool takes."""
    return tuple(_arguments(tool)["properties"])


def input_schema(tool: str) -> dict[str, Any]:
    """Give the schema of a tool's arguments."""
    arguments = _arguments(tool)
    before = _TOLD_ONCE[: _TOLD_ONCE.index(tool)] if tool in _TOLD_ONCE else _TOLD_ONCE
    told = [_arguments(each)["properties"] for each in before]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: _in_short(argument, described=argument not in [each.get(name) for each in told])
            for name, argument in arguments["properties"].items()
        },
    }
    # Unknown names are not forbidden here: our own refusal names the nearest valid one.
    return {**schema, "required": arguments["required"]} if arguments["required"] else schema


def output_schema(tool: str) -> dict[str, Any]:
    """Give the schema of the envelope: the shared keys of a success, and `error` of a failure.

    None is required, because some clients hold failures to the schema too.
    """
    contract = load_contract(tool)
    # get_trial answers in two shapes, of which the one for several ids has the envelope.
    shape = contract["oneOf"][-1] if "oneOf" in contract else contract
    kept = {name: kind for name, kind in _ENVELOPE.items() if name in shape["properties"]}
    properties = {**kept, "error": "object"}
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
    }


def _arguments(tool: str) -> Mapping[str, Any]:
    arguments: Mapping[str, Any] = load_contract(tool)["$defs"]["arguments"]
    return arguments


def _in_short(argument: Mapping[str, Any], *, described: bool) -> dict[str, Any]:
    short = {key: argument[key] for key in _TYPES if key in argument}
    if described:
        short["description"] = argument["description"].partition(". ")[0].removesuffix(".")
    return short
