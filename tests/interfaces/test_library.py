from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import trialyst
from tests.pathways.examples import gpml
from trialyst.ctgov.outline import TrialOutline
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.recorded import Unrecorded
from trialyst.ctgov.source import Provenance
from trialyst.ctgov.trial import Trial
from trialyst.errors import InvalidInput, RegistryMissing, UnresolvedEntity
from trialyst.ids import NctId
from trialyst.interfaces.library import BlockingSession, LoopThread, Results, Session
from trialyst.paging import Page
from trialyst.pathways import load_pathways
from trialyst.vocabulary import empty_vocabulary
from trialyst.vocabulary.term import Term

TRIALS = tuple(Trial(nct_id=f"NCT0000000{n}", brief_title=f"Trial {n}") for n in range(1, 4))


class ThreeTrials(Unrecorded):
    """A source of three trials that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[TrialQuery] = []
        self.closed = False

    names = empty_vocabulary()
    cities = None
    is_remote = False
    is_fallback = False

    def privately(self) -> ThreeTrials:
        return self

    async def search(self, query: TrialQuery, cursor: str | None = None) -> Page[Trial]:
        self.asked.append(query)
        return Page(TRIALS, cursor=None, total=len(TRIALS))

    async def search_outlines(
        self, query: TrialQuery, cursor: str | None = None
    ) -> Page[TrialOutline]:
        return Page(TRIALS, cursor=None, total=len(TRIALS))

    async def iter(self, query: TrialQuery) -> AsyncIterator[Trial]:
        self.asked.append(query)
        for trial in TRIALS:
            yield trial

    async def iter_rows(
        self, query: TrialQuery, pieces: Sequence[str]
    ) -> AsyncIterator[tuple[Any, ...]]:
        for trial in TRIALS:
            yield (trial.nct_id, *pieces)

    async def count(self, query: TrialQuery) -> int:
        self.asked.append(query)
        return len(TRIALS)

    async def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        return {piece: len(TRIALS)}

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        return {}

    async def get(self, nct_id: NctId) -> Trial:
        return TRIALS[nct_id.number - 1]

    async def get_results(self, nct_id: NctId) -> None:
        return None

    async def get_many(self, nct_ids: Sequence[NctId]) -> list[Trial]:
        return [TRIALS[nct_id.number - 1] for nct_id in nct_ids]

    async def kept_criteria(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        return {}

    async def kept_annotations(self, nct_ids: Sequence[NctId]) -> Mapping[str, bytes]:
        return {}

    async def ids_about(self, term: Term, *, focus: bool = True) -> None:
        return None

    async def provenance(self) -> Provenance:
        return Provenance(source="local", synthetic=False, complete=True)

    async def aclose(self) -> None:
        self.closed = True


@pytest.fixture
def source() -> ThreeTrials:
    return ThreeTrials()


@pytest.fixture
def session(source: ThreeTrials) -> Session:
    return Session(source)


def _blocking(session: Session) -> BlockingSession:
    return BlockingSession(session, LoopThread())


def test_search_gives_a_sequence_of_trials_with_its_origin(session: Session) -> None:
    results = asyncio.run(session.registry.search(condition="asthma"))
    assert list(results) == list(TRIALS)
    assert (results[0], len(results), results.total) == (TRIALS[0], 3, 3)
    assert results.provenance.source == "local"


def test_search_for_nothing_is_refused(session: Session) -> None:
    with pytest.raises(InvalidInput, match="Nothing to search for"):
        asyncio.run(session.registry.search(page_size=5))


def test_count_of_everything_is_allowed(session: Session) -> None:
    assert asyncio.run(session.registry.count()) == 3


def test_unknown_arguments_are_answered_with_the_known_ones(session: Session) -> None:
    with pytest.raises(InvalidInput, match=r"illness.*condition") as caught:
        asyncio.run(session.registry.search(illness="asthma"))
    assert caught.value.invalid_input == "illness"


def test_a_query_may_be_given_whole(session: Session, source: ThreeTrials) -> None:
    query = TrialQuery(statuses=("RECRUITING",))
    asyncio.run(session.registry.search(query))
    asyncio.run(session.registry.count(status="Recruiting"))
    assert source.asked[0] is query
    assert source.asked[1].statuses == query.statuses


def test_places_and_names_are_read_as_every_search_reads_them() -> None:
    with trialyst.connect("starter") as session:
        found = session.registry.search(location="US", disease="astmha", limit=5)
        assert found.understood["location"]["name"] == "United States"
        assert found.understood["condition"]["corrected"].lower() == "asthma"
        assert (
            found.total
            == session.discovery.count_trials(location="United States", condition="asthma")[
                "total_count"
            ]
        )
        with pytest.warns(UserWarning, match="'astmha' was read as"):
            assert session.registry.count(country="US", condition="astmha") == found.total


def test_a_whole_query_takes_no_more_terms(session: Session) -> None:
    with pytest.raises(InvalidInput):
        asyncio.run(session.registry.count(TrialQuery(), condition="asthma"))


def test_dicts_leave_out_what_is_absent(session: Session) -> None:
    results = asyncio.run(session.registry.search(term="x"))
    first = results.to_dicts()[0]
    assert first["nct_id"] == "NCT00000001"
    assert "official_title" not in first


def test_pandas_table_has_a_row_a_trial(session: Session) -> None:
    pytest.importorskip("pandas")
    table = asyncio.run(session.registry.search(term="x")).to_pandas()
    assert list(table["brief_title"]) == ["Trial 1", "Trial 2", "Trial 3"]


def test_blocking_session_does_what_the_async_one_does(session: Session) -> None:
    with _blocking(session) as blocking:
        assert isinstance(blocking.registry.search(condition="asthma"), Results)
        assert blocking.registry.count() == 3
        assert blocking.registry.get("nct:00000002") == TRIALS[1]
        assert blocking.registry.get_many(["NCT00000003"]) == [TRIALS[2]]
        assert blocking.registry.count_by("Phase") == {"Phase": 3}


def test_blocking_iteration_yields_one_by_one(session: Session) -> None:
    with _blocking(session) as blocking:
        assert list(blocking.registry.iter(condition="asthma")) == list(TRIALS)
        assert list(blocking.registry.iter("recruiting asthma")) == list(TRIALS)
        assert list(blocking.registry.iter(query="recruiting asthma")) == list(TRIALS)
        assert next(blocking.registry.iter_rows(["Phase"])) == ("NCT00000001", "Phase")


def test_blocking_iteration_may_stop_early(session: Session) -> None:
    with _blocking(session) as blocking:
        trials = blocking.registry.iter(condition="asthma")
        assert next(trials) == TRIALS[0]
        trials.close()


def test_blocking_calls_raise_what_the_async_ones_raise(session: Session) -> None:
    with _blocking(session) as blocking, pytest.raises(InvalidInput):
        blocking.registry.get("NCT1")


def test_blocking_session_works_inside_a_running_loop(session: Session) -> None:
    async def notebook() -> int:
        with _blocking(session) as blocking:
            return int(blocking.registry.count())

    assert asyncio.run(notebook()) == 3


def test_closing_ends_the_thread_and_closes_the_source(
    session: Session, source: ThreeTrials
) -> None:
    before = threading.active_count()
    blocking = _blocking(session)
    blocking.registry.count()
    blocking.close()
    assert source.closed
    assert threading.active_count() <= before


def test_a_closed_session_says_so(session: Session) -> None:
    blocking = _blocking(session)
    blocking.close()
    blocking.close()
    with pytest.raises(RuntimeError, match="closed"):
        blocking.registry.count()


def test_a_closed_async_session_says_so(session: Session) -> None:
    asyncio.run(session.close())
    with pytest.raises(RuntimeError, match="closed"):
        _ = session.registry


def test_connecting_to_a_registry_that_is_not_there_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    with pytest.raises(RegistryMissing):
        trialyst.connect(registry=tmp_path / "none")
    assert threading.active_count() <= before


def test_the_parts_of_a_session_are_listed(session: Session) -> None:
    with _blocking(session) as blocking:
        assert {"discovery", "matching", "pathways", "registry"} <= set(dir(blocking))


def test_a_patient_is_read_and_blocks(session: Session) -> None:
    with _blocking(session) as blocking:
        profile = blocking.matching.profile("A 40-year-old man with gout.")
        assert profile.key_facts.conditions == ("Gout",)
        with pytest.raises(InvalidInput):
            blocking.matching.profile(" ")


def test_pathway_tools_answer_and_block(session: Session) -> None:
    with _blocking(session) as blocking:
        found = blocking.pathways.search_pathways("glycolysis", organism="Homo sapiens")
        assert [row["id"] for row in found.to_dicts()] == ["WP:WP534"]
        assert found["provenance"]["source"] == "starter"
        assert "HK1" in blocking.pathways.get_pathway(found["items"][0]["id"])["genes"]
        with pytest.raises(UnresolvedEntity):
            blocking.pathways.get_pathway("glycolysis")


def test_pathways_are_opened_when_first_asked_and_closed_with_the_session(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path))
    pathways = session.pathways
    (tmp_path / "WP1.gpml").write_bytes(gpml(1, "Mine", genes=[("TNF", "7124")]))
    load_pathways(tmp_path / "WP1.gpml", tmp_path)

    async def ask() -> Mapping[str, Any]:
        return await pathways.get_pathways_for_gene("TNF")

    async def close() -> None:
        await session.close()

    assert asyncio.run(ask())["provenance"]["source"] == "local"
    asyncio.run(close())
    with pytest.raises(RuntimeError, match="closed"):
        _ = session.pathways


@pytest.mark.slow
def test_the_bridge_is_one_call_and_blocks() -> None:
    with trialyst.connect("starter") as blocking:
        answer = blocking.bridge("Gleevec")
        assert answer["drug"] == "imatinib"
        assert {row["condition"] for row in answer.to_dicts()}
        with pytest.raises(InvalidInput):
            blocking.bridge(" ")


@pytest.mark.slow
def test_a_dossier_and_a_scouting_are_one_call_and_block() -> None:
    with trialyst.connect("starter") as blocking:
        dossier = blocking.dossier("semaglutide", "NASH", "2024-01-01", point_in_time=True)
        assert dossier.question.condition == "NASH"
        assert dossier.sentences
        report = blocking.scout("semaglutide", limit=2)
        assert len(report.indications) == 2
        with pytest.raises(InvalidInput):
            blocking.dossier(" ", "NASH")


def test_discovery_tools_answer_and_block(session: Session) -> None:
    with _blocking(session) as blocking:
        answer = blocking.discovery.search_trials(condition="asthma")
        assert [each["id"] for each in answer.to_dicts()] == [
            "NCT:00000001",
            "NCT:00000002",
            "NCT:00000003",
        ]
        assert answer["pagination"]["total_count"] == 3


def test_discovery_of_a_closed_session_says_so(session: Session) -> None:
    asyncio.run(session.close())
    with pytest.raises(RuntimeError, match="closed"):
        _ = session.discovery


def test_answers_of_discovery_make_tables(session: Session) -> None:
    pytest.importorskip("pandas")
    answer = asyncio.run(session.discovery.compare_trials(["NCT00000001", "NCT00000002"]))
    table = answer.to_pandas()
    assert {"aspect", "NCT:00000001", "NCT:00000002"} == set(table.columns)
