"""The compiled walker and the one in Python give the same bytes for every study."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.registry.invented import FIRST, as_line, site, study, with_sites
from trialyst.folding import native
from trialyst.registry.inputs import RawRecord, RecordStream, find_inputs
from trialyst.registry.prepare import Preparer
from trialyst.registry.sitebook import SiteBook
from trialyst.registry.walking import NativeWalker, Walked, walk_study

pytestmark = pytest.mark.skipif(native is None, reason="installed without a C compiler")

BATCH = 200
EVERY = 15
"""Reading all records twice takes minutes."""


def batches(records: Iterator[RawRecord]) -> Iterator[list[RawRecord]]:
    while batch := list(itertools.islice(records, BATCH)):
        yield batch


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ctgov_v2_native", "ctgov_v2_from_xml", "ctgov_v2_partial"])
def test_real_records_are_walked_through_alike(data_dir: Path, kind: str) -> None:
    records = itertools.islice(RecordStream(find_inputs([data_dir / kind])), 0, None, EVERY)
    compiled, plain = Preparer(), Preparer(compiled=False)
    seen = 0
    for batch in batches(records):
        assert compiled(batch) == plain(batch)
        seen += len(batch)
    assert seen > 10


@pytest.mark.slow
def test_real_records_need_no_second_look(data_dir: Path) -> None:
    stream = RecordStream(find_inputs([data_dir / "ctgov_v2_native"]))
    lines = [record.data for record in itertools.islice(stream, 300)]
    assert None not in NativeWalker(SiteBook())(lines)


def same(data: bytes) -> bool:
    """Whether the compiled walker leaves a text to the decoder or says what Python says."""
    found = NativeWalker(SiteBook())([data])[0]
    if found is None:
        return True
    walked = walk_study(msgspec.json.decode(data), SiteBook())
    return _decoded(found) == _decoded(walked)


def _decoded(walked: Walked) -> tuple[Any, ...]:
    """Give it with the JSON that is kept as it was written decoded."""
    spans = {name: msgspec.json.decode(span) for name, span in walked.spans.items()}
    return (
        *walked._replace(cells=b"", spans={}),
        spans,
        msgspec.json.decode(b"[%b]" % walked.cells),
    )


LINE = as_line(with_sites(FIRST, site("Boston", point=(42.36, -71.06)), site("Łódź")))
BYTES = st.sampled_from(
    [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\xff", b"\n", b"0", b" "]
)


@given(st.lists(st.tuples(st.integers(0, len(LINE)), st.integers(0, 3), BYTES), max_size=3))
def test_a_changed_byte_is_left_to_the_decoder_or_read_alike(
    changes: list[tuple[int, int, bytes]],
) -> None:
    data = LINE
    for at, removed, added in changes:
        data = data[:at] + added + data[at + removed :]
    assert same(data)


@pytest.mark.parametrize(
    "text",
    [
        r"\u00e9t\u00e9",
        r"\ud83d\ude00 smile",
        r"a\/b\\c\"d\n",
        "5\u2003mg",
        r"\u0000",
        "x" * 70_000,
    ],
)
def test_escapes_stand_for_their_characters(text: str) -> None:
    data = LINE.replace(b"Boston", text.encode())
    assert NativeWalker(SiteBook())([data])[0] is not None
    assert same(data)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,}',
        "[1,2]",
        '{"a":01}',
        '{"a":1e5}',
        '{"a":"\\ud800"}',
        '{"a":"\\x"}',
        '{"a":tru}',
        "",
        '{"hasResults":true,"hasResults":false}',
        '{"a":' + "[" * 500 + "]" * 500 + "}",
        '{"a":1} x',
        '{"protocolSection":{"identificationModule":{"briefTitle":1.50}}}',
        '{"a":"\t"}',
        '{"a',
        '{"a":1}\0',
        '{"a":1}\0{',
    ],
)
def test_what_is_odd_is_left_to_the_decoder(text: str) -> None:
    assert NativeWalker(SiteBook())([text.encode()]) == [None]


@pytest.mark.parametrize(
    "other",
    [
        '{"city": "Boston", "state": null}',
        '{"zip": "", "city": "Boston"}',
        '{"city": "B\\u006fston"}',
        '{"city": "Boston", "geoPoint": null}',
    ],
)
def test_a_site_written_in_two_ways_is_one_site(other: str) -> None:
    record = json.dumps(with_sites(FIRST, site("Boston"), site("Austin"), {}))
    data = record.replace("{}", other).encode()
    found = NativeWalker(SiteBook())([data])[0]
    assert found is not None
    # A site and a place each, in one state.
    assert len(msgspec.json.decode(b"{%b}" % found.document)["site"]) == 5
    assert same(data)


@pytest.mark.parametrize("title", ["!!!", "—", "\u3002"])
def test_a_text_without_words_is_there_all_the_same(title: str) -> None:
    data = json.dumps({"protocolSection": {"identificationModule": {"briefTitle": title}}}).encode()
    found = NativeWalker(SiteBook())([data])[0]
    assert found is not None
    assert "BriefTitle" not in found.unusual.split()
    assert same(data)


def test_many_lines_of_one_group_take_no_longer_each() -> None:
    record = study(FIRST, conditions={"conditions": [f"c {n % 20_000}" for n in range(40_000)]})
    found = NativeWalker(SiteBook())([json.dumps(record).encode()])[0]
    assert found is not None
    assert len(msgspec.json.decode(b"{%b}" % found.document)["group_conditions"]) == 20_000


def test_a_walker_takes_bytes_only() -> None:
    with pytest.raises(TypeError, match="bytes"):
        NativeWalker(SiteBook())(["{}"])  # type: ignore[list-item]


PIECES = (("Title", 0),)


def walker(rule: Callable[[str], str]) -> Any:
    """Give a walker of titles that asks a rule about their words."""
    assert native is not None
    plan = (({"title": (0, 0, -1, None)}, ()), PIECES, (), (), (), ())
    return native.Walker(plan, (rule, str, str, str, str))


def test_an_error_of_a_rule_comes_through_and_leaves_the_walker_whole() -> None:
    def picky(word: str) -> str:
        if word == "asthma":
            raise KeyError(word)
        return word

    walk = walker(picky)
    with pytest.raises(KeyError, match="asthma"):
        walk([b'{"title":"fine"}', b'{"title":"good asthma"}', b'{"title":"later"}'])
    assert [found[0] for found in walk([b'{"title":"good fine"}'])] == [b'"Title":"good fine"']


def test_a_rule_cannot_use_the_walker_that_asks_it() -> None:
    def greedy(word: str) -> str:
        walk([b'{"title":"more"}'])
        return word

    walk = walker(greedy)
    with pytest.raises(RuntimeError, match="one batch at a time"):
        walk([b'{"title":"asthma"}'])


def test_two_threads_take_turns_at_a_walker() -> None:
    asked, go_on = Event(), Event()

    def wait(word: str) -> str:
        asked.set()
        go_on.wait()
        return word

    walk = walker(wait)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(walk, [b'{"title":"asthma"}'])
        asked.wait()
        try:
            with pytest.raises(RuntimeError, match="one batch at a time"):
                walk([b"{}"])
        finally:
            go_on.set()
        assert first.result()[0][0] == b'"Title":"asthma"'
    assert walk([b"{}"])[0][0] == b""


@pytest.mark.parametrize(
    ("root", "lists"),
    [
        ({"title": (1, 0, -1, None)}, ((), (), (), ())),
        ({"title": (-1, 0, -1, None)}, ((), (), (), ())),
        ({"title": (0, 0, 0, None)}, ((), (), (), ())),
        ({"title": (0, 0, -2, None)}, ((("size", True),), (), (), ())),
        ({}, ((), (("group", (0, 1)),), (), ())),
        ({}, ((), (), (("tier", (0, 1)),), ())),
        ({}, ((), (), (), (1,))),
        ({str(n): (0, 0, -1, None) for n in range(40_000)}, ((), (), (), ())),
    ],
)
def test_a_plan_names_only_what_it_has(root: dict[str, Any], lists: tuple[Any, ...]) -> None:
    assert native is not None
    with pytest.raises(ValueError, match="plan"):
        native.Walker(((root, ()), PIECES, *lists), (str,) * 5)


def test_the_keys_of_a_plan_live_as_long_as_its_walker() -> None:
    key = "".join(["ti", "tle"])
    root: dict[str, Any] = {key: (0, 0, -1, None)}
    assert native is not None
    walk = native.Walker(((root, ()), PIECES, (), (), (), ()), (str,) * 5)
    del key
    root.clear()
    assert walk([b'{"title":"asthma"}'])[0][0] == b'"Title":"asthma"'
