"""Pages and the opaque cursor that leads from one to the next.

The cursor is base64url JSON bound to a digest of the query, so that a cursor used with other
filters, or a damaged one, is refused instead of answering another question.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from trialyst.errors import InvalidInput

__all__ = ["Page", "decode_cursor", "digest", "encode_cursor"]

Item = TypeVar("Item")

_LAST_OFFSET = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of results; `cursor` is None on the last page, `total` None when unknown."""

    items: Sequence[Item]
    cursor: str | None = None
    total: int | None = None


def digest(value: object) -> str:
    """Name a value by a short stable hash of its JSON form.

    >>> digest({"b": 1, "a": [2]}) == digest({"a": [2], "b": 1})
    True
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def encode_cursor(query_digest: str, **state: Any) -> str:
    """Pack a position into an opaque token.

    >>> decode_cursor(encode_cursor("q", offset=50), "q")
    {'offset': 50}
    """
    packed = json.dumps({"q": query_digest, **state}, separators=(",", ":"), sort_keys=True)
    return base64.urlsafe_b64encode(packed.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, query_digest: str) -> dict[str, Any]:
    """Unpack a token made by `encode_cursor` for the same query, or raise InvalidInput."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        state = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        bound_to = state.pop("q")
    except (binascii.Error, ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise _damaged(cursor) from None
    if bound_to != query_digest:
        raise InvalidInput(
            "The cursor belongs to another query",
            hint="Repeat the same query and filters with the cursor, or omit the cursor.",
            invalid_input=cursor,
        )
    offset = state.get("offset", 0)
    if type(offset) is not int or not 0 <= offset <= _LAST_OFFSET:
        raise _damaged(cursor)
    return dict(state)


def _damaged(cursor: str) -> InvalidInput:
    return InvalidInput(
        "The cursor is damaged",
        hint="Pass the cursor exactly as the previous page gave it, or omit it.",
        invalid_input=cursor,
    )
