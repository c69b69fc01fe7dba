"""What a source with a history says of changes: between which states, and which trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Self

from trialyst.errors import InvalidInput
from trialyst.hints import Command, Hint

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.trial import Trial
    from trialyst.ids import NctId

__all__ = ["ChangeKind", "RecordedChange", "RecordedChanges", "Span", "Unrecorded", "Versions"]


class ChangeKind(StrEnum):
    """What became of a trial."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"


class Span(NamedTuple):
    """Which changes are asked for; nothing given means all that are known."""

    since: date | None = None
    """Those of this day and later."""
    until: date | None = None
    """Those of this day and before."""
    after: int | None = None
    """Those of editions after the one with this number, whatever their day."""
    history: str | None = None
    """The history that `after` is a number of; of any other, all editions count."""


class RecordedChange(NamedTuple):
    """A trial that is not as it was."""

    nct_id: NctId
    kind: ChangeKind
    weight: int
    """How much it matters, by the weightiest field that changed."""
    found_before: bool
    """Whether the question found it as it was; without a question, whether it was there."""
    found_now: bool


@dataclass(frozen=True, slots=True)
class RecordedChanges:
    """What changed between two states of a source, the weightiest first."""

    items: Sequence[RecordedChange]
    after: int
    """The number of the edition that is compared with."""
    until: int
    """The number of the last edition that counts."""
    since_day: str
    """The day of the edition that is compared with."""
    until_day: str
    begins: str
    """The first day from which on changes are known."""
    history: str
    """What tells this history from another, as of a registry built anew."""

    def count(self, kind: ChangeKind) -> int:
        """Count the trials of a kind."""
        return sum(item.kind is kind for item in self.items)


class Versions(NamedTuple):
    """A trial in two states; None where it was not there."""

    before: Trial | None
    after: Trial | None
    day: str
    """The day of the last edition that changed it."""


class Unrecorded:
    """What a source without a history says of it."""

    async def changes(self, query: TrialQuery, span: Span) -> RecordedChanges:
        """Refuse: it does not tell what it held before."""
        raise _no_history()

    async def versions(
        self, nct_ids: Sequence[NctId], *, after: int, until: int
    ) -> Sequence[Versions]:
        """Refuse: it does not tell what it held before."""
        raise _no_history()

    async def revisions(self, nct_id: NctId) -> Sequence[Versions]:
        """Give nothing: it does not tell what it held before."""
        return ()

    def as_recorded(self, day: date) -> Self:
        """Give the source itself: it does not tell what it held before."""
        return self


def _no_history() -> InvalidInput:
    return InvalidInput(
        "The live service does not tell what it held before",
        hint=Hint(
            "To keep a registry whose changes are recorded, {sync}.",
            sync=Command("trialyst registry sync"),
        ),
    )
