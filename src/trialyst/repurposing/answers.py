"""What every answer has: names as they were understood, why a trial matched, where it comes from.

Lists come as `Found`, a sequence with its total and provenance. Every answer has `to_wire()`, the
JSON value of the tools (ids as CURIEs, absent keys left out), and `to_dicts()`, its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from trialyst.ctgov.answers import MOST_NEXT, Count, NextCall
from trialyst.ctgov.source import Provenance
from trialyst.questions.readings import ArgumentReading
from trialyst.repurposing.wire import to_plain, to_wire

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "About",
    "Answer",
    "Found",
    "HowMatched",
    "Match",
    "Part",
    "PointInTime",
    "StopSummary",
]


class Part(BaseModel):
    """Any part of an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Answer(Part):
    """A whole answer: says where it comes from, how it was understood and what to ask next."""

    understood: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By argument, how a name was read."""
    provenance: Provenance
    next: tuple[NextCall, ...] = Field(default=(), max_length=MOST_NEXT)
    """Sensible calls to go on with."""

    def to_wire(self) -> dict[str, Any]:
        """Give the JSON value of the tool, its own keys first."""
        body = to_wire(self)
        told = {name: body.pop(name) for name in _TOLD_LAST}
        return body | told

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON value of the tool, under the name every answer has."""
        return self.to_wire()

    def rows(self) -> Sequence[BaseModel]:
        """Give what the answer lists."""
        return (self,)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give what the answer lists as plain values, absent ones left out."""
        return [to_plain(row) for row in self.rows()]

    def to_pandas(self) -> pd.DataFrame:
        """Give a table of what the answer lists (extra `pandas`)."""
        return _to_pandas(self.to_dicts())


class HowMatched(StrEnum):
    """How a trial came to match a name; the first of several that hold is the closest."""

    NAME = "name"
    SYNONYM = "synonym"
    MESH_TERM = "mesh_term"
    ANCESTOR = "ancestor"
    SOURCE = "source"
    """The source found it by a reading of its own that our spelling rules do not repeat."""


class Match(Part):
    """Why a trial is an answer."""

    of: str
    """What was asked for: `drug`, `condition`, `class` or `term`."""
    how: HowMatched
    found: str | None = None
    """The name that stands in the record."""
    piece: str | None = None
    """Where it stands, as the registry names its parts: `InterventionName`, `BriefTitle`, ..."""


class PointInTime(Part):
    """What was done to show a record as it was known at the cutoff."""

    cutoff: str
    whole: bool
    """The record was last updated by then: all of it was known."""
    hidden: tuple[str, ...] = ()
    """Fields that were not yet known, or not as they are now."""
    inferred: tuple[str, ...] = ()
    """Fields concluded from an event that had happened by then."""
    as_of_today: tuple[str, ...] = ()
    """Fields shown as they are now, because no older version is at hand."""


class StopSummary(Part):
    """Why trials of drugs stopped, over all that match, not only those listed."""

    trials: Count
    """Trials that give a drug or a biological."""
    categories: dict[str, Count] = Field(default_factory=dict)
    """By `stop_category`."""
    success: Count = 0
    without_usable_reason: Count = 0
    share_without_usable_reason: float | None = None
    other_trials: Count = 0
    """Stopped trials that give no drug; they are counted nowhere else here."""
    other_categories: dict[str, Count] = Field(default_factory=dict)
    """By `stop_category`, of those."""


_TOLD_LAST = ("understood", "provenance", "next")

Item = TypeVar("Item", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class About:
    """What a list says beside its rows."""

    provenance: Provenance
    understood: dict[str, dict[str, Any]]
    next: tuple[NextCall, ...] = ()
    summary: StopSummary | None = None


class Found(list[Item], Generic[Item]):
    """A list of trials, with how many there are in all and how the names were understood."""

    def __init__(
        self,
        items: Iterable[Item],
        *,
        total_count: int,
        max_results: int,
        names: tuple[ArgumentReading, ...],
        about: About,
    ) -> None:
        super().__init__(items)
        self.total_count = total_count
        self.max_results = max_results
        self.names = names
        self.provenance = about.provenance
        self.understood = about.understood
        """By argument, how a name was read."""
        self.next = about.next
        """Sensible calls to go on with."""
        self.summary = about.summary
        """Only for stopped trials."""

    def told(
        self, notes: Iterable[str], follows: tuple[NextCall, ...], *, max_results: int | None = None
    ) -> Found[Item]:
        """Give the same list with more notes, and calls to go on with."""
        provenance = self.provenance.model_copy(update={"notes": (*self.notes, *notes)})
        return Found(
            self,
            total_count=self.total_count,
            max_results=self.max_results if max_results is None else max_results,
            names=self.names,
            about=About(provenance, self.understood, follows, self.summary),
        )

    @property
    def searched_as(self) -> str:
        """What the first name was taken for: drug, class, condition or term."""
        return self.names[0].kind

    @property
    def notes(self) -> tuple[str, ...]:
        """What was truncated, expanded, guessed or out of date."""
        return self.provenance.notes

    def to_wire(self) -> dict[str, Any]:
        """Give the JSON value of the tool."""
        body: Mapping[str, Any] = {
            "items": [to_wire(item) for item in self],
            "pagination": {
                "cursor": None,
                "total_count": self.total_count,
                "page_size": self.max_results,
            },
            "names": [to_wire(name) for name in self.names],
            **({"summary": to_wire(self.summary)} if self.summary else {}),
            "understood": self.understood,
            "provenance": to_wire(self.provenance),
            "next": [dict(call) for call in self.next],
        }
        return dict(body)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON value of the tool, under the name every answer has."""
        return self.to_wire()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give each trial as plain values, absent ones left out."""
        return [to_plain(item) for item in self]

    def to_pandas(self) -> pd.DataFrame:
        """Give a table, one row a trial (extra `pandas`)."""
        return _to_pandas(self.to_dicts())


def _to_pandas(rows: list[dict[str, Any]]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install 'trialyst[pandas]'") from None
    return pd.json_normalize(rows)
