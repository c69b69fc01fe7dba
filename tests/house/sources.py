"""The project's own files, as the house rules look at them."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "trialyst"


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file the project ships; without git, every file that is no by-product."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        return tuple(ROOT / name for name in listed if (ROOT / name).is_file())
    by_products = {".venv", "__pycache__", "dist", "build"}
    return tuple(
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not by_products & set(path.relative_to(ROOT).parts)
    )


def named(path: Path) -> str:
    """The path as a person would write it."""
    return path.relative_to(ROOT).as_posix()


@cache
def modules() -> tuple[Path, ...]:
    """Every Python file of the package."""
    return tuple(sorted(PACKAGE.rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text("utf-8"))


def module_name(path: Path) -> str:
    """The dotted name a file is imported by."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
