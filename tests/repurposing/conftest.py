"""The shipped vocabulary, and clients on invented trials."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.repurposing.invented import client_on
from trialyst.repurposing import RepurposingClient
from trialyst.vocabulary import Vocabulary

MakeClient = Callable[..., RepurposingClient]


@pytest.fixture
def make_client(vocabulary: Vocabulary) -> Iterator[MakeClient]:
    """Give a client on a registry of the studies of one test."""
    with ExitStack() as opened:

        def make(*studies: dict[str, Any], learn: bool = False) -> RepurposingClient:
            return opened.enter_context(client_on(studies, vocabulary, learn=learn))

        yield make
