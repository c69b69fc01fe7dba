from __future__ import annotations

import pytest

from trialyst.ctgov.suggest import enum_value, nearest, unknown_value
from trialyst.errors import InvalidInput


@pytest.mark.parametrize(
    ("type_name", "text", "meant"),
    [
        ("Phase", "Phase 5", "PHASE4"),
        ("Phase", "fase 2", "PHASE2"),
        ("Status", "recruting", "RECRUITING"),
        ("Status", "active not recruting", "ACTIVE_NOT_RECRUITING"),
        ("Sex", "femal", "FEMALE"),
    ],
)
def test_the_nearest_value_is_named(type_name: str, text: str, meant: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        enum_value(type_name, text)
    assert f"Did you mean {meant}?" in caught.value.hint
    assert caught.value.invalid_input == text


def test_nothing_is_named_where_nothing_is_near() -> None:
    assert nearest("zzz", ["PHASE1"]) is None
    assert "Did you mean" not in unknown_value("phase", "zzz", ["PHASE1"]).hint


def test_all_values_are_listed_once() -> None:
    hint = unknown_value("phase", "zzz", {"a": "X", "b": "X", "c": "Y"}).hint
    assert hint == "Use one of X, Y."
