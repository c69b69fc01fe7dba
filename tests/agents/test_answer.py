"""The answer first: five sentences, pivotal trials with their results, nothing said twice."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from tests.agents.rendered import ask, text_of
from tests.annotation.test_results import study as with_results
from tests.repurposing.conftest import MakeClient, make_client
from tests.repurposing.invented import trial
from trialyst.agents import DossierForm, Question, run_trial_agent
from trialyst.agents.answer import late_read_outs
from trialyst.agents.document import Listing, Picture
from trialyst.agents.layout import lay_out
from trialyst.agents.sentences import SentenceKind
from trialyst.repurposing import RepurposingClient

__all__ = ["make_client"]

pytestmark = pytest.mark.slow

QUESTIONS = ("Tested?", "Did it work?", "Why not?", "Who is", "What reads out next?")
PAIR = Question(drug="semaglutide", condition="heart failure")


def _posted(number: int, p_value: str, **more: Any) -> dict[str, Any]:
    made = trial(number, phases=["PHASE3"], **more)
    results = with_results(
        {"pValue": p_value, "paramType": "Hazard Ratio (HR)", "paramValue": "0.8"}
    )
    made["resultsSection"] = results["resultsSection"]
    design = made["protocolSection"]["designModule"]
    design["designInfo"] = {"allocation": "RANDOMIZED", "maskingInfo": {"masking": "DOUBLE"}}
    made["hasResults"] = True
    return made


@pytest.mark.parametrize(
    ("drug", "condition"),
    [("semaglutide", "type 2 diabetes"), ("metformin", "asthma"), ("adalimumab", "psoriasis")],
)
def test_five_questions_are_answered_first_and_nothing_is_said_twice(
    starter_client: RepurposingClient, drug: str, condition: str
) -> None:
    dossier = ask(starter_client, Question(drug=drug, condition=condition))
    asked = [each.text for each in dossier.summary]
    assert 4 <= len(asked) <= 5
    assert all(text.startswith(QUESTIONS) for text in asked)
    for each in dossier.summary:
        assert each.kind is not SentenceKind.FINDING or each.nct_ids
    document = lay_out(dossier)
    assert document.sections[0].title == "Answer"
    blocks = [block for section in document.sections for block in section.blocks]
    said = [each.text for block in blocks if isinstance(block, Listing) for each in block.sentences]
    assert len(said) == len(set(said))
    charts = [block for block in blocks if isinstance(block, Picture)]
    assert all(re.search(r"Source: .+; drawn on \d{4}", chart.caption) for chart in charts)
    if charts:
        assert charts[0].caption in text_of(dossier, DossierForm.HTML)


def test_pivotal_trials_come_with_design_effect_p_and_serious_events(
    make_client: MakeClient,
) -> None:
    client = make_client(
        _posted(1, "0.004", enrollment=(400, "ACTUAL")),
        _posted(2, "0.4", enrollment=(90, "ACTUAL")),
        trial(3, phases=["PHASE1"]),
        trial(4, phases=["PHASE3"], enrollment=(9_000, "ACTUAL")),
    )
    found = asyncio.run(run_trial_agent(client, PAIR))
    assert [each.nct_id[-1] for each in found.pivotal] == ["1", "2", "4"]
    first, second, unread = found.pivotal
    assert (first.outcome, second.outcome, unread.outcome) == ("met", "not_met", None)
    assert (first.design, first.p_value) == ("randomized, double-blind", "0.004")
    assert first.effect == "Hazard Ratio (HR) 0.8"
    assert first.serious_events == "Drug 3 of 40"
    assert (first.place or "").endswith("outcomeMeasures[0].analyses[0]")
    worked = ask(client, PAIR).summary[1].text
    assert "met by 1 trial and missed by 1 trial" in worked
    assert "p = 0.004" in worked


def test_the_next_read_out_of_the_field_is_told(make_client: MakeClient) -> None:
    def coming(number: int, day: str, drug: str) -> dict[str, Any]:
        return trial(
            number,
            drugs=[drug, "Placebo of it"],
            status="RECRUITING",
            primary_completion=(day, "ESTIMATED"),
            phases=["PHASE3"],
        )

    client = make_client(
        trial(1), coming(2, "2028-05", "Ramipril"), coming(3, "2027-02", "Finerenone"),
        coming(4, "2020-01", "Digoxin"),
    )  # fmt: skip
    dossier = ask(client, PAIR)
    assert dossier.landscape is not None
    ahead = late_read_outs(dossier.landscape.competitive_map)
    assert [each.drug for each in ahead] == ["Finerenone", "Ramipril"]
    assert "Finerenone by Acme" in dossier.summary[-1].text
    assert "expected 2027-02" in dossier.summary[-1].text


def test_a_gap_is_the_palest_cell_of_a_matrix() -> None:
    from trialyst.agents.charts import GRADES

    def light(colour: str) -> int:
        return min(int(colour[at : at + 2], 16) for at in (1, 3, 5))

    loud = {grade for grade, (face, _) in GRADES.items() if light(face) < 0xC0}
    assert {"untested", "unknown_coverage", "unknown_name"}.isdisjoint(loud)
    assert {"established", "active", "stopped"} <= loud
