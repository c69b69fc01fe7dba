"""The client as `session.repurposing`, blocking and async."""

from __future__ import annotations

import asyncio

import pytest

import trialyst


@pytest.mark.slow
def test_the_blocking_session_answers() -> None:
    with trialyst.connect("starter") as session:
        found = session.repurposing.get_landscape("asthma", top_n=2)
        assert found.total_trial_count > 0
        assert len(found.competitors) == 2
        assert [row["sponsor"] for row in found.to_dicts()] == [
            c.sponsor for c in found.competitors
        ]
        trials = session.repurposing.search_trials("metformin", max_results=1)
        assert session.repurposing.get_trial(trials[0].nct_id).title == trials[0].title
        assert trials.to_dicts()[0]["nct_id"] == trials[0].nct_id
        assert trials.to_wire()["items"][0]["nct_id"] == f"NCT:{trials[0].nct_id[3:]}"


@pytest.mark.slow
def test_the_async_session_answers() -> None:
    async def ask() -> tuple[str, bool]:
        async with await trialyst.aconnect("starter") as session:
            found = await session.repurposing.get_terminated("asthma")
            return found.searched_as, found.total_count == len(found)

    assert asyncio.run(ask()) == ("condition", True)
