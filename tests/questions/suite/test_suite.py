"""A program that sees only the answers finds what people need, over MCP, on real records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.interfaces.mcp.connecting import WireTools, over_stdio
from tests.questions.suite.questions import QUESTIONS, Need
from tests.questions.suite.truth import Study

pytestmark = pytest.mark.slow

RIGHT = 0.95
MORE_BY_WORDS = 1.12
"""How many times as many trials words that stand apart may find."""
SAID = frozenset({"corrected", "dropped", "known", "nearest", "may_mean", "note", "approximate"})
"""What tells that a question was not simply taken as it stands."""


class Outcome(NamedTuple):
    """How a need was met."""

    need: Need
    true: int
    found: int
    missed: int
    understood: dict[str, Any]

    @property
    def right(self) -> bool:
        if self.need.exact:
            return self.found == self.true and not self.missed
        if self.need.placed:
            return not self.missed
        return not self.missed and self.found <= self.true * MORE_BY_WORDS + 2

    @property
    def said(self) -> bool:
        return any(not SAID.isdisjoint(reading) for reading in self.understood.values())


@pytest.fixture(scope="module")
def studies(real_studies_of_every_kind: list[Study]) -> list[Study]:
    return real_studies_of_every_kind


@pytest.fixture(scope="module")
def agent(real_registry: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WireTools]:
    home = tmp_path_factory.mktemp("suite")
    with over_stdio(home, source="local", TRIALYST_REGISTRY=str(real_registry)) as tools:
        yield tools


def _ids(study: Study) -> str:
    named: str = study["protocolSection"]["identificationModule"]["nctId"]
    return f"NCT:{named.removeprefix('NCT')}"


def _ask(agent: WireTools, need: Need) -> tuple[set[str], int, dict[str, Any]]:
    """Follow the cursor to the end."""
    asked = {name: value for name, value in need.asked.items() if name != "limit"}
    page = agent.wire("search_trials", **asked, page_size=200, slim=True)
    first, found = page, {item["id"] for item in page["items"]}
    while page["pagination"]["cursor"]:
        page = agent.wire("search_trials", cursor=page["pagination"]["cursor"], page_size=200)
        found |= {item["id"] for item in page["items"]}
    return found, first["pagination"]["total_count"], first["understood"]


@pytest.fixture(scope="module")
def outcomes(agent: WireTools, studies: list[Study]) -> list[Outcome]:
    listed = []
    for need in (each for needs in QUESTIONS.values() for each in needs):
        truth = {_ids(study) for study in studies if need.truth(study)}
        if truth:
            found, total, understood = _ask(agent, need)
            listed.append(Outcome(need, len(truth), total, len(truth - found), understood))
    return listed


def test_needs_of_every_kind_are_tried(outcomes: list[Outcome]) -> None:
    assert sum(map(len, QUESTIONS.values())) >= 120
    assert len(outcomes) >= 110


def test_nearly_all_needs_are_met(outcomes: list[Outcome]) -> None:
    wrong = [each for each in outcomes if not each.right]
    assert len(wrong) <= (1 - RIGHT) * len(outcomes), wrong


def test_none_is_missed_in_silence(outcomes: list[Outcome]) -> None:
    silent = [each for each in outcomes if not each.right and not each.said]
    assert not silent
