"""Text from trees, and trees from what people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.essie.strategies import trees
from trialyst.errors import InvalidInput
from trialyst.essie import ast
from trialyst.essie.limits import MAX_DEPTH, children_of
from trialyst.essie.parser import parse
from trialyst.essie.render import render, text_node


@given(trees())
def test_what_is_rendered_parses_to_the_same_tree(tree: ast.Node) -> None:
    assert parse(render(tree)) == tree


@given(trees())
def test_rendering_is_canonical(tree: ast.Node) -> None:
    text = render(tree)
    assert render(parse(text)) == text


@pytest.mark.parametrize(
    "tree",
    [
        ast.Words(()),
        ast.Words(("two words",)),
        ast.Words(("a(b",)),
        ast.Words((",", "a")),
        ast.Words(("\x00",)),
        ast.Phrase(" "),
        ast.Phrase("\x00"),
        ast.Area("Phase]", ast.All()),
        ast.Area("Phase:size", ast.All()),
        ast.Area("", ast.All()),
        ast.Tilt(" x", ast.All()),
        ast.Range("MIN", None),
        ast.Range("1,2", None),
    ],
    ids=repr,
)
def test_trees_without_a_text_are_refused(tree: ast.Node) -> None:
    with pytest.raises(InvalidInput, match="cannot be written"):
        render(tree)


def test_a_tree_deeper_than_any_text_is_refused() -> None:
    tree: ast.Node = ast.All()
    for _ in range(10_000):
        tree = ast.Not(tree)
    with pytest.raises(InvalidInput, match=f"{MAX_DEPTH} levels"):
        render(tree)
    # Tearing down so deep a tree at once is C recursion, which is bounded by itself.
    while isinstance(tree, ast.Not):
        tree = tree.child


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COVID-19", "COVID-19"),
        ("HER2+", "HER2+"),
        ("non-small cell", "non-small cell"),
        ("AND", r"\AND"),
        ("cats AND dogs", r"cats \AND dogs"),
        ("AREA[Phase]PHASE4", r"\AREA Phase PHASE4"),
        ("all (or) nothing", "all or nothing"),
        ('"non-small cell"', '"non-small cell"'),
        ('"heart  attack" AND stroke', r'"heart attack" AND \AND stroke'),
        ("“heart attack”", '"heart attack"'),
        ('6" x 7" pipe', "6 x 7 pipe"),
        ('say "this', "say this"),
        ('""', None),
        ("Boston, MA", "Boston, MA"),
        (", a,", "a"),
        (r"back\slash \NOT", r"back slash \NOT"),
        ("Alzheimer's", "Alzheimer's"),
        ("tab\tand\nnewline", "tab and newline"),
    ],
)
def test_user_text_is_only_text(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(InvalidInput, match="no words"):
            text_node(text)
    else:
        assert render(text_node(text)) == expected


@pytest.mark.parametrize("text", ["", "   ", "()", '"', "a\x00b", "\x1b[31m", ",", "\ud800"])
def test_blank_and_control_characters_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        text_node(text)


@pytest.mark.parametrize("text", ["a" * 10_001, "a " * 2_001])
def test_overlong_user_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="too long"):
        text_node(text)


@given(st.text())
def test_any_user_text_is_text_or_refused(text: str) -> None:
    try:
        tree = text_node(text)
    except InvalidInput:
        return
    assert all(isinstance(node, ast.Words | ast.Phrase) for node in children_of(tree) or (tree,))
    assert parse(render(tree)) == tree


@pytest.mark.parametrize("text", ['"' * 10_000, '"a ' * 1_900, "\\" * 10_000, "AND " * 2_000])
def test_hostile_user_text_is_text_or_refused(text: str) -> None:
    try:
        tree = text_node(text)
    except InvalidInput:
        return
    assert parse(render(tree)) == tree
