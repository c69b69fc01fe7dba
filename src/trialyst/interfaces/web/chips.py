"""How a question was understood, as chips that each can be taken back with one click."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.questions.undoing import keep_spelling, keep_words

if TYPE_CHECKING:
    from trialyst.interfaces.web.searching import Asked

__all__ = ["to_chips"]

_FROM_WORDS = "Read from the words of the query."
_WORDS = "query"
_MADE_HERE = "advanced"
"""Facets are asked as Essie; each has a chip of its own."""


def to_chips(
    asked: Asked,
    understood: Mapping[str, Any],
    facets: Mapping[str, str],
    facet_value: Callable[[str, str], str],
) -> list[dict[str, Any]]:
    """Give a chip for each thing asked: what it was taken for, and the address without it."""
    return [
        *(chip for name, read in understood.items() for chip in _read(asked, name, understood)),
        *(
            {
                "label": facets.get(name, name),
                "text": facet_value(name, value),
                "undo": asked.toggle(name, value),
                "undo_label": "Remove",
            }
            for name, values in asked.chosen.items()
            for value in values
        ),
    ]


def _read(
    asked: Asked, name: str, understood: Mapping[str, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    read = understood[name]
    if name == _MADE_HERE and name not in asked.arguments:
        return
    query = str(asked.arguments.get("query", ""))
    chip: dict[str, Any] = {
        "label": name.replace("_", " ").capitalize(),
        "text": asked.arguments[name] if name == _MADE_HERE else read.get("name") or read["asked"],
        "details": list(_details(read)),
        "count_without": read.get("count_without"),
        "undo_label": "Remove",
        "undo": asked.address(name, **_besides(understood) if name == _WORDS else {}),
    }
    if read.get("note") == _FROM_WORDS:
        chip |= {
            "undo": asked.address(query=keep_words(query, name)),
            "undo_label": "Look for the words instead",
        }
    yield chip
    if corrected := read.get("corrected"):
        kept = keep_spelling(str(read["asked"]), corrected)
        yield {
            "label": "Spelling",
            "text": f"{read['asked']} → {corrected}",
            "undo": asked.address(**{name: kept}),
            "undo_label": "Search as written",
        }
    for other in (*read.get("nearest", ()), *read.get("may_mean", ())):
        yield {
            "label": "Did you mean",
            "text": other,
            "undo": asked.address(**{name: other}),
            "undo_label": "Yes",
        }


def _besides(understood: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Give as fields what was read from the words: it stays when the words go."""
    return {
        name: str(read["asked"])
        for name, read in understood.items()
        if read.get("note") == _FROM_WORDS
    }


def _details(read: Mapping[str, Any]) -> Iterator[str]:
    if names := [each for each in read.get("searched", ()) if each != read.get("name")]:
        yield f"also {', '.join(names)}"
    if members := read.get("members"):
        yield f"members: {', '.join(members)}"
    if dropped := read.get("dropped"):
        yield f"left out: {', '.join(dropped)}"
    if read.get("known") is False:
        yield "not known here, searched as written"
    note = read.get("note")
    if note and note != _FROM_WORDS:
        yield note
