"""What the MCP bundle format, version 0.4, asks of a manifest, as far as a schema can say it."""

from __future__ import annotations

from typing import Any

__all__ = ["MANIFEST_SCHEMA"]

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}
FLAG: dict[str, Any] = {"type": "boolean"}
ADDRESS: dict[str, Any] = {"type": "string", "pattern": "^https://"}
VARIABLES: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}


def _closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """Give the schema of an object that has these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


LAUNCH: dict[str, Any] = {"args": TEXTS, "env": VARIABLES}
OVERRIDE = _closed({}, {"command": TEXT, **LAUNCH})
SETTING = _closed(
    {
        "type": {"enum": ["string", "number", "boolean", "directory", "file"]},
        "title": TEXT,
        "description": TEXT,
    },
    {
        "required": FLAG,
        "default": {"type": ["string", "number", "boolean", "array"]},
        "multiple": FLAG,
        "sensitive": FLAG,
        "min": {"type": "number"},
        "max": {"type": "number"},
    },
)
SERVER = _closed(
    {"type": {"enum": ["node", "python", "binary", "uv"]}, "entry_point": TEXT},
    {
        "mcp_config": _closed(
            {"command": TEXT},
            {
                **LAUNCH,
                "platform_overrides": {"type": "object", "additionalProperties": OVERRIDE},
            },
        )
    },
)
COMPATIBILITY = _closed(
    {},
    {
        "claude_desktop": TEXT,
        "platforms": {"type": "array", "items": {"enum": ["darwin", "win32", "linux"]}},
        "runtimes": _closed({}, {"python": TEXT, "node": TEXT}),
    },
)

MANIFEST_SCHEMA: dict[str, Any] = _closed(
    {
        "manifest_version": {"const": "0.4"},
        "name": TEXT,
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$"},
        "description": TEXT,
        "author": _closed({"name": TEXT}, {"email": TEXT, "url": ADDRESS}),
        "server": SERVER,
    },
    {
        "display_name": TEXT,
        "long_description": TEXT,
        "license": TEXT,
        "keywords": TEXTS,
        "homepage": ADDRESS,
        "documentation": ADDRESS,
        "support": ADDRESS,
        "repository": _closed({"type": TEXT, "url": ADDRESS}),
        "icon": TEXT,
        "tools": {"type": "array", "items": _closed({"name": TEXT}, {"description": TEXT})},
        "tools_generated": FLAG,
        "prompts_generated": FLAG,
        "privacy_policies": {"type": "array", "items": ADDRESS},
        "compatibility": COMPATIBILITY,
        "user_config": {"type": "object", "additionalProperties": SETTING},
    },
)
