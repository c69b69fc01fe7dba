"""What tests of reading share: names opened before the clock of a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from tests.matching.judges import open_small, run_match
from tests.matching.reading_notes import reader
from trialyst.matching.facade import Matching
from trialyst.vocabulary import Vocabulary


@pytest.fixture(scope="session")
def names() -> None:
    """Open the vocabulary, which takes a second or two the first time."""
    reader()


@pytest.fixture(scope="session")
def shipped(vocabulary: Vocabulary) -> Vocabulary:
    """The shipped names."""
    return vocabulary


@pytest.fixture(scope="session")
def small(shipped: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matching]:
    """Matching on a small registry of trials of asthma."""
    source = open_small(tmp_path_factory.mktemp("small"), shipped)
    matching = Matching(source, vocabulary=lambda: shipped, today=lambda: date(2026, 11, 16))
    # What the first note waits for is not the time of the first test.
    run_match(matching, candidates=1)
    yield matching
    source.registry.close()
