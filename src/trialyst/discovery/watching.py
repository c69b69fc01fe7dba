"""What changed in what somebody watches, since they were last told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.recorded import ChangeKind, RecordedChanges, Span
from trialyst.discovery.arguments import TermArguments
from trialyst.discovery.changes import list_changes
from trialyst.discovery.envelope import to_provenance
from trialyst.discovery.watches import Watch
from trialyst.questions.reading import read_question
from trialyst.questions.values import take_arguments

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["MOST_TOLD", "Told", "begin_watch", "describe_asked", "recent_changes", "run_watches"]

MOST_TOLD = 100
"""Trials of a watch that are told one by one; counts are of all."""
FEED_DAYS = 30
_OTHER = "The history is another than last time: all of it is told."


class Told(NamedTuple):
    """What a run tells, and the watches with how far they have been told."""

    body: dict[str, Any]
    watches: list[Watch]

    @property
    def changed(self) -> bool:
        """Whether there is anything new."""
        return bool(self.body["changed"])


def describe_asked(watch: Watch) -> str:
    """Say what a watch finds.

    >>> describe_asked(Watch(name="a", arguments={"condition": "asthma"}, created=""))
    'condition: asthma'
    """
    return "; ".join(
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in watch.arguments.items()
    )


async def begin_watch(
    source: TrialSource, name: str, arguments: Mapping[str, Any], *, now: datetime
) -> tuple[Watch, RecordedChanges]:
    """Make a watch that tells what changes from now on, once its question is understood.

    Raises:
        InvalidInput: an argument cannot be understood, or the source keeps no history.
    """
    asked = dict(take_arguments(arguments, tuple(TermArguments.__annotations__)).arguments)
    query = await _query(source, asked)
    found = await source.changes(query, Span(since=now.date() + timedelta(days=1)))
    created = now.isoformat(timespec="seconds")
    watch = Watch(
        name=name, arguments=asked, created=created, told=found.until, history=found.history
    )
    return watch, found


async def run_watches(source: TrialSource, watches: Sequence[Watch], *, now: datetime) -> Told:
    """Tell what changed since each watch was last told."""
    told, results = [], []
    for watch in watches:
        query = await _query(source, watch.arguments)
        span = Span(after=watch.told, history=watch.history)
        found, items = await list_changes(source, query, span, most=MOST_TOLD)
        results.append(_to_result(watch, found, items))
        told.append(
            msgspec.structs.replace(
                watch,
                told=found.until,
                history=found.history,
                told_at=now.isoformat(timespec="seconds"),
            )
        )
    changed = any(sum(each["counts"].values()) for each in results)
    provenance = to_provenance(await source.provenance(), now=now)
    return Told({"changed": changed, "watches": results, "provenance": provenance}, told)


async def recent_changes(
    source: TrialSource, watch: Watch, *, now: datetime, days: int = FEED_DAYS
) -> dict[str, Any]:
    """Tell what changed in the last days, whether it was told or not, for a feed."""
    span = Span(since=now.date() - timedelta(days=days))
    found, items = await list_changes(
        source, await _query(source, watch.arguments), span, most=MOST_TOLD
    )
    return _to_result(watch, found, items)


async def _query(source: TrialSource, arguments: Mapping[str, Any]) -> TrialQuery:
    return (await read_question(source, arguments, {})).to_query()


def _to_result(
    watch: Watch, found: RecordedChanges, items: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    is_other = watch.history not in (None, found.history)
    return {
        "name": watch.name,
        "asked": dict(watch.arguments),
        "counts": {kind.value: found.count(kind) for kind in ChangeKind},
        "compared_with": found.since_day,
        "until": found.until_day,
        "items": list(items),
        **({"note": _OTHER} if is_other else {}),
    }
