"""What is kept on disk: asked for again with its tag, given when nothing else can be had."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.transport.asking import ask
from tests.transport.scripted import ScriptedClock, Upstream, dropped, reply
from trialyst.errors import UpstreamError
from trialyst.transport import Cache, CacheUse, Limits, Refused
from trialyst.transport.cache import Kept

ONCE = Limits(tries=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "http.sqlite"


def test_an_unchanged_answer_is_not_sent_again(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old", ETag='"a"'), reply(status=304))
    ask(server.url, clock=clock, cache=path)
    clock.elapsed += 1000
    answer = ask(server.url, clock=clock, cache=path)
    assert server.requests[1].headers["if-none-match"] == '"a"'
    assert (answer.value, answer.age, answer.stale) == ("old", 0.0, False)


def test_a_changed_answer_replaces_the_kept_one(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old", ETag='"a"'), reply("new", ETag='"b"'), reply(status=304))
    values = [ask(server.url, clock=clock, cache=path).value for _ in range(3)]
    assert values == ["old", "new", "new"]
    assert server.requests[2].headers["if-none-match"] == '"b"'


def test_last_modified_serves_where_there_is_no_tag(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    date = "Sat, 14 Nov 2026 08:00:00 GMT"
    server.script(reply("old", Last_Modified=date), reply(status=304))
    ask(server.url, clock=clock, cache=path)
    assert ask(server.url, clock=clock, cache=path).value == "old"
    assert server.requests[1].headers["if-modified-since"] == date


def test_other_parameters_are_another_answer(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("one", ETag='"a"'), reply("two", ETag='"a"'))
    assert ask(server.url + "/?q=1", clock=clock, cache=path).value == "one"
    assert ask(server.url + "/?q=2", clock=clock, cache=path).value == "two"
    assert "if-none-match" not in server.requests[1].headers


@pytest.mark.parametrize(
    "fault",
    [dropped, reply(status=503), reply("<html>", status=403), reply(status=429)],
    ids=["dropped", "503", "403", "429"],
)
def test_out_of_reach_the_kept_answer_is_given_with_its_age(
    server: Upstream, clock: ScriptedClock, path: Path, fault: object
) -> None:
    server.script(reply("old", ETag='"a"'), fault)  # type: ignore[arg-type]
    ask(server.url, clock=clock, cache=path)
    clock.elapsed += 7200
    answer = ask(server.url, clock=clock, cache=path, limits=ONCE)
    assert (answer.value, answer.stale, answer.age) == ("old", True, 7200.0)
    assert answer.problem


def test_a_long_asked_for_pause_is_bridged_by_the_cache(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old"), reply(status=429, Retry_After="900"))
    ask(server.url, clock=clock, cache=path)
    answer = ask(server.url, clock=clock, cache=path)
    assert answer.problem
    assert "900 s" in answer.problem


def test_age_counts_from_the_last_time_the_service_stood_by_it(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old", ETag='"a"'), reply(status=304), dropped)
    ask(server.url, clock=clock, cache=path)
    clock.elapsed += 500
    ask(server.url, clock=clock, cache=path)
    clock.elapsed += 60
    assert ask(server.url, clock=clock, cache=path, limits=ONCE).age == 60.0


def test_a_refusal_is_not_covered_up_by_the_cache(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old"), reply("gone", status=404))
    ask(server.url, clock=clock, cache=path)
    with pytest.raises(Refused):
        ask(server.url, clock=clock, cache=path)


def test_a_redirect_is_remembered_for_when_the_service_is_out_of_reach(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply(status=301, Location="/new"), reply("found"), dropped, dropped)
    ask(server.url + "/old", clock=clock, cache=path)
    answer = ask(server.url + "/old", clock=clock, cache=path, limits=ONCE)
    assert (answer.value, answer.stale) == ("found", True)


def test_a_private_request_leaves_no_trace(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("secret"), dropped)
    private = CacheUse(private=True)
    assert ask(server.url, clock=clock, cache=path, use=private).value == "secret"
    assert not path.exists()
    with pytest.raises(UpstreamError):
        ask(server.url, clock=clock, cache=path, use=private, limits=ONCE)


def test_what_must_not_be_stored_is_not(server: Upstream, clock: ScriptedClock, path: Path) -> None:
    server.script(reply("secret", Cache_Control="no-store"))
    ask(server.url, clock=clock, cache=path)
    with closing(Cache(path)) as cache:
        assert cache.size() == 0


def test_a_stated_lifetime_saves_the_request(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old", Cache_Control="public, max-age=600"), reply("new"))
    ask(server.url, clock=clock, cache=path)
    clock.elapsed += 599
    assert ask(server.url, clock=clock, cache=path).value == "old"
    clock.elapsed += 2
    assert ask(server.url, clock=clock, cache=path).value == "new"


def test_a_caller_may_be_content_with_a_young_answer(
    server: Upstream, clock: ScriptedClock, path: Path
) -> None:
    server.script(reply("old"))
    ask(server.url, clock=clock, cache=path)
    clock.elapsed += 50
    answer = ask(server.url, clock=clock, cache=path, use=CacheUse(fresh_for=60))
    assert (answer.value, answer.age, answer.stale) == ("old", 50.0, False)


def test_a_damaged_body_is_not_kept(server: Upstream, clock: ScriptedClock, path: Path) -> None:
    server.script(reply(b"\xff\xfe", ETag='"a"'), reply("well", ETag='"a"'))
    assert ask(server.url, clock=clock, cache=path).value == "well"
    with closing(Cache(path)) as cache:
        kept = cache.load(server.url, now=clock.time())
    assert kept
    assert kept.body == b"well"


@pytest.mark.parametrize("rubbish", [b"no database at all" * 100, b""], ids=["rubbish", "empty"])
def test_a_damaged_file_costs_the_cache_not_the_answer(
    server: Upstream, clock: ScriptedClock, path: Path, rubbish: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(rubbish)
    server.script(reply("one"), reply("two"))
    assert ask(server.url, clock=clock, cache=path).value == "one"
    assert ask(server.url, clock=clock, cache=path).value == "two"


def test_a_place_that_cannot_be_written_costs_the_cache_not_the_answer(
    server: Upstream, clock: ScriptedClock, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    server.script(reply("one"))
    assert ask(server.url, clock=clock, cache=tmp_path / "file" / "x.sqlite").value == "one"


def _kept(size: int, at: float) -> Kept:
    noise = bytes((index * index * 31 + index // 7) % 251 for index in range(size))
    return Kept(200, {"etag": '"a"'}, noise, at)


def test_the_least_recently_used_answers_go_first(path: Path) -> None:
    probe = Cache(path.with_name("probe.sqlite"))
    probe.save("0", _kept(4000, 0))
    one = probe.size()
    probe.close()
    cache = Cache(path, max_bytes=one * 5)
    for number in range(5):
        cache.save(str(number), _kept(4000, number))
    assert cache.load("0", now=10)
    cache.save("5", _kept(4000, 11))
    held = {url for url in "012345" if cache.load(url, now=20)}
    assert held == set("02345")
    assert cache.size() <= cache.max_bytes
    cache.close()


def test_an_answer_too_large_for_the_cache_is_not_kept(path: Path) -> None:
    cache = Cache(path, max_bytes=1000)
    cache.save("small", Kept(200, {}, b"x", 0))
    cache.save("large", _kept(4000, 1))
    assert cache.load("large", now=2) is None
    assert cache.load("small", now=2)
    cache.close()


def test_two_processes_may_use_one_file(path: Path) -> None:
    first, second = Cache(path), Cache(path)
    first.save("a", Kept(200, {}, b"1", 0))
    second.save("b", Kept(200, {}, b"2", 0))
    assert first.load("b", now=1)
    assert second.load("a", now=1)
    first.close()
    second.close()
