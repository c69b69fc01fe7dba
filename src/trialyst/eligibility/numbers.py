"""Numbers as texts write them: in words, with separators of thousands or a decimal comma."""

from __future__ import annotations

__all__ = ["COUNTS", "to_number"]

COUNTS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}


def to_number(text: str) -> float:
    """Read a number; a comma before three figures separates thousands, else it is a decimal one.

    >>> to_number("1,840"), to_number("38,5"), to_number("25")
    (1840.0, 38.5, 25.0)
    """
    whole, comma, rest = text.rpartition(",")
    if comma and len(rest.partition(".")[0]) == 3:
        return float(text.replace(",", ""))
    return float(f"{whole}.{rest}" if comma else text)
