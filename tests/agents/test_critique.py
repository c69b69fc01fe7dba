from __future__ import annotations

import asyncio

import pytest

from trialyst.agents import Question, run_critique_agent
from trialyst.agents.critique import narrow_classes
from trialyst.agents.findings import CritiqueFinding
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.severity import Closeness

pytestmark = pytest.mark.slow

QUESTION = Question(drug="semaglutide", condition="type 2 diabetes")


@pytest.fixture(scope="module")
def found(starter_client: RepurposingClient) -> CritiqueFinding:
    return asyncio.run(run_critique_agent(starter_client, QUESTION))


def test_the_gravest_come_first_and_each_trial_once(found: CritiqueFinding) -> None:
    keys = [(-concern.severity, concern.nct_id) for concern in found.concerns]
    assert keys == sorted(keys)
    assert len({concern.nct_id for concern in found.concerns}) == len(keys)


def test_drug_class_and_condition_are_all_looked_at(found: CritiqueFinding) -> None:
    kinds = [(each.kind, each.name) for each in found.overviews]
    assert kinds == [
        ("drug", "semaglutide"),
        ("class", "GLP-1 receptor agonist"),
        ("condition", "type 2 diabetes"),
    ]


def test_every_stopped_trial_that_a_naive_look_finds_is_a_concern(
    starter_client: RepurposingClient, found: CritiqueFinding
) -> None:
    async def naive() -> set[str]:
        names = ("semaglutide", "GLP-1 receptor agonist", "type 2 diabetes")
        listed = [await starter_client.get_terminated(name, max_results=1_000) for name in names]
        return {trial.nct_id for each in listed for trial in each}

    assert {concern.nct_id for concern in found.concerns} == asyncio.run(naive())


def test_the_closest_tie_counts(starter_client: RepurposingClient, found: CritiqueFinding) -> None:
    async def ids(name: str) -> set[str]:
        return {t.nct_id for t in await starter_client.get_terminated(name, max_results=1_000)}

    drug, condition = asyncio.run(ids("semaglutide")), asyncio.run(ids("type 2 diabetes"))
    for concern in found.concerns:
        tie = concern.term("closeness").given
        if concern.nct_id in drug & condition:
            assert tie == Closeness.DRUG_AND_CONDITION
        elif concern.nct_id in drug:
            assert tie == Closeness.DRUG


def test_words_of_the_record_are_quoted_as_they_are(
    starter_client: RepurposingClient, found: CritiqueFinding
) -> None:
    for concern in found.concerns:
        trial = asyncio.run(starter_client.get_trial(concern.nct_id))
        assert concern.why == (trial.why_stopped or "No reason given")
        assert concern.pmids == trial.reporting_references


def test_wide_classes_are_not_looked_at(starter_client: RepurposingClient) -> None:
    names = [each.name for each in narrow_classes(starter_client.vocabulary, "empagliflozin")]
    assert names == ["SGLT2 inhibitor"]
