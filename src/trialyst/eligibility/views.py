"""How the criteria of trials are understood, as plain values; kept readings are used first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.eligibility.criteria import (
    Parser,
    ReadCriterion,
    decode_criteria,
    read_eligibility,
)
from trialyst.eligibility.render import render_requirement, to_json
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["read_trials", "to_criteria_view"]


async def read_trials(
    source: TrialSource, trials: Sequence[Trial], open_parser: Callable[[], Parser]
) -> list[tuple[ReadCriterion, ...]]:
    """Give the criteria of trials as read: what the source keeps, else read here and now."""
    kept = await source.kept_criteria([NctId.parse(trial.nct_id) for trial in trials])

    def read() -> Iterator[tuple[ReadCriterion, ...]]:
        parser: Parser | None = None
        for trial in trials:
            text = trial.eligibility.criteria or ""
            encoded = kept.get(trial.nct_id)
            if encoded is not None:
                yield decode_criteria(encoded, text)
                continue
            parser = open_parser() if parser is None else parser
            yield read_eligibility(text, parser)

    return await asyncio.to_thread(lambda: list(read()))


def to_criteria_view(read: Sequence[ReadCriterion]) -> list[dict[str, Any]]:
    """Give criteria as read, in their order; what is absent is left out."""
    return [_to_view(each) for each in read]


def _to_view(each: ReadCriterion) -> dict[str, Any]:
    view = {
        "kind": each.criterion.kind.value,
        "position": each.criterion.position,
        "criterion": each.criterion.plain,
        "group": each.criterion.group,
        "opening": each.opening,
        "opens_list": _list_words(each),
        "alternatives": len(each.alternatives) or None,
        "reading": render_requirement(each.requirement),
        "requirement": msgspec.to_builtins(to_json(each.requirement)),
    }
    return {name: value for name, value in view.items() if value is not None}


def _list_words(each: ReadCriterion) -> str | None:
    """Say what of the list below a criterion must hold."""
    opens = each.opens
    if opens is None:
        return None
    size = len(opens.children)
    if opens.unread:
        return f"{size} items, of which it is not told how many must hold"
    if opens.exceptions:
        return f"{size} exceptions"
    if size == 1:
        return "its one item must hold"
    if opens.needed == 1:
        return f"one of {size} is enough"
    return f"all {size} must hold" if opens.needed >= size else f"{opens.needed} of {size} must"
