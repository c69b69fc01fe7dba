"""Documents that ship with the package: the contracts and the guide to Essie.

The originals are `docs/contracts/*.json` and `docs/guide/essie.md`; `tools/publish_documents.py`
copies them here, and a test holds the copies equal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

__all__ = ["contract_names", "contract_text", "essie_guide", "load_contract"]


def _document(*path: str) -> Traversable:
    return files("trialyst.interfaces.mcp").joinpath("documents", *path)


@cache
def contract_names() -> tuple[str, ...]:
    """Name every contract: one a tool, `provenance` and `error`."""
    listed = (entry.name for entry in _document("contracts").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in listed if name.endswith(".json")))


def contract_text(name: str) -> str:
    """Give a contract as its file says it."""
    return _document("contracts", f"{name}.json").read_text("utf-8")


@cache
def load_contract(name: str) -> Mapping[str, Any]:
    """Give a contract as a value."""
    contract: Mapping[str, Any] = json.loads(contract_text(name))
    return contract


def essie_guide() -> str:
    """Give the guide to the query language, in Markdown."""
    return _document("essie.md").read_text("utf-8")
