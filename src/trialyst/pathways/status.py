"""What is known of the pathways on this machine, for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trialyst.pathways.catalog import Catalog
from trialyst.pathways.loading import store_path

__all__ = ["PathwaysStatus", "pathways_status"]


@dataclass(frozen=True, slots=True)
class PathwaysStatus:
    """The local store, in numbers."""

    path: Path
    size: int
    """Bytes on disk."""
    pathways: int
    organisms: Mapping[str, int]
    loaded_at: str | None
    """`yyyy-MM-ddTHH:mm:ss` in UTC."""
    data_timestamp: str | None
    """The day of the newest pathway."""
    without_interactions: int
    without_datanodes: int


def pathways_status(home: Path) -> PathwaysStatus:
    """Describe the loaded pathways, or raise PathwaysMissing or PathwayStoreDamaged."""
    path = store_path(home)
    catalog = Catalog.open(path)
    try:
        meta = catalog.meta
        return PathwaysStatus(
            path=path,
            size=path.stat().st_size,
            pathways=len(catalog),
            organisms=catalog.organisms,
            loaded_at=meta.get("loaded_at"),
            data_timestamp=meta.get("data_timestamp") or None,
            without_interactions=int(meta.get("without_interactions") or 0),
            without_datanodes=int(meta.get("without_datanodes") or 0),
        )
    finally:
        catalog.close()
