"""Page tokens: a position in one generation of the registry, opaque and url-safe.

Damage is told from age: a token of an older generation has expired, any other text is no token.
As on the live service, a token does not know which query it came from.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from trialyst.errors import InvalidInput

__all__ = ["decode_token", "encode_token"]

_GENERATION, _OFFSET, _CHECK = 6, 5, 4
_SHAPE = re.compile(r"[A-Za-z0-9_-]{20}")


def encode_token(generation: str, offset: int) -> str:
    """Pack a position into a token.

    >>> decode_token(encode_token("g1", 50), "g1")
    50
    """
    body = _hash(generation.encode(), _GENERATION) + offset.to_bytes(_OFFSET, "big")
    return base64.urlsafe_b64encode(body + _hash(body, _CHECK)).decode()


def decode_token(token: str, generation: str) -> int:
    """Give the position a token stands for, or raise InvalidInput."""
    try:
        packed = base64.urlsafe_b64decode(token) if _SHAPE.fullmatch(token) else b""
    except (binascii.Error, ValueError):
        packed = b""
    body, check = packed[:-_CHECK], packed[-_CHECK:]
    if not body or _hash(body, _CHECK) != check:
        raise InvalidInput("Parameter `pageToken` has incorrect format", invalid_input=token)
    if body[:_GENERATION] != _hash(generation.encode(), _GENERATION):
        raise InvalidInput(
            "Page token has expired because the registry was updated; start again without "
            "`pageToken`",
            invalid_input=token,
        )
    return int.from_bytes(body[_GENERATION:], "big")


def _hash(value: bytes, size: int) -> bytes:
    return hashlib.blake2b(value, digest_size=size, person=b"pagetoken").digest()
