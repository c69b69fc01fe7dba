"""Tables lose nothing, whatever stands in them and however narrow the terminal."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.interfaces.cli.layout import (
    Screen,
    Table,
    clean,
    render_csv,
    render_markdown,
    render_table,
    wrap,
)
from trialyst.interfaces.spreadsheets import guard_cell

IDS = st.integers(min_value=1, max_value=99_999_999).map(lambda number: f"NCT{number:08d}")
TEXTS = st.text(max_size=60)
ROWS = st.lists(st.tuples(IDS, TEXTS, TEXTS), min_size=1, max_size=5)
COLUMNS = ("NCT id", "Title", "Conditions")


@given(ROWS, st.integers(min_value=12, max_value=120))
def test_ids_are_whole_in_any_width(rows: list[tuple[str, str, str]], width: int) -> None:
    text = render_table(Table(COLUMNS, rows), Screen(width))
    assert [each for each, *_ in rows] == re.findall(r"^NCT\d{8}", text, re.M)


@given(ROWS, st.integers(min_value=12, max_value=120))
def test_no_character_of_a_cell_is_lost(rows: list[tuple[str, str, str]], width: int) -> None:
    def count(text: str, each: str) -> int:
        return text.count(each)

    text = render_table(Table(COLUMNS, rows), Screen(width))
    for each in set("".join(clean(cell) for row in rows for cell in row)) - {" "}:
        asked = sum(count(clean(cell), each) for row in rows for cell in row)
        assert count(text, each) >= asked


@given(st.lists(st.tuples(IDS, st.from_regex(r"[a-z ]{0,60}", fullmatch=True)), min_size=1))
def test_lines_fit_the_terminal(rows: list[tuple[str, str]]) -> None:
    text = render_table(Table(("NCT id", "Title"), rows), Screen(40))
    assert max(map(len, text.splitlines())) <= 40


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2)))
def test_csv_reads_back_but_for_what_a_spreadsheet_would_run(rows: list[list[str]]) -> None:
    written = render_csv(Table(("a", "b"), rows))
    guarded = [[guard_cell(cell) for cell in row] for row in rows]
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["a", "b"], *guarded]


def test_csv_quotes_and_ends_lines_as_the_standard_says() -> None:
    table = Table(("a", "b"), [['say "x", y', "two\nlines"]])
    assert render_csv(table) == 'a,b\r\n"say ""x"", y","two\nlines"\r\n'


def test_markdown_escapes_pipes_and_line_ends() -> None:
    table = Table(("a", "b"), [["x|y", "one\ntwo"]])
    assert render_markdown(table) == "| a | b |\n| --- | --- |\n| x\\|y | one<br>two |"


def test_a_pipe_gets_one_line_a_row() -> None:
    table = Table(COLUMNS, [("NCT00000001", "long " * 60, "")])
    assert len(render_table(table).splitlines()) == 2


def test_a_long_cell_in_a_pipe_does_not_blow_up_the_other_rows() -> None:
    rows = [("NCT00000001", "long " * 600, "x"), ("NCT00000002", "short", "y")]
    _, first, second = render_table(Table(COLUMNS, rows)).splitlines()
    assert first.endswith("long  x")
    assert len(second) < 150


def test_heads_are_bold_where_there_are_colours_only() -> None:
    table = Table(COLUMNS, [("NCT00000001", "x", "y")])
    assert "\x1b[1m" in render_table(table, Screen(80, colours=True))
    assert "\x1b" not in render_table(table, Screen(80))


def test_columns_without_a_value_are_left_out() -> None:
    table = Table(COLUMNS, [("NCT00000001", "x", "")]).without_empty_columns()
    assert table.columns == ["NCT id", "Title"]


def test_wide_characters_stay_aligned() -> None:
    rows = [("NCT00000001", "肺がん", "x"), ("NCT00000002", "asthma", "y")]
    _, first, second = render_table(Table(COLUMNS, rows)).splitlines()
    assert first.index("x") + 3 == second.index("y")


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\x07b", "a\u202eb", "a\r\nb"])
def test_nothing_in_a_record_steers_the_terminal(text: str) -> None:
    assert clean(text).isprintable()


@given(st.text(), st.integers(min_value=20, max_value=100))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    assert wrap(text, width).split() == " ".join(map(clean, text.splitlines())).split()
