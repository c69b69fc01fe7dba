"""The flat file: look-up, prefixes, damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.vocabulary.table import DamagedTable, Place, Table, replace_file, table_bytes

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [("lung", Place(0, 0)), ("lung cancer", Place(1, 0)), ("lungs", Place(2, 1))]


def table(keys: list[tuple[str, Place]]) -> Table:
    return Table(table_bytes(["a", "b", "ü"], keys))


def test_every_place_of_a_key_is_given_in_order() -> None:
    assert table([*KEYS, ("lung", Place(2, 3))]).places("lung") == [Place(0, 0), Place(2, 3)]


def test_an_unknown_key_has_no_place() -> None:
    assert table(KEYS).places("lun") == []


@given(st.sets(st.text("ab ", max_size=7), max_size=200), st.text("ab ", max_size=7))
def test_a_key_is_found_exactly_where_it_is_one(names: set[str], other: str) -> None:
    """Also the empty one, and one that other keys begin with, end with or run on into."""
    order = sorted(names)
    built = Table(table_bytes(order, [(name, Place(at, 0)) for at, name in enumerate(order)]))
    for name in {*names, other}:
        expected = [Place(order.index(name), 0)] if name in names else []
        assert built.places(name) == expected


def test_lines_come_back_as_written() -> None:
    assert table(KEYS).line(2) == "ü"


def test_an_empty_table_finds_nothing() -> None:
    empty = Table(table_bytes([], []))
    assert empty.places("x") == []
    assert empty.prefixes(["x"], 0) == []


def test_prefixes_are_whole_tokens() -> None:
    found = table(KEYS).prefixes(["lung", "cancer", "trial"], 0)
    assert [after for after, _ in found] == [1, 2]


@given(
    st.lists(st.text("ab ", min_size=1, max_size=6).map(lambda s: " ".join(s.split())), max_size=20)
)
def test_prefixes_agree_with_a_plain_search(names: list[str]) -> None:
    known = {name for name in names if name}
    built = Table(table_bytes(["x"], [(name, Place(0, 0)) for name in sorted(known)]))
    tokens = ["a", "b", "a", "ab"]
    for start in range(len(tokens)):
        expected = [
            end for end in range(start + 1, len(tokens) + 1) if " ".join(tokens[start:end]) in known
        ]
        assert [after for after, _ in built.prefixes(tokens, start)] == expected


@pytest.mark.parametrize("cut", [0, 10, 60, -1])
def test_a_truncated_file_is_noticed(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "names.table"
    path.write_bytes(table_bytes(["a"], KEYS[:1])[:cut])
    with pytest.raises(DamagedTable):
        Table.open(path)


def test_a_changed_byte_is_noticed() -> None:
    data = bytearray(table_bytes(["a", "b", "c"], KEYS))
    data[-2] ^= 1
    with pytest.raises(DamagedTable):
        Table(bytes(data))


def test_replacing_a_file_leaves_nothing_else_behind(tmp_path: Path) -> None:
    replace_file(tmp_path / "sub" / "file", b"one")
    replace_file(tmp_path / "sub" / "file", b"two")
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "sub").iterdir()] == [
        ("file", b"two")
    ]
