"""The guide that ships with the package.

Its original is `docs/guide/essie.md`; `tools/publish_documents.py` copies it here, and a test holds
the copy equal.
"""

from __future__ import annotations

from importlib.resources import files

__all__ = ["essie_guide"]


def essie_guide() -> str:
    """Give the guide to the query language, in Markdown."""
    guide = files("trialyst.interfaces.mcp").joinpath("documents", "essie.md")
    return guide.read_text("utf-8")
