"""How large an expression may be, and the walk that keeps every later walk from overflowing."""

from __future__ import annotations

from trialyst.errors import InvalidInput
from trialyst.essie import ast

__all__ = ["MAX_CLAUSES", "MAX_DEPTH", "MAX_LENGTH", "check_depth", "children_of"]

MAX_LENGTH = 20_000
"""Characters of text: over twice what the live service takes in a URL (about 8 KB)."""

MAX_CLAUSES = 2_000
"""Words, phrases and other operands: each becomes at least one term per searched field."""

MAX_DEPTH = 50
"""Parentheses and prefix operators inside each other: people write three or four.

Comparing or printing a tree costs up to five interpreter frames a level, and a parenthesis can
add two levels (an Or in an And), so this stays at half of Python's limit of 1,000 frames.
"""

MAX_TREE_DEPTH = 2 * MAX_DEPTH + 2


def children_of(node: ast.Node) -> tuple[ast.Node, ...]:
    """Give the nodes directly below a node."""
    match node:
        case ast.And() | ast.Or():
            return node.children
        case ast.Not() | ast.Area() | ast.Search() | ast.Coverage() | ast.Expansion() | ast.Tilt():
            return (node.child,)
        case _:
            return ()


def check_depth(tree: ast.Node) -> None:
    """Raise InvalidInput for a tree too deep to walk by recursion."""
    level: list[ast.Node] = [tree]
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in children_of(node)]
        if not level:
            return
    raise InvalidInput(
        f"The expression is nested more than {MAX_DEPTH} levels deep",
        hint="Join the parts with fewer parentheses; AND and OR need none between equals.",
    )
