"""The grammar: what reads as what, and where a text is refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.each_case import on_each_case
from tests.essie.cases import Invalid, read_invalid, read_pairs, read_roundtrips
from trialyst.essie import ast
from trialyst.essie.errors import EssieError, MissingOperand
from trialyst.essie.limits import MAX_CLAUSES, MAX_DEPTH, MAX_LENGTH
from trialyst.essie.parser import parse
from trialyst.essie.render import render

FRAGMENTS = [
    *(
        "AND",
        "OR",
        "NOT",
        "ALL",
        "MISSING",
        "MIN",
        "MAX",
        "AREA",
        "AREA[",
        "AREA[Phase]",
        "SEARCH[",
    ),
    *("SEARCH[Location]", "RANGE[", "RANGE[2020, MAX]", "DISTANCE[1,2,3mi]", "DISTANCE[", "TILT["),
    *(
        "COVERAGE[FullMatch]",
        "COVER[",
        "EXPANSION[None]",
        "EXPANSION",
        ":size]",
        "(",
        ")",
        "[",
        "]",
    ),
    *(",", '"', "\\", '\\"', " ", "heart", "2020", "<EOF>", "\n", "é", "\x00"),
]


@on_each_case("text", read_roundtrips())
def test_canonical_text_comes_back(text: str) -> None:
    assert render(parse(text)) == text


@on_each_case(("text", "canonical"), read_pairs())
def test_text_has_a_canonical_form(text: str, canonical: str) -> None:
    assert render(parse(text)) == canonical
    assert parse(text) == parse(canonical)


@on_each_case("case", read_invalid(), ids=lambda case: case.text)
def test_invalid_text_is_refused_at_its_column(case: Invalid) -> None:
    with pytest.raises(EssieError) as caught:
        parse(case.text)
    assert caught.value.message.startswith(case.message)
    assert caught.value.position + 1 == case.column
    assert caught.value.hint.startswith(f"Column {case.column}: ")


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_blank_text_is_refused(text: str) -> None:
    with pytest.raises(EssieError, match="empty"):
        parse(text)


@pytest.mark.parametrize("text", ["a \x07", "a \x85", '"\x00"', "\ud800", "AREA[\x1f]x"])
def test_control_characters_are_refused(text: str) -> None:
    with pytest.raises(EssieError, match="token recognition error"):
        parse(text)


def test_adjacent_words_are_one_node() -> None:
    assert parse("breast cancer, stage IV") == ast.Words(("breast", "cancer", ",", "stage", "IV"))


def test_a_context_operator_takes_the_whole_run_of_words() -> None:
    tree = parse("AREA[Phase]Phase 2 AND x")
    area = ast.Area("Phase", ast.Words(("Phase", "2")))
    assert tree == ast.And((area, ast.Words(("x",))))


def test_operators_bind_tighter_than_and_which_binds_tighter_than_or() -> None:
    a, b, c = (ast.Words((word,)) for word in "abc")
    assert parse("a OR b AND NOT c") == ast.Or((a, ast.And((b, ast.Not(c)))))


def test_prefix_operators_apply_from_the_inside_out() -> None:
    tree = parse("NOT AREA[X]EXPANSION[None]a")
    expansion = ast.Expansion(ast.ExpansionLevel.NONE, ast.Words(("a",)))
    assert tree == ast.Not(ast.Area("X", expansion))


def test_lower_case_keywords_are_words() -> None:
    text = "head or neck and pain not all missing area"
    assert parse(text) == ast.Words(tuple(text.split()))


def test_open_ends_are_none_and_swapped_ones_stay_as_written() -> None:
    assert parse("RANGE[MIN, MAX]") == ast.Range(None, None)
    assert parse("RANGE[MAX, MIN]") == ast.Range("MAX", "MIN")


def test_nodes_know_their_place() -> None:
    text = "a AREA[Phase](b OR  c d)"
    tree = parse(text)
    assert isinstance(tree, ast.And)
    area = tree.children[1]
    assert isinstance(area, ast.Area)
    assert isinstance(area.child, ast.Or)
    run = area.child.children[1].span
    assert text[run.start : run.end] == "c d"
    assert area.span.start == 2


def test_the_word_for_the_end_is_a_word() -> None:
    assert parse("<EOF> word") == ast.Words(("<EOF>", "word"))


def test_an_operator_without_operand_has_its_own_class() -> None:
    with pytest.raises(MissingOperand):
        parse("NOT")


def test_caret_stands_under_the_column() -> None:
    with pytest.raises(EssieError) as caught:
        parse("heart AND (lung\tOR")
    assert caught.value.caret == "heart AND (lung OR\n" + " " * 16 + "^"


def test_caret_shows_a_window_of_a_long_text() -> None:
    text = "a " * 200 + '"b' + " c" * 200
    with pytest.raises(EssieError) as caught:
        parse(text)
    shown, pointer = caught.value.caret.split("\n")
    assert len(shown) == 80
    assert shown[pointer.index("^")] == '"'
    assert shown.startswith("...")
    assert shown.endswith("...")
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    "text",
    [
        "(" * MAX_LENGTH,
        "(" * 10_000 + ")" * 10_000,
        '"' * MAX_LENGTH,
        '"' + "\\" * (MAX_LENGTH - 1),
        "NOT " * 5_000,
        "NOT " * 4_999 + "a",
        "a OR " * 4_000,
        "a " * 10_000,
        "[" * MAX_LENGTH,
        "AREA[" * 4_000,
        "AREA[Phase]" * 1_800,
        "a OR b (" * 2_000,
        "," * MAX_LENGTH,
        "\\ " * (MAX_LENGTH // 2),
        " " * MAX_LENGTH,
        "DISTANCE[" + "9" * 10_000 + ",1,1mi]",
        "a" * (MAX_LENGTH + 1),
        '"' + "a " * (MAX_CLAUSES + 1) + '"',
    ],
    ids=lambda text: f"{text[:12]}x{len(text)}",
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(EssieError) as caught:
        parse(text)
    assert caught.value.caret.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH,
        "NOT " * MAX_DEPTH + "a",
        "a OR b (" * MAX_DEPTH + "c OR d" + ")" * MAX_DEPTH,
        " OR ".join(["a"] * MAX_CLAUSES),
        "a" * MAX_LENGTH,
        "a" + "," * (MAX_LENGTH - 3) + "b",
        "\\" * MAX_LENGTH,
    ],
    ids=lambda text: f"{text[:12]}x{len(text)}",
)
def test_text_at_the_limits_is_read_compared_and_printed(text: str) -> None:
    tree = parse(text)
    assert parse(render(tree)) == tree
    assert repr(tree)
    assert hash(tree) == hash(parse(text))


@given(st.text())
@example("<EOF>")
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    _read_or_refuse(text)


@given(st.lists(st.sampled_from(FRAGMENTS)).map("".join))
def test_any_fragments_are_read_or_refused_with_a_place(text: str) -> None:
    _read_or_refuse(text)


@given(st.lists(st.sampled_from(FRAGMENTS)).map(" ".join))
def test_any_spaced_fragments_are_read_or_refused_with_a_place(text: str) -> None:
    _read_or_refuse(text)


def _read_or_refuse(text: str) -> None:
    try:
        tree = parse(text)
    except EssieError as caught:
        error = caught
    else:
        assert parse(render(tree)) == tree
        return
    assert 0 <= error.position <= len(text)
    assert error.text == text
    assert error.caret.endswith("^")
