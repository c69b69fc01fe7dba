"""Copy the documents that the package carries: `python tools/publish_documents.py`.

The originals are under `docs`; what lies in the package is never edited by hand.
"""

from __future__ import annotations

import shutil
from pathlib import Path

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PACKAGED = ROOT / "src" / "trialyst" / "interfaces" / "mcp" / "documents"


def _originals() -> dict[Path, Path]:
    """Give the original of every packaged document by its place in the package."""
    contracts = sorted((DOCS / "contracts").glob("*.json"))
    return {
        PACKAGED / "essie.md": DOCS / "guide" / "essie.md",
        **{PACKAGED / "contracts" / path.name: path for path in contracts},
    }


def main() -> None:
    """Make the package's copies equal to the originals."""
    shutil.rmtree(PACKAGED, ignore_errors=True)
    for copy, original in _originals().items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, copy)


if __name__ == "__main__":
    main()
