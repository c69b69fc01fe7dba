"""What was made lately, kept in case it is asked for again."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

__all__ = ["Remembered"]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Remembered(dict[Key, Value]):
    """A bounded memory; when it is full all of it is forgotten.

    Not `lru_cache` around a method: it refers to the object, which then outlives its registry.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: Key, value: Value) -> Value:
        """Keep a value and give it back."""
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value
