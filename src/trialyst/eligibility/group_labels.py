"""Labels that say of whom a criterion is asked: "Male participants:", "For women -"."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["GroupLabel", "find_group_label"]

_LABEL = re.compile(
    r"\W*(?:for\s+|in\s+)?(?:all\s+)?(?P<group>(?:fe)?males?|(?:wo)?men|wocbp"
    r"|(?:women|females) of child[\s-]?bearing (?:potential|age)"
    r"|(?:pre|post)-?menopausal (?:women|females))"
    r"(?:\s+(?:participants?|patients?|subjects?|volunteers?|only))*"
    r"\s*(?::|\s[\u2013-])\s*(?=\S)",
    re.IGNORECASE,
)


class GroupLabel(NamedTuple):
    """A criterion in two, with blanks that keep the places of what is read."""

    group: str
    demand: str


def find_group_label(text: str) -> GroupLabel | None:
    """Part a criterion that begins with a label of a sex, or of women who may bear children.

    >>> find_group_label("Male participants: contraception")
    GroupLabel(group='Male', demand='                   contraception')
    >>> find_group_label("Men or women: aged 18 or more")
    """
    found = _LABEL.match(text)
    if found is None:
        return None
    group = found["group"].rjust(found.end("group"))
    return GroupLabel(group, text[found.end() :].rjust(len(text)))
