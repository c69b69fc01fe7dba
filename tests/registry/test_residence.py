"""What a long-lived reader holds of an index in memory is handed back, and read again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.registry.invented import asked, many, opened
from trialyst.registry import residence
from trialyst.registry.generation import INDEX, current_generation
from trialyst.registry.residence import Residence

SMAPS = Path("/proc/self/smaps")
pytestmark = pytest.mark.skipif(not SMAPS.exists(), reason="needs the /proc of Linux")


def resident_kilobytes(directory: Path) -> int:
    """Add up what is in memory of the files mapped from a directory."""
    mapped = 0
    counts = False
    for line in SMAPS.read_text().splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            counts = f" {directory}/" in line
        elif counts and line.startswith("Rss:"):
            mapped += int(line.split()[1])
    return mapped


def test_pages_are_handed_back_and_read_again(tmp_path: Path) -> None:
    with opened(tmp_path, *many(240)) as registry:
        index = current_generation(tmp_path) / INDEX
        before = registry.find(asked(query_term="asthma"))
        assert resident_kilobytes(index) > 0
        Residence(index).hand_back()
        assert resident_kilobytes(index) == 0
        assert registry.find(asked(query_term="asthma")) == before
        assert resident_kilobytes(index) > 0


def test_searches_hand_back_what_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, *many(240)) as registry:
        index = current_generation(tmp_path) / INDEX
        registry.find(asked(query_term="asthma"))
        monkeypatch.setattr(residence, "MOST_BYTES", 10**12)
        kept = Residence(index)
        for _ in range(2 * residence.CHECK_EVERY - 1):
            kept.note_search()
        assert resident_kilobytes(index) > 0
        monkeypatch.setattr(residence, "MOST_BYTES", 0)
        kept.note_search()
        assert resident_kilobytes(index) == 0
