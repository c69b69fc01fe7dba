"""Stages of cancer in one spelling."""

from __future__ import annotations

import re

__all__ = ["stage_name"]

_STAGE = re.compile(r"\b(?:stage\s*|AJCC:)?([0-4]|IV|I{1,3})([A-D][1-3]?)?$", re.IGNORECASE)
_CATEGORY = re.compile(r"\b[cpy]{0,2}[TNM](?:[0-4][a-d]?|is|x)\b")


def stage_name(value: str) -> str:
    """Give a stage in one spelling.

    >>> stage_name("3A"), stage_name("AJCC:4"), stage_name("AJCC cT3")
    ('IIIA', 'IV', 'cT3')
    """
    category = _CATEGORY.search(value)
    if category is not None:
        return category.group()
    match = _STAGE.search(value)
    if match is None:
        return value
    numeral = match.group(1).upper()
    roman = ("0", "I", "II", "III", "IV")[int(numeral)] if numeral.isdigit() else numeral
    return roman + (match.group(2) or "").upper()
