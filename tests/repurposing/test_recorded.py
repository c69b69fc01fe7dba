"""At a point in time, what was really recorded is shown where the registry kept it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.repurposing.invented import trial
from trialyst.registry import Registry, RegistrySource, add_studies, build_from_studies
from trialyst.repurposing import RepurposingClient
from trialyst.vocabulary import Vocabulary

CUTOFF = "2021-01-01"
NUMBER = 90_000_001


def test_a_version_of_before_the_cutoff_is_shown_whole(
    tmp_path: Path, vocabulary: Vocabulary
) -> None:
    directory = tmp_path / "registry"
    before = [
        trial(NUMBER, status="RECRUITING", enrollment=(120, "ESTIMATED"), updated="2020-06-01"),
        trial(NUMBER + 1, status="RECRUITING", updated="2020-06-01"),
    ]
    after = [
        trial(
            NUMBER,
            status="TERMINATED",
            why_stopped="Futility",
            enrollment=(40, "ACTUAL"),
            phases=["PHASE3"],
            updated="2024-01-01",
        ),
        trial(NUMBER + 2, status="RECRUITING", updated="2024-01-01"),
    ]
    build_from_studies(before, directory, data_timestamp="2020-07-01T00:00:00")
    add_studies(after, directory, data_timestamp="2024-02-01T00:00:00")
    with Registry.open(directory, vocabulary=vocabulary) as registry:
        client = RepurposingClient(RegistrySource(registry), vocabulary=vocabulary)
        then: dict[str, Any] = {"date_before": CUTOFF, "point_in_time": True}
        shown = asyncio.run(client.get_trial(f"NCT{NUMBER}", **then))
        assert (shown.overall_status, shown.enrollment, shown.phase) == (
            "RECRUITING",
            120,
            "Phase 2",
        )
        assert shown.point_in_time is not None
        assert (shown.point_in_time.whole, shown.point_in_time.hidden) == (True, ())
        # Of the third no version of that time is kept: what may not have been known is hidden.
        hidden = asyncio.run(client.get_trial(f"NCT{NUMBER + 2}", **then))
        assert hidden.overall_status is None
        found = asyncio.run(client.get_landscape("heart failure", **then))
        assert found.phase_distribution == {"Phase 2": 3}
        notes = " ".join(found.provenance.notes)
        assert "1 record updated after 2021-01-01" in notes
        assert "really recorded" in notes
        today = asyncio.run(client.get_landscape("heart failure"))
        assert today.phase_distribution == {"Phase 2": 2, "Phase 3": 1}
