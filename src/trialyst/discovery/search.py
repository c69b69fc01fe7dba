"""`search_trials`: fuzzy discovery, one page of candidates with ids for strict lookup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import to_next
from trialyst.ctgov.outline import TrialOutline
from trialyst.ctgov.plain import PAGE_SIZE, check_page_size, read_sort
from trialyst.ctgov.query import TrialQuery
from trialyst.discovery.arguments import SearchArguments, TermArguments
from trialyst.discovery.candidates import ItemShape, read_shape
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.next_calls import after_search
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.paging import Page, decode_continuation, encode_continuation
from trialyst.questions.easing import FEW, count_without_each, leave_out_words
from trialyst.questions.reading import Question, read_question
from trialyst.questions.values import Given, read_page_size, read_text, take_arguments

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["search_trials"]

TOOL = "search_trials"
_PAGING = frozenset({"cursor", "page_size"})


@dataclass(frozen=True, slots=True)
class _Call:
    """A call as it was made, or as its cursor remembers it."""

    arguments: Mapping[str, Any]
    renamed: Mapping[str, str]
    position: Mapping[str, Any]
    size: int

    def to_query(self, question: Question) -> TrialQuery:
        """Give the query of a question in the order and the page size asked for."""
        sort = read_sort(read_text("sort", self.arguments.get("sort")))
        return replace(question.to_query(), sort=sort, page_size=self.size)


async def search_trials(
    source: TrialSource, *, clock: Clock = utc_now, **arguments: Unpack[SearchArguments]
) -> Answer:
    """Find trials by words and filters, the best matches first.

    Raises:
        InvalidInput: nothing is asked for, an argument cannot be understood, or the cursor
            belongs to another query.
    """
    call = _read_call(take_arguments(arguments, tuple(SearchArguments.__annotations__)))
    shape = read_shape(call.arguments)
    inquiry = Inquiry(source)
    question = await _read_asked(source, call)
    page = await inquiry.ask(_fetch(source, call, question, shape))
    eased = bool(call.position.get("eased"))
    if page.total == 0 and not eased:
        easier = await leave_out_words(source, question)
        if easier is not question:
            question, eased = easier, True
            page = await inquiry.ask(_fetch(source, call, question, shape))
    if page.total is not None and page.total <= FEW:
        question = await count_without_each(source, question)
    items = await shape.to_items(source, call.to_query(question), page.items)
    cursor = page.cursor and encode_continuation(
        TOOL, call.arguments, {"cursor": page.cursor, "eased": eased}
    )
    said = await inquiry.provenance()
    notes = () if page.total else said.absence_notes()
    calls = after_search(question, call.arguments, items=items, cursor=cursor)
    return Answer(
        {
            "items": items,
            "pagination": to_pagination(cursor=cursor, total=page.total, page_size=call.size),
            "understood": question.understood(),
            "next": list(to_next(calls)),
            "provenance": to_provenance(said, notes, now=clock()),
        },
        items,
    )


def _read_call(given: Given) -> _Call:
    """Read a call; a cursor alone stands for the call that it continues."""
    arguments = {
        name: value
        for name, value in given.arguments.items()
        if name not in ("cursor", "page_size")
    }
    size = check_page_size(read_page_size(given.arguments.get("page_size"), default=PAGE_SIZE))
    cursor = read_text("cursor", given.arguments.get("cursor"))
    if cursor is None:
        return _Call(arguments, given.renamed, {}, size)
    begun = decode_continuation(cursor, TOOL, arguments)
    return _Call(begun.arguments, given.renamed, begun.position, size)


async def _read_asked(source: TrialSource, call: _Call) -> Question:
    # What asks for nothing is refused before a source is opened for it.
    question = Question(())
    if not TermArguments.__annotations__.keys().isdisjoint(call.arguments):
        question = await read_question(source, call.arguments, call.renamed)
    if question.to_query() == TrialQuery():
        raise InvalidInput(
            "Nothing to search for",
            hint=Hint(
                "Give words to find, a condition, an intervention or a filter, such as {example}.",
                example=Argument("condition", "asthma"),
            ),
        )
    return await leave_out_words(source, question) if call.position.get("eased") else question


async def _fetch(
    source: TrialSource, call: _Call, question: Question, shape: ItemShape
) -> Page[TrialOutline]:
    """Give a page of the trials, no more of each than the items will show."""
    query, cursor = call.to_query(question), call.position.get("cursor")
    if shape.needs_whole(query):
        whole = await source.search(query, cursor)
        return Page(list[TrialOutline](whole.items), whole.cursor, whole.total)
    return await source.search_outlines(query, cursor)
