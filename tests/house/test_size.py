from __future__ import annotations

import ast

from tests.house.sources import modules, named, tracked_files, tree

MAX_MODULE = 400
MAX_FUNCTION = 60
FORBIDDEN_STEMS = {"utils", "helpers", "common", "misc", "core", "base", "manager"}
FORBIDDEN_SUFFIXES = ("_v2", "_new", "_simple", "_optimized", "_unified")


def test_modules_are_short() -> None:
    lines = {named(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {name: number for name, number in lines.items() if number > MAX_MODULE} == {}


def test_functions_are_short() -> None:
    long = [
        f"{named(path)}: {node.name}"
        for path in modules()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION
    ]
    assert long == []


def test_files_are_named_after_what_they_hold() -> None:
    vague = [
        named(path)
        for path in tracked_files()
        if path.suffix == ".py"
        and (path.stem in FORBIDDEN_STEMS or path.stem.endswith(FORBIDDEN_SUFFIXES))
    ]
    assert not vague


def test_modules_say_what_they_own() -> None:
    silent = [
        named(path)
        for path in modules()
        if path.read_text("utf-8").strip() and not ast.get_docstring(tree(path))
    ]
    assert silent == [], "a module begins with a docstring"
