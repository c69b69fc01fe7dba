"""Records of the live service to files: the bulk zip, checked, or pages of a query.

What is fetched stays until the sync is done, so that an interrupted one goes on. A query is read
in windows by the day a study was first posted, which never changes: a window that is whole need
not be read again.
"""

from __future__ import annotations

import asyncio
import datetime
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from trialyst.ctgov.client import LiveSource
from trialyst.ctgov.params import MAX_PAGE_SIZE
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.wire import VersionBody, decoder
from trialyst.errors import UpstreamError
from trialyst.essie.ast import Node
from trialyst.essie.build import between, missing
from trialyst.ids import NctId
from trialyst.registry.forecast import check_room
from trialyst.transport import CacheUse, DownloadProgress, Transport
from trialyst.transport.limits import host_of

__all__ = [
    "ARCHIVE",
    "LiveService",
    "SyncProgress",
    "check_archive",
    "fetch_archive",
    "fetch_ids",
    "fetch_pages",
    "list_ids",
]

ARCHIVE = "ctg-studies.json.zip"
BULK_PATH = "/studies/download?format=json.zip"
POSTED = "StudyFirstPostDate"
FIRST_YEAR = 1999
"""The registry opened in 2000; what claims to be older stands in the first window."""
ONE_WINDOW = 5 * MAX_PAGE_SIZE
"""So few studies are read again in a moment, and windows would cost more requests than pages."""
IDS_AT_ONCE = 200
SHORTAGE = 0.01
"""How much smaller than the service an archive may be: a week's new studies are half of that."""

_PRIVATE = CacheUse(private=True)


