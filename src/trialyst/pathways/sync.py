"""Fetching WikiPathways itself: every pathway's files, one after the other, at the site's pace.

What was fetched stays on disk with the date it was listed under, so a sync that was cut off goes
on, and a later one fetches only what changed. The local store is replaced at the end.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from trialyst.errors import InvalidInput, RateLimited, UpstreamError
from trialyst.pathways.datanodes import parse_datanodes
from trialyst.pathways.downloads import Skipped
from trialyst.pathways.gpml import parse_gpml
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.live import pathway_url, site_troubles
from trialyst.pathways.loading import LoadReport, load_pathways
from trialyst.pathways.organisms import parse_organism
from trialyst.pathways.static import TEXT_FILE, Listed, read_text_file
from trialyst.transport import CacheUse, Refused, Transport

__all__ = ["SyncPathwaysProgress", "SyncPathwaysReport", "sync_pathways"]

_FAILURES_TO_STOP = 3
"""Pathways that fail in a row before the site is taken to be out of reach."""


@dataclass(frozen=True, slots=True)
class SyncPathwaysProgress:
    """How far a sync is."""

    step: str
    """`fetching`, then `reading` and `indexing`."""
    done: int
    total: int | None
    pathway: str | None = None


@dataclass(frozen=True, slots=True)
class SyncPathwaysReport:
    """What a sync did."""

    listed: int
    """Pathways of the site that were asked for."""
    fetched: int
    current: int
    """Pathways that were already here as the site has them."""
    failed: tuple[Skipped, ...]
    load: LoadReport


async def sync_pathways(
    transport: Transport,
    base_url: str,
    home: Path,
    *,
    organisms: Sequence[str] = (),
    progress: Callable[[SyncPathwaysProgress], None] | None = None,
) -> SyncPathwaysReport:
    """Fetch the pathways of some organisms, or of all, and load them.

    With organisms, the pathways of others that are here stay; without, the store becomes what the
    site lists.

    Raises:
        InvalidInput: an organism the site does not have.
        RateLimited, UpstreamError: the site is out of reach; what was fetched stays.
    """
    tell = progress or (lambda _: None)
    wanted = await _listed(transport, base_url, organisms)
    folder = _Folder(home / "pathways" / "download")
    await asyncio.to_thread(folder.open)
    due = [each for each in wanted if not folder.has(each)]
    failed: list[Skipped] = []
    in_a_row = 0
    for done, each in enumerate(due):
        tell(SyncPathwaysProgress("fetching", done, len(due), each.id))
        try:
            gpml, nodes = await _fetch(transport, base_url, PathwayId.parse(each.id))
        except (RateLimited, UpstreamError) as error:
            in_a_row = 0 if isinstance(error, Refused) else in_a_row + 1
            if in_a_row == _FAILURES_TO_STOP:
                raise
            failed.append(Skipped(each.id, error.message))
            continue
        in_a_row = 0
        await asyncio.to_thread(folder.save, each, gpml, nodes)
    load = await asyncio.to_thread(
        _load,
        [folder.path / each.id for each in wanted if folder.has(each)],
        home,
        keep=bool(organisms) or bool(failed),
        tell=tell,
        now=datetime.fromtimestamp(transport.clock.time(), UTC),
    )
    return SyncPathwaysReport(
        listed=len(wanted),
        fetched=len(due) - len(failed),
        current=len(wanted) - len(due),
        failed=tuple(failed),
        load=load,
    )


async def _listed(transport: Transport, base_url: str, organisms: Sequence[str]) -> list[Listed]:
    names = [parse_organism(name) for name in organisms]
    with site_troubles():
        answer = await transport.get(f"{base_url.rstrip('/')}/{TEXT_FILE}", read_text_file)
    listed = sorted(answer.value.pathways, key=lambda each: PathwayId.parse(each.id))
    known = {each.species for each in listed}
    for name in names:
        if name not in known:
            raise InvalidInput(
                f"The site has no pathways of {name!r}",
                hint=f"Use one of {', '.join(sorted(known)[:8])} ...",
                invalid_input=name,
            )
    return [each for each in listed if not names or each.species in names]


async def _fetch(
    transport: Transport, base_url: str, pathway_id: PathwayId
) -> tuple[bytes, bytes | None]:
    """Give a pathway's two files, each read once to know that it is whole."""

    def gpml(body: bytes) -> bytes:
        parse_gpml(body, name=f"{pathway_id}.gpml")
        return body

    def nodes(body: bytes) -> bytes:
        parse_datanodes(body, name=f"{pathway_id}-datanodes.tsv")
        return body

    # Kept below as files; the cache on disk is for what is asked again and again.
    use = CacheUse(private=True)
    drawn = await transport.get(pathway_url(base_url, pathway_id, ".gpml"), gpml, use=use)
    try:
        address = pathway_url(base_url, pathway_id, "-datanodes.tsv")
        listed = await transport.get(address, nodes, use=use)
    except Refused as refused:
        if refused.status != 404:
            raise
        return drawn.value, None
    return drawn.value, listed.value


class _Folder:
    """Fetched files, a folder a pathway, each with the date it was listed under."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._dates: dict[str, str] = {}

    def open(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        for info in self.path.glob("WP*/*-info.json"):
            try:
                known = msgspec.json.decode(info.read_bytes(), type=dict[str, object])
            except (OSError, ValueError):
                continue
            self._dates[info.parent.name] = str(known.get("last-edited"))

    def has(self, listed: Listed) -> bool:
        return self._dates.get(listed.id) == listed.revision

    def save(self, listed: Listed, gpml: bytes, nodes: bytes | None) -> None:
        """Keep the files; the summary comes last, so that its presence means the rest is there."""
        folder = self.path / listed.id
        folder.mkdir(exist_ok=True)
        info = folder / f"{listed.id}-info.json"
        info.unlink(missing_ok=True)
        _put(folder / f"{listed.id}.gpml", gpml)
        listed_nodes = folder / f"{listed.id}-datanodes.tsv"
        if nodes is None:
            listed_nodes.unlink(missing_ok=True)
        else:
            _put(listed_nodes, nodes)
        summary = {
            "wpid": listed.id,
            "title": listed.name,
            "organisms": [listed.species],
            "last-edited": listed.revision,
        }
        _put(info, msgspec.json.encode(summary))
        self._dates[listed.id] = listed.revision


def _put(path: Path, data: bytes) -> None:
    aside = path.with_name(f"{path.name}.{os.getpid()}.new")
    aside.write_bytes(data)
    aside.replace(path)


def _load(
    folders: Sequence[Path],
    home: Path,
    *,
    keep: bool,
    tell: Callable[[SyncPathwaysProgress], None],
    now: datetime,
) -> LoadReport:
    return load_pathways(
        folders,
        home,
        keep=keep,
        progress=lambda p: tell(SyncPathwaysProgress(p.step, p.done, p.total)),
        now=now,
    )
