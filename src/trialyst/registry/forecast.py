"""What a sync will take, said before it starts: requests, bytes, disk and time."""

from __future__ import annotations

import math
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from trialyst.ctgov.params import MAX_PAGE_SIZE
from trialyst.errors import RegistryError
from trialyst.hints import Hint

__all__ = [
    "SyncPlan",
    "check_room",
    "forecast_archive",
    "forecast_pages",
    "free_bytes",
    "with_listing",
]

ARCHIVE_SHARE = 0.27
"""Bytes of the bulk zip for a byte of JSON: 2.72 GB for 10.33 GB in August 2026."""
REGISTRY_SHARE = 0.6
"""Bytes of registry for a byte of JSON: half was measured; merging needs room of its own."""
ARCHIVE_BYTES_A_SECOND = 5_000_000
"""A modest line; how fast the service sends is not known before."""
SECONDS_A_PAGE = 3.0
"""For 1,000 whole records, some 5 MB packed, at the pace of `ARCHIVE_BYTES_A_SECOND`."""
SECONDS_A_LISTING = 1.2
"""For 1,000 records with a few fields each, as measured on the live service."""
RECORDS_A_SECOND = 1_500
"""Building on two cores, as measured by `benchmarks/registry.py`."""

_ELSEWHERE = Hint(
    "Make room, or name a directory on another disk with {registry} or TRIALYST_HOME; "
    "what was fetched so far is kept, and the registry in use is unchanged."
)


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What a sync will take; sizes and times are estimates."""

    how: str
    """`archive`, `pages` or `changes`."""
    what: str
    """Which studies, in words."""
    studies: int
    requests: int
    interval: float
    """Seconds between two requests at least."""
    download_bytes: int
    disk_bytes: int
    free_bytes: int
    seconds: float


def forecast_archive(
    directory: Path, *, what: str, studies: int, average: float, present: int, interval: float
) -> SyncPlan:
    """Plan a download of the bulk file, of which some bytes may be present."""
    unpacked = studies * average
    left = max(int(unpacked * ARCHIVE_SHARE) - present, 0)
    return SyncPlan(
        how="archive",
        what=what,
        studies=studies,
        requests=1,
        interval=interval,
        download_bytes=left,
        disk_bytes=left + int(unpacked * REGISTRY_SHARE),
        free_bytes=free_bytes(directory),
        seconds=left / ARCHIVE_BYTES_A_SECOND + studies / RECORDS_A_SECOND,
    )


def forecast_pages(
    directory: Path, *, what: str, studies: int, average: float, interval: float, copied: int = 0
) -> SyncPlan:
    """Plan the reading of pages; for changes, so many bytes of the registry are copied."""
    unpacked = studies * average
    requests = math.ceil(studies / MAX_PAGE_SIZE)
    return SyncPlan(
        how="changes" if copied else "pages",
        what=what,
        studies=studies,
        requests=requests,
        interval=interval,
        download_bytes=int(unpacked * ARCHIVE_SHARE),
        disk_bytes=int(unpacked * (1 + REGISTRY_SHARE)) + copied,
        free_bytes=free_bytes(directory),
        seconds=requests * max(interval, SECONDS_A_PAGE) + studies / RECORDS_A_SECOND,
    )


def with_listing(plan: SyncPlan, listed: int) -> SyncPlan:
    """Add the requests that list so many ids to a plan."""
    requests = math.ceil(listed / MAX_PAGE_SIZE)
    seconds = plan.seconds + requests * max(plan.interval, SECONDS_A_LISTING)
    return replace(plan, requests=plan.requests + requests, seconds=seconds)


def check_room(needed: int, directory: Path, *, hint: Hint | str = _ELSEWHERE) -> None:
    """Refuse to begin what the disk has no room for."""
    free = free_bytes(directory)
    if needed > free:
        raise RegistryError(
            f"About {needed / 1e6:,.0f} MB are needed in {str(directory)!r} and "
            f"{free / 1e6:,.0f} MB are free",
            hint=hint,
        )


def free_bytes(path: Path) -> int:
    """Give what is free on the disk that a path, which need not exist yet, will be on."""
    existing = (place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    return shutil.disk_usage(next(existing)).free
