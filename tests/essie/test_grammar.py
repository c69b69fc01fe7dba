"""A second parser, made from a declarative grammar, reads the same trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Transformer, UnexpectedInput

from trialyst.essie import ast, build
from trialyst.essie.errors import EssieError
from trialyst.essie.parser import parse

_FRAGMENTS = [
    *("a", "b", "heart-attack", '"a b"', "AND", "OR", "NOT", "(", ")", "ALL", "MISSING"),
    *("AREA[Phase]", "AREA[Phase:size]", "SEARCH[Location]", "EXPANSION[None]", "TILT[X]"),
    *("RANGE[2020, MAX]", "COVER[FullMatch]"),
]


class _ToTree(Transformer[Any, ast.Node]):
    """Builds our nodes from the other parser's."""

    def start(self, items: list[ast.Node]) -> ast.Node:
        return items[0]

    def or_expr(self, items: list[ast.Node]) -> ast.Node:
        return build.any_of(*items)

    def and_expr(self, items: list[ast.Node]) -> ast.Node:
        return build.all_of(*items)

    def group(self, items: list[ast.Node]) -> ast.Node:
        return items[0]

    def words(self, items: list[str]) -> ast.Node:
        return ast.Words(tuple(str(items[0]).split()))

    def phrase(self, items: list[str]) -> ast.Node:
        return ast.Phrase(items[0][1:-1])

    def range(self, items: list[str]) -> ast.Node:
        low, high = items[0][len("RANGE[") : -1].split(", ")
        return ast.Range(None if low == "MIN" else low, None if high == "MAX" else high)

    def missing(self, items: list[str]) -> ast.Node:
        return ast.Missing()

    def all(self, items: list[str]) -> ast.Node:
        return ast.All()

    def negation(self, items: list[str]) -> str:
        return "NOT"

    def context(self, items: list[str]) -> str:
        return str(items[0])

    def op_expr(self, items: list[Any]) -> ast.Node:
        *prefixes, node = items
        for prefix in reversed(prefixes):
            node = _wrap(prefix, node)
        assert isinstance(node, ast.Node)
        return node


def _wrap(prefix: str, child: ast.Node) -> ast.Node:
    operator, _, argument = prefix.rstrip("]").partition("[")
    match operator:
        case "NOT":
            return ast.Not(child)
        case "AREA":
            return ast.Area(argument.removesuffix(":size"), child, size=argument.endswith(":size"))
        case "SEARCH":
            return ast.Search(argument, child)
        case "TILT":
            return ast.Tilt(argument, child)
        case "EXPANSION":
            return ast.Expansion(ast.ExpansionLevel(argument), child)
        case _:
            return ast.Coverage(ast.CoverageKind(argument), child)


@pytest.fixture(scope="module")
def other_parser() -> Any:
    grammar = (Path(__file__).parent / "grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr")


def _read_otherwise(parser: Any, text: str) -> ast.Node | None:
    try:
        tree: ast.Node = _ToTree().transform(parser.parse(text))
    except UnexpectedInput:
        return None
    return tree


def _read(text: str) -> ast.Node | None:
    try:
        return parse(text)
    except EssieError:
        return None


@settings(max_examples=300)
@given(text=st.lists(st.sampled_from(_FRAGMENTS), min_size=1, max_size=9).map(" ".join))
def test_both_parsers_agree(other_parser: Any, text: str) -> None:
    assert _read(text) == _read_otherwise(other_parser, text)
