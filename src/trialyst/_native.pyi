"""The two inner loops of an ingest, in C (`src/native`); absent where no compiler was at hand."""

from collections.abc import Callable, Sequence
from typing import Any

class Folder:
    """Folds texts, asking `fold_word` once for every distinct word."""

    def __init__(self, fold_word: Callable[[str], str]) -> None: ...
    def __call__(self, text: str) -> str: ...

class Walker:
    """Walks through studies given as JSON, in batches; `trialyst.registry.walking` says how."""

    def __init__(self, plan: tuple[Any, ...], asks: tuple[Callable[[Any], str], ...]) -> None: ...
    def __call__(self, studies: Sequence[bytes]) -> list[tuple[Any, ...] | None]: ...
