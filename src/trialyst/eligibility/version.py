"""Which version of the reader made a stored requirement, told from all that reading rests on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["reading_version"]

_READING = {
    "trialyst": ("folding.py",),
    "trialyst.ctgov": ("criteria.py", "headings.py", "marks.py"),
}
_TABLES = "trialyst.eligibility", "trialyst.vocabulary"
_COMPARING = frozenset(
    """accepting.py answer.py chart.py evaluate.py implications.py render.py silence.py version.py
    general.txt silence.txt""".split()
)
"""Files that only comparing needs: a change there leaves requirements as they are."""


@cache
def reading_version(*beside: str) -> str:
    """Give a short name that changes with the code and the tables that read a criterion.

    Args:
        beside: packages that something else is read with as well.
    """
    parts = [files(package) / name for package, names in _READING.items() for name in names]
    for package in (*_TABLES, *beside):
        parts += _files_of(files(package)) + _files_of(files(package) / "data")
    known = hashlib.blake2b(digest_size=8)
    for part in parts:
        known.update(part.name.encode())
        known.update(part.read_bytes())
    return known.hexdigest()


def _files_of(folder: Traversable) -> list[Traversable]:
    if not folder.is_dir():
        return []
    found = [
        each
        for each in folder.iterdir()
        if each.is_file() and not each.name.endswith(".pyc") and each.name not in _COMPARING
    ]
    return sorted(found, key=lambda each: each.name)
