"""Known names written like one that nothing knows: what a typing error probably meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["nearest_names"]

LIKE = 0.75
"""Below it a suggestion has little to do with what was asked for."""
AT_MOST = 5
_LENGTHS = 4
"""Names longer or shorter by more than this are not compared."""


def nearest_names(vocabulary: Vocabulary, text: str, *, kind: Kind) -> tuple[str, ...]:
    """Give the known names most like a text, the likest first; they begin with the same letters."""
    sought = fold_phrase(text)
    if len(sought) < 3:
        return ()
    candidates: dict[str, str] = {}
    for name in vocabulary.names_starting(sought[:2], kinds=(kind,)):
        key = fold_phrase(name)
        if abs(len(key) - len(sought)) <= _LENGTHS:
            candidates.setdefault(key, name)
    close = difflib.get_close_matches(sought, candidates, n=AT_MOST, cutoff=LIKE)
    return tuple(dict.fromkeys(candidates[key] for key in close))
