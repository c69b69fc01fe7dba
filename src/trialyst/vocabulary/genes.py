"""Genes by any of their names: symbols, aliases, former symbols and names of their proteins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase

if TYPE_CHECKING:
    from trialyst.vocabulary.hits import Hit
    from trialyst.vocabulary.lookup import Vocabulary

__all__ = ["symbol_of_alias", "symbols_of_alias"]

_LETTERS = re.compile(r"^[^\W\d_]{2,}")
_LONGEST = 30
"""Longer texts are names of genes in full, which nobody writes joined."""


def symbol_of_alias(vocabulary: Vocabulary, text: str) -> str | None:
    """Give the approved symbol of the one gene that goes by a name, in any case, or None."""
    found = symbols_of_alias(vocabulary, text)
    return found[0] if len(found) == 1 else None


def symbols_of_alias(vocabulary: Vocabulary, text: str) -> tuple[str, ...]:
    """Give the approved symbols of all genes that go by a name; a symbol means its own gene."""
    for key in _keys(text):
        hits = vocabulary.names_of_genes(key)
        if hits:
            best = min(_doubt(hit, text) for hit, _ in hits)
            return tuple(dict.fromkeys(symbol for hit, symbol in hits if _doubt(hit, text) == best))
    return ()


def _keys(text: str) -> Iterator[str]:
    """Give the folded forms of a name: as written, joined, and with its first letters apart."""
    folded = fold_phrase(text)
    yield folded
    if len(folded) <= _LONGEST:
        joined = fold_phrase("".join(filter(str.isalnum, text)))
        yield joined
        letters = _LETTERS.match(joined)
        for at in range(1, letters.end() if letters else 0):
            yield f"{joined[:at]} {joined[at:]}"


def _doubt(hit: Hit, text: str) -> int:
    """Say how little a name may be meant: symbols first, then what we chose, then as written."""
    name, written = ("".join(filter(str.isalnum, each)) for each in (hit.name, text))
    if hit.preferred and name.upper() == written.upper():
        return 0
    if "+" in hit.marks:
        return 1
    return 2 if name == written else 3
