"""The queries put to engine and oracle reach every area, operator and piece, and are sound."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.registry.oracle.queries import QueryMaker
from tests.registry.oracle.records import Record, searchable_pieces
from trialyst.essie import ast, parse, render
from trialyst.essie.areas import areas

QUERIES = 1200


@pytest.fixture(scope="module")
def queries(sample: list[Record]) -> list[ast.Node]:
    maker = QueryMaker(sample, seed=0)
    return [maker.make() for _ in range(QUERIES)]


def nodes(tree: ast.Node) -> Iterator[ast.Node]:
    yield tree
    children = getattr(tree, "children", None) or [getattr(tree, "child", None)]
    for child in children:
        if child is not None:
            yield from nodes(child)


@pytest.mark.slow
def test_every_operator_is_used(queries: list[ast.Node]) -> None:
    used = {type(node).__name__ for query in queries for node in nodes(query)}
    assert used == set(ast.__all__) - {"CoverageKind", "ExpansionLevel", "Node", "Span"}


@pytest.mark.slow
def test_every_area_is_searched(queries: list[ast.Node]) -> None:
    named = {node.name for query in queries for node in nodes(query) if isinstance(node, ast.Area)}
    assert set(areas()) <= named


@pytest.mark.slow
def test_every_piece_that_occurs_can_be_asked_for(sample: list[Record]) -> None:
    maker = QueryMaker(sample, seed=0)
    for piece in searchable_pieces():
        asked = {
            node.name.casefold()
            for node in nodes(maker.make_about(piece))
            if isinstance(node, ast.Area)
        }
        assert asked & {name.casefold() for name in (piece.name, *piece.alt_names)}


@pytest.mark.slow
def test_queries_survive_being_written_and_read(queries: list[ast.Node]) -> None:
    assert [parse(render(query)) for query in queries] == queries


@pytest.mark.slow
def test_the_same_seed_gives_the_same_queries(
    sample: list[Record], queries: list[ast.Node]
) -> None:
    maker = QueryMaker(sample, seed=0)
    assert [maker.make() for _ in range(100)] == queries[:100]
