"""`get_changes`: which trials are new, changed or gone since a day, and how, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from trialyst.ctgov.answers import Count, DateText, Pagination, Told, TrialId, Words, to_next
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.recorded import ChangeKind, RecordedChange, RecordedChanges, Span, Versions
from trialyst.ctgov.revisions import describe_revision
from trialyst.discovery.arguments import TermArguments
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.errors import InvalidInput
from trialyst.hints import Call
from trialyst.paging import (
    MAX_PAGE,
    SMALL_PAGE,
    Cursor,
    PageOf20,
    check_offset,
    check_version,
    digest,
    encode_continuation,
    take_up,
)
from trialyst.questions.dates import read_date
from trialyst.questions.given import read_whole
from trialyst.questions.reading import Question, read_question
from trialyst.questions.values import take_arguments
from trialyst.signatures import Several, Text

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.ids import NctId

__all__ = [
    "ChangeArguments",
    "ChangeCounts",
    "ChangeItem",
    "ChangedField",
    "ChangesAnswer",
    "ChangesAsked",
    "Period",
    "get_changes",
    "list_changes",
    "list_revisions",
]

TOOL = "get_changes"
_SEARCHED = ("query", "condition", "intervention")
Day = Annotated[Text, "Changes of this day and later: yyyy-MM-dd, yyyy-MM or yyyy."]


class ChangeArguments(TermArguments, total=False):
    """What `get_changes` takes."""

    since: Day
    until: Annotated[Text, "Changes of this day and before."]
    page_size: Annotated[PageOf20, "Trials on a page."]
    cursor: Cursor


class ChangesAsked(TypedDict, total=False):
    """What the list of tools declares of it: a host pays for every filter, and all are taken."""

    since: Day
    until: Annotated[Text, "Changes of this day and before."]
    query: Annotated[Text, "Words to find."]
    condition: Annotated[Several, "Disease; several joined by OR."]
    intervention: Annotated[Several, "Drug or class; several joined by OR."]
    ids: Annotated[Several, "NCT ids; several joined by OR."]
    page_size: Annotated[PageOf20, "Trials on a page."]
    cursor: Cursor


class ChangedField(TypedDict):
    """One thing that changed."""

    field: Words
    what: Annotated[Words, Field(description="In words.")]
    before: NotRequired[str]
    after: NotRequired[str]


class ChangeItem(TypedDict):
    """A trial that is not as it was."""

    id: TrialId
    kind: Literal["new", "changed", "gone"]
    title: NotRequired[Words]
    phase: NotRequired[Words]
    status: NotRequired[Annotated[Words, Field(description="As it is; of a gone trial, was.")]]
    seen: Annotated[DateText, Field(description="The day of the data that changed it last.")]
    changes: Annotated[list[ChangedField], Field(description="The weightiest first.")]
    question: NotRequired[
        Annotated[
            Literal["entered", "left"],
            Field(description="Whether the question finds it only since, or no longer."),
        ]
    ]


class ChangeCounts(TypedDict):
    """How many trials changed."""

    new: Count
    changed: Count
    gone: Count


class Period(TypedDict):
    """Which states are compared."""

    compared_with: Annotated[DateText, Field(description="The day of the earlier state.")]
    until: Annotated[DateText, Field(description="The day of the later state.")]
    history_begins: Annotated[DateText, Field(description="Nothing is known before.")]
    edition: Annotated[Count, Field(description="The number of the later state.")]


class ChangesAnswer(Told):
    """Trials that are not as they were, the weightiest changes first."""

    counts: ChangeCounts
    period: Period
    items: list[ChangeItem]
    pagination: Pagination


async def get_changes(
    source: TrialSource, *, clock: Clock = utc_now, **arguments: Unpack[ChangeArguments]
) -> Answer[ChangesAnswer]:
    """Tell which trials changed, those that the question finds as they were or as they are.

    Raises:
        InvalidInput: an argument cannot be understood, or the source has no history of the time.
    """
    given = take_arguments(arguments, tuple(ChangeArguments.__annotations__))
    call = take_up(TOOL, given.arguments)
    size = read_whole(
        "page_size", call.arguments.get("page_size", SMALL_PAGE), least=1, most=MAX_PAGE
    )
    span = _read_span(call.arguments)
    inquiry = Inquiry(source)
    question = await _read_asked(source, call.arguments, given.renamed)
    found = await inquiry.ask(source.changes(question.to_query(), span))
    version = digest([found.after, found.until, len(found.items)])
    check_version(call, version)
    start = check_offset(call.position, "")
    items = await _to_items(source, found, found.items[start : start + size])
    end = start + size
    at = {"offset": end, "version": version}
    cursor = encode_continuation(TOOL, call.arguments, at) if end < len(found.items) else None
    body = {
        "counts": {kind.value: found.count(kind) for kind in ChangeKind},
        "period": _to_period(found),
        "items": items,
        "pagination": to_pagination(cursor=cursor, total=len(found.items), page_size=size),
        "understood": question.understood(),
        "next": list(to_next(_next_calls(items, cursor, call.arguments))),
        "provenance": to_provenance(await inquiry.provenance(), _notes(found, span), now=clock()),
    }
    return Answer(body, items)


async def list_changes(
    source: TrialSource, query: TrialQuery, span: Span, *, most: int
) -> tuple[RecordedChanges, list[dict[str, Any]]]:
    """Give what changed in the trials of a query, and the weightiest of it in words."""
    found = await source.changes(query, span)
    return found, await _to_items(source, found, found.items[:most])


async def list_revisions(source: TrialSource, nct_id: NctId) -> list[dict[str, Any]]:
    """Give what changed in a trial, change by change, the newest first, in words."""
    revisions = await source.revisions(nct_id)
    return [{"seen": each.day, "changes": _to_fields(each)} for each in revisions]


def _read_span(arguments: Mapping[str, Any]) -> Span:
    since, until = (arguments.get(name) for name in ("since", "until"))
    first = read_date("since", since).first_day if since is not None else None
    last = read_date("until", until).last_day if until is not None else None
    if first and last and last < first:
        raise InvalidInput(
            f"The span ends on {last}, before it begins on {first}",
            hint="Give a later end or an earlier beginning.",
            invalid_input=str(until),
        )
    return Span(first, last)


async def _read_asked(
    source: TrialSource, arguments: Mapping[str, Any], renamed: Mapping[str, str]
) -> Question:
    terms = {name: arguments[name] for name in TermArguments.__annotations__ if name in arguments}
    return await read_question(source, terms, renamed) if terms else Question(())


def _to_period(found: RecordedChanges) -> dict[str, Any]:
    return {
        "compared_with": found.since_day,
        "until": found.until_day,
        "history_begins": found.begins,
        "edition": found.until,
    }


def _notes(found: RecordedChanges, span: Span) -> Iterator[str]:
    if span.since is not None and span.since.isoformat() <= found.begins:
        yield (
            f"What changed before {found.begins} is not known: this registry keeps what it "
            "replaces from that day on."
        )
    yield "Two states are compared: what changed and changed back is not told."


async def _to_items(
    source: TrialSource, found: RecordedChanges, changes: Sequence[RecordedChange]
) -> list[dict[str, Any]]:
    ids = [change.nct_id for change in changes]
    versions = await source.versions(ids, after=found.after, until=found.until)
    return [_to_item(*pair) for pair in zip(changes, versions, strict=True)]


def _to_item(change: RecordedChange, versions: Versions) -> dict[str, Any]:
    shown = versions.after or versions.before
    item: dict[str, Any] = {"id": change.nct_id.curie, "kind": change.kind.value}
    if shown is not None:
        told = {"title": shown.title, "phase": shown.phase_code, "status": shown.status}
        item |= {name: str(value) for name, value in told.items() if value}
    item |= {"seen": versions.day, "changes": _to_fields(versions)}
    if change.kind is ChangeKind.CHANGED and change.found_before != change.found_now:
        item["question"] = "entered" if change.found_now else "left"
    return item


def _to_fields(versions: Versions) -> list[dict[str, Any]]:
    before, after, _ = versions
    if before is None or after is None:
        there = versions.after or versions.before
        word = "new here" if versions.before is None else "gone: not in the registry any more"
        return [{"field": "record", "what": word + _posted(there)}]
    return [
        {
            "field": each.field,
            "what": each.what,
            **({"before": each.before} if each.before else {}),
            **({"after": each.after} if each.after else {}),
        }
        for each in describe_revision(before, after)
    ]


def _posted(trial: Trial | None) -> str:
    posted = trial.first_posted if trial else None
    return f" (first posted {posted.date})" if posted else ""


def _next_calls(
    items: Sequence[Mapping[str, Any]], cursor: str | None, asked: Mapping[str, Any]
) -> Iterator[Call]:
    there = [item for item in items if item["kind"] != "gone"]
    if there:
        yield Call("get_trial", {"nct_id": there[0]["id"]}, "The first trial in full.")
    elif not items:
        words = {name: asked[name] for name in _SEARCHED if asked.get(name)}
        if words:
            yield Call("search_trials", words, "The trials as they are.")
    if cursor:
        yield Call(TOOL, {"cursor": cursor}, "The next page.")
