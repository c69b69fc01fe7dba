"""Contracts: JSON Schemas (draft 2020-12) made from what tools declare, one a tool.

The answer stands at the top, the arguments under `$defs/arguments`. `provenance` and `error` are
contracts of their own, and so is `requirement`, how criteria are understood.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from trialyst.ctgov.answers import Failure
from trialyst.ctgov.source import Provenance
from trialyst.eligibility.requirement import Requirement
from trialyst.interfaces.mcp.tools import TOOLS
from trialyst.signatures import Parameter

__all__ = ["arguments_schema", "contract_names", "contract_text", "load_contract"]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_REQUIREMENT = "requirement"
_TOLD = ("understood", "provenance", "next")
_SHARED: Mapping[str, tuple[Any, str]] = {
    "provenance": (Provenance, "Where an answer comes from, and what a reader must know of it."),
    "error": (Failure, "Every failure of every tool."),
}


def contract_names() -> tuple[str, ...]:
    """Name every contract: one a tool, `provenance`, `error` and `requirement`."""
    return (*(tool.name for tool in TOOLS), *_SHARED, _REQUIREMENT)


@cache
def load_contract(name: str) -> Mapping[str, Any]:
    """Give a contract as a value."""
    if name == _REQUIREMENT:
        return _head(name, "What a criterion demands: leaves about a patient, joined.") | _algebra()
    if name in _SHARED:
        kind, description = _SHARED[name]
        return _head(name, description) | _schema_of(kind)
    tool = next(each for each in TOOLS if each.name == name)
    description = f"Answer of {name}; its arguments are under $defs/arguments."
    answer = _schema_of(tool.answer)
    definitions = {"arguments": arguments_schema(tool.parameters), **answer.pop("$defs", {})}
    return {**_head(name, description), **answer, "$defs": definitions}


def contract_text(name: str) -> str:
    """Give a contract as its file says it."""
    return json.dumps(load_contract(name), indent=1, ensure_ascii=False) + "\n"


def arguments_schema(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """Give the schema of what a tool takes; the server understands more than it says."""
    return {
        "type": "object",
        "properties": {each.name: each.to_schema() for each in parameters},
        "required": [each.name for each in parameters if each.required],
        "additionalProperties": False,
    }


def _algebra() -> dict[str, Any]:
    """Give the schema of a requirement; a part that has its usual value is left out of one."""
    schema = msgspec.json.schema(Requirement)
    for each in schema["$defs"].values():
        if "properties" in each:
            each["additionalProperties"] = False
    return schema


def _address(name: str) -> str:
    return f"urn:trialyst:contract:{name}"


def _head(name: str, description: str) -> dict[str, Any]:
    return {"$schema": _DRAFT, "$id": _address(name), "title": name, "description": description}


def _schema_of(kind: Any) -> dict[str, Any]:
    """Give the schema of a type, which refers to the shared contracts instead of repeating them."""
    schema = TypeAdapter(kind).json_schema(schema_generator=_ContractSchema, mode="serialization")
    definitions: dict[str, Any] = schema.pop("$defs", {})
    definitions.pop("Provenance", None)
    named = {name: _told_last(_linked(each)) for name, each in sorted(definitions.items())}
    own = _told_last(_linked({name: schema[name] for name in schema if name != "description"}))
    return {**own, **({"$defs": named} if named else {})}


def _linked(value: Any) -> Any:
    if isinstance(value, list):
        return [_linked(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("$ref") == "#/$defs/Provenance":
        return {"$ref": _address("provenance")}
    return {name: _linked(each) for name, each in value.items()}


def _told_last(schema: dict[str, Any]) -> dict[str, Any]:
    """Put what every answer tells behind its own keys, as answers do, and leave out the title."""
    schema.pop("title", None)
    keys = [name for name in schema.get("properties", ()) if name not in _TOLD]
    order = {name: at for at, name in enumerate((*keys, *_TOLD))}
    if "properties" in schema:
        properties = schema["properties"]
        schema["properties"] = {
            name: properties[name] for name in sorted(properties, key=order.__getitem__)
        }
    if "required" in schema:
        schema["required"] = sorted(schema["required"], key=order.__getitem__)
    first = {name: schema[name] for name in ("type", "description") if name in schema}
    return first | schema


class _ContractSchema(GenerateJsonSchema):
    """As we send: no key that is not declared, absent values left out rather than null."""

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        return {**super().typed_dict_schema(schema), "additionalProperties": False}

    def model_field_schema(self, schema: core_schema.ModelField) -> JsonSchemaValue:
        return self.generate_inner(_without_null(schema["schema"]))

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: FBT001
        if field["type"] == "model-field":
            return not _is_nullable(field["schema"])
        return super().field_is_required(field, total)

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _inner(schema: Any) -> Any:
    """Give what a default stands in for."""
    return _inner(schema["schema"]) if schema["type"] == "default" else schema


def _is_nullable(schema: Any) -> bool:
    return bool(_inner(schema)["type"] == "nullable")


def _without_null(schema: Any) -> Any:
    inner = _inner(schema)
    return inner["schema"] if inner["type"] == "nullable" else inner
