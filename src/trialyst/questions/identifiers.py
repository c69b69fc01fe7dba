"""Ids as callers send them, read once; free text where an id belongs says how to get one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from trialyst.errors import InvalidInput, UnresolvedEntity
from trialyst.hints import Argument, Call, Hint
from trialyst.ids import NctId
from trialyst.questions.values import read_list, read_text

__all__ = ["IdKind", "only_one", "read_id", "read_id_of", "read_ids"]

Id = TypeVar("Id")

AROUND_IDS = "\"'`<>()[]{}.,;: \t\r\n\u200b\ufeff"
_SHORT_TEXT = 200
"""What a hint repeats; longer text is no name of a trial."""


@dataclass(frozen=True, slots=True)
class IdKind(Generic[Id]):
    """One kind of id: how it is read, and how to come by one."""

    argument: str
    parse: Callable[[str], Id]
    called: str
    example: str
    wrong: str
    """What an id of this kind looks like."""
    search: str
    """The tool that finds ids by words."""
    bare: re.Pattern[str]
    """An id of this kind without its letters."""
    letters: str


_NCT = IdKind(
    argument="nct_id",
    parse=NctId.parse,
    called="NCT id",
    example="NCT:00461032",
    wrong="An NCT id is 'NCT' and eight digits",
    search="search_trials",
    bare=re.compile("[0-9]{8}"),
    letters="NCT",
)


def read_id(value: Any) -> NctId:
    """Read one NCT id; free text is an error that says how to get an id."""
    return read_id_of(_NCT, value)


def read_id_of(kind: IdKind[Id], value: Any) -> Id:
    """Read one id of a kind; free text is an error that says how to get an id."""
    text = read_text(kind.argument, only_one(kind.argument, value))
    search = Call(kind.search)
    if text is None or not text.strip():
        raise InvalidInput(
            f"No {kind.called} is given",
            hint=Hint(
                "Give an id as {example}; {search} finds ids by words.",
                example=Argument(kind.argument, kind.example),
                search=search,
            ),
            invalid_input=text,
        )
    try:
        return kind.parse(text.strip(AROUND_IDS))
    except UnresolvedEntity as error:
        hint = _way_to_id(kind, text.strip())
        raise UnresolvedEntity(error.message, hint=hint, invalid_input=text) from None
    except InvalidInput as error:
        hint = Hint("{wrong}; {search} finds ids by words.", wrong=kind.wrong, search=search)
        raise InvalidInput(error.message, hint=hint, invalid_input=text) from None


def _way_to_id(kind: IdKind[Id], words: str) -> Hint:
    if len(words) > _SHORT_TEXT:
        return Hint(
            "Search by a few of these words, with {search}, and pass an id it gives.",
            search=Call(kind.search),
        )
    if kind.bare.fullmatch(words):
        return Hint(
            "Give {id} if that is meant; {search} finds ids by words.",
            id=f"{kind.letters}{words}",
            search=Call(kind.search),
        )
    return Hint(
        "Call {search} and pass an id it gives.", search=Call(kind.search, {"query": words})
    )


def only_one(name: str, value: Any) -> Any:
    """Give the one value of a list of one."""
    if isinstance(value, str) and not value.strip().startswith("["):
        return value
    listed = read_list(name, value) if isinstance(value, str | list | tuple) else ()
    return listed[0] if len(listed) == 1 else value


def read_ids(
    value: Any, *, at_most: int, at_least: int = 1, name: str = "nct_id"
) -> tuple[NctId, ...]:
    """Read ids, each once, in the order given."""
    texts = [text for text in read_list(name, value) if text.strip()]
    ids = tuple(dict.fromkeys(map(read_id, texts))) if texts else (read_id(None),)
    if at_least <= len(ids) <= at_most:
        return ids
    wanted = f"{at_least} to {at_most}" if at_least > 1 else f"up to {at_most}"
    raise InvalidInput(
        f"{len(ids)} different ids are given, not {wanted}",
        hint=Hint(
            "Give {wanted} different NCT ids in one call; {search} finds ids by words.",
            wanted=wanted,
            search=Call("search_trials"),
        ),
        invalid_input=str(value),
    )
