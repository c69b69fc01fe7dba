"""Files to raw study records: zip archives, directories, JSON arrays and lines, compressed or not.

Yields the bytes of one study at a time, with where they stood. A record that is not JSON is told
apart from a file that cannot be read to its end: the first is skipped, the second stops a build.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple, cast

from trialyst.errors import InvalidInput

__all__ = ["InputFile", "RawRecord", "RecordStream", "find_inputs"]

_COMPRESSED = {".gz", ".xz", ".zst"}
_PLAIN = {".json", ".jsonl", ".ndjson"}
_CHUNK = 1 << 22
_LONGEST_VALUE = 1 << 28
"""No study is near 256 MB; text that goes on for longer without ending is damaged."""

_UNREADABLE = (
    EOFError,
    OSError,
    UnicodeDecodeError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)


class RawRecord(NamedTuple):
    """The bytes of one study and where they were read."""

    data: bytes
    place: str


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read, with what tells whether it changed since."""

    path: Path
    size: int
    modified: int


def find_inputs(paths: Iterable[Path]) -> list[InputFile]:
    """List the files that paths name; a directory stands for the study files below it."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and _is_known(p))
            if not inside:
                raise InvalidInput(
                    f"There are no study files in {str(path)!r}",
                    hint="Expected .json, .jsonl or .zip files, plain or .gz, .xz, .zst.",
                    invalid_input=str(path),
                )
            files.extend(inside)
        elif path.is_file():
            files.append(path)
        else:
            raise InvalidInput(
                f"There is no file or directory {str(path)!r}",
                hint="Give the bulk zip, a directory of study files, or JSON (lines) files.",
                invalid_input=str(path),
            )
    unique = list(dict.fromkeys(file.resolve() for file in files))
    stats = [(file, file.stat()) for file in unique]
    return [InputFile(file, stat.st_size, stat.st_mtime_ns) for file, stat in stats]


def _is_known(path: Path) -> bool:
    suffixes = path.suffixes[-2:]
    return path.suffix in _PLAIN | {".zip"} or (
        path.suffix in _COMPRESSED and len(suffixes) == 2 and suffixes[0] in _PLAIN
    )


class RecordStream:
    """The studies of some files in order, with how many bytes of the files have been read."""

    def __init__(self, files: Sequence[InputFile]) -> None:
        self._files = files
        self._finished = 0
        self._current: IO[bytes] | None = None
        self.bytes_total = sum(file.size for file in files)

    @property
    def bytes_read(self) -> int:
        here = self._current.tell() if self._current and not self._current.closed else 0
        return min(self._finished + here, self.bytes_total)

    def __iter__(self) -> Iterator[RawRecord]:
        """Yield records.

        Raises:
            InvalidInput: a file is no JSON at all, or is damaged before its end.
        """
        for file in self._files:
            with file.path.open("rb") as self._current:
                yield from _read_file(file.path, self._current)
            self._finished += file.size


def _read_file(path: Path, file: IO[bytes]) -> Iterator[RawRecord]:
    try:
        if path.suffix == ".zip":
            yield from _read_zip(file, path.name)
        else:
            yield from _read_stream(_decompress(path, file), path.name)
    except _UNREADABLE as problem:
        raise InvalidInput(
            f"{str(path)!r} cannot be read to its end: {problem}",
            hint="Fetch the file again; nothing of the registry was changed.",
            invalid_input=str(path),
        ) from problem


def _decompress(path: Path, file: IO[bytes]) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if path.suffix == ".xz":
        return lzma.LZMAFile(file)
    if path.suffix == ".zst":
        return _open_zst(file)
    return file


def _open_zst(file: IO[bytes]) -> IO[bytes]:
    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return io.BufferedReader(_ZstdErrors(reader), _CHUNK)


class _ZstdErrors(io.RawIOBase):
    """A zstd stream whose errors are OSErrors, as those of the standard library are."""

    def __init__(self, reader: IO[bytes]) -> None:
        self._reader = reader

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        import zstandard

        try:
            data = self._reader.read(len(buffer))
        except zstandard.ZstdError as problem:
            raise OSError(str(problem)) from problem
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._reader.close()
        super().close()


def _read_zip(file: IO[bytes], name: str) -> Iterator[RawRecord]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir() or not info.filename.endswith((".json", ".jsonl", ".ndjson")):
                continue
            with archive.open(info) as member:
                yield from _read_stream(member, f"{name}/{info.filename}")


def _read_stream(stream: IO[bytes], name: str) -> Iterator[RawRecord]:
    """Tell JSON lines from other JSON by whether the first line stands alone."""
    first = stream.readline().removeprefix(b"\xef\xbb\xbf")
    while first and not first.strip():
        first = stream.readline()
    if not first:
        return
    if first.lstrip()[:1] not in (b"{", b"["):
        raise InvalidInput(
            f"{name!r} does not hold JSON: it begins with {first[:20]!r}",
            hint="Give study records as JSON: an array, one object, or one object a line.",
            invalid_input=name,
        )
    if _is_study_line(first):
        yield RawRecord(first.strip(), f"{name}:1")
        for line_number, line in enumerate(stream, 2):
            if stripped := line.strip():
                yield RawRecord(stripped, f"{name}:{line_number}")
    else:
        yield from _read_values(first, stream, name)


def _is_study_line(line: bytes) -> bool:
    try:
        value = json.loads(line)
    except ValueError:
        return False
    return isinstance(value, dict) and not isinstance(value.get("studies"), list)


def _read_values(first: bytes, stream: IO[bytes], name: str) -> Iterator[RawRecord]:
    """Cut studies out of an array, of the `studies` of a page, or of one indented object."""
    text = _Text(first, stream)
    if text.peek() == "{" and not text.skip_to_studies():
        yield RawRecord(text.next_value().encode(), f"{name}:1")
        return
    text.skip("[")
    position = 0
    while True:
        text.skip(",")
        mark = text.peek()
        if mark == "]":
            return
        position += 1
        if not mark:
            raise EOFError(f"the array ends after record {position - 1} without `]`")
        yield RawRecord(text.next_value().encode(), f"{name}[{position}]")


class _Text:
    """A window on decoded JSON text that grows as values need it."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._stream = io.TextIOWrapper(
            io.BufferedReader(_Chained(first, stream), _CHUNK), encoding="utf-8"
        )
        self._text = ""
        self._at = 0
        self._decode = json.JSONDecoder().raw_decode

    def _grow(self) -> bool:
        more = self._stream.read(_CHUNK)
        self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)

    def peek(self) -> str:
        """Give the next character that is not white space, "" at the end."""
        while True:
            while self._at < len(self._text):
                if not self._text[self._at].isspace():
                    return self._text[self._at]
                self._at += 1
            if not self._grow():
                return ""

    def skip(self, mark: str) -> None:
        if self.peek() == mark:
            self._at += 1

    def skip_to_studies(self) -> bool:
        """Move behind `"studies":` of a page of the API, if this is one."""
        self.peek()
        if len(self._text) - self._at < _CHUNK:
            self._grow()
        head = self._text[self._at : self._at + 200]
        key = head.find('"studies"')
        before = head[:key]
        if key < 0 or before.count("{") != 1 or "[" in before:
            return False
        self._at += head.index(":", key) + 1
        return True

    def next_value(self) -> str:
        """Cut out the text of the value that begins here."""
        self.peek()
        while True:
            try:
                _, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as problem:
                if self._may_be_cut_off(problem) and self._grow():
                    continue
                raise EOFError(f"the JSON is damaged: {problem.msg}") from None
            value, self._at = self._text[self._at : end], end
            return value

    def _may_be_cut_off(self, problem: json.JSONDecodeError) -> bool:
        if len(self._text) - self._at > _LONGEST_VALUE:
            return False
        # A literal such as `false` or an escape can be cut anywhere within its length.
        return problem.msg.startswith("Unterminated") or problem.pos >= len(self._text) - 12


class _Chained(io.RawIOBase):
    """Bytes already read, then the rest of the stream they came from."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first = first
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._first[: len(buffer)] or self._stream.read(len(buffer))
        self._first = self._first[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)
