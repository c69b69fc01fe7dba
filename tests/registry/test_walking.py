"""The compiled walker and the one in Python give the same bytes for every study."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.registry.invented import FIRST, as_line, site, study, with_sites
from trialyst.folding import native
from trialyst.registry.inputs import RawRecord, RecordStream, find_inputs
from trialyst.registry.prepare import Preparer
from trialyst.registry.sitebook import SiteBook
from trialyst.registry.walking import NativeWalker, walk_study

pytestmark = pytest.mark.skipif(native is None, reason="installed without a C compiler")

BATCH = 200


def batches(records: Iterator[RawRecord]) -> Iterator[list[RawRecord]]:
    while batch := list(itertools.islice(records, BATCH)):
        yield batch


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ctgov_v2_native", "ctgov_v2_from_xml", "ctgov_v2_partial"])
def test_every_fifth_real_record_is_walked_through_alike(data_dir: Path, kind: str) -> None:
    records = itertools.islice(RecordStream(find_inputs([data_dir / kind])), 0, None, 5)
    compiled, plain = Preparer(), Preparer(compiled=False)
    seen = 0
    for batch in batches(records):
        assert compiled(batch) == plain(batch)
        seen += len(batch)
    assert seen > 50


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
    assert {name: msgspec.json.decode(span) for name, span in found.spans.items()} == {
        name: msgspec.json.decode(span) for name, span in walked.spans.items()
    }
    return found._replace(spans={}) == walked._replace(spans={})


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
    ],
)
def test_what_is_odd_is_left_to_the_decoder(text: str) -> None:
    assert NativeWalker(SiteBook())([text.encode()]) == [None]


def test_many_lines_of_one_group_take_no_longer_each() -> None:
    record = study(FIRST, conditions={"conditions": [f"c {n % 20_000}" for n in range(40_000)]})
    found = NativeWalker(SiteBook())([json.dumps(record).encode()])[0]
    assert found is not None
    assert len(msgspec.json.decode(b"{%b}" % found.document)["group_high"]) > 20_000


def test_a_walker_takes_bytes_only() -> None:
    with pytest.raises(TypeError, match="bytes"):
        NativeWalker(SiteBook())(["{}"])  # type: ignore[list-item]
