"""What pieces and search areas mean, in a sentence each; the facts of `data/meanings.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from trialyst.essie.pieces import read_data_lines

__all__ = ["meanings"]


@cache
def meanings() -> Mapping[str, str]:
    """Give the meaning of every search area and of every piece that holds values, by name.

    >>> meanings()["Phase"]
    'The phase of a trial of a drug or biological; a trial may have two.'
    """
    pairs = (line.partition(": ") for line in read_data_lines("meanings.txt"))
    return {name: meaning for name, _, meaning in pairs}
