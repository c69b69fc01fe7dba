"""Long texts in short: the beginning, up to the end of a sentence."""

from __future__ import annotations

import re

__all__ = ["CUT", "cut_at_sentence"]

CUT = " [...]"
"""Marks a text that goes on."""

_SENTENCE_END = re.compile(r"[.!?](?=\s)")


def cut_at_sentence(text: str, limit: int) -> str:
    """Give the first sentences of a text that fit; of a long first one as many words as do.

    >>> cut_at_sentence("It works. It is safe. It is cheap.", 22)
    'It works. It is safe. [...]'
    """
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    ends = [found.end() for found in _SENTENCE_END.finditer(flat, 0, limit + 1)]
    end = ends[-1] if ends else flat.rfind(" ", 0, limit + 1)
    return flat[: end if end > 0 else limit].rstrip() + CUT
