"""Files that are replaced as a whole leave nothing behind where that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from trialyst.registry.generation import write_atomically


def test_what_cannot_be_put_in_place_is_not_left_behind(tmp_path: Path) -> None:
    taken = tmp_path / "manifest"
    taken.mkdir()
    with pytest.raises(OSError, match="manifest"):
        write_atomically(taken, b"content")
    assert list(tmp_path.iterdir()) == [taken]
