from __future__ import annotations

from typing import Any

import pytest

from tests.repurposing.invented import trial
from trialyst.ctgov.values import row_values
from trialyst.essie.pieces import pieces
from trialyst.repurposing.grading import grade_trials
from trialyst.repurposing.models import Grade
from trialyst.repurposing.rows import PIECES, TrialRow


def row(*phases: str, status: str, number: int = 1, **more: Any) -> TrialRow:
    made = trial(number, phases=phases, status=status, **more)
    return TrialRow(tuple(row_values(made, pieces()[name]) for name in PIECES))


COMPLETED_3 = row("PHASE3", status="COMPLETED")
COMPLETED_23 = row("PHASE2", "PHASE3", status="COMPLETED")
COMPLETED_2 = row("PHASE2", status="COMPLETED")
RECRUITING_12 = row("PHASE1", "PHASE2", status="RECRUITING")
RECRUITING_1 = row("PHASE1", status="RECRUITING")
UNKNOWN_3 = row("PHASE3", status="UNKNOWN")
STOPPED_3 = row("PHASE3", status="TERMINATED")
WITHDRAWN_1 = row("PHASE1", status="WITHDRAWN")
SUSPENDED_4 = row("PHASE4", status="SUSPENDED")


@pytest.mark.parametrize(
    ("rows", "grade"),
    [
        ([], "untested"),
        ([COMPLETED_3, RECRUITING_12, STOPPED_3], "established"),
        ([COMPLETED_23], "established"),
        ([RECRUITING_12, STOPPED_3], "active"),
        ([STOPPED_3, WITHDRAWN_1, SUSPENDED_4], "stopped"),
        ([STOPPED_3, UNKNOWN_3], "early"),
        ([UNKNOWN_3], "early"),
        ([RECRUITING_1], "early"),
        ([COMPLETED_2], "early"),
    ],
)
def test_the_first_grade_that_holds_is_given(rows: list[TrialRow], grade: str) -> None:
    assert grade_trials(rows, known=True) == grade
    assert grade_trials(rows[::-1], known=True) == grade


def test_an_unknown_name_is_graded_first() -> None:
    assert grade_trials([], known=False) == "unknown_name"


def test_nothing_found_in_a_part_of_the_registry_proves_nothing() -> None:
    assert grade_trials([], known=True, partial=True) is Grade.UNKNOWN_COVERAGE
    assert grade_trials([], known=True) is Grade.UNTESTED
    assert grade_trials([], known=False, partial=True) is Grade.UNKNOWN_NAME
