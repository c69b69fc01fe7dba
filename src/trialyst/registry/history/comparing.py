"""Two states of a registry compared: which trials are new, changed or gone, the weightiest first.

Both states are asked in the same way. The present one by the registry's own index; of an earlier
one, the trials that are not as they are now are indexed aside, in a directory that goes again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.recorded import ChangeKind, RecordedChange, RecordedChanges, Span, Versions
from trialyst.ctgov.revisions import rank_arrival, rank_revision
from trialyst.ctgov.trial import Trial
from trialyst.deadlines import check_deadline
from trialyst.errors import InvalidInput
from trialyst.hints import Command, Hint
from trialyst.ids import NctId
from trialyst.registry.builder import build_from_studies
from trialyst.registry.history.reading import History
from trialyst.registry.registry import Registry

__all__ = ["compare_states", "read_revisions", "read_versions"]


class _Difference(NamedTuple):
    number: int
    weight: int
    was_there: bool
    is_there: bool

    @property
    def kind(self) -> ChangeKind:
        if self.was_there and self.is_there:
            return ChangeKind.CHANGED
        return ChangeKind.GONE if self.was_there else ChangeKind.NEW


def compare_states(registry: Registry, query: TrialQuery, span: Span) -> RecordedChanges:
    """Tell what changed in the trials that a query finds in either state.

    Raises:
        InvalidInput: nothing is known of the days asked for.
    """
    history = registry.history
    after, until = _editions(history, span)
    differences = list(_differences(history, after, until))
    found_before = _found(registry, query, after, [d.number for d in differences if d.was_there])
    found_now = _found(registry, query, until, [d.number for d in differences if d.is_there])
    items = [
        RecordedChange(
            NctId(each.number),
            each.kind,
            each.weight,
            each.number in found_before,
            each.number in found_now,
        )
        for each in differences
        if each.number in found_before or each.number in found_now
    ]
    items.sort(key=lambda item: (-item.weight, item.nct_id.number))
    return RecordedChanges(
        items,
        after=after,
        until=until,
        since_day=history.numbered(after).day,
        until_day=history.numbered(until).day,
        begins=history.editions[0].day,
        history=history.editions[0].made_at,
    )


def _editions(history: History, span: Span) -> tuple[int, int]:
    """Give the edition to compare with, and the last one that counts."""
    if not history.editions:
        raise InvalidInput(
            "This registry has no history yet",
            hint=Hint(
                "It begins with the next change, as by {sync}.",
                sync=Command("trialyst registry sync"),
            ),
        )
    first, last = history.editions[0], history.last
    until = history.edition_at(span.until.isoformat()) if span.until else last
    if not until:
        raise InvalidInput(
            f"Nothing is known of changes until {span.until}: the history begins on {first.day}",
            hint=f"Ask for changes since {first.day} or later.",
            invalid_input=str(span.until),
        )
    after = first.number
    if span.after is not None and span.history in (None, first.made_at):
        after = max(after, min(span.after, last))
    elif span.since is not None:
        earlier = [each.number for each in history.editions if each.day < span.since.isoformat()]
        after = earlier[-1] if earlier else first.number
    return min(after, until), until


def _differences(history: History, after: int, until: int) -> Iterator[_Difference]:
    """Yield the studies that differ between two editions; what changed back does not."""
    for number in history.changed_numbers(after, until):
        check_deadline()
        newer, older = history.versions_at(number, (until, after))
        if older != newer:
            is_same_study = older is not None and newer is not None
            weight = rank_revision(older, newer) if is_same_study else rank_arrival(older)
            yield _Difference(number, weight, older is not None, newer is not None)


def _found(registry: Registry, query: TrialQuery, edition: int, numbers: list[int]) -> set[int]:
    """Give those of some studies that a query finds in the state after an edition."""
    asked = replace(query, sort=())
    if asked == replace(TrialQuery(), page_size=asked.page_size, sort=()):
        return set(numbers)
    history = registry.history
    if edition == history.last:
        return registry.match_numbers(asked) & set(numbers)
    versions = (history.version(number, edition) for number in numbers)
    return _find_aside(registry, asked, (version for version in versions if version is not None))


def _find_aside(registry: Registry, query: TrialQuery, versions: Iterable[Any]) -> set[int]:
    with tempfile.TemporaryDirectory(prefix="trialyst-") as folder:
        directory = Path(folder) / "registry"
        build_from_studies(map(msgspec.json.encode, versions), directory)
        with Registry.open(directory, vocabulary=registry.vocabulary) as aside:
            return aside.match_numbers(query)


def read_versions(
    history: History, numbers: Sequence[int], after: int, until: int
) -> list[Versions]:
    """Give trials as they were after two editions, in this order."""
    found = []
    for number in numbers:
        newer, older = map(_parse, history.versions_at(number, (until, after)))
        changed = [each for each in history.editions_of(number) if after < each <= until]
        day = history.numbered(changed[-1] if changed else until).day
        found.append(Versions(older, newer, day))
    return found


def read_revisions(history: History, number: int) -> list[Versions]:
    """Give every change of a trial, the newest first."""
    versions = history.versions_of(number)
    trials = [_parse(version.record) for version in versions]
    return [
        Versions(trials[place + 1], trials[place], version.edition.day)
        for place, version in enumerate(versions[:-1])
    ]


def _parse(record: Any | None) -> Trial | None:
    return None if record is None else parse_trial(msgspec.json.encode(record))
