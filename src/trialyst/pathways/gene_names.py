"""Other names of human genes, which the shipped vocabulary knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

__all__ = ["SymbolsOf", "gene_symbols", "no_symbols"]

SymbolsOf = Callable[[str], Sequence[str]]
"""Gives the approved symbols of the human genes that an HGNC accession or another name stands for:
of one, of several where it is the name of a family, or of none."""


def no_symbols(_: str) -> tuple[str, ...]:
    """Know no other names."""
    return ()


def gene_symbols(home: Path) -> SymbolsOf:
    """Give what knows the other names; the first question opens the vocabulary."""

    @cache
    def known() -> SymbolsOf:
        from trialyst.vocabulary import open_vocabulary, symbols_of_alias

        vocabulary = open_vocabulary(home)

        def symbols_of(text: str) -> tuple[str, ...]:
            if not text.startswith("HGNC:"):
                return symbols_of_alias(vocabulary, text)
            concept = vocabulary.get(text)
            return (concept.preferred,) if concept else ()

        return symbols_of

    return lambda text: known()(text)
