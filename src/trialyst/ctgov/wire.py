"""The v2 API's answers, decoded, and its refusals as our errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypedDict, TypeVar

import msgspec

from trialyst.ctgov.errors import DamagedRecord
from trialyst.ctgov.values import values_at
from trialyst.errors import InvalidInput, UpstreamError
from trialyst.essie.ast import Node
from trialyst.essie.build import area, matching, words
from trialyst.essie.enums import enums
from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.hints import Hint, Option
from trialyst.paging import decode_cursor
from trialyst.transport import Answer, Refused

__all__ = [
    "LONGEST_URL",
    "Position",
    "SizeBody",
    "StudiesBody",
    "VersionBody",
    "age_note",
    "by_value",
    "check_length",
    "decoder",
    "parse_page",
    "read_position",
    "read_study",
    "to_refusal",
    "unseen",
]

LONGEST_URL = 7000
"""Characters; from about 7 to 8 KB on, the service's edge answers 414."""

Body = TypeVar("Body", bound=msgspec.Struct)
Item = TypeVar("Item")


class StudiesBody(msgspec.Struct, rename="camel"):
    """A page of `/studies`; records stay as they came."""

    studies: list[msgspec.Raw]
    total_count: int | None = None
    next_page_token: str | None = None


class VersionBody(msgspec.Struct, rename="camel"):
    """`/version`."""

    data_timestamp: str


class SizeBody(msgspec.Struct, rename="camel"):
    """`/stats/size`, as far as we use it."""

    total_studies: int


def decoder(body: type[Body]) -> Callable[[bytes], Body]:
    """Give a reader of one kind of body; it raises a ValueError for any other."""
    return msgspec.json.Decoder(body).decode


def read_study(body: bytes) -> bytes:
    """Give a record as it came, if it is one JSON object."""
    msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return body


def parse_page(studies: Sequence[Any], parse: Callable[[bytes], Item], *, host: str) -> list[Item]:
    """Make something of each record; one that cannot be read is an error, never left out."""
    try:
        return [parse(bytes(study)) for study in studies]
    except DamagedRecord as damage:
        raise UpstreamError(f"{host} sent an unusable record: {damage.message}") from damage


class Position(NamedTuple):
    """Where a page ended: the service's token, its total, and the tag of its data."""

    token: str
    total: int | None
    tag: str | None


def read_position(cursor: str, bound_to: str) -> Position:
    """Read a cursor of this source that belongs to a query, or raise InvalidInput."""
    state = decode_cursor(cursor, bound_to)
    token = state.get("token")
    if not isinstance(token, str):
        raise InvalidInput(
            "The cursor comes from another source",
            hint="Repeat the query without the cursor, or use the source that gave it.",
            invalid_input=cursor,
        )
    return Position(token, state.get("total"), state.get("tag"))


def check_length(url: str) -> None:
    """Refuse a request that the service would not take for its length."""
    if len(url) > LONGEST_URL:
        raise _too_long(len(url))


def to_refusal(refused: Refused) -> Exception:
    """Give our error for a 4xx: what we asked was wrong, in the service's own words."""
    if refused.status == 414:
        return _too_long(None)
    if refused.status == 400:
        return InvalidInput(
            refused.text or "The service refused the request without a reason",
            hint="Correct what the service names; see the Essie guide for expressions.",
        )
    return refused


def unseen(studies: Sequence[msgspec.Raw], seen: set[str], *, host: str) -> list[msgspec.Raw]:
    """Leave out the records of studies that an earlier page had."""
    new: list[msgspec.Raw] = []
    for study in studies:
        nct_id = _find_id(study)
        if nct_id is None:
            raise UpstreamError(f"{host} sent a record without an id")
        if str(nct_id) not in seen:
            seen.add(str(nct_id))
            new.append(study)
    return new


def _find_id(study: msgspec.Raw) -> Any:
    """Give the id a record states, None without one, and pass over the rest of its text."""
    try:
        record = _id_decoder().decode(study)
    except msgspec.ValidationError:
        record = msgspec.json.decode(study)
    return next(iter(values_at(record, pieces()["NCTId"])), None)


@cache
def _id_decoder() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_only(pieces()["NCTId"].path))


def _only(path: Sequence[str]) -> Any:
    """Give the type of an object of which one path is wanted."""
    if not path:
        return Any
    keys = {path[0]: _only(path[1:])}
    return TypedDict("Wanted", keys, total=False)  # type: ignore[operator]


def age_note(answer: Answer[Any]) -> str:
    """Say of an older answer how old it is, and why there is no newer one."""
    return f"From the cache, {_spoken(answer.age)} old: {answer.problem}."


def _too_long(length: int | None) -> InvalidInput:
    size = f" ({length} of {LONGEST_URL} characters)" if length else ""
    return InvalidInput(
        f"The query is too long for the live service{size}",
        hint=Hint("Ask for less at once, or {local}.", local=Option("--source local")),
    )


def _spoken(seconds: float) -> str:
    """Say an age in its largest fitting unit.

    >>> _spoken(5), _spoken(7200), _spoken(100_000)
    ('5 seconds', '2 hours', '1 day')
    """
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {name}" + ("s" if number > 1 else "")
    return f"{int(seconds)} seconds"


def by_value(piece: Piece) -> list[tuple[str, Node]]:
    """Give every value of an enumerated piece with the expression that finds it."""
    if piece.kind is Kind.BOOLEAN:
        return [(value, area(piece.name, words(value))) for value in ("true", "false")]
    if piece.kind is Kind.ENUM and piece.type in enums():
        values = [value.value for value in enums()[piece.type].values]
        return [(value, matching(piece.name, value)) for value in values]
    raise InvalidInput(
        f"The live service cannot count by {piece.name}: only by pieces with a fixed set of values",
        hint="Use a piece such as Phase, OverallStatus, StudyType, Sex or LeadSponsorClass; a "
        "registry on this machine counts by country, year and any other piece.",
        invalid_input=piece.name,
    )
