"""Views of real records keep the contracts, whatever the records hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.contracts.contracts import check, nulls
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.trial import Trial
from trialyst.discovery.comparison import to_rows
from trialyst.discovery.sections import SECTIONS, to_sections
from trialyst.discovery.trimming import trim
from trialyst.discovery.views import to_candidate, to_site

TOLD = {
    "understood": {},
    "provenance": {"source": "local", "synthetic": False, "complete": False, "notes": []},
    "next": [],
}
LARGEST_ANSWER = 100_000
"""Characters of JSON of one trial when no section is named."""


@pytest.fixture(scope="module")
def trials(real_studies_of_every_kind: list[dict[str, Any]]) -> list[Trial]:
    return [parse_trial(study) for study in real_studies_of_every_kind[::7]]


def wire(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.slow
def test_every_section_keeps_the_contract(trials: list[Trial]) -> None:
    for trial in trials:
        answer = wire({**to_sections(trial, SECTIONS), **TOLD})
        check("get_trial", answer)
        assert nulls(answer) == []


@pytest.mark.slow
def test_an_answer_that_nobody_narrowed_stays_readable(trials: list[Trial]) -> None:
    for trial in trials:
        shown, notes, _ = trim(to_sections(trial, SECTIONS))
        assert len(json.dumps(shown)) < LARGEST_ANSWER, trial.nct_id
        assert shown == to_sections(trial, SECTIONS) or notes


@pytest.mark.slow
def test_candidates_and_sites_keep_the_contract(trials: list[Trial]) -> None:
    for trial in trials:
        check("search_trials#Candidate", wire(to_candidate(trial)))
        for site in trial.sites[:20]:
            check("get_trial_locations#Site", wire(to_site(site)))


@pytest.mark.slow
def test_rows_of_a_comparison_keep_the_contract(trials: list[Trial]) -> None:
    for start in range(0, 100, 10):
        compared = trials[start : start + 10]
        answer = {"items": [], "not_found": [], "rows": to_rows(compared), **TOLD}
        check("compare_trials", wire(answer))
