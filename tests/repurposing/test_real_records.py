"""On real records: counts, groups and the past, each against a naive reading of the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.repurposing.invented import opened_client
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.trial import Trial
from trialyst.folding import fold_phrase, phrase_variants
from trialyst.questions.names import read_condition, read_drug
from trialyst.repurposing import RepurposingClient
from trialyst.vocabulary import Vocabulary

DRUGS = {
    "pembrolizumab": ("Keytruda", "MK-3475", "pembrolizumab 200 mg"),
    "metformin": ("Glucophage", "Metformin HCl", "metformin hydrochloride"),
    "dapagliflozin": ("Farxiga", "BMS-512148", "Dapagliflozin 10 mg"),
    "omalizumab": ("Xolair",),
}
CONDITIONS = ("heart failure", "asthma", "NSCLC", "breast cancer", "type 2 diabetes")
CUTOFF = date(2016, 1, 1)
DOSE_OR_SALT = re.compile(
    r"\b\d[\d.,]*\s*(mg|mcg|ml|g|iu|%)(/\w+)*|\b(hcl|hydrochloride|sodium)\b", re.IGNORECASE
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def trials(real_studies_of_every_kind: list[dict[str, Any]]) -> list[Trial]:
    return [parse_trial(msgspec.json.encode(study)) for study in real_studies_of_every_kind]


@pytest.fixture(scope="module")
def client(real_registry: Path, vocabulary: Vocabulary) -> Iterator[RepurposingClient]:
    with opened_client(real_registry, vocabulary) as opened:
        yield opened


def says(texts: list[str | None], names: tuple[str, ...]) -> bool:
    """Whether one of the names stands as a phrase in one of the texts."""
    phrases = [f" {' '.join(tokens)} " for name in names for tokens in phrase_variants(name)]
    folded = [f" {fold_phrase(text)} " for text in texts if text]
    return any(phrase in text for text in folded for phrase in phrases)


def drug_texts(trial: Trial) -> list[str | None]:
    given = trial.interventions
    mesh = (*trial.intervention_mesh, *trial.intervention_ancestors)
    return [
        *(each.name for each in given),
        *(name for each in given for name in each.other_names),
        *(each.description for each in given),
        *(arm.label for arm in trial.arms),
        *(arm.description for arm in trial.arms),
        trial.brief_title,
        trial.official_title,
        *trial.keywords,
        *(each.term for each in mesh),
    ]


def condition_texts(trial: Trial) -> list[str | None]:
    mesh = (each.term for each in trial.condition_mesh)
    titles = (trial.brief_title, trial.official_title)
    return [*trial.conditions, *titles, *trial.keywords, *mesh]


PLACEBO = re.compile(r"\bplacebo|\bsham\b|\bvehicle\b", re.IGNORECASE)
CONTROL_ARMS = ("PLACEBO_COMPARATOR", "SHAM_COMPARATOR", "ACTIVE_COMPARATOR", "NO_INTERVENTION")


def names_of_given(trial: Trial) -> list[str | None]:
    """Give the names of interventions that are no placebo."""
    given = [each for each in trial.interventions if not PLACEBO.search(each.name)]
    return [name for each in given for name in (each.name, *each.other_names)]


def names_in_arms(trial: Trial, *, control: bool) -> list[str | None]:
    """Give the names of what control arms give, or of what only the others may give."""
    return [
        name
        for arm in trial.arms
        if arm.type is not None and (arm.type in CONTROL_ARMS) == control
        for name in arm.intervention_names
        if not PLACEBO.search(name)
    ]


def test_counts_agree_with_a_naive_reading(client: RepurposingClient, trials: list[Trial]) -> None:
    """Listed trials name the drug; what only arms that are no control give counts as tested."""
    listed = named = given = counted = 0
    for drug in DRUGS:
        (part,) = read_drug(client.vocabulary, drug).parts
        by_text = [each for each in trials if says(drug_texts(each), part.names)]
        found = asyncio.run(client.search_trials(drug, max_results=1_000))
        by_id = {trial.nct_id: trial for trial in trials}
        listed += len(found)
        named += sum(says(names_of_given(by_id[each.nct_id]), part.names) for each in found)
        sure = {
            trial.nct_id
            for trial in by_text
            if says(names_in_arms(trial, control=False), part.names)
            and not says(names_in_arms(trial, control=True), part.names)
        }
        given += len(sure)
        counted += len(sure & {each.nct_id for each in found if each.role == "tested"})
        for condition in CONDITIONS:
            (about,) = read_condition(client.vocabulary, condition).parts
            in_words = {each.nct_id for each in trials if says(condition_texts(each), about.names)}
            pair = asyncio.run(client.detect_whitespace(drug, condition))
            assert pair.drug_only_trials == len(by_text)
            assert pair.condition_only_trials == len(in_words)
            assert pair.exact_match_count <= min(len(by_text), len(in_words))
            assert pair.exact_match_count == sum(
                (
                    pair.tested_count,
                    pair.comparator_count,
                    pair.background_count,
                    pair.diagnostic_count,
                    pair.unstated_count,
                )
            )
    assert listed > 30
    assert named >= 0.97 * listed
    assert given > 10
    assert counted >= 0.95 * given


@pytest.mark.parametrize("drug", DRUGS)
def test_brand_code_and_generic_name_give_the_same_trials(
    client: RepurposingClient, drug: str
) -> None:
    def ids(name: str) -> set[str]:
        found = asyncio.run(client.search_trials(name, max_results=1_000))
        assert found.total_count == len(found)
        return {each.nct_id for each in found}

    expected = ids(drug)
    assert expected
    assert [ids(name) for name in DRUGS[drug]] == [expected] * len(DRUGS[drug])


@pytest.mark.parametrize("condition", CONDITIONS)
def test_no_competitor_is_split_by_case_dose_salt_or_form(
    client: RepurposingClient, condition: str
) -> None:
    found = asyncio.run(client.get_landscape(condition, top_n=10_000))
    assert found.competitor_count == len(found.competitors) > 0
    seen: dict[tuple[str, str], str] = {}
    for entry in (*found.competitors, *found.prevention):
        assert not re.search(r"\bplacebo|\bsham\b|standard of care", entry.drug_name, re.I)
    for entry in found.competitors:
        key = (fold_phrase(entry.sponsor), fold_phrase(DOSE_OR_SALT.sub("", entry.drug_name)))
        assert key not in seen, (entry.drug_name, seen[key])
        seen[key] = entry.drug_name


@pytest.mark.parametrize("condition", CONDITIONS)
def test_totals_of_a_landscape_add_up(
    client: RepurposingClient, trials: list[Trial], condition: str
) -> None:
    found = asyncio.run(client.get_landscape(condition))
    (part,) = read_condition(client.vocabulary, condition).parts
    phased = [
        trial
        for trial in trials
        if set(trial.phases) - {"NA"}
        and says(
            [*condition_texts(trial), *(each.term for each in trial.condition_ancestors)],
            part.names,
        )
    ]
    # Some hold the words only in the name of another condition, and are not about it.
    assert 0.8 * len(phased) <= found.total_trial_count <= len(phased)
    assert sum(found.phase_distribution.values()) == found.total_trial_count
    countries = {country for trial in phased for country in trial.countries}
    assert set(found.countries) <= countries


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_point_in_time_answer_holds_nothing_later(
    client: RepurposingClient, trials: list[Trial], condition: str
) -> None:
    day = CUTOFF.isoformat()
    by_id = {trial.nct_id: trial for trial in trials}
    terminated = asyncio.run(client.get_terminated(condition, day, 1_000, point_in_time=True))
    landscape = asyncio.run(client.get_landscape(condition, day, 1_000, point_in_time=True))
    for each in terminated:
        record = by_id[each.nct_id]
        assert each.point_in_time is not None
        if not each.point_in_time.whole:
            assert record.completion is None or record.completion.date.last_day <= CUTOFF
            assert each.references == []
            assert each.enrollment is None
            for shown in (each.start_date, each.termination_date):
                assert shown is None or shown <= CUTOFF.isoformat()
        posted = record.first_posted or record.first_submitted
        assert posted is not None
        assert posted.date.last_day <= CUTOFF
    for entry in (*landscape.competitors, *landscape.prevention):
        assert (entry.most_recent_start or "") <= CUTOFF.isoformat()
    assert all(year <= "2016" for year in landscape.starts_by_year)
    assert all(year <= "2016" or year == "unknown" for year in landscape.stops_by_year)


@pytest.mark.parametrize("drug", DRUGS)
def test_every_trial_as_known_then_shows_no_later_day(client: RepurposingClient, drug: str) -> None:
    found = asyncio.run(
        client.search_trials(
            drug, date_before=CUTOFF.isoformat(), max_results=1_000, point_in_time=True
        )
    )
    for each in found:
        assert each.point_in_time is not None
        assert (each.first_posted or "") <= CUTOFF.isoformat()
        if each.point_in_time.whole:
            continue
        for shown in (each.start_date, each.completion_date):
            assert shown is None or shown <= CUTOFF.isoformat()
        assert each.references == []
        assert each.reporting_references == ()
        assert each.overall_status in (None, "COMPLETED", "TERMINATED", "WITHDRAWN")


@pytest.mark.parametrize("drug", DRUGS)
def test_every_hit_can_be_explained(client: RepurposingClient, drug: str) -> None:
    for condition in CONDITIONS:
        found = asyncio.run(client.search_trials(drug, condition, max_results=1_000))
        for each in found:
            assert {match.of for match in each.matched_by} == {"drug", "condition"}
            assert all(match.how != "source" and match.found for match in each.matched_by)


def test_stopped_trials_are_all_listed(client: RepurposingClient, trials: list[Trial]) -> None:
    found = asyncio.run(client.get_terminated("heart failure", max_results=10_000))
    assert len(found) == found.total_count > 20
    assert {each.overall_status for each in found} <= {"TERMINATED", "WITHDRAWN", "SUSPENDED"}
    assert found.summary is not None
    with_drug = [each for each in found if each.gives_drug]
    assert found.summary.trials == sum(found.summary.categories.values()) == len(with_drug)
    assert found.summary.other_trials == len(found) - len(with_drug)
    assert found[: len(with_drug)] == with_drug
