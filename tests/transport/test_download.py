"""Files of any size: resumed after a cut, never mixed of two versions, whole or not there."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.transport.asking import with_transport
from tests.transport.scripted import (
    Request,
    ScriptedClock,
    Step,
    Upstream,
    dropped,
    reply,
    truncated,
    unsized,
)
from trialyst.errors import UpstreamError
from trialyst.transport import Downloaded, DownloadProgress, Limits, Refused

DATA = bytes(range(256)) * 40
OTHER = DATA[::-1]
TAG = '"v1"'


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "studies.zip"


def download(
    server: Upstream,
    target: Path,
    clock: ScriptedClock,
    *,
    told: list[DownloadProgress] | None = None,
    limits: Limits | None = None,
) -> Downloaded:
    heard = told if told is not None else []
    return with_transport(
        lambda transport: transport.download(server.url + "/z", target, progress=heard.append),
        clock=clock,
        limits=limits,
    )


def cut(data: bytes, at: int, *, tag: str | None = TAG) -> Step:
    """Send the start of a file and close."""
    if tag is None:
        return truncated(data[:at], length=len(data))
    return truncated(data[:at], length=len(data), ETag=tag)


def rest(data: bytes, *, until: int | None = None, tag: str = TAG) -> Step:
    """Send what the range asks for, cut off at `until` if given; all of it to another tag."""

    def step(connection: socket.socket, request: Request) -> None:
        if request.headers.get("if-range") != tag:
            reply(data, ETag=tag)(connection, request)
            return
        start = int(request.headers["range"].removeprefix("bytes=").removesuffix("-"))
        whole = f"bytes {start}-{len(data) - 1}/{len(data)}"
        truncated(
            data[start:until], length=len(data) - start, status=206, ETag=tag, Content_Range=whole
        )(connection, request)

    return step


def test_a_file_is_fetched_whole(server: Upstream, target: Path, clock: ScriptedClock) -> None:
    server.script(reply(DATA, ETag=TAG))
    told: list[DownloadProgress] = []
    done = download(server, target, clock, told=told)
    assert target.read_bytes() == DATA
    assert (done.size, done.size_checked, done.resumed_from) == (len(DATA), True, 0)
    assert (done.etag, told[-1]) == (TAG, DownloadProgress(len(DATA), len(DATA)))
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_a_cut_download_goes_on_where_it_ended(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000), rest(DATA, until=9000), dropped, rest(DATA))
    done = download(server, target, clock)
    assert target.read_bytes() == DATA
    assert done.size == len(DATA)
    asked = [request.headers.get("range") for request in server.requests]
    assert asked == [None, "bytes=4000-", "bytes=9000-", "bytes=9000-"]


def test_another_process_goes_on_with_what_is_there(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000))
    with pytest.raises(UpstreamError):
        download(server, target, clock, limits=Limits(tries=1))
    assert not target.exists()
    server.script(rest(DATA))
    done = download(server, target, clock)
    assert target.read_bytes() == DATA
    assert done.resumed_from == 4000


def test_a_file_that_changed_meanwhile_is_fetched_from_its_start(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000), rest(OTHER, tag='"v2"'))
    done = download(server, target, clock)
    assert target.read_bytes() == OTHER
    assert (done.etag, done.resumed_from) == ('"v2"', 0)


def test_a_shorter_new_file_leaves_nothing_of_the_old(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000), rest(OTHER[:100], tag='"v2"'))
    download(server, target, clock)
    assert target.read_bytes() == OTHER[:100]


@pytest.mark.parametrize("tag", [None, 'W/"v1"'], ids=["no tag", "a weak tag"])
def test_without_a_strong_tag_nothing_is_resumed(
    server: Upstream, target: Path, clock: ScriptedClock, tag: str | None
) -> None:
    server.script(cut(DATA, 4000, tag=tag), reply(OTHER))
    download(server, target, clock)
    assert "range" not in server.requests[1].headers
    assert target.read_bytes() == OTHER


def test_a_part_from_the_wrong_place_is_not_used(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    whole = f"bytes 0-{len(DATA) - 1}/{len(DATA)}"
    wrong = reply(DATA, status=206, ETag=TAG, Content_Range=whole)
    server.script(cut(DATA, 4000), wrong, reply(DATA, ETag=TAG))
    download(server, target, clock)
    assert target.read_bytes() == DATA


def test_a_range_beyond_the_end_begins_again(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000), reply("no", status=416), reply(OTHER[:10], ETag='"v2"'))
    download(server, target, clock)
    assert target.read_bytes() == OTHER[:10]


def test_a_whole_file_left_aside_is_checked_before_it_is_used(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    """A process that ended between the last byte and the switch; the file changed since."""
    server.script(cut(DATA, len(DATA) - 1))
    with pytest.raises(UpstreamError):
        download(server, target, clock, limits=Limits(tries=1))
    part = target.with_name(target.name + ".part")
    part.write_bytes(DATA)
    server.script(rest(OTHER, tag='"v2"'))
    download(server, target, clock)
    assert target.read_bytes() == OTHER


def test_a_length_that_is_not_told_is_not_checked(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(unsized(DATA))
    done = download(server, target, clock)
    assert (done.size, done.size_checked) == (len(DATA), False)


def test_tries_without_progress_come_to_an_end(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000), *[dropped] * 9)
    with pytest.raises(UpstreamError, match="tried 4 times"):
        download(server, target, clock)
    assert len(server.requests) == 4


def test_the_same_cut_every_time_comes_to_an_end(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    """A server that cannot resume brings the file no further, however much it sends."""
    server.script(*[cut(DATA, 4000, tag=None)] * 9)
    with pytest.raises(UpstreamError, match="tried 4 times"):
        download(server, target, clock)
    assert len(server.requests) == 4


def test_an_older_file_stays_until_the_new_one_is_whole(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    target.write_text("older")
    server.script(cut(DATA, 4000))
    with pytest.raises(UpstreamError):
        download(server, target, clock, limits=Limits(tries=1))
    assert target.read_text() == "older"


def test_a_refused_file_is_not_tried_again(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(reply("no such file", status=404))
    with pytest.raises(Refused, match="no such file"):
        download(server, target, clock)
    assert len(server.requests) == 1


def test_a_redirected_file_is_fetched(server: Upstream, target: Path, clock: ScriptedClock) -> None:
    server.script(reply(status=302, Location="/elsewhere"), reply(DATA, ETag=TAG))
    download(server, target, clock)
    assert target.read_bytes() == DATA
    assert server.targets() == ["/z", "/elsewhere"]


def test_a_part_of_another_url_is_not_used(
    server: Upstream, target: Path, clock: ScriptedClock
) -> None:
    server.script(cut(DATA, 4000))
    with pytest.raises(UpstreamError):
        download(server, target, clock, limits=Limits(tries=1))
    server.script(reply(OTHER))
    with_transport(lambda transport: transport.download(server.url + "/other", target), clock=clock)
    assert "range" not in server.requests[1].headers
    assert target.read_bytes() == OTHER
