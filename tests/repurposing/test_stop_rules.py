from __future__ import annotations

import pytest

from trialyst.repurposing.stop_rules import compile_rules, load_rules, strike

RULES = compile_rules(
    """
    <barrier> but, because
    <few> slow, too few
    [one]   # a comment
    <few> very? ~2 accru*|enrol*
    no COMMA yes
    """
)


@pytest.mark.parametrize(
    ("words", "spans"),
    [
        (" slow accrual ", [(1, 14)]),
        (" too few new enrolments ", [(1, 24)]),
        (" slow a b accrued ", [(1, 18)]),
        (" slow a b c accrued ", []),
        (" slow but accrued ", []),
        (" slow . accrued ", []),
        (" slower accrual ", []),
        (" no , yes ", [(1, 10)]),
        (" slow slow accrual accrual ", [(1, 19)]),
        ("  ", []),
    ],
)
def test_rule_matches_within_a_clause(words: str, spans: list[tuple[int, int]]) -> None:
    assert RULES["one"].spans(words) == spans


def test_struck_words_keep_their_places() -> None:
    words = " not slow accrual here "
    assert strike(words, RULES["one"].spans(words)) == " not ____ _______ here "


def test_no_shipped_rule_begins_with_a_gap() -> None:
    openings = [word for section in load_rules().values() for word in section.openings]
    assert [word for word in openings if word.startswith("~")] == []


def test_every_shipped_section_has_rules() -> None:
    assert all(section.rules for section in load_rules().values())
