"""How a reader takes back what was read into the words of a question.

Quoted words are looked for as they stand: neither corrected nor taken for a filter.
"""

from __future__ import annotations

import re

from trialyst.questions.phrasing import find_wishes
from trialyst.questions.places import is_known_place

__all__ = ["keep_spelling", "keep_words"]

_WORD = re.compile(r'"[^"]*"|[^\s"]+')


def keep_words(query: str, argument: str) -> str:
    """Give a question whose words are not taken for a filter any more.

    >>> keep_words("phase 2 asthma", "phase")
    '"phase 2" asthma'
    """
    for wish in reversed(find_wishes(query, is_place=is_known_place)):
        if wish.argument == argument:
            words = query[wish.start : wish.end].strip()
            query = f'{query[: wish.start]}"{words}"{query[wish.end :]}'
    return query


def keep_spelling(query: str, corrected: str) -> str:
    """Give a question whose misspelt words are looked for as they stand.

    >>> keep_spelling("brest cancer", "breast cancer")
    '"brest" cancer'
    """
    known = {word.lower() for word in _WORD.findall(corrected)}

    def quote(found: re.Match[str]) -> str:
        word = found[0]
        return word if word.startswith('"') or word.lower() in known else f'"{word}"'

    return _WORD.sub(quote, query)
