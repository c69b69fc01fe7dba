"""What the shipped names say of names met in records, kept so that a change looks up new ones only.

It holds for one version of the shipped names and of the code that reads them; of another, it is
empty.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntFlag
from typing import TYPE_CHECKING

import msgspec

from trialyst.vocabulary.table import replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from trialyst.vocabulary.concept import Resolution

__all__ = ["ResolvedNames", "Standing"]


class Standing(IntFlag):
    """What the shipped names know of a name."""

    UNKNOWN = 0
    FOUND = 1
    EXACT = 2
    AMBIGUOUS = 4


class ResolvedNames(msgspec.Struct):
    """Names with the concepts they stand for as drugs, and with how well they are known."""

    version: str = ""
    concepts: dict[str, tuple[str, str]] = {}
    standings: dict[str, int] = {}

    @classmethod
    def load(cls, path: Path, version: str) -> ResolvedNames:
        """Read what was kept; empty where there is nothing, or nothing of this version."""
        try:
            held = msgspec.msgpack.decode(path.read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return cls(version)
        return held if held.version == version else cls(version)

    def save(self, path: Path) -> None:
        """Keep it."""
        replace_file(path, msgspec.msgpack.encode(self))

    def concept(self, name: str, find: Callable[[str], tuple[str, str]]) -> tuple[str, str]:
        """Give the concept of a name, found once."""
        if name not in self.concepts:
            self.concepts[name] = find(name)
        return self.concepts[name]

    def standing(self, name: str, resolve: Callable[[str], Resolution]) -> Standing:
        """Say how well a name is known, found out once."""
        if name not in self.standings:
            found = resolve(name)
            self.standings[name] = (
                Standing.FOUND * bool(found)
                | Standing.EXACT * found.exact
                | Standing.AMBIGUOUS * found.ambiguous
            )
        return Standing(self.standings[name])