class _Sizes(msgspec.Struct, rename="camel"):
    total_studies: int
    average_size_bytes: float


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a stage is: `download` and `build` in bytes, `fetch` and `list` in studies."""

    stage: str
    done: int
    total: int | None
    """None while it is not known."""
    records: int = 0
    """Studies built so far."""


Tell = Callable[[SyncProgress], None]


class LiveService:
    """A v2 API to sync with; nothing it says comes from the cache or goes into it."""

    def __init__(self, transport: Transport, url: str) -> None:
        self.transport = transport
        self.url = url.rstrip("/")
        self.source = LiveSource(transport, self.url, private=True)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    @property
    def interval(self) -> float:
        """Seconds between two requests."""
        return self.transport.limits.interval(host_of(self.url))

    async def data_timestamp(self) -> str:
        """Ask how current the data is."""
        answer = await self.transport.get(f"{self.url}/version", decoder(VersionBody), use=_PRIVATE)
        timestamp = answer.value.data_timestamp
        try:
            datetime.datetime.fromisoformat(timestamp)
        except ValueError:
            raise UpstreamError(f"{self.host} gives no date of its data: {timestamp!r}") from None
        return timestamp

    async def sizes(self) -> tuple[int, float]:
        """Ask for the number of studies and their mean size as JSON."""
        answer = await self.transport.get(f"{self.url}/stats/size", decoder(_Sizes), use=_PRIVATE)
        return answer.value.total_studies, answer.value.average_size_bytes


async def fetch_archive(service: LiveService, folder: Path, *, studies: int, tell: Tell) -> Path:
    """Give the bulk file, whole and checked; one that is broken is fetched a second time.

    Args:
        studies: How many the service has, against which the file is checked.

    Raises:
        UpstreamError: the file is broken as the service sends it.
    """
    target = folder / ARCHIVE
    for last in (False, True):
        if not target.exists():
            await service.transport.download(
                service.url + BULK_PATH, target, progress=_watched(folder, tell)
            )
        problem = await asyncio.to_thread(check_archive, target, studies=studies)
        if problem is None:
            return target
        target.unlink()
        if last:
            raise UpstreamError(
                f"The bulk file of {service.host} is not usable: {problem}",
                hint="Run the same command again later; the registry in use is unchanged.",
            )
    raise AssertionError("unreachable")


def check_archive(path: Path, *, studies: int) -> str | None:
    """Say what is wrong with a bulk file: its central directory, its extent, its number of files.

    What each file holds is checked when it is read.
    """
    size = path.stat().st_size
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [info for info in archive.infolist() if info.filename.endswith(".json")]
            beyond = [info for info in entries if info.header_offset + info.compress_size > size]
            if entries:
                archive.open(entries[-1]).close()
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError) as problem:
        return f"it is no whole zip of {size:,} bytes ({problem})"
    if beyond:
        return f"{beyond[0].filename} and others lie beyond its end"
    if not entries or len(entries) < studies * (1 - SHORTAGE):
        return f"it holds {len(entries):,} studies where the service counts {studies:,}"
    return None


def _watched(folder: Path, tell: Tell) -> Callable[[DownloadProgress], None]:
    """Pass progress on; when the size becomes known, look whether there is room for it."""
    sizes: set[int | None] = {None}

    def progress(download: DownloadProgress) -> None:
        if download.total not in sizes and download.total is not None:
            sizes.add(download.total)
            check_room(download.total - download.done, folder)
        tell(SyncProgress("download", download.done, download.total))

    return progress


async def fetch_pages(
    service: LiveService, query: TrialQuery, folder: Path, *, total: int, year: int, tell: Tell
) -> list[Path]:
    """Write every match of a query to files of JSON lines, one for each window.

    Args:
        year: The last window begins with it; it must be the same when a sync goes on.
    """
    done = 0
    files: list[Path] = []
    for name, window in _windows(year) if total > ONE_WINDOW else [("all", None)]:
        file = folder / f"studies-{name}.jsonl"
        if not file.exists():
            narrowed = replace(query, filters=(*query.filters, window)) if window else query
            done = await _write_matches(service, narrowed, file, done, total, tell)
        else:
            done += await asyncio.to_thread(_count_lines, file)
        tell(SyncProgress("fetch", done, total))
        files.append(file)
    return files


async def fetch_ids(service: LiveService, ids: Sequence[NctId], file: Path) -> Path:
    """Write the records of some studies to a file of JSON lines."""
    with file.open("wb") as lines:
        for start in range(0, len(ids), IDS_AT_ONCE):
            chunk = TrialQuery(ids=tuple(ids[start : start + IDS_AT_ONCE]))
            async for record in service.source.iter_studies(chunk):
                lines.write(_as_line(record))
    return file


async def list_ids(service: LiveService, query: TrialQuery, *, total: int, tell: Tell) -> set[int]:
    """Give the numbers of all matches, without their records."""
    numbers: set[int] = set()
    async for ((nct_id,),) in service.source.iter_rows(query, ["NCTId"]):
        numbers.add(NctId.parse(nct_id).number)
        if len(numbers) % MAX_PAGE_SIZE == 0:
            tell(SyncProgress("list", len(numbers), total))
    return numbers


async def _write_matches(
    service: LiveService, query: TrialQuery, file: Path, done: int, total: int, tell: Tell
) -> int:
    aside = file.with_name(f"{file.name}.part")
    with aside.open("wb") as lines:
        async for record in service.source.iter_studies(query):
            lines.write(_as_line(record))
            done += 1
            if done % 100 == 0:
                tell(SyncProgress("fetch", done, total))
    aside.replace(file)
    return done


def _windows(year: int) -> Iterator[tuple[str, Node | None]]:
    """Give disjoint windows that together hold every study."""
    yield "first", between(POSTED, None, f"{FIRST_YEAR}-12-31")
    for each in range(FIRST_YEAR + 1, year):
        yield str(each), between(POSTED, f"{each}-01-01", f"{each}-12-31")
    yield "last", between(POSTED, f"{max(year, FIRST_YEAR + 1)}-01-01", None)
    yield "undated", missing(POSTED)


def _as_line(record: bytes) -> bytes:
    # Within JSON a line break can only stand between values.
    return record.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"


def _count_lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for _ in lines)
