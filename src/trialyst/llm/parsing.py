"""JSON out of what a model wrote: fences, thinking aloud and prose around it are passed over."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["parse_objects"]

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_LONGEST = 200_000
_MOST_TRIES = 200


def parse_objects(text: str) -> list[dict[str, Any]]:
    """Give the JSON objects in a text, in their order; none where there are none.

    >>> parse_objects('Sure! ```json\\n{"verdict": "MET"}\\n``` Hope this helps.')
    [{'verdict': 'MET'}]
    >>> parse_objects("no idea {")
    []
    """
    text = _THINKING.sub(" ", text[:_LONGEST])
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    at = 0
    for _ in range(_MOST_TRIES):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        found.append(value)
    return found
