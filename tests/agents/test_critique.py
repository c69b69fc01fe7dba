from __future__ import annotations

import asyncio

import pytest

from trialyst.agents import Question, run_critique_agent
from trialyst.agents.critique import narrow_classes
from trialyst.agents.findings import CritiqueFinding
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.models import TerminatedTrial
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


def test_stopped_trials_of_the_drug_and_the_condition_are_concerns_those_of_the_class_if_near(
    starter_client: RepurposingClient, found: CritiqueFinding
) -> None:
    async def stopped(name: str) -> dict[str, TerminatedTrial]:
        listed = await starter_client.get_terminated(name, max_results=1_000)
        return {trial.nct_id: trial for trial in listed}

    own = asyncio.run(stopped("semaglutide")) | asyncio.run(stopped("type 2 diabetes"))
    of_class = asyncio.run(stopped("GLP-1 receptor agonist"))
    told = {concern.nct_id for concern in found.concerns}
    near = [of_class[key] for key in told - set(own)]
    in_condition = set(asyncio.run(stopped("type 2 diabetes")))
    alone = {key for key, each in of_class.items() if len(each.drugs) == 1 or key in in_condition}
    assert set(own) - told <= set(of_class) - alone
    assert all(len(trial.drugs) == 1 for trial in near)
    aside = len(set(own) | set(of_class)) - len(told)
    assert any(f"{aside:,} stopped trial" in each.text for each in found.sentences) == bool(aside)


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
