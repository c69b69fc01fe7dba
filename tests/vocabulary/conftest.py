"""The shipped vocabulary, unpacked once for all tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trialyst.vocabulary import Vocabulary, open_vocabulary

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def vocabulary_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home directory in which the shipped vocabulary is unpacked."""
    return tmp_path_factory.mktemp("vocabulary-home")


@pytest.fixture(scope="session")
def vocabulary(vocabulary_home: Path) -> Vocabulary:
    """The shipped vocabulary."""
    return open_vocabulary(vocabulary_home)
