"""What the answers of every tool have: declared once, and what their contracts are made from.

The answer of a tool is a TypedDict (or a model) that stands beside its facade. A key that may be
absent is `NotRequired`; one that may be null says so, which three of them do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from trialyst import errors
from trialyst.ctgov.source import Provenance
from trialyst.hints import Call

__all__ = [
    "MOST_NEXT",
    "ErrorView",
    "Failure",
    "NextCall",
    "Pagination",
    "Told",
    "Understood",
    "continued",
    "to_next",
]

MOST_NEXT = 3
"""Calls that an answer proposes; more would be a menu."""

TrialId = Annotated[str, Field(pattern="^NCT:[0-9]{8}$")]
PhaseCode = Annotated[str, Field(pattern="^[A-Z0-9_]+(/[A-Z0-9_]+)?$")]
"""One code, or two joined by a slash: `PHASE1/PHASE2`."""
DateText = Annotated[str, Field(pattern="^[0-9]{4}(-[0-9]{2}){0,2}$")]
"""As precise as the record has it."""
Words = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class Pagination(TypedDict):
    """Where a page stands in its list."""

    cursor: Annotated[str | None, Field(description="Leads to the next page; null on the last.")]
    total_count: Annotated[
        Count | None, Field(description="Exact; null only where the source cannot say.")
    ]
    page_size: Annotated[int, Field(ge=1, le=200)]


class NextCall(TypedDict):
    """A call that can be made as it stands."""

    tool: Words
    arguments: dict[str, Any]
    why: Annotated[Words, Field(description="What it would bring.")]


Understood = Annotated[
    dict[str, dict[str, Any]],
    Field(description="By argument, how it was read: concept, synonyms, place, corrections."),
]


class Told(TypedDict):
    """What every answer tells beside its own keys."""

    understood: Understood
    next: Annotated[
        list[NextCall], Field(max_length=MOST_NEXT, description="Sensible calls to go on with.")
    ]
    provenance: Provenance


_CODES = dict.fromkeys(getattr(errors, name).code for name in errors.__all__)


class ErrorView(TypedDict):
    """What went wrong, and the way out."""

    code: Annotated[str, Field(json_schema_extra={"enum": list(_CODES)})]
    message: Words
    recovery_hint: Annotated[
        Words, Field(description="What to do next; doing it leads to success.")
    ]
    invalid_input: Annotated[str | None, Field(description="The value to blame, if there is one.")]


class Failure(TypedDict):
    """Every failure of every tool."""

    success: Literal[False]
    error: ErrorView


def to_next(*calls: Iterable[Call]) -> tuple[NextCall, ...]:
    """Give the first of some calls as an answer sends them, each once."""
    told: list[NextCall] = []
    for call in (each for several in calls for each in several):
        sent = NextCall(tool=call.tool, arguments=dict(call.arguments), why=call.why)
        if sent not in told and len(told) < MOST_NEXT:
            told.append(sent)
    return tuple(told)


def continued(tool: str, required: Mapping[str, Any], cursor: str | None) -> Iterator[Call]:
    """Give the call for the next page, if there is one.

    Args:
        required: what the tool declares as required; the cursor would do without.
    """
    if cursor is not None:
        yield Call(tool, {**required, "cursor": cursor}, "The next page.")
