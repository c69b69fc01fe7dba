"""The shape of every answer: a success with its provenance, or a failure with its way out.

Absent keys are left out, never null, except `pagination.cursor`, `pagination.total_count` and
`error.invalid_input`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from trialyst.errors import TrialystError
from trialyst.essie.errors import EssieError
from trialyst.hints import ToolWording, Wording

if TYPE_CHECKING:
    import pandas as pd

    from trialyst.ctgov.source import Provenance

__all__ = ["Answer", "Clock", "to_error_envelope", "to_pagination", "to_provenance", "utc_now"]

LONGEST_ERROR_TEXT = 1_000
_TOOLS = ToolWording()

Clock = Callable[[], datetime]
"""Gives the present moment, with its time zone."""
Shape = TypeVar("Shape", default=Any, covariant=True)
"""What the keys of an answer are: a TypedDict, from which its contract is made."""


def utc_now() -> datetime:
    """Give the present moment."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Answer(Mapping[str, Any], Generic[Shape]):
    """What a tool answers: a mapping that is ready to be sent as JSON."""

    body: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]
    """What the answer lists, one value a line of a table."""

    def __getitem__(self, key: str) -> Any:
        return self.body[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.body)

    def __len__(self) -> int:
        return len(self.body)

    @property
    def cursor(self) -> str | None:
        """Leads to the next page; None on the last, and where there are no pages."""
        pagination: Mapping[str, Any] = self.body.get("pagination", {})
        return pagination.get("cursor")

    @property
    def notes(self) -> Sequence[str]:
        """What was truncated, expanded, guessed or out of date."""
        return tuple(self.body["provenance"]["notes"])

    def to_dict(self) -> dict[str, Any]:
        """Give the whole answer as one plain value."""
        return dict(self.body)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give what the answer lists as plain values."""
        return [dict(row) for row in self.rows]

    def to_pandas(self) -> pd.DataFrame:
        """Give a table, nested values under dotted names (extra `pandas`)."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install 'trialyst[pandas]'") from None
        return pd.json_normalize(self.to_dicts())


def to_pagination(*, cursor: str | None, total: int | None, page_size: int) -> dict[str, Any]:
    """Give the three keys of a page."""
    return {"cursor": cursor, "total_count": total, "page_size": page_size}


def to_provenance(
    provenance: Provenance,
    notes: Iterable[str] = (),
    *,
    now: datetime,
    changing: str = "statuses and sites",
) -> dict[str, Any]:
    """Give the provenance of an answer, with its own notes and a warning about old data."""
    stale = provenance.stale_note(now, changing=changing)
    told = dict.fromkeys((*provenance.notes, *([stale] if stale else []), *notes))
    values = provenance.model_dump(mode="json", exclude_none=True)
    return {**values, "notes": list(told)}


def _shorten(text: str) -> str:
    """Cut the middle out of what repeats a long input; who sent it has it, and pays for it."""
    if len(text) <= LONGEST_ERROR_TEXT:
        return text
    half = LONGEST_ERROR_TEXT // 2
    return f"{text[:half]} [...] {text[-half:]}"


def to_error_envelope(error: TrialystError, wording: Wording = _TOOLS) -> dict[str, Any]:
    """Give an error as the JSON value every interface answers with, in its own words.

    >>> to_error_envelope(TrialystError("It failed", hint="Try again."))["error"]["code"]
    'UPSTREAM_ERROR'
    """
    # Two more lines show where an expression fails, to readers that see the message only.
    place = f"\n{error.caret}" if isinstance(error, EssieError) else ""
    message, hint = error.worded(wording)
    return {
        "success": False,
        "error": {
            "code": error.code,
            "message": _shorten(message) + place,
            "recovery_hint": _shorten(hint),
            "invalid_input": error.invalid_input and _shorten(error.invalid_input),
        },
    }
