"""A zip archive written as a stream: one pass, no seeking, the same memory for any size.

Entries are compressed one at a time. The central directory is gathered in a file that moves to
disk when it grows, so that an archive of the whole registry does not live in memory.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import IO

__all__ = ["iter_zip"]

_CHUNK = 256 * 1024
"""Bytes handed over at a time: large enough that a chunk costs more than its hand-over."""
_DIRECTORY_IN_MEMORY = 8 * 1024 * 1024
_FAST = 1
_MAX_16, _MAX_32 = 0xFFFF, 0xFFFFFFFF
_UTF8_NAMES, _DEFLATED = 0x800, 8


def iter_zip(
    files: Iterable[tuple[str, bytes]], modified: datetime, *, position: int = 0
) -> Iterator[bytes]:
    """Yield the bytes of an archive of the named files, all with one modification time.

    Args:
        position: How many bytes stand before the archive in the file it is written to.
    """
    stamp = _dos_time(modified)
    offset, count = position, 0
    pending = bytearray()
    with tempfile.SpooledTemporaryFile(max_size=_DIRECTORY_IN_MEMORY) as directory:
        for name, content in files:
            packed = _deflate(content)
            details = _details(stamp, content, packed)
            encoded = name.encode()
            pending += struct.pack("<IH", 0x04034B50, 20) + details
            pending += struct.pack("<HH", len(encoded), 0) + encoded + packed
            directory.write(_directory_entry(details, encoded, offset))
            offset += 30 + len(encoded) + len(packed)
            count += 1
            if len(pending) >= _CHUNK:
                yield bytes(pending)
                pending.clear()
        yield bytes(pending)
        yield from _directory(directory, count=count, start=offset)


def _details(stamp: tuple[int, int], content: bytes, packed: bytes) -> bytes:
    """Give the fields that the local header and the directory entry share."""
    sizes = (zlib.crc32(content), len(packed), len(content))
    return struct.pack("<HHHHIII", _UTF8_NAMES, _DEFLATED, *stamp, *sizes)


def _directory_entry(details: bytes, name: bytes, offset: int) -> bytes:
    extra = struct.pack("<HHQ", 1, 8, offset) if offset >= _MAX_32 else b""
    needed = 45 if extra else 20
    lengths = struct.pack("<HHHHHII", len(name), len(extra), 0, 0, 0, 0, min(offset, _MAX_32))
    return struct.pack("<IHH", 0x02014B50, needed, needed) + details + lengths + name + extra


def _directory(directory: IO[bytes], *, count: int, start: int) -> Iterator[bytes]:
    size = directory.tell()
    directory.seek(0)
    while block := directory.read(_CHUNK):
        yield block
    if count >= _MAX_16 or max(size, start) >= _MAX_32:
        yield struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, start)
        yield struct.pack("<IIQI", 0x07064B50, 0, start + size, 1)
    counts = (min(count, _MAX_16),) * 2
    ends = (min(size, _MAX_32), min(start, _MAX_32))
    yield struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, *counts, *ends, 0)


def _deflate(content: bytes) -> bytes:
    compressor = zlib.compressobj(_FAST, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(content) + compressor.flush()


def _dos_time(moment: datetime) -> tuple[int, int]:
    """Give time and date as archives hold them: two-second steps, from 1980 on."""
    year = max(moment.year, 1980) - 1980
    time = moment.hour << 11 | moment.minute << 5 | moment.second // 2
    return time, year << 9 | moment.month << 5 | moment.day
