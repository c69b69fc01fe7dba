from __future__ import annotations

import asyncio

import pytest

from trialyst.agents import Question, run_landscape_agent
from trialyst.repurposing import RepurposingClient

pytestmark = pytest.mark.slow


def test_a_hidden_status_is_not_told_as_nothing_under_way(
    starter_client: RepurposingClient,
) -> None:
    then = Question(drug="semaglutide", condition="obesity", date_before="2020", point_in_time=True)
    crowd, *_ = asyncio.run(run_landscape_agent(starter_client, then)).sentences
    field = asyncio.run(starter_client.get_landscape("obesity", "2020", point_in_time=True))
    unknown = field.total_trial_count - sum(field.statuses.values())
    assert unknown > 0
    assert f"(the status of {unknown:,} is not known)" in crowd.text


def test_a_known_status_needs_no_word(starter_client: RepurposingClient) -> None:
    question = Question(drug="semaglutide", condition="obesity")
    crowd, *_ = asyncio.run(run_landscape_agent(starter_client, question)).sentences
    assert "is not known" not in crowd.text
