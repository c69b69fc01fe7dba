"""Characters that are not meant to be seen, and could change how what follows them is shown."""

from __future__ import annotations

import re

__all__ = ["without_unseen"]

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
)


def without_unseen(text: str) -> str:
    """Give a text without controls and overrides of the writing direction; its lines stay.

    >>> without_unseen("a\\x07b\\u202ec")
    'abc'
    """
    return _UNSEEN.sub("", text)
