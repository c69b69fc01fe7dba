"""The sample patients of the starter: the trials written for them come first, and for a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.discovery.starting import open_starter
from tests.matching.judges import run_match, say
from trialyst.matching.facade import Matching
from trialyst.matching.judging.result import Applicability, CriterionResult, Statement, Verdict
from trialyst.matching.verdict import TrialVerdict
from trialyst.starter.cases import Fit, State
from trialyst.starter.notes import SamplePatient, sample_patients
from trialyst.vocabulary import Vocabulary

pytestmark = pytest.mark.slow

VERDICTS = {State.MET: Verdict.MET, State.UNMET: Verdict.NOT_MET}
FITTED = [
    patient
    for patient in sample_patients()
    if any(trial.fit is Fit.FITS for trial in patient.trials)
]

ALONE = [patient for patient in FITTED if patient.name != "melanoma_braf"]
"""Those for whom no trial fits but the one written for them."""
SHARED_FIRST = {"depression": 2}
"""How many trials of other treatments, as open or as fitting, stand before the fitting one."""


@dataclass(frozen=True, slots=True)
class Knowing:
    """Says of the criteria written for a patient what their author says, nothing of others."""

    patient: SamplePatient
    name: str = "knowing"

    async def judge(self, note: str, statements: Sequence[Statement]) -> list[CriterionResult]:
        states = {
            each.text: each.state for trial in self.patient.trials for each in trial.case.criteria
        }
        return [self._say(each, states.get(each.text, State.UNKNOWN)) for each in statements]

    def _say(self, statement: Statement, state: State) -> CriterionResult:
        administrative = state is State.ADMINISTRATIVE
        applies = Applicability.ADMINISTRATIVE if administrative else Applicability.APPLIES
        return say(statement, VERDICTS.get(state, Verdict.UNKNOWN), applicability=applies)


@pytest.fixture(scope="module")
def starter(shipped: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matching]:
    home: Path = tmp_path_factory.getbasetemp() / "home"
    for source in open_starter(home):
        yield Matching(source, vocabulary=lambda: shipped)


@pytest.mark.parametrize("patient", sample_patients(), ids=lambda patient: patient.name)
def test_a_judge_who_knows_gives_every_trial_its_due(
    starter: Matching, patient: SamplePatient
) -> None:
    report = run_match(starter, patient.note, judge=Knowing(patient), status="any", candidates=60)
    verdicts = {trial.nct_id: trial.verdict for trial in report.trials}
    written = {trial.nct_id: trial.fit for trial in patient.trials if trial.nct_id in verdicts}
    fitting = {nct_id for nct_id, fit in written.items() if fit is Fit.FITS}
    assert {i for i in written if verdicts[i] is TrialVerdict.ELIGIBLE} == fitting
    assert {trial.nct_id for trial in report.trials[: len(fitting)]} == fitting


@pytest.mark.parametrize("patient", FITTED, ids=lambda patient: patient.name)
def test_the_rules_put_the_fitting_trials_before_others(
    starter: Matching, patient: SamplePatient
) -> None:
    report = run_match(starter, patient.note)
    ranks = {trial.nct_id: rank for rank, trial in enumerate(report.trials)}
    fitting = {trial.nct_id for trial in patient.trials if trial.fit is Fit.FITS}
    others = {trial.nct_id for trial in patient.trials} - fitting
    assert {ranks[fit] for fit in fitting} == {SHARED_FIRST.get(patient.name, 0)}
    assert all(ranks[fit] < ranks[other] for fit in fitting for other in others & set(ranks))


@pytest.mark.parametrize("patient", ALONE, ids=lambda patient: patient.name)
def test_nothing_that_keeps_the_patient_out_stands_before_the_fitting_trial(
    starter: Matching, patient: SamplePatient
) -> None:
    (fitting,) = (trial.nct_id for trial in patient.trials if trial.fit is Fit.FITS)
    trials = run_match(starter, patient.note).trials
    rank = next(rank for rank, trial in enumerate(trials) if trial.nct_id == fitting)
    kept = {TrialVerdict.ELIGIBLE, TrialVerdict.UNCERTAIN}
    assert {trial.verdict for trial in trials[: rank + 1]} <= kept


@pytest.mark.parametrize("patient", FITTED, ids=lambda patient: patient.name)
def test_the_rules_judge_every_trial(starter: Matching, patient: SamplePatient) -> None:
    report = run_match(starter, patient.note)
    problems = {trial.problem for trial in report.trials if trial.problem}
    assert problems <= {"The record states no eligibility criteria."}
    assert all(
        patient.note[quote.start : quote.end] == quote.text
        for trial in report.trials
        for result in trial.assessment.results
        for quote in result.quotes
    )
