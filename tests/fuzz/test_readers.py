"""Readers of outside text return or refuse, whatever is done to a sample of what they read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS

EXAMPLES = 150
"""Enough to notice a careless change in seconds; `python -m tests.fuzz` searches for longer."""
SPLICES = (
    *(
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\n",
        b"\n\n",
        b" ",
        b"\t",
        b'"',
        b"'",
        b"\\",
        b"(",
        b")",
    ),
    *(b"[", b"]", b"{", b"}", b"<", b">", b"&", b"%", b"/", b"-", b".", b",", b";", b":", b"="),
    *("\u2265", "\u00b5", "\u2003", "\u202e", "\U0001f600", "e\u0301"),
    *(b"0", b"-1", b"1e309", b"99999999999999999999", b"NaN", b"null", b"true", b"9999-99-99"),
    *(b" AND ", b" OR ", b" NOT ", b" unless ", b" except ", b" and/or ", b"AREA[", b"RANGE[MIN,"),
    *(
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"&b;",
        b"no ",
        b" negative",
        b"years",
        b"mg/dL",
        b"x10^9/L",
    ),
)


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[float, int, bytes, int]]:
    """Draw where to cut, how much to take out, what to put there, and how often."""
    splice = st.sampled_from(
        [part if isinstance(part, bytes) else part.encode() for part in SPLICES]
    )
    one = st.tuples(
        st.floats(0, 1),
        st.integers(0, 40),
        splice | st.binary(max_size=6),
        st.sampled_from((1, 1, 3, 60)),
    )
    return draw(st.lists(one, min_size=1, max_size=8))


def changed(sample: bytes, changes: list[tuple[float, int, bytes, int]]) -> bytes:
    for share, removed, added, times in changes:
        at = round(share * len(sample))
        sample = sample[:at] + added * times + sample[at + removed :]
    return sample


@pytest.mark.parametrize("name", TARGETS)
def test_a_changed_sample_is_read_or_refused(name: str) -> None:
    target = TARGETS[name]

    @settings(max_examples=EXAMPLES)
    @given(st.integers(0, len(target.samples) - 1), edits())
    def read(index: int, changes: list[tuple[float, int, bytes, int]]) -> None:
        target.read(changed(target.samples[index], changes))

    read()
