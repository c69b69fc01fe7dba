"""The registry as a `TrialSource`: pages, cursors, iteration, counts and single trials."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.registry.invented import FIRST, asked, many, opened, study
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.source import TrialSource
from trialyst.ctgov.trial import Trial
from trialyst.errors import InvalidInput, NotFound
from trialyst.ids import NctId
from trialyst.paging import Page
from trialyst.registry import Registry, RegistrySource, build_from_studies

ALIASED = study(FIRST + 100, identification={"nctIdAliases": ["NCT00000017"]})


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistrySource]:
    registry = opened(tmp_path_factory.mktemp("source"), *many(60), ALIASED)
    yield RegistrySource(registry)
    registry.close()


def search(source: TrialSource, query: TrialQuery, cursor: str | None = None) -> Page[Trial]:
    return asyncio.run(source.search(query, cursor))


def collect(items: AsyncIterator[Any]) -> list[Any]:
    async def gather() -> list[Any]:
        return [item async for item in items]

    return asyncio.run(gather())


def all_pages(source: TrialSource, query: TrialQuery) -> list[Page[Trial]]:
    pages = [search(source, query)]
    while pages[-1].cursor:
        pages.append(search(source, query, pages[-1].cursor))
    return pages


def ids(trials: Any) -> list[str]:
    return [str(trial.nct_id) for trial in trials]


def test_it_is_a_trial_source(source: RegistrySource) -> None:
    checked: TrialSource = source
    assert checked is source


@pytest.mark.parametrize("sort", ["", "@relevance", "EnrollmentCount", "LastUpdatePostDate:asc"])
@pytest.mark.parametrize("size", ["7", "61", "100"])
def test_pages_follow_each_other_to_the_end(source: RegistrySource, sort: str, size: str) -> None:
    query = asked(query_term="asthma OR trial OR study", sort=sort, pageSize=size)
    pages = all_pages(source, query)
    listed = [nct_id for page in pages for nct_id in ids(page.items)]
    assert listed == ids(collect(source.iter(query)))
    assert len(listed) == len(set(listed)) == pages[0].total
    assert {page.total for page in pages} == {pages[0].total}
    assert all(len(page.items) == int(size) for page in pages[:-1])


def test_an_empty_answer_has_no_cursor(source: RegistrySource) -> None:
    assert search(source, asked(query_term="xylophone")) == Page([], None, 0)


def test_a_cursor_serves_its_own_query_only(source: RegistrySource) -> None:
    cursor = search(source, asked(query_term="asthma", pageSize="2")).cursor
    assert cursor
    for other in (
        asked(query_term="steroid", pageSize="2"),
        asked(query_cond="asthma", pageSize="2"),
        asked(query_term="asthma", filter_overallStatus="RECRUITING", pageSize="2"),
        asked(query_term="asthma", sort="EnrollmentCount", pageSize="2"),
    ):
        with pytest.raises(InvalidInput, match="belongs to another query"):
            search(source, other, cursor)


def test_the_page_size_may_change_between_pages(source: RegistrySource) -> None:
    first = search(source, asked(query_term="asthma", pageSize="2"))
    second = search(source, asked(query_term="asthma", pageSize="3"), first.cursor)
    whole = ids(collect(source.iter(asked(query_term="asthma"))))
    assert ids([*first.items, *second.items]) == whole[:5]


@pytest.mark.parametrize("cursor", ["x", "!!!", "e30", "bnVsbA", "eyJxIjoxfQ", "é"])
def test_a_damaged_cursor_is_refused(source: RegistrySource, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor") as refusal:
        search(source, asked(query_term="asthma"), cursor)
    assert refusal.value.invalid_input == cursor


def test_a_cursor_expires_with_its_generation(tmp_path: Path) -> None:
    query = asked(pageSize="2")
    with Registry.open(built(tmp_path, 5)) as before:
        cursor = search(RegistrySource(before), query).cursor
    with (
        Registry.open(built(tmp_path, 6)) as after,
        pytest.raises(InvalidInput, match="has expired") as refusal,
    ):
        search(RegistrySource(after), query, cursor)
    assert "Omit the cursor" in refusal.value.hint


def built(directory: Path, count: int) -> Path:
    build_from_studies(many(count), directory)
    return directory


def test_counts_are_exact(source: RegistrySource) -> None:
    query = asked(query_term="asthma")
    assert asyncio.run(source.count(query)) == len(collect(source.iter(query))) > 0
    counts = asyncio.run(source.count_by(TrialQuery(), "OverallStatus"))
    assert sum(counts.values()) == 60


def test_rows_are_values_of_pieces(source: RegistrySource) -> None:
    query = asked(filter_ids="NCT90000001,NCT90000101")
    rows = collect(source.iter_rows(query, ["NCTId", "PHASE", "LocationCity"]))
    assert rows == [
        (("NCT90000001",), ("PHASE2",), ("Austin",)),
        (("NCT90000101",), (), ()),
    ]


def test_rows_of_an_unknown_piece_are_refused(source: RegistrySource) -> None:
    with pytest.raises(InvalidInput, match="Unknown piece 'Nonsense'"):
        collect(source.iter_rows(TrialQuery(), ["NCTId", "Nonsense"]))


def test_a_trial_is_got_by_its_id_or_an_alias(source: RegistrySource) -> None:
    for number in (FIRST + 100, 17):
        trial = asyncio.run(source.get(NctId(number)))
        assert str(trial.nct_id) == "NCT90000101"


def test_an_unknown_id_is_not_found_with_a_hint(source: RegistrySource) -> None:
    with pytest.raises(NotFound, match="NCT12345678 is not in this registry") as refusal:
        asyncio.run(source.get(NctId(12345678)))
    assert "search for the trial" in refusal.value.hint
    assert refusal.value.invalid_input == "NCT12345678"


def test_many_trials_come_in_the_order_asked_for(source: RegistrySource) -> None:
    wanted = [NctId(FIRST + 4), NctId(12345678), NctId(17), NctId(FIRST)]
    trials = asyncio.run(source.get_many(wanted))
    assert ids(trials) == ["NCT90000005", "NCT90000101", "NCT90000001"]


def test_provenance_says_what_the_source_is(tmp_path: Path) -> None:
    build_from_studies(many(3), tmp_path, synthetic=True, data_timestamp="2030-01-02T03:04:05")
    with Registry.open(tmp_path) as registry:
        told = asyncio.run(RegistrySource(registry, name="starter").provenance())
    assert (told.source, told.synthetic, told.records) == ("starter", True, 3)
    assert told.data_timestamp == "2030-01-02T03:04:05"
    assert told.notes


def test_many_questions_at_once_are_answered_alike(source: RegistrySource) -> None:
    query = asked(query_term="asthma OR steroid", sort="@relevance", pageSize="50")

    async def ask_together() -> list[Page[Trial]]:
        return await asyncio.gather(*(source.search(query) for _ in range(20)))

    pages = asyncio.run(ask_together())
    assert all(ids(page.items) == ids(pages[0].items) for page in pages)
