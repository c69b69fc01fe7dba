"""Records to text: one study a line, with the fields and in the markup asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import msgspec

from trialyst.essie.pieces import Piece
from trialyst.interfaces.api.arguments import read_choice, split_list
from trialyst.interfaces.api.markup import to_legacy
from trialyst.interfaces.api.projection import compile_fields

__all__ = ["read_form", "render_page"]

Form = Callable[[bytes], bytes]
"""A stored study to the line that is sent."""


def read_form(arguments: dict[str, str], searched: Collection[Piece] | None = None) -> Form:
    """Read `fields` and `markupFormat`; with neither, a stored study is sent without decoding."""
    names = split_list(arguments, "fields")
    form = _one_line if names is None else compile_fields(names, searched).cut
    if read_choice(arguments, "markupFormat", ("markdown", "legacy")) == "legacy":
        return lambda raw: to_legacy(form(raw))
    return form


def _one_line(raw: bytes) -> bytes:
    return msgspec.json.format(raw, indent=-1) if b"\n" in raw else raw


def render_page(lines: Iterable[bytes], *, total: int | None, token: str | None) -> bytes:
    """Lay a page out as the live service does.

    >>> print(render_page([], total=0, token=None).decode())
    {"totalCount":0,"studies":[
    <BLANKLINE>
    ]}
    """
    head = b"" if total is None else b'"totalCount":%d,' % total
    tail = b"" if token is None else b',"nextPageToken":"%s"' % token.encode()
    return b'{%s"studies":[\n%s\n]%s}' % (head, b",\n".join(lines), tail)
