"""The harness gives judges the figures they should get."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.benchmark.rows import NOTE, row, write
from trialyst.benchmark.annotations import Annotations, load_annotations_from_file
from trialyst.benchmark.criteria import run_criteria, score_criteria
from trialyst.eligibility.chart import Chart
from trialyst.matching.judging.result import Applicability, CriterionResult, Statement, Verdict

Say = Callable[[str, Statement], tuple[Verdict, tuple[int, ...]]]


class SayingJudge:
    """Says what it is told to say."""

    def __init__(self, say: Say) -> None:
        self.name = "saying"
        self._say = say

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        return [self._result(str(patient), statement) for statement in statements]

    def _result(self, note: str, statement: Statement) -> CriterionResult:
        verdict, sentences = self._say(note, statement)
        return CriterionResult(
            statement.text, statement.kind, verdict, 1.0, Applicability.APPLIES, sentences, (), "."
        )


def score(annotations: Annotations, say: Say) -> dict[str, Any]:
    run = asyncio.run(run_criteria(annotations, SayingJudge(say)))
    return score_criteria(run, resamples=20)


@pytest.fixture(scope="module")
def real(data_dir: Path) -> Annotations:
    path = data_dir / "criterion_annotations" / "trialgpt_criterion_annotations.jsonl.gz"
    return load_annotations_from_file(path)


def test_gpt4_gets_its_published_figures(real: Annotations) -> None:
    gpt4 = score(real, lambda *_: (Verdict.MET, ()))["baselines"]["gpt4"]
    assert round(gpt4["accuracy"], 3) == 0.886
    assert round(gpt4["f1_macro"], 3) == 0.888
    assert round(gpt4["accuracy_six_classes"], 3) == 0.874
    assert (gpt4["disqualifying"]["found"], gpt4["disqualifying"]["n"]) == (14, 18)


def test_the_majority_per_type_gets_its_figures(real: Annotations) -> None:
    majority = score(real, lambda *_: (Verdict.MET, ()))["baselines"]["majority"]
    assert (round(majority["accuracy"], 3), round(majority["f1_macro"], 3)) == (0.647, 0.443)


def test_a_judge_that_always_says_met_gets_the_share_of_met(real: Annotations) -> None:
    found = score(real, lambda *_: (Verdict.MET, ()))
    assert found["accuracy"] == pytest.approx(83 / 507)
    assert found["disqualifying"] == {"n": 18, "found": 5, "told": 328, "precision": 5 / 328}
    assert found["per_class"]["MET"]["recall"] == 1
    assert found["cohens_kappa"] == 0


def test_a_judge_that_copies_the_experts_is_perfect(real: Annotations) -> None:
    gold = {(r.note, r.criterion, r.kind): (r.verdict, r.sentences) for r in real.rows}
    found = score(real, lambda note, s: gold[note, s.text, s.kind])
    # Some criteria stand twice with different labels; a copy of the last one errs on the others.
    assert found["accuracy"] > 0.99
    assert found["evidence"]["f1"] > 0.99


def test_a_random_judge_agrees_by_chance_only(real: Annotations) -> None:
    draw = random.Random(7)
    found = score(real, lambda *_: (draw.choice(list(Verdict)), ()))
    assert abs(found["cohens_kappa"]) < 0.1


def test_both_senses_are_given(real: Annotations) -> None:
    found = score(real, lambda *_: (Verdict.NOT_MET, ()))
    assert found["senses"]["statement"]["accuracy"] == found["accuracy"]
    assert found["senses"]["eligibility"]["per_class"]["MET"]["n"] == 318


def test_two_runs_give_the_same_intervals(real: Annotations) -> None:
    say: Say = lambda *_: (Verdict.NOT_MET, ())  # noqa: E731
    assert score(real, say)["intervals"] == score(real, say)["intervals"]


def test_a_note_is_judged_once_with_all_its_criteria(tmp_path: Path) -> None:
    calls = []

    class Counting(SayingJudge):
        async def judge(
            self, patient: str | Chart, statements: Sequence[Statement]
        ) -> list[CriterionResult]:
            calls.append((str(patient), len(statements)))
            return await super().judge(patient, statements)

    path = write(tmp_path / "a.jsonl", [row(), row(criterion_text="COPD")])
    judge = Counting(lambda *_: (Verdict.MET, ()))
    asyncio.run(run_criteria(load_annotations_from_file(path), judge))
    assert calls == [(NOTE, 2)]


def test_rows_left_out_are_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [row(), row(criterion_text="")])
    found = score(load_annotations_from_file(path), lambda *_: (Verdict.MET, ()))
    assert "1 rows without the text of a criterion were left out." in found["notes"]
