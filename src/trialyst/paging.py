"""Pages and the opaque cursors that lead from one to the next.

The cursor of a source is base64url JSON bound to a digest of its query; that of a tool carries the
whole call, so that alone it continues it. Used with other filters, or damaged, either is refused
instead of answering another question.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Call, Hint
from trialyst.signatures import Text, Whole, Wire

__all__ = [
    "MAX_PAGE",
    "Continuation",
    "Page",
    "check_offset",
    "check_version",
    "decode_continuation",
    "decode_cursor",
    "digest",
    "encode_continuation",
    "encode_cursor",
    "take_up",
]

MAX_PAGE = 200
SMALL_PAGE = 20
"""What a tool lists at once, where an item is more than a line."""

PageOf20 = Annotated[Whole, Wire(type="integer", minimum=1, maximum=MAX_PAGE, default=SMALL_PAGE)]
Cursor = Annotated[Text, "Of a page; alone it continues."]

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
    return _pack({"q": query_digest, **state})


def decode_cursor(cursor: str, query_digest: str) -> dict[str, Any]:
    """Unpack a token made by `encode_cursor` for the same query, or raise InvalidInput."""
    state = _unpack(cursor)
    if "q" not in state:
        raise _damaged(cursor)
    if state.pop("q") != query_digest:
        raise InvalidInput(
            "The cursor belongs to another query",
            hint="Repeat the same query and filters with the cursor, or omit the cursor.",
            invalid_input=cursor,
        )
    check_offset(state, cursor)
    return state


@dataclass(frozen=True, slots=True)
class Continuation:
    """Where a list goes on: the call that began it, and how far it has come."""

    arguments: Mapping[str, Any]
    position: Mapping[str, Any]


def encode_continuation(
    tool: str, arguments: Mapping[str, Any], position: Mapping[str, Any]
) -> str:
    """Pack a call and a position into a token that continues the call alone.

    >>> token = encode_continuation("search", {"query": "asthma"}, {"offset": 50})
    >>> decode_continuation(token, "search", {}).arguments
    {'query': 'asthma'}
    """
    return _pack({"t": tool, "a": arguments, "p": position})


def decode_continuation(cursor: str, tool: str, given: Mapping[str, Any]) -> Continuation:
    """Unpack a token made by `encode_continuation` for the same tool, or raise InvalidInput.

    Args:
        given: the arguments that came with the cursor; each must be as in the call that began.
    """
    state = _unpack(cursor)
    arguments, position = state.get("a"), state.get("p")
    if not isinstance(arguments, dict) or not isinstance(position, dict):
        raise _damaged(cursor)
    if state.get("t") != tool:
        other_tool = Call(str(state.get("t")))
        raise InvalidInput(
            Hint("The cursor belongs to {call}", call=other_tool),
            hint=Hint("Pass it to {call}, or leave out {cursor}.", call=other_tool),
            invalid_input=cursor,
        )
    other = [name for name in given if given[name] != arguments.get(name)]
    if other:
        raise InvalidInput(
            Hint(
                "The cursor belongs to another query: {other} differs",
                other=tuple(map(Argument, other)),
            ),
            hint=Hint("Give {cursor} alone to continue, or leave it out to begin the new query."),
            invalid_input=cursor,
        )
    return Continuation(arguments, position)


def take_up(tool: str, given: Mapping[str, Any]) -> Continuation:
    """Give the call to answer: the one that a given cursor continues, else the given one."""
    others = {name: value for name, value in given.items() if name != "cursor"}
    cursor = given.get("cursor")
    if cursor is None:
        return Continuation(others, {})
    return decode_continuation(str(cursor), tool, others)


def check_version(call: Continuation, version: str) -> None:
    """Raise InvalidInput where a list has changed since the page before: it would not fit on."""
    if call.position.get("version", version) != version:
        raise InvalidInput(
            "The cursor has expired: the data was updated since",
            hint=Hint("Leave out {cursor} to begin again on the new data."),
        )


def check_offset(state: Mapping[str, Any], cursor: str) -> int:
    """Give how far a list has come, or raise InvalidInput for a number that none has."""
    offset = state.get("offset", 0)
    if type(offset) is not int or not 0 <= offset <= _LAST_OFFSET:
        raise _damaged(cursor)
    return offset


def _pack(state: Mapping[str, Any]) -> str:
    packed = json.dumps(state, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return base64.urlsafe_b64encode(packed.encode()).decode().rstrip("=")


def _unpack(cursor: str) -> dict[str, Any]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        state = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise _damaged(cursor) from None
    if not isinstance(state, dict):
        raise _damaged(cursor)
    return state


def _damaged(cursor: str) -> InvalidInput:
    return InvalidInput(
        "The cursor is damaged",
        hint="Pass the cursor exactly as the previous page gave it, or omit it.",
        invalid_input=cursor,
    )
