"""Two sources, one suite: the live client over real HTTP against our own server, and the registry
in process, on the same records. Whatever is asked, both answer alike.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import pytest

from tests.serving import serving
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.outline import TrialOutline
from trialyst.ctgov.params import parse_params
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.source import TrialSource
from trialyst.errors import InvalidInput, NotFound
from trialyst.ids import NctId
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.library import LoopThread
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.starter import generate_studies
from trialyst.transport import Cache, Hosts, Transport
from trialyst.vocabulary import open_vocabulary

Value = TypeVar("Value")

EVERY = 5
ALIAS, ALIASED_ID = "NCT00000017", "NCT99000017"
MOST_PAGES = 6

QUERIES = [
    {"query.cond": "asthma"},
    {"query.cond": "breast cancer", "sort": "@relevance"},
    {"query.term": "cancer OR diabetes", "sort": "@relevance", "pageSize": "7"},
    {"query.intr": "placebo", "sort": "LastUpdatePostDate:desc", "pageSize": "100"},
    {"query.term": "heart", "filter.overallStatus": "RECRUITING,COMPLETED"},
    {"filter.advanced": "AREA[Phase]PHASE2 AND AREA[Sex]FEMALE", "sort": "EnrollmentCount"},
    {"filter.advanced": "AREA[StartDate]RANGE[2015-01-01,2019-12-31]", "pageSize": "50"},
    {"query.locn": "Boston"},
    {"filter.geo": "distance(42.36,-71.06,100km)", "query.cond": "cancer", "sort": "@relevance"},
    {"query.titles": "COVID-19"},
    {"query.term": '"non-small cell"'},
    {"query.term": "no such words xqzzy"},
    {"pageSize": "200"},
]


FACETS = ("OverallStatus", "Phase", "StudyType", "Sex", "StdAge", "HasResults", "LeadSponsorClass")


class Pair(NamedTuple):
    """The same records behind both kinds of source."""

    live: LiveSource
    local: RegistrySource
    loop: LoopThread

    def both(self, ask: Callable[[TrialSource], Coroutine[Any, Any, Value]]) -> list[Value]:
        """Give what the live source says, then what the registry says."""
        return [self.loop.run(ask(source)) for source in (self.live, self.local)]


ALIASED = {
    "protocolSection": {
        "identificationModule": {
            "nctId": ALIASED_ID,
            "nctIdAliases": [ALIAS],
            "briefTitle": "[SYNTHETIC] A study that had another number",
        }
    }
}


@pytest.fixture(scope="module", params=["starter", pytest.param("real", marks=pytest.mark.slow)])
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    """Both sources, over the starter records and over real ones where they are at hand."""
    directory = tmp_path_factory.mktemp("pair")
    synthetic = request.param == "starter"
    records: Iterable[dict[str, Any]] = (
        generate_studies()
        if synthetic
        else request.getfixturevalue("real_studies_of_every_kind")[::EVERY]
    )
    build_from_studies([*records, ALIASED], directory / "registry", synthetic=synthetic)
    vocabulary = open_vocabulary(directory)
    loop = LoopThread()
    transport = Transport(cache=Cache(directory / "cache.sqlite"), hosts=Hosts())
    with (
        Registry.open(directory / "registry", vocabulary=vocabulary) as registry,
        serving(create_app(registry)) as address,
    ):
        yield Pair(LiveSource(transport, address + API_PREFIX), RegistrySource(registry), loop)
        loop.run(transport.aclose())
    loop.stop()


def ids(trials: Iterable[TrialOutline]) -> list[str]:
    return [trial.nct_id for trial in trials]


async def gather(items: AsyncIterator[Value]) -> list[Value]:
    return [item async for item in items]


async def all_pages(source: TrialSource, query: TrialQuery) -> list[tuple[list[str], int | None]]:
    page = await source.search(query)
    pages = [(ids(page.items), page.total)]
    while page.cursor and len(pages) < MOST_PAGES:
        page = await source.search(query, page.cursor)
        pages.append((ids(page.items), page.total))
    return pages


by_query = pytest.mark.parametrize("params", QUERIES, ids=lambda params: "&".join(params.values()))


@by_query
def test_pages_have_the_same_ids_in_the_same_order_and_the_same_totals(
    pair: Pair, params: dict[str, str]
) -> None:
    live, local = pair.both(lambda source: all_pages(source, parse_params(params)))
    assert live == local


@by_query
def test_outlines_are_the_same_and_those_of_the_whole_trials(
    pair: Pair, params: dict[str, str]
) -> None:
    live, local = pair.both(lambda source: source.search_outlines(parse_params(params)))
    whole = pair.loop.run(pair.local.search(parse_params(params)))
    assert list(live.items) == list(local.items)
    assert (live.total, local.total) == (whole.total, whole.total)
    assert [dict(outline) for outline in local.items] == [
        {name: getattr(trial, name) for name in TrialOutline.model_fields} for trial in whole.items
    ]


def test_a_cursor_leads_from_outlines_to_trials_and_back(pair: Pair) -> None:
    query = parse_params({"query.term": "cancer", "pageSize": "3"})
    for source in (pair.live, pair.local):
        outlined, whole = (
            pair.loop.run(source.search_outlines(query)),
            pair.loop.run(source.search(query)),
        )
        after = pair.loop.run(source.search(query, outlined.cursor))
        outlined_after = pair.loop.run(source.search_outlines(query, whole.cursor))
        assert ids(after.items) == ids(outlined_after.items)
        assert not set(ids(after.items)) & set(ids(whole.items))


@by_query
def test_iteration_gives_the_same_trials(pair: Pair, params: dict[str, str]) -> None:
    live, local = pair.both(lambda source: gather(source.iter(parse_params(params))))
    assert ids(live) == ids(local)
    assert len(set(ids(live))) == len(live)


@by_query
def test_counts_are_the_same(pair: Pair, params: dict[str, str]) -> None:
    live, local = pair.both(lambda source: source.count(parse_params(params)))
    assert live == local


def test_whole_trials_are_equal(pair: Pair) -> None:
    query = parse_params({"query.term": "cancer", "pageSize": "20"})
    live, local = pair.both(lambda source: source.search(query))
    assert list(live.items) == list(local.items)
    assert live.items


@pytest.mark.parametrize("piece", FACETS)
def test_counts_by_value_are_the_same(pair: Pair, piece: str) -> None:
    query = parse_params({"query.term": "cancer"})
    live, local = pair.both(lambda source: source.count_by(query, piece))
    assert dict(live) == dict(local)
    assert live


def test_rows_are_the_same(pair: Pair) -> None:
    pieces = ["NCTId", "Phase", "InterventionName", "LocationCity", "EnrollmentCount", "StartDate"]
    query = parse_params({"query.cond": "cancer", "sort": "EnrollmentCount:desc"})
    live, local = pair.both(lambda source: gather(source.iter_rows(query, pieces)))
    assert live == local
    assert live


def test_one_trial_is_the_same_by_any_number_it_has(pair: Pair) -> None:
    first = pair.both(lambda source: source.get(NctId.parse(ALIASED_ID)))
    aliased = pair.both(lambda source: source.get(NctId.parse(ALIAS)))
    assert first[0] == first[1] == aliased[0] == aliased[1]


def test_an_unknown_number_is_not_found(pair: Pair) -> None:
    for source in (pair.live, pair.local):
        with pytest.raises(NotFound) as caught:
            pair.loop.run(source.get(NctId(98_765_432)))
        assert caught.value.invalid_input == "NCT98765432"


def test_many_trials_come_alike_and_in_order(pair: Pair) -> None:
    """More than one request holds; unknown ones are left out, an alias and a repeat are not."""
    found = pair.loop.run(gather(pair.local.iter(TrialQuery())))
    wanted = [NctId.parse(each) for each in reversed(ids(found)[:405])]
    wanted += [NctId(98_765_432), NctId.parse(ALIAS), wanted[0]]
    live, local = pair.both(lambda source: source.get_many(wanted))
    assert ids(live) == ids(local)
    assert ids(live)[-2:] == [ALIASED_ID, str(wanted[0])]


def test_a_cursor_serves_its_own_query_only(pair: Pair) -> None:
    for source in (pair.live, pair.local):
        page = pair.loop.run(source.search(parse_params({"query.term": "cancer", "pageSize": "2"})))
        with pytest.raises(InvalidInput, match="another query"):
            pair.loop.run(source.search(parse_params({"query.term": "asthma"}), page.cursor))


def test_a_cursor_of_one_source_is_refused_by_the_other(pair: Pair) -> None:
    query = parse_params({"query.term": "cancer", "pageSize": "2"})
    for source, other in ((pair.live, pair.local), (pair.local, pair.live)):
        page = pair.loop.run(source.search(query))
        with pytest.raises(InvalidInput) as caught:
            pair.loop.run(other.search(query, page.cursor))
        assert "cursor" in caught.value.hint


def test_both_say_how_many_records_there_are_and_how_old(pair: Pair) -> None:
    live, local = pair.both(lambda source: source.provenance())
    assert (live.records, live.data_timestamp) == (local.records, local.data_timestamp)
    assert live.synthetic == local.synthetic
    assert (live.source, local.source) == ("live", "local")
