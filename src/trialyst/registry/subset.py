"""What a registry was synced with, remembered beside it, and the sync that is under way.

`sync.json` says which part of the service a registry holds and how current it is. While a sync
runs, `job.json` among its downloads says what they are for, so that another run can go on.
"""

from __future__ import annotations

import datetime
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec

from trialyst.ctgov.plain import PlainQuery, to_trial_query
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.hints import Hint
from trialyst.registry import generation as layout

__all__ = [
    "DOWNLOADS",
    "Job",
    "Subset",
    "SyncState",
    "choose_subset",
    "clear_downloads",
    "describe_holdings",
    "drop_job",
    "is_whole",
    "load_job",
    "load_state",
    "save_job",
    "save_state",
    "subset_note",
]

STATE = "sync.json"
JOB = "job.json"
DOWNLOADS = "download"
WHOLE = "all of the service"
WHOLE_RECORDS = 450_000
"""ClinicalTrials.gov passed it in 2023; the file of all studies, wherever it is from, has more."""

Kind = TypeVar("Kind", bound=msgspec.Struct)


class Subset(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The studies to sync: everything given must hold; nothing given is the whole service.

    >>> str(Subset(condition="asthma")), str(Subset())
    ("condition 'asthma'", 'all of the service')
    """

    query: str | None = None
    """Words anywhere in the searched text of a study."""
    condition: str | None = None
    advanced: str | None = None
    """An Essie expression."""

    @property
    def is_whole(self) -> bool:
        return self == Subset()

    def to_query(self) -> TrialQuery:
        """Give the query that finds the subset, or raise InvalidInput."""
        plain = PlainQuery(term=self.query, condition=self.condition, advanced=self.advanced)
        # Every match is read, so ranking them would only cost the service time.
        return replace(to_trial_query(plain), sort=())

    def __str__(self) -> str:
        given = msgspec.structs.asdict(self).items()
        parts = [f"{name} {text!r}" for name, text in given if text is not None]
        return " and ".join(parts) or WHOLE


class SyncState(msgspec.Struct, frozen=True, kw_only=True):
    """What the last sync left."""

    url: str
    subset: Subset
    data_timestamp: str
    """What the service said of its data before it was read."""
    synced_at: str
    generation: str
    """Names the records, as `current_records` does."""
    edited: bool = False
    """Whether other commands changed the registry since it was last synced in full."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A sync under way."""

    url: str
    subset: Subset
    since: datetime.date | None
    """The first day whose changes are fetched; None for a full sync."""
    data_timestamp: str

    def continues(self, other: Job) -> bool:
        """Whether what was fetched for this job serves the other."""
        return (self.url, self.subset, self.since) == (other.url, other.subset, other.since)


def load_state(directory: Path) -> SyncState | None:
    """Read what the last sync left; None if there was none."""
    return _load(directory / STATE, SyncState)


def save_state(directory: Path, state: SyncState) -> None:
    layout.write_atomically(directory / STATE, msgspec.json.encode(state))


def load_job(folder: Path) -> Job | None:
    """Read what the downloads in a folder are for."""
    return _load(folder / JOB, Job)


def save_job(folder: Path, job: Job) -> None:
    layout.write_atomically(folder / JOB, msgspec.json.encode(job))


def drop_job(folder: Path) -> None:
    """Forget what the downloads are for: they are of no more use."""
    (folder / JOB).unlink(missing_ok=True)


def clear_downloads(folder: Path) -> None:
    """Remove what was fetched; the lock stays, for it is held."""
    for path in folder.iterdir():
        if path.name == layout.LOCK:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _load(path: Path, kind: type[Kind]) -> Kind | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def describe_holdings(directory: Path) -> str | None:
    """Say which part of the service a registry holds; None if it was not synced."""
    state = load_state(directory)
    if state is None:
        return None
    changed = state.edited or state.generation != layout.current_records(directory)
    kept = f"{WHOLE} at {state.url}" if state.subset.is_whole else f"only {state.subset}"
    return kept + (", changed by other commands since" if changed else "")


def subset_note(directory: Path) -> str | None:
    """Say what a reader must know of a registry that is not the whole service."""
    state = load_state(directory)
    if state is None or state.subset.is_whole:
        return None
    return f"This registry holds a part of ClinicalTrials.gov only: {state.subset}."


def is_whole(directory: Path, generation: str, records: int) -> bool:
    """Whether a generation holds all studies of the service, rather than a part of them.

    It does as a full sync left it. What other commands built or changed is judged by its size.
    """
    state = load_state(directory)
    if state is not None and not state.subset.is_whole:
        return False
    untouched = state is not None and state.generation == generation and not state.edited
    return untouched or records >= WHOLE_RECORDS


def choose_subset(
    directory: Path, url: str, subset: Subset | None, *, full: bool
) -> tuple[Subset, bool]:
    """Decide which studies to sync and whether all of them, or refuse a contradiction."""
    if subset is not None:
        subset.to_query()
    state, job = load_state(directory), load_job(directory / DOWNLOADS)
    is_present = layout.current_name(directory) is not None
    if not is_present or full:
        before = job if job and job.since is None else state
        return subset or (before.subset if before else Subset()), True
    if job and job.since is None and job.url == url and subset in (None, job.subset):
        return job.subset, True
    if state is None:
        raise InvalidInput(
            f"The registry in {str(directory)!r} was not made by sync, so what changed since is "
            "not known",
            hint=Hint(
                "Add {full} to replace it by a synced one, or name another directory with "
                "{registry}."
            ),
        )
    if subset not in (None, state.subset):
        raise _contradiction(directory, str(state.subset), str(subset))
    if state.url != url:
        raise _contradiction(directory, state.url, url)
    return state.subset, False


def _contradiction(directory: Path, held: str, wanted: str) -> InvalidInput:
    return InvalidInput(
        f"The registry in {str(directory)!r} was synced with {held}, not with {wanted}",
        hint=Hint(
            "Leave the options out to update it, add {full} to replace it, or name another "
            "directory with {registry}."
        ),
        invalid_input=wanted,
    )
