"""The backtest on real records: against one written pair by pair, and with another future."""

from __future__ import annotations

import asyncio
import copy
import json
import lzma
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.repurposing.backtest.naive import Counts, count_naively
from tests.repurposing.invented import client_on
from trialyst.repurposing import RepurposingClient
from trialyst.repurposing.backtest import BacktestReport, run_backtest
from trialyst.vocabulary import Vocabulary

pytestmark = pytest.mark.slow

EVERY = 10
"""Of some four thousand records some four hundred."""
CUTOFF = "2016-12-31"
ENDED = ("COMPLETED", "TERMINATED", "WITHDRAWN")
STATUSES = (*ENDED, "SUSPENDED", "RECRUITING", "ACTIVE_NOT_RECRUITING", "UNKNOWN")


@pytest.fixture(scope="module")
def studies(data_dir: Path) -> list[dict[str, Any]]:
    lines: list[str] = []
    for path in sorted((data_dir / "ctgov_v2_native").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            lines.extend(islice(stream, 0, None, EVERY))
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def client(studies: list[dict[str, Any]], vocabulary: Vocabulary) -> Iterator[RepurposingClient]:
    with client_on(studies, vocabulary, learn=True) as opened:
        yield opened


def run(client: RepurposingClient, **more: Any) -> BacktestReport:
    asked = run_backtest(client.source, vocabulary=client.vocabulary, cutoff=CUTOFF, **more)
    return asyncio.run(asked)


def counts(report: BacktestReport) -> Counts:
    return {
        (line.scope.value, line.name): (
            line.pairs,
            line.new_trial.pairs,
            line.phase_3.pairs,
            line.stop.pairs,
        )
        for line in report.lines
        if line.pairs
    }


@pytest.mark.parametrize(("years", "until"), [(None, "9999-12-31"), (3, "2019-12-31")])
def test_every_count_is_that_of_a_backtest_pair_by_pair(
    studies: list[dict[str, Any]],
    client: RepurposingClient,
    vocabulary: Vocabulary,
    years: int | None,
    until: str,
) -> None:
    expected = count_naively(studies, vocabulary, cutoff=CUTOFF, until=until)
    found = counts(run(client, years=years))
    assert found == expected
    assert sum(number > 0 for line in found.values() for number in line) > 60


def test_another_future_leaves_every_grade_and_signal_as_it_was(
    studies: list[dict[str, Any]], client: RepurposingClient, vocabulary: Vocabulary
) -> None:
    before = run(client)
    with client_on(another_future(studies, seed=5), vocabulary, learn=True) as changed:
        after = run(changed)
    assert graded(before) == graded(after)
    assert counts(before) != counts(after)


def graded(report: BacktestReport) -> list[tuple[str, str, int]]:
    return [(line.scope.value, line.name, line.pairs) for line in report.lines]


def another_future(studies: list[dict[str, Any]], *, seed: int) -> list[dict[str, Any]]:
    """Give the same past: later trials trade drugs and conditions, later entries are invented."""
    chance = random.Random(seed)
    changed = copy.deepcopy(studies)
    later = [each for each in changed if not _is_past(each)]
    for study, other in zip(later, chance.sample(later, len(later)), strict=True):
        study["protocolSection"]["armsInterventionsModule"] = other["protocolSection"].get(
            "armsInterventionsModule", {}
        )
        study["protocolSection"]["designModule"]["phases"] = [chance.choice(("PHASE2", "PHASE3"))]
    for study in changed:
        status = study["protocolSection"]["statusModule"]
        if status["lastUpdatePostDateStruct"]["date"] > CUTOFF and not _had_ended(status):
            status["overallStatus"] = chance.choice(STATUSES)
            status["whyStopped"] = chance.choice(("Toxicity", "Futility", "Slow accrual"))
            status["completionDateStruct"] = chance.choice(
                ({"date": "2018-03-01", "type": "ACTUAL"}, {"date": "2011", "type": "ESTIMATED"})
            )
            status["lastUpdatePostDateStruct"]["date"] = "2024-02-02"
    chance.shuffle(changed)
    return changed


def _is_past(study: dict[str, Any]) -> bool:
    status = study["protocolSection"]["statusModule"]
    return bool(status["studyFirstPostDateStruct"]["date"] <= CUTOFF)


def _had_ended(status: dict[str, Any]) -> bool:
    end = status.get("completionDateStruct") or status.get("primaryCompletionDateStruct") or {}
    is_over = end.get("type") == "ACTUAL" and end["date"] <= CUTOFF
    return status.get("overallStatus") in ENDED and is_over
