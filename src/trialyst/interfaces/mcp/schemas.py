"""What the tool list says of a tool: few words.

A host pays for every byte of the list in every conversation, so of the answer it says the shared
keys only; the whole contract is a resource.
"""

from __future__ import annotations

from typing import Any, get_args

from trialyst.interfaces.mcp.declared import DeclaredTool

__all__ = ["input_schema", "output_schema"]

_ENVELOPE = {
    "items": "array",
    "pagination": "object",
    "provenance": "object",
}
_PAGED = ("items", "pagination")


def input_schema(tool: DeclaredTool) -> dict[str, Any]:
    """Give the schema of a tool's arguments.

    Unknown names are not forbidden here: our own refusal names the nearest valid one.
    """
    required = [each.name for each in tool.parameters if each.required]
    return {
        "type": "object",
        "properties": {each.name: each.to_schema() for each in tool.parameters},
        **({"required": required} if required else {}),
    }


def output_schema(tool: DeclaredTool) -> dict[str, Any]:
    """Give the schema of the envelope: the keys of a success that most answers share.

    None is required, because some clients hold failures to the schema too.
    """
    keys = {key for shape in get_args(tool.answer) or (tool.answer,) for key in _keys(shape)}
    properties = {
        name: {"type": kind}
        for name, kind in _ENVELOPE.items()
        if name not in _PAGED or name in keys
    }
    return {"type": "object", "properties": properties}


def _keys(shape: Any) -> set[str]:
    fields = getattr(shape, "model_fields", None)
    return set(fields if fields is not None else shape.__required_keys__ | shape.__optional_keys__)
