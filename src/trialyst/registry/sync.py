"""Real data by one call: the whole live service or a subset, and later what changed since.

Everything is fetched and built aside. The registry in use is replaced in one step at the end, and
an interrupted sync goes on with what it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput, RateLimited, RegistryLocked, UpstreamError
from trialyst.essie.build import between
from trialyst.hints import Command, Hint
from trialyst.ids import NctId
from trialyst.registry import generation as layout
from trialyst.registry.builder import (
    BuildProgress,
    BuildReport,
    add_records,
    build_registry,
    remove_records,
)
from trialyst.registry.changes import Sifted, first_day_to_fetch, registry_numbers, sift_changes
from trialyst.registry.fetching import (
    ARCHIVE,
    LiveService,
    SyncProgress,
    fetch_archive,
    fetch_ids,
    fetch_pages,
    list_ids,
)
from trialyst.registry.forecast import (
    SyncPlan,
    check_room,
    forecast_archive,
    forecast_pages,
    with_listing,
)
from trialyst.registry.prepare import Damage
from trialyst.registry.subset import (
    DOWNLOADS,
    Job,
    Subset,
    SyncState,
    choose_subset,
    clear_downloads,
    drop_job,
    load_job,
    load_state,
    save_job,
    save_state,
)

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["LiveService", "Subset", "SyncPlan", "SyncProgress", "SyncReport", "sync_registry"]

UPDATED = "LastUpdatePostDate"

Result = TypeVar("Result")
Tell = Callable[[SyncPlan | SyncProgress], None]


@dataclass(slots=True)
class SyncReport:
    """What a sync did."""

    how: str
    """`archive`, `pages` or `changes`."""
    subset: str
    data_timestamp: str
    """How current the service said its data was."""
    since: str | None = None
    """The first day whose changes were fetched."""
    records: int = 0
    """Studies in the registry now."""
    new: int = 0
    changed: int = 0
    removed: int = 0
    """Studies that the subset does not hold any more."""
    on_service: int | None = None
    """Studies that the service counts now; None if it could not be asked."""
    missing: int = 0
    """Studies of the service that the registry lacks."""
    surplus: int = 0
    """Studies of the registry that the service does not count any more."""
    damaged: list[Damage] = field(default_factory=list)
    flawed: list[Damage] = field(default_factory=list)


async def sync_registry(
    directory: Path,
    service: LiveService,
    *,
    subset: Subset | None = None,
    full: bool = False,
    tell: Tell | None = None,
    vocabulary: Vocabulary | None = None,
) -> SyncReport:
    """Make a registry hold what the service holds, or a subset of it.

    The first time everything is fetched, later what changed since. A cancelled or killed call
    leaves the registry as it was; the same call goes on where it stopped.

    Args:
        subset: By default what the registry was synced with before, else the whole service.
        full: Fetch everything again, also to be rid of studies that the service withdrew.
        tell: Hears the plan before anything large starts, then progress, from other threads too.

    Raises:
        InvalidInput: the subset contradicts what the registry holds, or finds nothing.
        RegistryLocked: another process is at it.
        RegistryError: the disk has no room.
        RateLimited, UpstreamError: the service failed; what was fetched is kept.
    """
    folder = directory / DOWNLOADS
    with _alone(folder):
        run = _Sync(directory, service, tell or (lambda said: None), vocabulary)
        chosen, is_full = choose_subset(directory, service.url, subset, full=full)
        return await (run.all_of(chosen) if is_full else run.changes_of(chosen))


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        with layout.writer_lock(folder):
            yield
    except RegistryLocked as locked:
        raise RegistryLocked(
            f"Another process writes to {str(folder.parent)!r}",
            hint="Wait until it has ended; readers are not affected.",
        ) from locked


class _Sync:
    """One sync of one registry."""

    def __init__(
        self, directory: Path, service: LiveService, tell: Tell, vocabulary: Vocabulary | None
    ) -> None:
        self.directory = directory
        self.folder = directory / DOWNLOADS
        self.service = service
        self.tell = tell
        self.vocabulary = vocabulary

    async def all_of(self, subset: Subset) -> SyncReport:
        """Fetch everything and build anew."""
        job = await self._begin(subset, since=None)
        fetch = self._fetch_archive if subset.is_whole else self._fetch_subset
        try:
            paths = await fetch(job)
        except InvalidInput:
            clear_downloads(self.folder)
            raise
        report = SyncReport(
            how="archive" if subset.is_whole else "pages",
            subset=str(subset),
            data_timestamp=job.data_timestamp,
        )
        try:
            built = await self._in_thread(lambda progress: self._build(job, paths, progress))
        except InvalidInput as problem:
            clear_downloads(self.folder)
            raise UpstreamError(
                f"What {self.service.host} sent is not usable: {problem.message}",
                hint="It was deleted and the registry in use is unchanged; run the same command "
                "again to fetch it anew.",
            ) from problem
        report.new = built.records
        return await self._finish(job, report, built)

    def _build(
        self, job: Job, paths: list[Path], progress: Callable[[BuildProgress], None]
    ) -> BuildReport:
        built = build_registry(
            paths,
            self.directory,
            progress=progress,
            data_timestamp=job.data_timestamp,
            vocabulary=self.vocabulary,
        )
        # Here and not later: who interrupts the last moments of a build need not repeat it.
        self._note(job, edited=False)
        return built

    async def changes_of(self, subset: Subset) -> SyncReport:
        """Fetch what changed since the last sync and add it."""
        state = load_state(self.directory)
        assert state is not None
        edited = state.edited or state.generation != layout.current_records(self.directory)
        since = await asyncio.to_thread(first_day_to_fetch, self.directory, state.data_timestamp)
        job = await self._begin(subset, since=since)
        query = subset.to_query()
        paths = await self._fetch_changes(job, query)
        sifted = await self._sift(paths)
        gone: list[int] = []
        if not subset.is_whole:
            gone = await self._compare_ids(query, sifted)
        report = SyncReport(
            how="changes",
            subset=str(subset),
            data_timestamp=job.data_timestamp,
            since=since.isoformat(),
            new=sifted.new,
            changed=sifted.changed,
        )
        built = BuildReport()
        if sifted.new or sifted.changed:
            built = await self._in_thread(
                lambda progress: add_records(
                    [sifted.path],
                    self.directory,
                    progress=progress,
                    data_timestamp=job.data_timestamp,
                    vocabulary=self.vocabulary,
                )
            )
        if subset.is_whole and not edited:
            gone = await self._find_withdrawn(query)
        if gone and not edited:
            await asyncio.to_thread(
                remove_records,
                map(NctId, gone),
                self.directory,
                data_timestamp=job.data_timestamp,
            )
            report.removed = len(gone)
        self._note(job, edited=edited)
        return await self._finish(job, report, built)

    async def _begin(self, subset: Subset, *, since: datetime.date | None) -> Job:
        """Take up the job that was interrupted, or clear its remains away and begin this one."""
        timestamp = await self.service.data_timestamp()
        job = Job(url=self.service.url, subset=subset, since=since, data_timestamp=timestamp)
        before = load_job(self.folder)
        if before and before.continues(job):
            return before
        clear_downloads(self.folder)
        save_job(self.folder, job)
        return job

    async def _fetch_archive(self, job: Job) -> list[Path]:
        studies, average = await self.service.sizes()
        whole, half = self.folder / ARCHIVE, self.folder / f"{ARCHIVE}.part"
        present = sum(path.stat().st_size for path in (whole, half) if path.exists())
        self._announce(
            forecast_archive(
                self.directory,
                what=str(job.subset),
                studies=studies,
                average=average,
                present=present,
                interval=self.service.interval,
            )
        )
        return [await fetch_archive(self.service, self.folder, studies=studies, tell=self.tell)]

    async def _fetch_subset(self, job: Job) -> list[Path]:
        query = job.subset.to_query()
        total = await self.service.source.count(query)
        if not total:
            search = Command("trialyst search --source live")
            raise InvalidInput(
                f"The service has no studies with {job.subset}",
                hint=Hint("To try the words first, {search}.", search=search),
            )
        return await self._fetch_pages(job, query, total)

    async def _fetch_changes(self, job: Job, query: TrialQuery) -> list[Path]:
        recent = replace(query, filters=(*query.filters, between(UPDATED, job.since)))
        total = await self.service.source.count(recent)
        generation = layout.current_generation(self.directory)
        copied = (generation / layout.RECORDS).stat().st_size
        held = 0 if job.subset.is_whole else layout.open_manifest(generation).records
        return await self._fetch_pages(job, recent, total, copied=copied, listed=held)

    async def _fetch_pages(
        self, job: Job, query: TrialQuery, total: int, *, copied: int = 0, listed: int = 0
    ) -> list[Path]:
        _, average = await self.service.sizes()
        plan = forecast_pages(
            self.directory,
            what=str(job.subset),
            studies=total,
            average=average,
            interval=self.service.interval,
            copied=copied,
        )
        self._announce(with_listing(plan, listed))
        year = int(job.data_timestamp[:4])
        return await fetch_pages(
            self.service, query, self.folder, total=total, year=year, tell=self.tell
        )

    def _announce(self, plan: SyncPlan) -> None:
        self.tell(plan)
        check_room(plan.disk_bytes, self.directory)

    async def _sift(self, paths: list[Path]) -> Sifted:
        target = self.folder / "changed.jsonl"
        return await asyncio.to_thread(sift_changes, paths, self.directory, target)

    async def _compare_ids(self, query: TrialQuery, sifted: Sifted) -> list[int]:
        """Fetch what the subset holds and the registry does not; give what only the latter holds.

        A study can enter or leave a subset without being fetched: one of recruiting studies does
        not find a study that has stopped.
        """
        held = await asyncio.to_thread(registry_numbers, self.directory)
        listed = await list_ids(self.service, query, total=len(held), tell=self.tell)
        if not listed:
            raise UpstreamError(
                "The service has no studies of this subset any more",
                hint="Run the same command again later; the registry in use is unchanged.",
            )
        absent = sorted(listed - held - sifted.numbers)
        if absent:
            file = self.folder / "absent.jsonl"
            await fetch_ids(self.service, list(map(NctId, absent)), file)
            await asyncio.to_thread(sift_changes, [file], self.directory, sifted.path, sifted)
        return sorted(held - listed - sifted.numbers)

    async def _find_withdrawn(self, query: TrialQuery) -> list[int]:
        """Give the studies that the service does not hold any more.

        All ids are compared, and only where the service counts fewer: that takes ten minutes.
        """
        held = layout.open_manifest(layout.current_generation(self.directory)).records
        with contextlib.suppress(UpstreamError, RateLimited):
            total = await self.service.source.count(query)
            if 0 < total < held:
                listed = await list_ids(self.service, query, total=total, tell=self.tell)
                return sorted(await asyncio.to_thread(registry_numbers, self.directory) - listed)
        return []

    def _note(self, job: Job, *, edited: bool) -> None:
        """Remember what the registry holds now; the job is done."""
        now = datetime.datetime.fromtimestamp(self.service.transport.clock.time(), datetime.UTC)
        state = SyncState(
            url=job.url,
            subset=job.subset,
            data_timestamp=job.data_timestamp,
            synced_at=now.isoformat(timespec="seconds"),
            generation=layout.current_records(self.directory) or "",
            edited=edited,
        )
        save_state(self.directory, state)
        drop_job(self.folder)

    async def _finish(self, job: Job, report: SyncReport, built: BuildReport) -> SyncReport:
        clear_downloads(self.folder)
        report.damaged, report.flawed = built.damaged, built.flawed
        generation = layout.current_generation(self.directory)
        report.records = layout.open_manifest(generation).records
        # The sync is done; that the service cannot be asked any more is no reason to fail it.
        with contextlib.suppress(UpstreamError, RateLimited):
            report.on_service = await self.service.source.count(job.subset.to_query())
            report.missing = max(report.on_service - report.records, 0)
            report.surplus = max(report.records - report.on_service, 0)
        return report

    async def _in_thread(self, work: Callable[[Callable[[BuildProgress], None]], Result]) -> Result:
        """Run a build in a thread; cancelled, it stops at its next step and leaves all whole."""
        stop = threading.Event()

        def progress(build: BuildProgress) -> None:
            total = build.bytes_total or None
            self.tell(SyncProgress("build", build.bytes_read, total, build.records))
            if stop.is_set():
                raise _Stopped

        task = asyncio.create_task(asyncio.to_thread(work, progress))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            stop.set()
            with contextlib.suppress(_Stopped):
                await task
            raise


class _Stopped(Exception):
    """The caller wants no more of a build."""
