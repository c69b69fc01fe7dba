from __future__ import annotations

from importlib.resources import files

from tests.matching.judging.judging import judge
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Statement
from trialyst.starter.cases import State, cases

WANTED = {State.MET: "MET", State.UNMET: "NOT_MET", State.UNKNOWN: "UNKNOWN"}
LEAST = 0.85


def test_the_criteria_written_for_the_sample_patients_are_judged_as_they_were_meant() -> None:
    right, wrong = 0, []
    for case in cases():
        note = files("trialyst.starter").joinpath("patients", f"{case.patient}.txt")
        meant = [criterion for criterion in case.criteria if criterion.state in WANTED]
        statements = [
            Statement(
                criterion.text,
                CriterionKind.INCLUSION if criterion.inclusion else CriterionKind.EXCLUSION,
            )
            for criterion in meant
        ]
        results = judge().judge_all(note.read_text("utf-8"), statements)
        for criterion, result in zip(meant, results, strict=True):
            if result.verdict.value == WANTED[criterion.state]:
                right += 1
            else:
                wrong.append(f"{case.patient}: {criterion.text}")
    assert right / (right + len(wrong)) >= LEAST, wrong
