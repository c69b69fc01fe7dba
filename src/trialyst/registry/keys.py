"""Dates, ages, numbers and names as the integers that stand for them in the index.

Of those given as text an empty one says that the value has no place there.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import msgspec

from trialyst.essie.values import age_days, date_key
from trialyst.registry.schema import AGE_UNITS_PER_DAY

__all__ = ["LARGEST", "age_key", "age_text", "date_text", "hash_key", "number_text"]

LARGEST = (1 << 63) - 1
"""Largest value of a column: a signed integer of 64 bits everywhere it passes through."""


def hash_key(text: str) -> int:
    """Give a number that stands for a text and, beyond all likelihood, for no other."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") & LARGEST


def date_text(text: str) -> str:
    """Give the key of a date."""
    key = date_key(text)
    return "" if key is None else str(key)


def age_key(text: str) -> int | None:
    """Give an age in the unit of its column, None when it states none."""
    days = age_days(text)
    return None if days is None else round(days * AGE_UNITS_PER_DAY)


def age_text(text: str) -> str:
    """Give the key of an age."""
    key = age_key(text)
    return "" if key is None else str(key)


@lru_cache(10_000)
def number_text(token: str) -> str:
    """Give a JSON number if it is whole.

    >>> number_text("12.0"), number_text("12.5")
    ('12', '')
    """
    value: int | float = msgspec.json.decode(token)
    whole = type(value) is int or (type(value) is float and value.is_integer())
    return str(int(value)) if whole and abs(value) <= LARGEST else ""
