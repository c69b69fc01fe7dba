"""Write the documents that are made from the tools: `python tools/publish_documents.py`.

`docs/contracts/*.json` and `docs/reference/tools.md` are made from the functions, arguments and
answers of the tools; the guide to Essie is copied into the package, which serves it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from trialyst.interfaces.mcp.contracts import contract_names, contract_text
from trialyst.interfaces.mcp.reference import render_reference

__all__ = ["made_documents", "main"]

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PACKAGED = ROOT / "src" / "trialyst" / "interfaces" / "mcp" / "documents"


def made_documents() -> Mapping[Path, str]:
    """Give every document that is made, by its place."""
    contracts = {
        DOCS / "contracts" / f"{name}.json": contract_text(name) for name in contract_names()
    }
    return {**contracts, DOCS / "reference" / "tools.md": render_reference()}


def main() -> None:
    """Write what is made, remove contracts of tools that are gone, copy the guide."""
    made = made_documents()
    for left in set((DOCS / "contracts").glob("*.json")) - set(made):
        left.unlink()
    for path, text in made.items():
        path.write_text(text, "utf-8")
    PACKAGED.mkdir(exist_ok=True)
    shutil.copyfile(DOCS / "guide" / "essie.md", PACKAGED / "essie.md")


if __name__ == "__main__":
    main()
