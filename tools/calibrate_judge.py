"""Measure how often verdicts of each kind are right, and write the file confidence rests on.

    python tools/calibrate_judge.py criterion_readings.jsonl.gz --split learn
    python tools/calibrate_judge.py criterion_readings.jsonl.gz --split check --shipped

Prints what the calibrated confidence is worth on patients it was not taken from: the rows are
split by patient, each part judged with the counts of the others. With `--shipped` nothing is
written, and the file that ships is measured instead.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.answer import Answer, Applicability, Verdict
from trialyst.eligibility.requirement import Requirement
from trialyst.matching.judging.calibration import (
    Calibration,
    calibration_keys,
    load_calibration,
    shape_of,
    to_digest,
    trial_keys,
)
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.judging.result import SURE, CriterionResult
from trialyst.matching.judging.setting_aside import is_read_in_part, is_set_aside
from trialyst.matching.verdict import TrialVerdict, aggregate_to_trial_verdict
from trialyst.settings import Settings
from trialyst.vocabulary import open_vocabulary

TARGET = Path(__file__).parents[1] / "src/trialyst/matching/data/judge_confidence.txt"
HEADING = """\
# How often verdicts of a kind were right on labelled patients, made by tools/calibrate_judge.py:
# side / verdict / leaf / basis / shape of the criterion | right | all
"""
FOLDS = 5
DRAWS = 400
SEED = 42


class Judged(NamedTuple):
    """A labelled row, and what the rules say of it."""

    row: CriterionAnnotation
    requirement: Requirement
    answer: Answer

    @property
    def right(self) -> bool:
        return self.row.verdict is self.answer.verdict

    @property
    def disqualifies(self) -> bool:
        exclusion = self.row.kind is CriterionKind.EXCLUSION
        return self.answer.verdict is (Verdict.MET if exclusion else Verdict.NOT_MET)


def main() -> None:
    """Judge the rows, print the figures and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--split")
    parser.add_argument("--shipped", action="store_true", help="measure the file as it is")
    given = parser.parse_args()
    judged = judge(load_annotations_from_file(given.data, split=given.split).rows)
    if given.shipped:
        calibration = load_calibration()
        report([(_sure(each, calibration), each) for each in judged])
        report_trials(judged, calibration)
    else:
        report(crossed(judged))
        write(judged)


def judge(rows: Sequence[CriterionAnnotation]) -> list[Judged]:
    rules = RulesJudge(
        open_vocabulary(Settings.from_environment().home), calibration=Calibration({})
    )
    charts = {note: rules.read(note) for note in {row.note for row in rows}}
    return [Judged(row, *rules.answer(charts[row.note], row.statement)) for row in rows]


