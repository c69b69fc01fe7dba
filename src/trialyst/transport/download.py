"""Fetching a file of any size: written aside, resumed after a cut, switched in when whole.

Half a file stays beside the target with a note of what it is half of, so that another process
can go on. A file that changed meanwhile is fetched from its start: two halves never mix.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

__all__ = ["DownloadProgress", "Downloaded", "Half", "parse_content_range"]

_BUFFER = 2**20
_CONTENT_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far a download has come; `total` is None while the service does not say."""

    done: int
    total: int | None


Progress = Callable[[DownloadProgress], None]


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A whole file on disk."""

    path: Path
    size: int
    size_checked: bool
    """Whether the service said how long the file is; if not, check the content."""
    resumed_from: int
    """The bytes that an earlier run had left."""
    etag: str | None = None
    last_modified: str | None = None


@dataclass(slots=True)
class Half:
    """A file under way and the note beside it."""

    target: Path
    url: str
    etag: str | None = None
    last_modified: str | None = None
    total: int | None = None
    done: int = 0
    resumed_from: int = 0

    @classmethod
    def find(cls, url: str, target: Path) -> Half:
        """Pick up what an earlier run left for the same URL, or begin with nothing."""
        half = cls(target, url)
        try:
            note = json.loads(half.note_path.read_text("utf-8"))
            if note["url"] == url:
                half.etag, half.last_modified = note["etag"], note["last_modified"]
                half.total = note["total"]
                half.done = half._reusable() if half.validator else 0
                half.resumed_from = half.done
        except (OSError, ValueError, KeyError, TypeError):
            return cls(target, url)
        return half

    @property
    def path(self) -> Path:
        return self.target.with_name(f"{self.target.name}.part")

    @property
    def note_path(self) -> Path:
        return self.target.with_name(f"{self.target.name}.part.json")

    @property
    def validator(self) -> str | None:
        """What tells that the file is still the same; a weak tag does not vouch for bytes."""
        strong = self.etag if self.etag and not self.etag.startswith("W/") else None
        return strong or self.last_modified

    def headers(self) -> dict[str, str]:
        """Ask for the rest, or for all of it if the file has changed."""
        asked = {"Accept-Encoding": "identity"}
        if self.done and self.validator:
            asked |= {"Range": f"bytes={self.done}-", "If-Range": self.validator}
        return asked

    def begin(self, status: int, headers: Mapping[str, str]) -> bool:
        """Take note of what the service sends; false if it is not what was asked for."""
        etag, modified = headers.get("etag"), headers.get("last-modified")
        if status == 206:
            start, total = parse_content_range(headers.get("content-range", ""))
            same = start == self.done and (self.total is None or total in (None, self.total))
            if not same or (etag and self.etag and etag != self.etag):
                self.restart()
                return False
            self.total = total if total is not None else self.total
        else:
            self.restart()
            self.etag, self.last_modified = etag, modified
            self.total = _length(headers)
        self._write_note()
        return True

    def restart(self) -> None:
        """Forget what is there."""
        self.done, self.resumed_from, self.total = 0, 0, None
        self.etag, self.last_modified = None, None

    def open(self) -> BinaryIO:
        """Open the file for what comes next, cut to what is known to be good."""
        file = self.path.open("r+b" if self.done else "wb", buffering=_BUFFER)
        file.seek(self.done)
        file.truncate()
        return file

    def finish(self) -> None:
        """Switch the whole file in."""
        self.path.replace(self.target)
        self.note_path.unlink(missing_ok=True)

    def _reusable(self) -> int:
        size = self.path.stat().st_size
        if self.total is None or size < self.total:
            return size
        # Of a whole file the last byte is asked for again, to learn whether it is still the same.
        return max(self.total - 1, 0) if size == self.total else 0

    def _write_note(self) -> None:
        names = ("url", "etag", "last_modified", "total")
        note = {name: getattr(self, name) for name in names}
        self.note_path.write_text(json.dumps(note), "utf-8")


def parse_content_range(text: str) -> tuple[int | None, int | None]:
    """Read where a part begins and how long the whole is.

    >>> parse_content_range("bytes 500-999/1234"), parse_content_range("bytes */1234")
    ((500, 1234), (None, 1234))
    """
    shape = _CONTENT_RANGE.fullmatch(text.strip())
    if not shape:
        return None, None
    start, total = shape.groups()
    return (int(start) if start else None), (None if total == "*" else int(total))


def _length(headers: Mapping[str, str]) -> int | None:
    text = headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() else None
