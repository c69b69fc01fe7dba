"""The shipped vocabulary, opened once for each process of the tests."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from trialyst.vocabulary import Vocabulary, open_vocabulary

__all__ = ["shipped_vocabulary"]


@cache
def shipped_vocabulary() -> Vocabulary:
    """Open it in the home of the tests; unpacking takes a second."""
    return open_vocabulary(Path(os.environ["TRIALYST_HOME"]))