def count(judged: Iterable[Judged]) -> dict[str, tuple[int, int]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for each in judged:
        for key in calibration_keys(each.row.kind, shape_of(each.requirement), each.answer):
            counts[key][0] += each.right
            counts[key][1] += 1
    return {name: (right, n) for name, (right, n) in sorted(counts.items())}


def count_repeats(judged: Sequence[Judged]) -> float:
    """Say how much wider accuracy spreads over draws of patients than over draws of rows."""
    by_patient: dict[str, list[bool]] = defaultdict(list)
    for each in judged:
        by_patient[each.row.patient_id].append(each.right)
    patients = sorted(by_patient)
    draw = random.Random(SEED)
    shares = []
    for _ in range(DRAWS):
        drawn = [
            right for each in draw.choices(patients, k=len(patients)) for right in by_patient[each]
        ]
        shares.append(sum(drawn) / len(drawn))
    mean = sum(shares) / len(shares)
    spread = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
    return max(1.0, spread / (mean * (1 - mean) / len(judged)))


def calibrate(judged: Sequence[Judged]) -> Calibration:
    return Calibration(count(judged), count_repeats(judged))


def count_trials(judged: Sequence[Judged]) -> dict[str, tuple[int, int]]:
    """Count how often the verdict on a trial is what the readers' labels of its rows come to."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for told, meant, rows in compare_trials(judged, calibrate(judged)):
        for key in trial_keys(told.value, rows):
            counts[key][0] += told is meant
            counts[key][1] += 1
    return {name: (right, n) for name, (right, n) in sorted(counts.items())}


def compare_trials(
    judged: Sequence[Judged], calibration: Calibration
) -> Iterator[tuple[TrialVerdict, TrialVerdict, int]]:
    """Give the verdict on each trial, what the labels come to, and the number of its criteria."""
    trials: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for each in judged:
        trials[each.row.patient_id, each.row.trial_id].append(each)
    for rows in trials.values():
        told = _come_to([_result(each, calibration) for each in rows])
        yield told, _come_to([_reading(each) for each in rows]), len(rows)


def report_trials(judged: Sequence[Judged], calibration: Calibration) -> None:
    """Print how often verdicts on trials stand, and how often they were said to."""
    said: dict[TrialVerdict, list[tuple[bool, float]]] = defaultdict(list)
    for told, meant, rows in compare_trials(judged, calibration):
        said[told].append((told is meant, calibration.trial_confidence(told.value, rows)))
    for verdict, each in sorted(said.items()):
        right, sure = (sum(column) for column in zip(*each, strict=True))
        print(f"trials {verdict}: {right} of {len(each)} stand, {sure:.1f} were expected")


def _come_to(results: Sequence[CriterionResult]) -> TrialVerdict:
    return aggregate_to_trial_verdict(results).verdict


def _sure(each: Judged, calibration: Calibration) -> float:
    return calibration.confidence(each.row.kind, each.requirement, each.answer)


def _result(each: Judged, calibration: Calibration) -> CriterionResult:
    sure = _sure(each, calibration)
    said = _reading(each)
    aside = is_set_aside(each.requirement, each.answer)
    exclusion = each.row.kind is CriterionKind.EXCLUSION
    return replace(
        said,
        verdict=each.answer.verdict,
        confidence=sure,
        applicability=each.answer.applicability,
        set_aside=aside,
        read_in_part=is_read_in_part(each.requirement, each.answer, exclusion=exclusion),
    )


def _reading(each: Judged) -> CriterionResult:
    """Give the readers' verdict; what it is about is not told, so that it is taken at its word."""
    other = each.row.label == "not applicable"
    return CriterionResult(
        criterion=each.row.criterion,
        criterion_type=each.row.kind,
        verdict=each.row.verdict,
        confidence=1.0,
        applicability=Applicability.NOT_APPLICABLE if other else Applicability.APPLIES,
        sentences=(),
        quotes=(),
        reasoning="",
    )


def crossed(judged: Sequence[Judged]) -> list[tuple[float, Judged]]:
    """Give how sure each verdict is by the counts of other patients."""
    patients = sorted({each.row.patient_id for each in judged})
    random.Random(SEED).shuffle(patients)
    told: list[tuple[float, Judged]] = []
    for fold in range(FOLDS):
        kept = set(patients[fold::FOLDS])
        calibration = calibrate([each for each in judged if each.row.patient_id not in kept])
        told += [(_sure(each, calibration), each) for each in judged if each.row.patient_id in kept]
    return told


def report(told: Sequence[tuple[float, Judged]]) -> None:
    """Print how the confidence of verdicts compares with how often they hold."""
    bounds = (0.0, 0.5, 0.6, 0.7, 0.8, SURE, 1.01)
    for name, some in (
        ("all verdicts", told),
        ("disqualifying", [(sure, each) for sure, each in told if each.disqualifies]),
    ):
        for low, high in pairwise(bounds):
            part = [each.right for sure, each in some if low <= sure < high]
            if part:
                print(f"{name}, sure at least {low:.1f}: {sum(part) / len(part):.3f} right "
                      f"of {len(part)}")  # fmt: skip


def write(judged: Sequence[Judged]) -> None:
    calibration = calibrate(judged)
    digests = sorted({to_digest(each.row.patient_id) for each in judged})
    lines = [
        f"@repeats | {calibration.repeats:.2f}",
        f"@patients | {' '.join(digests)}",
        *(
            f"{key} | {right} | {n}"
            for key, (right, n) in (*calibration.counts.items(), *count_trials(judged).items())
        ),
    ]
    TARGET.write_text(HEADING + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
