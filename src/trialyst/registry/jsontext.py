"""A window on JSON text that may be far larger than memory: cuts out one value at a time."""

from __future__ import annotations

import io
import json
import re
from typing import IO

__all__ = ["LONGEST_RECORD", "JsonText", "RecordTooLong", "is_page"]

CHUNK = 1 << 22
LONGEST_RECORD = 1 << 26
"""Bytes of a record at the most: no study is near 64 MB, and a small archive may unpack to more
than memory holds.
"""
_PAGE_HEAD = 4096
_PAGE = re.compile(
    r'\{(?:\s*"[^"]*"\s*:\s*(?:"[^"]*"|[-\d.]+|null|true|false)\s*,)*\s*"studies"\s*:\s*(?=\[)'
)
_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def is_page(line: bytes) -> bool:
    """Whether a line begins a page of the API, `{"studies": [...`."""
    return _PAGE.match(line[:_PAGE_HEAD].decode("utf-8", "replace").lstrip()) is not None


class RecordTooLong(EOFError):
    """A record goes on for longer than any study does."""

    def __str__(self) -> str:
        return f"a record goes on for more than {LONGEST_RECORD >> 20} MB, which no study does"


class JsonText:
    """Decoded text that grows as values need it; bytes that are not UTF-8 come out as they were."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._stream = io.TextIOWrapper(
            io.BufferedReader(_Chained(first, stream), CHUNK),
            encoding="utf-8",
            errors="surrogateescape",
            newline="",
        )
        self._text = ""
        self._at = 0
        self._decode = json.JSONDecoder().raw_decode

    def peek(self) -> str:
        """Give the next character that is not white space, "" at the end."""
        while True:
            while self._at < len(self._text):
                if not self._text[self._at].isspace():
                    return self._text[self._at]
                self._at += 1
            if not self._grow():
                return ""

    def skip(self, mark: str) -> bool:
        """Move behind a mark if it comes next."""
        found = self.peek() == mark
        self._at += found
        return found

    def enter_page(self) -> bool:
        """Move to the array of a page of the API, if this is one."""
        self.peek()
        if len(self._text) - self._at < _PAGE_HEAD:
            self._grow()
        page = _PAGE.match(self._text, self._at, self._at + _PAGE_HEAD)
        if page:
            self._at = page.end()
        return page is not None

    def leave_page(self) -> None:
        """Move behind the end of a page whose array was read."""
        while self.skip(","):
            self.next_value()
            self.skip(":")
            self.next_value()
        if not self.skip("}"):
            raise EOFError("the page ends without `}`")

    def next_value(self) -> bytes:
        """Cut out the text of the value that begins here, or raise EOFError."""
        self.peek()
        while True:
            try:
                end = self._end_of_value()
            except json.JSONDecodeError as problem:
                if self._may_be_cut_off(problem) and self._grow():
                    continue
                raise EOFError(f"the JSON is damaged: {problem.msg}") from None
            if end - self._at > LONGEST_RECORD:
                raise RecordTooLong
            value, self._at = self._text[self._at : end], end
            return _encode(value)

    def rest(self) -> bytes:
        """Take what is in the window, for a report on damage."""
        value, self._at = self._text[self._at :], len(self._text)
        return _encode(value)

    def _grow(self) -> bool:
        kept = self._text[self._at :]
        if len(kept) > LONGEST_RECORD:
            raise RecordTooLong
        # Doubling: a value is decoded again from its start each time the window has grown.
        more = self._stream.read(max(CHUNK, len(kept)))
        self._text, self._at = kept + more, 0
        return bool(more)

    def _end_of_value(self) -> int:
        try:
            return self._decode(self._text, self._at)[1]
        except RecursionError:
            return self._end_of_nested()

    def _end_of_nested(self) -> int:
        """Find the end of a value nested too deeply to decode, by its brackets."""
        depth = 0
        for token in _BRACKET_OR_STRING.finditer(self._text, self._at):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
            if not depth:
                return token.end()
        raise json.JSONDecodeError("Unterminated nesting", self._text, self._at)

    def _may_be_cut_off(self, problem: json.JSONDecodeError) -> bool:
        # A literal such as `false` or an escape can be cut anywhere within its length.
        return problem.msg.startswith("Unterminated") or problem.pos >= len(self._text) - 12


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class _Chained(io.RawIOBase):
    """Bytes already read, then the rest of the stream they came from."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first = memoryview(first)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._first[: len(buffer)] or self._stream.read(len(buffer))
        self._first = self._first[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)
