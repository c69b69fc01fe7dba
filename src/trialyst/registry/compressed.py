"""Opening compressed files so that one cut short is an error, never a short answer."""

from __future__ import annotations

import gzip
import io
import lzma
from pathlib import Path
from typing import IO, cast

__all__ = ["COMPRESSED", "decompress"]

COMPRESSED = frozenset({".gz", ".xz", ".zst"})
_CHUNK = 1 << 17


def decompress(path: Path, file: IO[bytes]) -> IO[bytes]:
    """Give the content of a file by its suffix.

    Raises:
        EOFError: it is empty; reading raises this where the file is cut short.
    """
    suffix = path.suffix.lower()
    if suffix in COMPRESSED and not file.read(1):
        raise EOFError("the file is empty")
    file.seek(0)
    if suffix == ".gz":
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if suffix == ".xz":
        return lzma.LZMAFile(file)
    if suffix == ".zst":
        return io.BufferedReader(_ZstdFile(file), 1 << 22)
    return file


class _ZstdFile(io.RawIOBase):
    """The content of zstd frames; the package's own reader ends quietly where a frame is cut."""

    def __init__(self, file: IO[bytes]) -> None:
        import zstandard

        self._file = file
        self._open = zstandard.ZstdDecompressor().decompressobj
        self._error = zstandard.ZstdError
        self._frame = self._open()
        self._inside = False
        self._content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._content:
            data = self._frame.unused_data if self._frame.eof else b""
            data = data or self._file.read(_CHUNK)
            if not data:
                if self._inside and not self._frame.eof:
                    raise EOFError("the compressed data ends before its end mark")
                return 0
            self._content = memoryview(self._feed(data))
        size = min(len(buffer), len(self._content))
        buffer[:size] = self._content[:size]
        self._content = self._content[size:]
        return size

    def _feed(self, data: bytes) -> bytes:
        if self._frame.eof:
            self._frame = self._open()
        self._inside = True
        try:
            return self._frame.decompress(data)
        except self._error as problem:
            raise OSError(str(problem)) from problem
