"""Some words may stand only where the architecture allows the knowledge behind them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import PACKAGE, modules, named, tracked_files, tree

ESSIE_TEXT = ("essie/",)
STUDY_JSON = ("ctgov/parse", "essie/", "registry/", "starter/", "interfaces/api/")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|root|Users|work|tmp)/[\w.-]")
TEXT_SUFFIXES = {".py", ".md", ".toml", ".txt", ".sh", ".json", ".cfg", ".yml", ""}


def _strings(path: Path) -> Iterator[str]:
    """Every string of a module but its docstrings, which are documentation."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree(path))
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree(path)):
        if id(node) in docstrings or not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str):
            yield node.value


def _files_with(word: str, *, allowed: tuple[str, ...]) -> list[str]:
    inside = ((path, path.relative_to(PACKAGE).as_posix()) for path in modules())
    return [
        name
        for path, name in inside
        if not name.startswith(allowed) and any(word in text for text in _strings(path))
    ]


def test_essie_is_written_by_essie_alone() -> None:
    assert not _files_with("AREA[", allowed=ESSIE_TEXT)


def test_raw_study_json_is_known_where_it_is_read() -> None:
    assert not _files_with("protocolSection", allowed=STUDY_JSON)


def test_only_transport_speaks_http() -> None:
    importing = re.compile(r"^\s*(?:import|from) (?:httpx2|requests|urllib\.request)\b", re.M)
    speakers = [
        named(path)
        for path in modules()
        if importing.search(path.read_text("utf-8")) and "transport" not in path.parts
    ]
    assert not speakers


def test_comparing_a_requirement_with_a_chart_looks_at_no_text() -> None:
    importing = re.compile(r"^\s*(?:import|from) (?:re|regex)\b", re.M)
    compared = ("answer.py", "evaluate.py", "silence.py", "comparison/")
    eligibility = PACKAGE / "eligibility"
    assert not [
        named(path)
        for path in modules()
        if path.is_relative_to(eligibility)
        and path.relative_to(eligibility).as_posix().startswith(compared)
        and importing.search(path.read_text("utf-8"))
    ]


def test_no_path_of_one_machine() -> None:
    texts = {
        named(path): path.read_text("utf-8", errors="replace")
        for path in tracked_files()
        if path.suffix in TEXT_SUFFIXES and path != Path(__file__)
    }
    found = {name: MACHINE_PATH.search(text) for name, text in texts.items()}
    assert {name: match for name, match in found.items() if match} == {}
