from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.sources import modules, named, tracked_files, tree

MAX_MODULE = 400
MAX_FUNCTION = 60
FORBIDDEN_STEMS = {"utils", "helpers", "common", "misc", "core", "base", "manager"}
FORBIDDEN_SUFFIXES = ("_v2", "_new", "_simple", "_optimized", "_unified")


@pytest.mark.parametrize("path", modules(), ids=named)
def test_module_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_MODULE


@pytest.mark.parametrize("path", modules(), ids=named)
def test_functions_are_short(path: Path) -> None:
    functions = [
        node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    long = [f.name for f in functions if (f.end_lineno or 0) - f.lineno + 1 > MAX_FUNCTION]
    assert not long


def test_files_are_named_after_what_they_hold() -> None:
    vague = [
        named(path)
        for path in tracked_files()
        if path.suffix == ".py"
        and (path.stem in FORBIDDEN_STEMS or path.stem.endswith(FORBIDDEN_SUFFIXES))
    ]
    assert not vague


@pytest.mark.parametrize(
    "path", [path for path in modules() if path.read_text("utf-8").strip()], ids=named
)
def test_module_says_what_it_owns(path: Path) -> None:
    docstring = ast.get_docstring(tree(path))
    assert docstring, "a module begins with a docstring"
