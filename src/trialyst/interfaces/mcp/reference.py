"""The reference page of the tools, in Markdown, made from what they declare."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from trialyst.interfaces.mcp.contracts import load_contract
from trialyst.interfaces.mcp.declared import DeclaredTool
from trialyst.interfaces.mcp.tools import TOOLS
from trialyst.signatures import Parameter

__all__ = ["render_reference"]

_TOLD = ("understood", "provenance", "next")
_INTRODUCTION = """# Tools

Made by `python tools/publish_documents.py` from the functions in `src/trialyst/interfaces/mcp`,
their arguments and their answers; not edited by hand. The same tools, with the same arguments
and answers, are behind the library (`session.discovery`, `session.repurposing`,
`session.pathways`, `session.matching`) and every other interface. Whole schemas:
[contracts](../contracts/README.md). Errors: [errors.md](errors.md).

Fuzzy to fact: the tools that search turn words into candidates with ids; the strict ones take
ids and answer facts.

Every answer ends with three keys. `understood` says, by argument, how it was read: the concept
and its names, the place, what was corrected or dropped. `provenance` says where the data comes
from, how old it is, whether it is `synthetic` and whether it is `complete`: what is not found
in a part of the registry may well exist. Its notes say what was cut. `next` has up to three
calls that can be made as they stand.

Keys without a value are left out; only `pagination.cursor`, `pagination.total_count` and
`error.invalid_input` may be null. Ids are written `NCT:00461032` and `WP:WP554`; every input
takes any spelling, or the URL of the page. Lists come in pages: `pagination.cursor` carries its
call, so alone it continues it, and with other arguments it is refused.

Each argument is declared with one JSON type. More is understood: several values may be a list,
JSON in a string or joined by ` OR ` or `|`, numbers and flags may be text, codes labels in any
case (`Phase 2`, `Active, not recruiting`). `""`, null and `None` mean "not given", and common
other names of arguments (`drug`, `disease`, `limit`) are taken for those declared. What is not
understood is `INVALID_INPUT`, lists the valid values and names the nearest. Text to search for
is text: `COVID-19`, `HER2+` and `AND` are words.
"""


def render_reference() -> str:
    """Give the whole page."""
    return "\n".join((_INTRODUCTION, _overview(), *map(_entry, TOOLS)))


def _overview() -> str:
    rows = "\n".join(f"| [`{tool.name}`](#{tool.name}) | {tool.description} |" for tool in TOOLS)
    return f"| tool | gives |\n|---|---|\n{rows}\n"


def _entry(tool: DeclaredTool) -> str:
    return "\n".join(
        (
            f"## `{tool.name}`\n",
            *(f"{_flowing(each)}\n" for each in tool.paragraphs),
            "| argument | type | meaning |\n|---|---|---|",
            *map(_argument, tool.parameters),
            "",
            *_answers(load_contract(tool.name)),
            *(f"```json\n{_call(tool, each)}\n```\n" for each in tool.examples),
        )
    )


def _flowing(paragraph: str) -> str:
    text = " ".join(paragraph.split())
    return re.sub(r"docs/guide/([\w-]+\.md)", r"[\1](../guide/\1)", text)


def _argument(parameter: Parameter) -> str:
    wire = parameter.wire
    told = [parameter.description]
    if wire.values:
        told.append(f"One of {', '.join(f'`{each}`' for each in wire.values)}.")
    if wire.minimum is not None:
        span = f"From {wire.minimum:g}"
        told.append(f"{span} to {wire.maximum:g}." if wire.maximum is not None else f"{span}.")
    if wire.default is not None:
        told.append(f"Default {json.dumps(wire.default)}.")
    kind = f"{wire.items}s" if wire.items else wire.type
    required = ", required" if parameter.required else ""
    return f"| `{parameter.name}` | {kind}{required} | {' '.join(told)} |"


def _answers(contract: Mapping[str, Any]) -> Iterator[str]:
    """Give the own keys of each shape that a tool answers in."""
    for shape in contract.get("anyOf", (contract,)):
        told = _resolved(shape, contract)
        if "anyOf" in contract:
            yield f"{told.get('description', '')}\n"
        yield "| answer | type | meaning |\n|---|---|---|"
        for name, schema in told["properties"].items():
            if name not in _TOLD:
                yield _key(name, schema, contract, required=name in told["required"])
        yield ""


def _key(
    name: str, schema: Mapping[str, Any], contract: Mapping[str, Any], *, required: bool
) -> str:
    meant = _resolved(schema, contract)
    text = meant.get("description") or _resolved(meant.get("items", {}), contract).get(
        "description", ""
    )
    kind = meant.get("type", "object")
    where = "" if required else ", may be absent"
    return f"| `{name}` | {kind}{where} | {text} |"


def _resolved(schema: Mapping[str, Any], contract: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a reference within a contract; what the place says goes before what is said there."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return {**contract["$defs"].get(name, {}), **schema} if name else schema


def _call(tool: DeclaredTool, arguments: Mapping[str, Any]) -> str:
    return json.dumps({"tool": tool.name, "arguments": arguments}, ensure_ascii=False)
