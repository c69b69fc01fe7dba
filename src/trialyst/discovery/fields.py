"""`explore_fields`: search areas, pieces and values, so that a caller can write `advanced`.

Names and meanings are shipped; how many trials have a value is asked of the source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict, Unpack

import typing_extensions as extended
from pydantic import Field

from trialyst.ctgov.answers import Count, Pagination, Told, Words, continued, to_next
from trialyst.ctgov.suggest import nearest
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.next_calls import after_fields, after_values
from trialyst.errors import InvalidInput
from trialyst.essie.areas import Area, areas, find_area
from trialyst.essie.build import area, between, matching, missing, near, words
from trialyst.essie.enums import Enumeration, enums
from trialyst.essie.meanings import meanings
from trialyst.essie.pieces import Kind, Piece, find_piece, pieces
from trialyst.essie.render import render
from trialyst.folding import fold
from trialyst.hints import Call, Hint
from trialyst.paging import (
    SMALL_PAGE,
    Continuation,
    Cursor,
    PageOf20,
    check_offset,
    check_version,
    digest,
    encode_continuation,
    take_up,
)
from trialyst.questions.given import read_given
from trialyst.questions.reading import Question, read_question
from trialyst.questions.values import read_text
from trialyst.signatures import Several, Text

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import TrialSource
    from trialyst.essie.ast import Node

__all__ = [
    "AreaPart",
    "FieldValue",
    "FieldView",
    "FieldsAnswer",
    "FieldsArguments",
    "explore_fields",
]

TOOL = "explore_fields"
MOST_READ = 20_000
"""Trials whose records are read to count values, which takes some 5 s."""
MOST_ROWS = 200_000
"""Trials of which a registry keeps a few short pieces apart; as long."""
_IN_ROWS = frozenset(
    "StartDate PrimaryCompletionDate CompletionDate StudyFirstPostDate LastUpdatePostDate "
    "ResultsFirstPostDate LeadSponsorName Condition ConditionMeshTerm InterventionName "
    "InterventionMeshTerm LocationCountry WhyStopped".split()
)
_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FEW_CODES = 12


class FieldsArguments(TypedDict, total=False):
    """What `explore_fields` takes."""

    field: Annotated[Text, "Piece or search area, such as Phase: its values or parts; else all."]
    query: Annotated[Text, "Words of a name or meaning; of a piece, of its values."]
    condition: Annotated[Several, "Count values among its trials."]
    advanced: Annotated[Text, "Count values among what this Essie matches."]
    page_size: Annotated[PageOf20, "Items on a page."]
    cursor: Cursor


class FieldView(extended.TypedDict):
    """A search area or a piece."""

    name: Words
    kind: Literal["area", "piece"]
    meaning: Words
    type: NotRequired[
        Annotated[
            Literal["text", "enum", "boolean", "number", "date", "age", "geo"],
            Field(description="Of a piece: how its values compare."),
        ]
    ]
    example: Annotated[Words, Field(description="An expression in Essie that asks for it.")]
    repeated: NotRequired[
        Annotated[Literal[True], Field(description="A trial may have several values.")]
    ]
    searched_by: NotRequired[
        Annotated[list[Words], Field(description="Areas that search a piece.")]
    ]
    codes: NotRequired[Annotated[list[Words], Field(description="Values, where they are few.")]]
    pieces: NotRequired[Annotated[Count, Field(description="How many pieces an area searches.")]]


class AreaPart(extended.TypedDict):
    """A piece that an area searches."""

    name: Words
    meaning: Words
    weight: Annotated[float, Field(gt=0, description="How much a match there counts.")]
    synonyms: Annotated[bool, Field(description="Whether synonyms are found there too.")]


class FieldValue(extended.TypedDict):
    """A value of a piece; the year of a date."""

    value: str
    label: NotRequired[Words]
    count: NotRequired[Annotated[Count, Field(description="Trials that have it.")]]


class FieldsAnswer(Told):
    """Areas and pieces; the pieces of an area; or the values of a piece, most frequent first."""

    field: NotRequired[FieldView]
    trial_count: NotRequired[
        Annotated[Count, Field(description="Trials among which values are counted.")]
    ]
    without_value: NotRequired[Annotated[Count, Field(description="Those without a value.")]]
    items: list[FieldView | AreaPart | FieldValue]
    pagination: Pagination


@dataclass(frozen=True, slots=True)
class _Listing:
    """What a call lists, whole."""

    items: list[dict[str, Any]]
    head: Mapping[str, Any]
    notes: tuple[str, ...] = ()


async def explore_fields(
    source: TrialSource, *, clock: Clock = utc_now, **arguments: Unpack[FieldsArguments]
) -> Answer[FieldsAnswer]:
    """List areas and pieces, the pieces of an area, or the values of a piece with counts.

    Raises:
        InvalidInput: there is no such piece or area, or another argument cannot be understood.
    """
    call = take_up(TOOL, read_given(FieldsArguments, arguments))
    asked = call.arguments
    chosen = _find_field(read_text("field", asked.get("field")))
    wanted = fold(read_text("query", asked.get("query")) or "")
    inquiry = Inquiry(source)
    question = await read_question(source, {n: asked[n] for n in _WITHIN if n in asked})
    if isinstance(chosen, Piece):
        listing = await _values(inquiry, chosen, question, wanted)
    else:
        listing = _parts(chosen, wanted) if chosen else _fields(wanted)
    return await _to_answer(inquiry, listing, call, question=question, clock=clock)


_WITHIN = ("condition", "advanced")


def _find_field(text: str | None) -> Area | Piece | None:
    if text is None:
        return None
    found = find_area(text) or find_piece(text)
    if found is None or (isinstance(found, Piece) and not found.is_leaf):
        near_name = nearest(text, [*areas(), *(each.name for each in _leaves())])
        guess = f"Did you mean {near_name}? " if near_name else ""
        raise InvalidInput(
            f"There is no piece or search area {text!r} that holds values",
            hint=Hint(
                "{guess}Find names with {call}.",
                guess=guess,
                call=Call(TOOL, {"query": " ".join(_CASE.sub(" ", text).split())}),
            ),
            invalid_input=text,
        )
    return found


def _leaves() -> Iterator[Piece]:
    return (piece for piece in pieces().values() if piece.is_leaf)


def _fields(wanted: Sequence[str]) -> _Listing:
    """List areas, then pieces; those whose name has the words first."""
    views = [*map(_area_view, areas().values()), *map(_piece_view, _leaves())]
    return _Listing(_having(views, wanted), {})


def _having(views: list[dict[str, Any]], wanted: Sequence[str]) -> list[dict[str, Any]]:
    """Keep what has all the words, as a word or the beginning of one."""
    if not wanted:
        return views
    ranked = []
    for at, view in enumerate(views):
        name = fold(_CASE.sub(" ", str(view.get("name") or view.get("value"))))
        rest = fold(" ".join(str(view.get(key, "")) for key in ("meaning", "label", "codes")))
        missed = [word for word in wanted if not _begins(word, name)]
        if all(_begins(word, rest) for word in missed):
            ranked.append((len(missed), at, view))
    return [view for _, _, view in sorted(ranked, key=lambda each: each[:2])]


def _begins(word: str, tokens: Sequence[str]) -> bool:
    return any(token.startswith(word) for token in tokens)


def _area_view(found: Area) -> dict[str, Any]:
    searched = [piece for part in found.parts for piece in part.pieces]
    return {
        "name": found.name,
        "kind": "area",
        "meaning": meanings()[found.name],
        "example": render(area(found.name, words("asthma"))),
        "pieces": len(searched),
    }


def _piece_view(piece: Piece) -> dict[str, Any]:
    view: dict[str, Any] = {
        "name": piece.name,
        "kind": "piece",
        "meaning": meanings()[piece.name],
        "type": piece.kind.value,
        "example": render(_example(piece)),
    }
    if piece.list_depth:
        view["repeated"] = True
    known = _enumeration(piece)
    if known and len(known.values) <= _FEW_CODES:
        view["codes"] = [each.value for each in known.values]
    return view


def _enumeration(piece: Piece) -> Enumeration | None:
    return enums().get(piece.type) if piece.kind is Kind.ENUM else None


def _example(piece: Piece) -> Node:
    """Give an expression that asks for a value of the piece."""
    known = _enumeration(piece)
    if known:
        return matching(piece.name, known.values[0].value)
    match piece.kind:
        case Kind.BOOLEAN:
            return area(piece.name, words("true"))
        case Kind.NUMBER:
            return between(piece.name, 1, 10)
        case Kind.DATE:
            return between(piece.name, "2024-01-01")
        case Kind.AGE:
            return between(piece.name, None, "18 years")
        case Kind.GEO:
            return near(42.36, -71.06, radius=50)
        case _:
            return area(piece.name, words("word"))


def _parts(found: Area, wanted: Sequence[str]) -> _Listing:
    """List the pieces that an area searches, the weightiest first."""
    items = [
        {
            "name": piece.name,
            "meaning": meanings()[piece.name],
            "weight": part.weight,
            "synonyms": part.synonyms,
        }
        for part in found.parts
        for piece in part.pieces
    ]
    ordered = sorted(items, key=lambda item: -float(str(item["weight"])))
    return _Listing(_having(ordered, wanted), {"field": _area_view(found)})


async def _values(
    inquiry: Inquiry, piece: Piece, question: Question, wanted: Sequence[str]
) -> _Listing:
    """List the values of a piece with the trials that have each."""
    query, source = question.to_query(), inquiry.source
    searched = [each.name for each in areas().values() if _is_searched(each, piece)]
    view = {**_piece_view(piece), **({"searched_by": searched} if searched else {})}
    total = await inquiry.ask(source.count(query))
    labels = {each.value: each.label for each in getattr(_enumeration(piece), "values", ())}
    if problem := await _uncountable(inquiry, piece, total):
        items = [{"value": value, "label": label} for value, label in labels.items()]
        return _Listing(_having(items, wanted), {"field": view}, (problem,))
    counts = await _count(inquiry, piece, query)
    counts |= {value: 0 for value in labels if value not in counts}
    items = [
        {"value": value, **({"label": labels[value]} if value in labels else {}), "count": number}
        for value, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    lacking = replace(query, filters=(*query.filters, missing(piece.name)))
    without = (
        await inquiry.ask(source.count(lacking))
        if piece.list_depth
        else total - sum(counts.values())
    )
    head = {"field": view, "trial_count": total, "without_value": max(without, 0)}
    return _Listing(_having(items, wanted), head)


async def _count(inquiry: Inquiry, piece: Piece, query: TrialQuery) -> dict[str, int]:
    """Count trials by value; by year where values are days."""
    found = await inquiry.ask(inquiry.source.count_by(query, piece.name))
    if piece.kind is not Kind.DATE or piece.list_depth:
        return dict(found)
    years: Counter[str] = Counter()
    for day, number in found.items():
        years[day[:4]] += number
    return dict(years)


def _is_searched(found: Area, piece: Piece) -> bool:
    return any(piece in part.pieces for part in found.parts)


async def _uncountable(inquiry: Inquiry, piece: Piece, total: int) -> str | None:
    """Say why the values of a piece cannot be counted here, if they cannot."""
    if piece.kind is Kind.GEO:
        return "Points are not counted; near finds trials around a place."
    if piece.kind in (Kind.ENUM, Kind.BOOLEAN):
        return None
    if inquiry.source.is_remote:
        return "The live service counts only pieces with a closed list of values."
    most = MOST_ROWS if piece.name in _IN_ROWS else MOST_READ
    if piece.kind is Kind.NUMBER or total <= most:
        return None
    return f"Too many trials to read ({total:,}); count among fewer with condition or advanced."


async def _to_answer(
    inquiry: Inquiry,
    listing: _Listing,
    call: Continuation,
    *,
    question: Question,
    clock: Clock,
) -> Answer[FieldsAnswer]:
    provenance = await inquiry.provenance()
    version = digest([len(listing.items), provenance.data_timestamp])
    check_version(call, version)
    start, size = check_offset(call.position, ""), call.arguments.get("page_size", SMALL_PAGE)
    end = start + size
    items = listing.items[start:end]
    at = {"offset": end, "version": version}
    goes_on = end < len(listing.items)
    cursor = encode_continuation(TOOL, call.arguments, at) if goes_on else None
    field = listing.head.get("field")
    steps = (
        after_values(field, _expression(field, items), question, call.arguments)
        if field and field["kind"] == "piece"
        else after_fields(items)
    )
    body = {
        **listing.head,
        "items": items,
        "pagination": to_pagination(cursor=cursor, total=len(listing.items), page_size=size),
        "understood": question.understood(),
        "provenance": to_provenance(provenance, listing.notes, now=clock()),
        "next": list(to_next(continued(TOOL, {}, cursor), steps)),
    }
    return Answer(body, items)


def _expression(field: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> str:
    """Give the expression for the first value that some trial has."""
    first = next((item["value"] for item in items if item.get("count")), None)
    if first is None or field["type"] not in ("enum", "text", "boolean", "date"):
        return str(field["example"])
    if field["type"] == "date":
        return render(area(field["name"], words(first)))
    return render(matching(field["name"], str(first)))
