"""`match_patient` over both transports: a part that fits, every part reachable, progress told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult

from tests.contracts.contracts import check, nulls
from tests.interfaces.mcp.connecting import WireTools, connected, over_stdio
from trialyst.starter import sample_patients

pytestmark = pytest.mark.slow

NOTE = next(each.note for each in sample_patients() if each.name == "eosinophilic_asthma")
LARGEST = 100_000
"""Bytes of an answer with default arguments; some 25,000 tokens."""


def test_a_match_keeps_its_contract_and_fits(starter: WireTools) -> None:
    check("match_patient#arguments", {"note": NOTE, "near": "Boston"})
    answer = starter.wire("match_patient", note=NOTE, near="Boston")
    check("match_patient", answer)
    assert nulls(answer) == []
    assert len(answer["trials"]) == 10
    assert len(json.dumps(answer)) < LARGEST
    assert answer["provenance"]["synthetic"]
    assert "research use only" in answer["research_use"]
    assert all(trial["brief_title"].startswith("[SYNTHETIC]") for trial in answer["trials"])


def test_deciding_and_missing_criteria_come_first(stdio: WireTools) -> None:
    answer = stdio.wire("match_patient", note=NOTE, top=60, criteria=2)
    for trial in answer["trials"]:
        listed = trial["criteria"]
        assert len(listed) <= 2
        if trial["verdict"] == "EXCLUDED":
            assert listed[0]["disqualifies"]
        if trial["verdict"] == "UNCERTAIN" and trial["missing"]:
            assert listed[0]["verdict"] == "UNKNOWN" or listed[0].get("possible")


def test_following_the_note_gives_all_criteria_of_one_trial(stdio: WireTools) -> None:
    answer = stdio.wire("match_patient", note=NOTE, top=3, criteria=1)
    assert any("most telling criteria" in note for note in answer["provenance"]["notes"])
    one = stdio.wire("match_patient", note=NOTE, first=2, top=1, criteria=500)
    (trial,) = one["trials"]
    assert (trial["rank"], trial["id"]) == (2, answer["trials"][1]["id"])
    assert len(trial["criteria"]) == trial["criteria_count"]


def test_a_large_part_is_cut_and_says_so(stdio: WireTools) -> None:
    answer = stdio.wire("match_patient", note=NOTE, top=200, criteria=500)
    assert len(answer["trials"]) == sum(answer["counts"].values())
    assert len(json.dumps(answer["trials"])) < 4 * LARGEST
    assert any("most telling" in note for note in answer["provenance"]["notes"])


def test_numbers_may_be_text(stdio: WireTools) -> None:
    answer = stdio.wire("match_patient", note=NOTE, top="1", candidates=5.0, status=[])
    assert len(answer["trials"]) == 1
    assert sum(answer["counts"].values()) == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"note": " "},
        {"note": NOTE, "top": 0},
        {"note": NOTE, "top": True},
        {"note": NOTE, "first": "second"},
        {"note": NOTE, "criteria": -1},
        {"note": NOTE, "candidates": 0},
        {"note": NOTE, "near": "Atlantis-on-Sea"},
        {"note": NOTE, "status": "sleeping"},
        {"note": NOTE, "status": 3},
        {"note": NOTE, "study_type": ["X"]},
        {"note": NOTE, "judge": "google:gemini-2.5-flash"},
    ],
    ids=lambda wrong: str({name: value for name, value in wrong.items() if name != "note"}),
)
def test_what_cannot_be_matched_is_one_envelope(stdio: WireTools, wrong: dict[str, Any]) -> None:
    failed = stdio.wire("match_patient", **wrong)
    check("error", failed)
    assert failed["error"]["code"] == "INVALID_INPUT"
    assert failed["error"]["recovery_hint"]


@pytest.mark.parametrize("tool", ["profile_patient", "match_patient", "evaluate_criterion"])
@pytest.mark.parametrize("note", [None, 5, ["a"], {"resourceType": "Bundle"}], ids=str)
def test_a_note_of_another_type_is_one_envelope(stdio: WireTools, tool: str, note: Any) -> None:
    asked = {"criterion": "Asthma", "criterion_type": "inclusion"}
    failed = stdio.error(tool, note=note, **(asked if tool == "evaluate_criterion" else {}))
    assert failed["code"] == "INVALID_INPUT"
    assert "as text" in failed["recovery_hint"]


def test_a_criterion_as_long_as_a_book_is_refused(stdio: WireTools) -> None:
    asked = {"criterion": "asthma " * 10_000, "criterion_type": "inclusion"}
    assert "20,000" in stdio.error("evaluate_criterion", note=NOTE, **asked)["message"]


def test_progress_is_told(mcp_url: str) -> None:
    told: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    with connected(mcp_url) as tools:

        async def ask() -> Any:
            return await tools.client.call_tool(
                "match_patient", {"note": NOTE, "candidates": 60}, progress_callback=hear
            )

        result = tools.portal.call(ask)
    assert isinstance(result, CallToolResult)
    assert not result.is_error
    assert "60 of 60 trials judged" in told


def test_an_own_note_meets_invented_records_only_when_asked(home: Path) -> None:
    with over_stdio(home, source="auto") as tools:
        error = tools.error("match_patient", note="A 40-year-old man with gout.")
        assert "--source starter" in error["recovery_hint"]
        assert tools.wire("match_patient", note=NOTE, candidates=3)["trials"]
    with over_stdio(home, source="starter") as tools:
        assert tools.wire("match_patient", note="A 40-year-old man with gout.", candidates=3)


def test_what_was_read_is_corrected_over_the_wire(starter: WireTools) -> None:
    asked = {"note": NOTE, "set": "age=9 years | smoking=never", "candidates": 3}
    check("match_patient#arguments", asked)
    answer = starter.wire("match_patient", **asked)
    check("match_patient", answer)
    assert answer["patient"]["age"] == "9 Years"
    assert len(answer["changes"]) >= 2
    form = starter.wire("profile_patient", note=NOTE, slim=True, form=True)["form"]
    again = starter.wire("match_patient", note=NOTE, profile=form, set="ecog=1", candidates=3)
    assert again["changes"] == ["ecog: 1 added"]
