"""What a long-lived reader holds of an index in memory is handed back, and read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.registry.invented import asked, many, opened
from trialyst.registry import residence
from trialyst.registry.generation import INDEX, current_generation
from trialyst.registry.residence import Residence

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps").exists(), reason="needs the /proc of Linux"
)


def test_pages_are_handed_back_and_read_again(tmp_path: Path) -> None:
    with opened(tmp_path, *many(240)) as registry:
        index = current_generation(tmp_path) / INDEX
        kept = Residence(index)
        before = registry.find(asked(query_term="asthma"))
        assert kept.resident() > 0
        kept.hand_back()
        assert kept.resident() == 0
        assert registry.find(asked(query_term="asthma")) == before
        assert kept.resident() > 0


def test_searches_hand_back_what_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, *many(240)) as registry:
        index = current_generation(tmp_path) / INDEX
        registry.find(asked(query_term="asthma"))
        kept = Residence(index)
        for most, is_left in ((kept.resident(), True), (0, False)):
            monkeypatch.setattr(residence, "MOST_BYTES", most)
            for _ in range(residence.CHECK_EVERY):
                kept.note_search()
            assert (kept.resident() > 0) == is_left
