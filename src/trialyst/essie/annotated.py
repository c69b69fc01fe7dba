"""Search areas of our own: what the annotation of a trial says, which a registry of ours keeps.

A service that keeps no annotations is asked for the MeSH term of the same name.
"""

from __future__ import annotations

from collections.abc import Mapping

from trialyst.essie import ast
from trialyst.essie.build import all_of, any_of, area, negate, phrase

__all__ = ["OWN_AREAS", "exactly", "with_mesh_terms"]

OWN_AREAS: Mapping[str, str] = {
    "AnnotatedCondition": "ConditionMeshTerm",
    "TestedDrug": "InterventionMeshTerm",
}
"""The piece that comes nearest to each, where nothing is annotated."""


def exactly(piece: str, value: str) -> ast.Area:
    """Match the whole value and nothing that means the same."""
    literal = ast.Expansion(ast.ExpansionLevel.NONE, phrase(value))
    return area(piece, ast.Coverage(ast.CoverageKind.FULL_MATCH, literal))


def with_mesh_terms(node: ast.Node) -> ast.Node:
    """Give an expression with areas of our own replaced, as a service without them is asked.

    >>> from trialyst.essie import parse, render
    >>> render(with_mesh_terms(parse('AREA[TestedDrug]"Aspirin"')))
    'AREA[InterventionMeshTerm]COVERAGE[FullMatch]EXPANSION[None]"Aspirin"'
    """
    match node:
        case ast.And():
            return all_of(*map(with_mesh_terms, node.children))
        case ast.Or():
            return any_of(*map(with_mesh_terms, node.children))
        case ast.Not():
            return negate(with_mesh_terms(node.child))
        case ast.Area() if node.name in OWN_AREAS:
            piece, child = OWN_AREAS[node.name], node.child
            if isinstance(child, ast.Phrase):
                return exactly(piece, child.text)
            return area(piece, child)
        case _:
            return node
