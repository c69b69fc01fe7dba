"""Candidates come in their order, say what found them, and nothing is left out untold."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from trialyst.errors import InvalidInput
from trialyst.matching.facade import Matching
from trialyst.matching.prescreen import Budget, PresearchResult, Scope, prescreen
from trialyst.registry import RegistrySource
from trialyst.starter.cases import Fit
from trialyst.starter.notes import SamplePatient, sample_patients
from trialyst.vocabulary import Vocabulary

ASTHMA = "A 40-year-old woman with severe asthma and wheezing."


@pytest.fixture(scope="module")
def matching(starter_source: RegistrySource, vocabulary: Vocabulary) -> Matching:
    return Matching(starter_source, vocabulary=lambda: vocabulary)


def _find(matching: Matching, note: str, **asked: Any) -> PresearchResult:
    return asyncio.run(matching.prescreen(note, **asked))


@pytest.mark.parametrize("patient", sample_patients(), ids=lambda patient: patient.name)
def test_fitting_trials_of_sample_patients_come_early(
    matching: Matching, patient: SamplePatient
) -> None:
    places = {trial: place for place, trial in enumerate(_find(matching, patient.note).nct_ids)}
    fitting = [trial.nct_id for trial in patient.trials if trial.fit is Fit.FITS]
    assert all(places[trial] < 12 for trial in fitting)


def test_candidates_are_ordered_by_score_then_id(matching: Matching) -> None:
    found = _find(matching, ASTHMA).candidates
    assert list(found) == sorted(found, key=lambda item: (-item.score, item.nct_id))
    assert len({item.nct_id for item in found}) == len(found)


def test_every_candidate_says_which_queries_found_it(matching: Matching) -> None:
    found = _find(matching, ASTHMA)
    assert all(item.found_by_query for item in found.candidates)
    assert "main condition: Asthma" in found.candidates[0].found_by_query
    assert len(found.tool_call_trace) >= 3


def test_only_open_trials_come_unless_asked(matching: Matching) -> None:
    found = _find(matching, ASTHMA)
    assert {item.status for item in found.candidates} <= {"RECRUITING", "NOT_YET_RECRUITING"}
    assert {item.study_type for item in found.candidates} == {"INTERVENTIONAL"}


def test_what_the_status_leaves_out_is_counted(matching: Matching) -> None:
    found = _find(matching, ASTHMA)
    assert found.left_out["status"] > 0
    assert any("other statuses" in note for note in found.notes)
    anything = _find(matching, ASTHMA, status=(), study_type=())
    assert not anything.left_out
    assert anything.total_found > found.total_found


def test_trials_of_another_age_stay_and_are_marked(matching: Matching) -> None:
    found = _find(matching, "A 14-year-old girl with asthma.", status=(), limit=400)
    assert {item.age_fits for item in found.candidates} >= {True, False}
    fitting = [item.score for item in found.candidates if item.age_fits]
    others = [item.score for item in found.candidates if item.age_fits is False]
    assert max(fitting) > max(others)


def test_a_budget_bounds_what_is_read(
    starter_source: RegistrySource, vocabulary: Vocabulary, matching: Matching
) -> None:
    profile = asyncio.run(matching.profile(ASTHMA))
    found = asyncio.run(
        prescreen(
            starter_source,
            profile,
            vocabulary=vocabulary,
            scope=Scope(),
            budget=Budget(most_trials=30),
        )
    )
    assert found.total_found == 30


def test_the_same_note_finds_the_same(matching: Matching) -> None:
    assert _find(matching, ASTHMA).candidates == _find(matching, ASTHMA).candidates


def test_a_note_that_names_nothing_finds_nothing_and_does_not_fail(matching: Matching) -> None:
    found = _find(matching, "zorbulation frimble")
    assert found.candidates == ()


@pytest.mark.parametrize(
    "asked", [{"status": "OPEN"}, {"study_type": "TRIAL"}, {"limit": 0}], ids=str
)
def test_wrong_arguments_are_refused(matching: Matching, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        _find(matching, ASTHMA, **asked)
