"""The legacy markup format: what classic PRS had instead of markdown, in markup pieces only."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeAlias

import msgspec

from trialyst.essie.pieces import pieces

__all__ = ["to_legacy"]

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINE_END = re.compile(r"\r?\n")

_Tree: TypeAlias = "dict[str, _Tree]"
"""Keys that lead to markup; an empty tree is the markup itself."""


def to_legacy(raw: bytes) -> bytes:
    r"""Give the study with markdown escapes removed and CRLF line ends in its markup.

    >>> find = '{"protocolSection":{"descriptionModule":{"briefSummary":"age \\\\> 18\\nor so"}}}'
    >>> print(to_legacy(find.encode()).decode())
    {"protocolSection":{"descriptionModule":{"briefSummary":"age > 18\r\nor so"}}}
    """
    return msgspec.json.encode(_convert(msgspec.json.decode(raw), _markup_tree()))


@cache
def _markup_tree() -> _Tree:
    root: _Tree = {}
    for piece in pieces().values():
        if piece.type == "markup":
            node = root
            for key in piece.path:
                node = node.setdefault(key, {})
    return root


def _convert(value: Any, tree: _Tree) -> Any:
    if isinstance(value, list):
        return [_convert(item, tree) for item in value]
    if isinstance(value, dict):
        return {
            key: _convert(item, tree[key]) if key in tree else item for key, item in value.items()
        }
    if isinstance(value, str) and not tree:
        return _LINE_END.sub("\r\n", _ESCAPE.sub(r"\1", value))
    return value
