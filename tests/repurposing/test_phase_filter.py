from __future__ import annotations

import pytest

from trialyst.errors import InvalidInput
from trialyst.essie.errors import EssieError
from trialyst.essie.render import render
from trialyst.repurposing.phase_filter import parse_phase_filter


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("PHASE3", 'AREA[Phase]"PHASE3"'),
        ("(PHASE2 OR PHASE3)", 'AREA[Phase]"PHASE2" OR AREA[Phase]"PHASE3"'),
        ("PHASE2 AND NOT PHASE1", 'AREA[Phase]"PHASE2" AND NOT AREA[Phase]"PHASE1"'),
        ("Phase 2", 'AREA[Phase]"PHASE2"'),
        ("3", 'AREA[Phase]"PHASE3"'),
        ("PHASE1/PHASE2", 'AREA[Phase]"PHASE1" AND AREA[Phase]"PHASE2"'),
        ("N/A", 'AREA[Phase]"NA"'),
    ],
)
def test_an_expression_of_phases_is_understood(text: str, rendered: str) -> None:
    node = parse_phase_filter(text)
    assert node is not None
    assert render(node) == rendered


def test_no_filter_is_none() -> None:
    assert parse_phase_filter(None) is None


@pytest.mark.parametrize("text", ["AREA[Sex]MALE", "PHASE9", "asthma", "PHASE2 OR RANGE[1, 2]"])
def test_other_things_than_phases_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_phase_filter(text)


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_filter_says_how_to_have_all_phases(text: str) -> None:
    with pytest.raises(InvalidInput, match="`phase_filter` is empty") as raised:
        parse_phase_filter(text)
    assert "Leave it out" in raised.value.hint


def test_a_broken_expression_says_where() -> None:
    with pytest.raises(EssieError) as raised:
        parse_phase_filter("PHASE2 OR")
    assert "Column" in raised.value.hint
