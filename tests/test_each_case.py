"""A test of a whole table tries every case and tells those that fail."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.each_case import on_each_case


def test_every_case_is_tried_and_those_that_fail_are_told() -> None:
    tried = []

    @on_each_case(("one", "other"), [(1, 1), (1, 2), (3, 3), (3, 4)])
    @on_each_case("more", [5, 6])
    def equal(one: int, other: int, more: int, tmp_path: Path) -> None:
        tried.append((one, other, more))
        with pytest.raises(ZeroDivisionError):
            _ = 1 // (one - other)

    assert list(inspect.signature(equal).parameters) == ["tmp_path"]
    with pytest.raises(AssertionError, match="2 of 4 cases fail") as told:
        equal(tmp_path=Path())
    assert "(1, 2)" in str(told.value)
    assert "(3, 4)" in str(told.value)
    assert "(1, 1)" not in str(told.value)
    assert len(tried) == 8
