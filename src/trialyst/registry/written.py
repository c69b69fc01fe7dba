"""Texts as they are written: the words and marks by which the index tells spellings apart.

A run of letters and digits is a word, case and accents kept; every other character that is no
space is a mark, which also says whether a space stands before and after it. Two texts have the same
words and marks exactly if they are the same but for the width of spaces.
"""

from __future__ import annotations

import re

__all__ = ["SEPARATORS", "holds_as_folded", "is_irregular", "written_tokens"]

SEPARATORS = (
    "\u00ae\u00b0\u00b1\u00b7\u00d7\u2010\u2011\u2012\u2013\u2014"
    "\u2015\u2018\u2019\u201c\u201d\u2022\u2026\u2264\u2265"
)
"""Characters beyond ASCII that end a word, when it is folded too; `src/native/written.c` has the
same."""
_TOKEN = re.compile(r"[^\W_]+|\S")
_IRREGULAR = re.compile(rf"[^\w\t\n\r\x20-\x7e\xa0{SEPARATORS}]")
_MARK = "_"
"""How a mark begins, as no word does."""


def is_irregular(text: str) -> bool:
    """Whether a character may be read differently when the text is folded: ``²`` or ``™``."""
    return _IRREGULAR.search(text) is not None


def written_tokens(text: str) -> list[str]:
    """Give the words and marks of a text.

    >>> written_tokens("COVID-19 (mild)")
    ['COVID', '_0-', '19', '_1(', 'mild', '_0)']
    """
    collapsed = " ".join(text.split())
    last = len(collapsed) - 1
    tokens = []
    for match in _TOKEN.finditer(collapsed):
        token, at = match.group(), match.start()
        if not token[0].isalnum():
            before = at > 0 and collapsed[at - 1] == " "
            after = at < last and collapsed[at + 1] == " "
            token = f"{_MARK}{before + 2 * after}{token}"
        tokens.append(token)
    return tokens


def holds_as_folded(text: str) -> bool:
    """Whether every text that has these words and marks in a row also has them when it is folded.

    Not with a mark at either end, next to which anything may stand, nor where the text may be the
    end of a possessive, which is folded away.
    """
    stripped = text.strip()
    if not stripped or is_irregular(stripped):
        return False
    ends_in_words = stripped[0].isalnum() and stripped[-1].isalnum()
    return ends_in_words and written_tokens(stripped)[0].lower() != "s"
