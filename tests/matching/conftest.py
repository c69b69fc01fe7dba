"""What tests of reading share: names opened before the clock of a test runs."""

from __future__ import annotations

import pytest

from tests.matching.reading_notes import reader


@pytest.fixture(scope="session")
def names() -> None:
    """Open the vocabulary, which takes a second or two the first time."""
    reader()
