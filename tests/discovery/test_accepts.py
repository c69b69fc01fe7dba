"""`accepts` finds what comparing every record with the facts finds, wherever it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from tests.serving import serving
from tests.shipped import shipped_vocabulary
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.source import OpenSource, TrialSource
from trialyst.discovery import Discovery
from trialyst.eligibility import live as live_bounds
from trialyst.eligibility.accepting import Acceptance, FactReader
from trialyst.eligibility.criteria import Demand, Parser, read_eligibility, to_demands
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.live import AcceptingSource
from trialyst.eligibility.parse import CriterionParser
from trialyst.errors import InvalidInput
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.library import LoopThread
from trialyst.registry import (
    Registry,
    RegistrySource,
    build_from_studies,
    read_requirements,
)
from trialyst.registry import accepting as bounds
from trialyst.registry.trial_reader import open_trial_reader
from trialyst.transport import Cache, Hosts, Transport
from trialyst.vocabulary.relations import Relations

EVERY = 33
FACTS = [
    "ECOG 2",
    "creatinine 1.8 mg/dL",
    "prior pembrolizumab",
    "HIV positive; brain metastases",
    "age 81",
    "pregnant",
    "no diabetes; platelets 60",
]

FIELDS = {"age 81": {"age": "81"}, "pregnant": {"sex": "FEMALE"}}
"""What facts ask of the record's own fields."""


def open_parser() -> Parser:
    return CriterionParser(Lexicon(shipped_vocabulary()))


@pytest.fixture(scope="module")
def studies(real_studies_of_every_kind: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return real_studies_of_every_kind[::EVERY]


@pytest.fixture(scope="module")
def registry(
    studies: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Registry]:
    directory = tmp_path_factory.mktemp("accepts")
    build_from_studies(studies, directory, vocabulary=shipped_vocabulary())
    with Registry.open(directory, vocabulary=shipped_vocabulary()) as opened:
        yield opened


@pytest.fixture(scope="module")
def demands(studies: list[dict[str, Any]]) -> dict[str, tuple[Demand, ...]]:
    """What every record demands, read one by one."""
    parser = open_parser()
    trials = map(parse_trial, studies)
    texts = {trial.nct_id: trial.eligibility.criteria or "" for trial in trials}
    return {nct_id: to_demands(read_eligibility(text, parser)) for nct_id, text in texts.items()}


def naive(demands: dict[str, tuple[Demand, ...]], facts: list[str]) -> set[str]:
    """Compare every record with the facts."""
    read = FactReader(Lexicon(shipped_vocabulary())).read_all(facts)
    acceptance = Acceptance(read, Relations(shipped_vocabulary()))
    return {nct_id for nct_id, each in demands.items() if acceptance.rules_out(each) is None}


def ask(source: TrialSource, **asked: Any) -> Any:
    return asyncio.run(Discovery(source).search_trials(**asked))


def ids_of(answer: Any) -> list[str]:
    return [item["id"].replace("NCT:", "NCT") for item in answer["items"]]


@pytest.mark.parametrize("facts", FACTS)
def test_a_registry_keeps_exactly_the_trials_that_the_facts_do_not_rule_out(
    demands: dict[str, tuple[Demand, ...]], registry: Registry, facts: str
) -> None:
    source = RegistrySource(registry)
    fields = FIELDS.get(facts, {"advanced": "NOT AREA[NCTId]MISSING"})
    wanted = naive(demands, facts.split("; ")) & set(ids_of(ask(source, page_size=200, **fields)))
    first = ask(source, accepts=facts, page_size=25)
    found = ids_of(first)
    while first.cursor:
        first = ask(source, cursor=first.cursor, page_size=25)
        found += ids_of(first)
    assert (set(found), len(found)) == (wanted, len(wanted))
    assert first["pagination"]["total_count"] == len(wanted)
    counted = asyncio.run(Discovery(source).count_trials(accepts=facts, by="status"))
    by_status = counted["breakdowns"]["status"]
    assert counted["total_count"] == len(wanted)
    assert sum(by_status["counts"].values()) + by_status["without_value"] == len(wanted)
    assert all(fact in first["understood"]["accepts"]["asked"] for fact in facts.split("; "))


def test_kept_requirements_answer_as_the_texts_do(
    studies: list[dict[str, Any]], registry: Registry, tmp_path: Path
) -> None:
    directory = tmp_path / "kept"
    build_from_studies(studies, directory, vocabulary=shipped_vocabulary())
    read_requirements(directory, partial(open_trial_reader, shipped_vocabulary()))
    with Registry.open(directory, vocabulary=shipped_vocabulary()) as kept:
        for facts in FACTS:
            answers = [
                ids_of(ask(RegistrySource(each), accepts=facts, page_size=200))
                for each in (kept, registry)
            ]
            assert answers[0] == answers[1]


def test_a_live_source_compares_the_first_trials_and_says_so(
    studies: list[dict[str, Any]],
    registry: Registry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    local = RegistrySource(registry)
    loop = LoopThread()
    with serving(create_app(registry)) as address:
        transport = Transport(cache=Cache(tmp_path / "cache.sqlite"), hosts=Hosts())
        live = LiveSource(transport, address + API_PREFIX, names=shipped_vocabulary)
        source = cast("OpenSource", AcceptingSource(live))
        for facts in FACTS[:4]:
            here = ask(local, accepts=facts, page_size=200)
            there = loop.run(Discovery(source).search_trials(accepts=facts, page_size=200))
            assert set(ids_of(here)) == set(ids_of(there))
            assert there["pagination"]["total_count"] == len(ids_of(there))
        monkeypatch.setattr(live_bounds, "MOST_COMPARED", 40)
        some = loop.run(Discovery(source).count_trials(accepts="ECOG 2"))
        assert some["total_count"] <= 40
        assert any(f"first 40 of {len(studies)}" in note for note in some.notes)
        loop.run(transport.aclose())
    loop.stop()


def test_more_trials_than_can_be_compared_are_refused_with_a_way_out(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Registry.open(registry.directory, vocabulary=shipped_vocabulary())
    for bound in ("MOST_READ", "MOST_COMPARED"):
        monkeypatch.setattr(bounds, bound, 10)
        with fresh, pytest.raises(InvalidInput) as refused:
            ask(RegistrySource(fresh), accepts="ECOG 2")
        assert "Narrow" in str(refused.value.hint)


@pytest.mark.parametrize("facts", ["", "xqzzy", ["ECOG 2", "what is it"]])
def test_facts_that_cannot_be_read_are_invalid(registry: Registry, facts: Any) -> None:
    with pytest.raises(InvalidInput):
        ask(RegistrySource(registry), accepts=facts)
