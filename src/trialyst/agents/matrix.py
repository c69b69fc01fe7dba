"""Drugs against conditions: every pair asked for, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from trialyst.discovery.envelope import Answer

if TYPE_CHECKING:
    from trialyst.repurposing import RepurposingClient

__all__ = ["ask_matrix"]

AT_ONCE = 4
_KEPT = (
    *("grade", "is_whitespace", "exact_match_count", "narrower_match_count"),
    *("drug_only_trials", "condition_only_trials", "highest_phase", "total_enrollment"),
)


async def ask_matrix(
    client: RepurposingClient,
    *,
    drugs: Sequence[str],
    conditions: Sequence[str],
    date_before: str | None = None,
    point_in_time: bool = False,
) -> Answer:
    """Ask for every pair, a few at a time, and give them as one answer, drug by drug."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def ask(drug: str, condition: str) -> dict[str, Any]:
        async with gate:
            found = await client.detect_whitespace(
                drug, condition, date_before, point_in_time=point_in_time
            )
        return found.to_wire()

    pairs = list(product(drugs, conditions))
    answers = await asyncio.gather(*(ask(drug, condition) for drug, condition in pairs))
    items = [
        {
            "drug": drug,
            "condition": condition,
            **{name: each[name] for name in _KEPT if name in each},
        }
        for (drug, condition), each in zip(pairs, answers, strict=True)
    ]
    notes = dict.fromkeys(note for each in answers for note in each["provenance"]["notes"])
    provenance = {**answers[-1]["provenance"], "notes": list(notes)}
    return Answer({"items": items, "provenance": provenance}, items)
