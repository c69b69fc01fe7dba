"""Scouting against known uses: what counts as a hit, and for whom."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.repurposing.conftest import MakeClient, make_client
from tests.repurposing.invented import trial
from trialyst.benchmark.scouting import load_indications, score_scouting
from trialyst.errors import InvalidInput
from trialyst.vocabulary import Vocabulary

__all__ = ["make_client"]

REPODB = [
    {"drug_name": "Semaglutide", "ind_name": "Psoriasis", "status": "Approved"},
    {"drug_name": "Semaglutide", "ind_name": "Gout", "status": "Terminated"},
    {"drug_name": "nothing known", "ind_name": "Gout", "status": "Approved"},
]
CURATED = [{"drug": "Semaglutide", "disease": "asthma", "category": "DM"}]


def _written(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_true_uses_of_both_sources_are_read(tmp_path: Path, vocabulary: Vocabulary) -> None:
    paths = [_written(tmp_path / "a", REPODB), _written(tmp_path / "b", CURATED)]
    found = load_indications(paths, vocabulary)
    wanted = {vocabulary.resolve(name).concept for name in ("Psoriasis", "Asthma")}
    assert list(found.values()) == [{concept.id for concept in wanted if concept}]
    with pytest.raises(InvalidInput, match="columns"):
        load_indications([_written(tmp_path / "c", [{"x": "y"}])], vocabulary)


def test_a_suggestion_is_right_where_the_drug_had_no_trial_and_the_use_is_true(
    make_client: MakeClient, tmp_path: Path
) -> None:
    client = make_client(
        trial(1),
        trial(2, drugs=["Liraglutide"], conditions=["Psoriasis"], phases=["PHASE3"]),
        trial(3, drugs=["Liraglutide"], conditions=["Glaucoma"], phases=["PHASE1"]),
        *(trial(number, drugs=["X"], conditions=["Cystic Fibrosis"]) for number in (4, 5, 6)),
        trial(7, drugs=["Liraglutide"], conditions=["Asthma"], posted="2022-01-01"),
    )
    truth = load_indications([_written(tmp_path / "a", REPODB)], client.vocabulary)
    scores = asyncio.run(score_scouting(client, truth, cutoff="2018", drugs=5))
    assert (scores["drugs"], scores["true_uses"]) == (1, 1)
    assert scores["precision"]["scout"] == {"1": 1.0, "3": 0.5, "5": 0.5, "10": 0.5}
    assert scores["precision"]["popular"]["1"] == 0.0
    assert scores["drugs_with_a_hit"] == {"scout": 1, "popular": 1}
