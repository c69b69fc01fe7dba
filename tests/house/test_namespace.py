from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from types import ModuleType

import pytest

import trialyst
from tests.house.sources import ROOT, module_name, modules, named, tree

PACKAGES = [path for path in modules() if path.name == "__init__.py"]
TOP_LEVEL_LIMIT = 25


def _defined_here(module: ModuleType) -> set[str]:
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and isinstance(value, type | type(_defined_here))
    }


def test_all_lists_every_public_function_and_class() -> None:
    unlisted = {}
    for path in modules():
        module = importlib.import_module(module_name(path))
        listed = set(getattr(module, "__all__", ()))
        unlisted[named(path)] = _defined_here(module) - listed
    assert {name: missing for name, missing in unlisted.items() if missing} == {}


def test_all_names_exist_once() -> None:
    wrong = []
    for path in modules():
        module = importlib.import_module(module_name(path))
        listed = list(getattr(module, "__all__", ()))
        absent = [name for name in listed if not hasattr(module, name)]
        if absent or len(listed) != len(set(listed)):
            wrong.append((named(path), absent))
    assert wrong == []


def test_packages_export_what_they_take_from_their_modules() -> None:
    wrong = []
    for path in PACKAGES:
        name = module_name(path)
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree(path))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{name}.")
            for alias in node.names
        }
        exported = set(getattr(importlib.import_module(name), "__all__", ()))
        if imported - {"lazy_names"} != exported - {"__version__"}:
            wrong.append(name)
    assert wrong == []


def test_top_level_names_are_few_and_resolve() -> None:
    assert len(trialyst.__all__) <= TOP_LEVEL_LIMIT
    assert all(getattr(trialyst, name) for name in trialyst.__all__)
    assert set(trialyst.__all__) <= set(dir(trialyst))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = trialyst.nothing_of_the_kind


def test_version_is_the_one_of_the_project_file() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert trialyst.__version__ == project["version"]


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = {"pydantic", "tantivy", "rich", "typer", "starlette", "uvicorn", "numpy", "asyncio"}
    code = "import sys, trialyst; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())
