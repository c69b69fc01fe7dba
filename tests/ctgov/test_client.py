"""The live source against a scripted upstream: nothing lost, nothing doubled, nothing silent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.transport.scripted import ScriptedClock, Step, Upstream, dropped, reply, upstream
from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.params import parse_params
from trialyst.ctgov.parse import outline_pieces
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.trial import Trial
from trialyst.errors import InvalidInput, NotFound, RateLimited, UpstreamError
from trialyst.ids import NctId
from trialyst.transport import Cache, Hosts, Limits, Transport

Value = TypeVar("Value")

ASTHMA = parse_params({"query.cond": "asthma", "pageSize": "2"})
FIRST = 1_000_001


@pytest.fixture
def server() -> Iterator[Upstream]:
    """An upstream without a script yet."""
    with upstream() as started:
        yield started


@pytest.fixture
def clock() -> ScriptedClock:
    return ScriptedClock()


def study(number: int) -> dict[str, Any]:
    identification = {"nctId": str(NctId(number)), "briefTitle": f"Study {number}"}
    return {"protocolSection": {"identificationModule": identification}}


def page(
    *numbers: int, total: int | None = None, token: str | None = None, tag: str = '"day 1"'
) -> Step:
    """Answer with a page of studies, as the service lays it out."""
    body: dict[str, Any] = {"studies": [study(FIRST + number) for number in numbers]}
    body |= {} if total is None else {"totalCount": total}
    body |= {} if token is None else {"nextPageToken": token}
    return reply(json.dumps(body), Content_Type="application/json", ETag=tag)


def plain(text: str, status: int) -> Step:
    return reply(text, status=status, Content_Type="text/plain")


def live(
    server: Upstream,
    ask: Callable[[LiveSource], Awaitable[Value]],
    *,
    clock: ScriptedClock | None = None,
    cache: Path | None = None,
    tries: int = 1,
) -> Value:
    """Ask a live source that is closed afterwards."""

    async def run() -> Value:
        transport = Transport(
            clock=clock or ScriptedClock(),
            hosts=Hosts(),
            limits=Limits(tries=tries),
            cache=Cache(cache) if cache else None,
        )
        source = LiveSource(transport, server.url + "/api/v2")
        try:
            return await ask(source)
        finally:
            await source.aclose()

    return asyncio.run(run())


async def gather(items: AsyncIterator[Value]) -> list[Value]:
    return [item async for item in items]


def numbers(trials: list[Trial]) -> list[int]:
    return [NctId.parse(trial.nct_id).number - FIRST for trial in trials]


def asked(server: Upstream) -> list[dict[str, str]]:
    queries = (parse_qs(urlsplit(target).query) for target in server.targets())
    return [{name: values[0] for name, values in query.items()} for query in queries]


def test_the_total_is_asked_for_once_and_carried_in_the_cursor(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="t1"), page(3))

    async def two_pages(source: LiveSource) -> list[Any]:
        first = await source.search(ASTHMA)
        return [first, await source.search(ASTHMA, first.cursor)]

    first, second = live(server, two_pages)
    assert (numbers(first.items), first.total) == ([1, 2], 3)
    assert (numbers(second.items), second.total, second.cursor) == ([3], 3, None)
    assert asked(server) == [
        {"query.cond": "asthma", "pageSize": "2", "countTotal": "true"},
        {"query.cond": "asthma", "pageSize": "2", "pageToken": "t1"},
    ]


def test_outlines_ask_for_their_fields_only_on_every_page(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="t1"), page(3))

    async def two_pages(source: LiveSource) -> list[Any]:
        first = await source.search_outlines(ASTHMA)
        return [first, await source.search_outlines(ASTHMA, first.cursor)]

    first, second = live(server, two_pages)
    assert (numbers(first.items), first.total) == ([1, 2], 3)
    assert (numbers(second.items), second.total, second.cursor) == ([3], 3, None)
    assert [query["fields"].split(",") for query in asked(server)] == [list(outline_pieces())] * 2


def test_an_outline_that_cannot_be_read_is_an_error_and_not_left_out(server: Upstream) -> None:
    server.script(reply('{"studies": [{"protocolSection": {}}], "totalCount": 1}'))
    with pytest.raises(UpstreamError, match="unusable record"):
        live(server, lambda source: source.search_outlines(ASTHMA))


def test_iteration_goes_on_after_an_empty_page_with_a_token(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="a"), page(token="b"), page(3, token="c"), page())
    assert numbers(live(server, lambda source: gather(source.iter(ASTHMA)))) == [1, 2, 3]
    assert [query["pageSize"] for query in asked(server)] == ["1000"] * 4


def test_a_search_page_may_be_empty_and_lead_on(server: Upstream) -> None:
    server.script(page(total=3, token="a"))
    found = live(server, lambda source: source.search(ASTHMA))
    assert (list(found.items), found.total, bool(found.cursor)) == ([], 3, True)


def test_a_study_on_two_pages_comes_once(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="a"), page(2, 3))
    assert numbers(live(server, lambda source: gather(source.iter(ASTHMA)))) == [1, 2, 3]


def test_rows_come_once_too_and_ask_for_their_fields_only(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="a"), page(2, 3))
    rows = live(server, lambda source: gather(source.iter_rows(ASTHMA, ["BriefTitle", "Phase"])))
    assert rows == [((f"Study {FIRST + n}",), ()) for n in (1, 2, 3)]
    assert asked(server)[0]["fields"] == "NCTId,BriefTitle,Phase"


def test_records_come_once_and_as_they_were_sent(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="a"), page(2, 3))
    records = live(server, lambda source: gather(source.iter_studies(ASTHMA)))
    assert [json.loads(record) for record in records] == [study(FIRST + n) for n in (1, 2, 3)]


def test_a_missing_trial_is_told_at_the_end(server: Upstream) -> None:
    server.script(page(1, 2, total=4, token="a"), page(3))
    with pytest.raises(UpstreamError, match="announced 4 trials and gave 3"):
        live(server, lambda source: gather(source.iter(ASTHMA)))


def test_pages_that_lead_in_a_circle_end(server: Upstream) -> None:
    server.script(page(1, total=9, token="a"), page(token="a"), page(token="a"))
    with pytest.raises(UpstreamError, match="leads back"):
        live(server, lambda source: gather(source.iter(ASTHMA)))


def test_faults_between_pages_lose_and_double_nothing(
    server: Upstream, clock: ScriptedClock
) -> None:
    server.script(
        page(1, 2, total=5, token="a"),
        *[reply(status=500), dropped, page(3, 4, token="b")],
        *[reply(status=429, Retry_After="3"), page(5)],
    )
    found = live(server, lambda source: gather(source.iter(ASTHMA)), clock=clock, tries=4)
    assert numbers(found) == [1, 2, 3, 4, 5]
    assert clock.waits == [1.0, 2.0, 3.0]


def test_an_expired_cursor_is_invalid_input_with_a_way_on(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="old"), plain("Invalid page token", 400))

    async def two_pages(source: LiveSource) -> None:
        first = await source.search(ASTHMA)
        await source.search(ASTHMA, first.cursor)

    with pytest.raises(InvalidInput, match="expired: Invalid page token") as caught:
        live(server, two_pages)
    assert caught.value.hint.startswith("Omit the cursor")
    assert caught.value.invalid_input


def test_a_token_that_expires_during_iteration_is_told(server: Upstream) -> None:
    server.script(page(1, 2, total=3, token="old"), plain("Invalid page token", 400))
    with pytest.raises(UpstreamError, match="changed while it was read") as caught:
        live(server, lambda source: gather(source.iter(ASTHMA)))
    assert "not complete" in caught.value.hint


def test_a_refused_query_has_the_words_of_the_service(server: Upstream) -> None:
    server.script(plain("Error parsing query in Other terms: missing ')' at '<EOF>'", 400))
    with pytest.raises(InvalidInput, match="missing '\\)' at '<EOF>'"):
        live(server, lambda source: source.search(ASTHMA))


@pytest.mark.parametrize(
    "body",
    ["{wrong", "[]", '{"studies": 5}', '{"totalCount": 5}', '{"studies": [{}], "totalCount": 1}'],
)
def test_an_answer_of_the_wrong_shape_is_an_upstream_error(server: Upstream, body: str) -> None:
    server.script(reply(body, Content_Type="application/json"))
    with pytest.raises(UpstreamError):
        live(server, lambda source: source.search(ASTHMA))


@pytest.mark.parametrize(
    "record",
    [
        '{"hasResults": false}',
        '{"protocolSection": null}',
        '{"protocolSection": {"identificationModule": [5]}}',
        '{"protocolSection": {"identificationModule": {"nctId": ""}}}',
    ],
)
def test_a_record_without_an_id_is_never_left_out_in_silence(server: Upstream, record: str) -> None:
    server.script(reply(f'{{"studies": [{record}], "totalCount": 1}}'))
    with pytest.raises(UpstreamError, match="without an id"):
        live(server, lambda source: gather(source.iter(ASTHMA)))


def test_a_web_page_is_an_upstream_error(server: Upstream) -> None:
    server.script(reply("<html>Maintenance</html>", Content_Type="text/html"))
    with pytest.raises(UpstreamError, match="web page"):
        live(server, lambda source: source.count(ASTHMA))


def test_a_refused_client_is_told_what_to_try(server: Upstream) -> None:
    server.script(reply("<html>403</html>", status=403, Content_Type="text/html"))
    with pytest.raises(UpstreamError, match="403") as caught:
        live(server, lambda source: source.search(ASTHMA))
    assert "proxy" in caught.value.hint


def test_too_many_requests_are_told_with_the_time(server: Upstream) -> None:
    server.script(reply(status=429, Retry_After="120"))
    with pytest.raises(RateLimited, match="120 s"):
        live(server, lambda source: source.search(ASTHMA), tries=4)


def test_a_count_is_one_small_request(server: Upstream) -> None:
    server.script(page(1, total=1841))
    assert live(server, lambda source: source.count(ASTHMA)) == 1841
    assert asked(server) == [
        {"query.cond": "asthma", "pageSize": "1", "fields": "NCTId", "countTotal": "true"}
    ]


def test_a_count_without_a_total_is_an_error_not_a_zero(server: Upstream) -> None:
    server.script(page(1))
    with pytest.raises(UpstreamError, match="no total"):
        live(server, lambda source: source.count(ASTHMA))


def test_counting_by_value_asks_once_for_each(server: Upstream) -> None:
    server.script(page(total=2), page(total=7), page(total=0))
    counted = live(server, lambda source: source.count_by(ASTHMA, "Sex"))
    assert list(counted.items()) == [("MALE", 7), ("FEMALE", 2)]
    filters = [query["filter.advanced"] for query in asked(server)]
    assert filters == ['AREA[Sex]"FEMALE"', 'AREA[Sex]"MALE"', 'AREA[Sex]"ALL"']


def test_yes_and_no_are_written_as_the_service_documents_them(server: Upstream) -> None:
    server.script(page(total=2), page(total=7))
    counted = live(server, lambda source: source.count_by(TrialQuery(), "HasResults"))
    assert counted == {"true": 2, "false": 7}
    filters = [query["filter.advanced"] for query in asked(server)]
    assert filters == ["AREA[HasResults]true", "AREA[HasResults]false"]


@pytest.mark.parametrize("piece", ["LocationCountry", "StartDate", "LeadSponsorName"])
def test_counting_by_what_is_not_enumerated_says_what_to_do(server: Upstream, piece: str) -> None:
    with pytest.raises(InvalidInput, match=piece) as caught:
        live(server, lambda source: source.count_by(ASTHMA, piece))
    assert "a registry on this machine counts by country" in str(caught.value.hint)
    assert server.requests == []


def test_an_alias_is_followed(server: Upstream) -> None:
    there = f"/api/v2/studies/{NctId(FIRST)}"
    server.script(reply(status=301, Location=there), reply(json.dumps(study(FIRST))))
    trial = live(server, lambda source: source.get(NctId(17)))
    assert trial.nct_id == str(NctId(FIRST))
    assert server.targets() == ["/api/v2/studies/NCT00000017", there]


def test_an_unknown_trial_is_not_found(server: Upstream) -> None:
    server.script(plain("NCT number NCT00000017 not found", 404))
    with pytest.raises(NotFound) as caught:
        live(server, lambda source: source.get(NctId(17)))
    assert caught.value.invalid_input == "NCT00000017"


def test_many_trials_are_asked_for_in_addresses_of_bearable_length(server: Upstream) -> None:
    server.script(page(*range(200), total=200), page(*range(200, 250), total=50))
    wanted = [NctId(FIRST + number) for number in reversed(range(250))]
    found = live(server, lambda source: source.get_many(wanted))
    assert numbers(found) == list(reversed(range(250)))
    assert [len(query["filter.ids"].split(",")) for query in asked(server)] == [200, 50]
    assert max(map(len, server.targets())) < 7000


def test_a_query_too_long_for_the_service_is_not_sent(server: Upstream) -> None:
    query = TrialQuery(ids=tuple(NctId(FIRST + number) for number in range(1000)))
    with pytest.raises(InvalidInput, match="too long"):
        live(server, lambda source: source.count(query))
    assert server.requests == []


def test_414_is_invalid_input_too(server: Upstream) -> None:
    server.script(reply("<html>", status=414, Content_Type="text/html"))
    with pytest.raises(InvalidInput, match="too long"):
        live(server, lambda source: source.count(ASTHMA))


VERSION = reply('{"apiVersion": "2.0.5", "dataTimestamp": "2026-08-14T09:00:05"}')
SIZE = reply('{"totalStudies": 600000}')


def test_provenance_says_how_many_and_of_when_and_is_not_asked_twice(server: Upstream) -> None:
    server.script(VERSION, SIZE)

    async def twice(source: LiveSource) -> list[Any]:
        return [await source.provenance(), await source.provenance()]

    first, second = live(server, twice)
    assert first == second
    assert (first.source, first.synthetic, first.notes) == ("live", False, ())
    assert (first.records, first.data_timestamp) == (600000, "2026-08-14T09:00:05")
    assert server.targets() == ["/api/v2/version", "/api/v2/stats/size"]


def test_provenance_that_cannot_be_had_does_not_fail_the_answer(server: Upstream) -> None:
    server.script(page(1, total=1), dropped)

    async def ask(source: LiveSource) -> Any:
        await source.search(ASTHMA)
        return await source.provenance()

    told = live(server, ask)
    assert (told.records, told.data_timestamp) == (None, None)
    assert "could not be learned" in told.notes[0]


def test_invented_records_are_told_from_the_first_answer_on(server: Upstream) -> None:
    body = json.dumps({"studies": [], "totalCount": 0})
    server.script(reply(body, x_trialyst_synthetic="true"), dropped)

    async def ask(source: LiveSource) -> Any:
        await source.search(ASTHMA)
        return await source.provenance()

    assert live(server, ask).synthetic


def test_an_answer_from_the_cache_is_told_with_its_age(
    server: Upstream, clock: ScriptedClock, tmp_path: Path
) -> None:
    async def ask(source: LiveSource) -> Any:
        found = await source.search(ASTHMA)
        return numbers(list(found.items)), (await source.provenance()).notes

    cache = tmp_path / "cache.sqlite"
    server.script(page(1, total=1), VERSION, SIZE, *[dropped] * 3)
    assert live(server, ask, clock=clock, cache=cache) == ([1], ())
    clock.elapsed += 3 * 3600
    found, notes = live(server, ask, clock=clock, cache=cache)
    assert found == [1]
    assert notes[0].startswith("From the cache, 3 hours old: ")


def test_a_fresh_answer_is_not_told_as_old(
    server: Upstream, clock: ScriptedClock, tmp_path: Path
) -> None:
    server.script(page(1, total=1), VERSION, SIZE, dropped, reply(status=304))

    async def ask(source: LiveSource) -> Any:
        await source.search(ASTHMA)
        before = await source.provenance()
        await source.search(ASTHMA)
        during = await source.provenance()
        await source.search(ASTHMA)
        return before.notes, len(during.notes), (await source.provenance()).notes

    assert live(server, ask, clock=clock, cache=tmp_path / "c.sqlite") == ((), 1, ())


def test_what_a_task_of_its_own_was_told_reaches_who_started_it(
    server: Upstream, clock: ScriptedClock, tmp_path: Path
) -> None:
    server.script(page(1, total=1), VERSION, SIZE, dropped)

    async def ask(source: LiveSource) -> Any:
        await source.search(ASTHMA)
        await source.provenance()
        await asyncio.gather(source.search(ASTHMA))
        told = (await source.provenance()).notes
        clock.elapsed += 61
        return told, (await source.provenance()).notes

    told, later = live(server, ask, clock=clock, cache=tmp_path / "c.sqlite")
    assert "From the cache" in told[0]
    assert later == ()


def test_pages_of_two_days_never_mix(server: Upstream, tmp_path: Path) -> None:
    """The second page of yesterday is in the cache; its token may be today's too."""
    cache = tmp_path / "cache.sqlite"
    server.script(page(1, 2, total=3, token="a"), page(3))
    assert live(server, lambda source: gather(source.iter(ASTHMA)), cache=cache)
    server.script(page(7, 8, total=3, token="a", tag='"day 2"'), dropped)
    with pytest.raises(UpstreamError, match="out of reach"):
        live(server, lambda source: gather(source.iter(ASTHMA)), cache=cache)


def test_out_of_reach_all_pages_come_from_the_cache(server: Upstream, tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    server.script(page(1, 2, total=3, token="a"), page(3), dropped, dropped)
    for _ in range(2):
        found = live(server, lambda source: gather(source.iter(ASTHMA)), cache=cache)
        assert numbers(found) == [1, 2, 3]
    assert len(server.requests) == 4


def test_a_private_source_leaves_no_trace(server: Upstream, tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    server.script(page(1, total=1), VERSION, SIZE)

    async def ask(source: LiveSource) -> None:
        await source.privately().search(ASTHMA)

    live(server, ask, cache=cache)
    assert not cache.exists()


def test_a_cursor_from_a_registry_is_refused_with_a_way_on(server: Upstream) -> None:
    from trialyst.ctgov.query import query_digest
    from trialyst.paging import encode_cursor

    cursor = encode_cursor(query_digest(ASTHMA), offset=2, generation="g1")
    with pytest.raises(InvalidInput, match="another source"):
        live(server, lambda source: source.search(ASTHMA, cursor))
    assert server.requests == []
