"""A language model as the rephraser of dossiers; what it says is checked by `rephrasing`.

It sees sentences about trials without their ids, never a patient.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from trialyst.errors import BudgetExhausted, ModelError
from trialyst.llm.adapter import Adapter, ModelRequest, UserText
from trialyst.llm.parsing import parse_objects
from trialyst.llm.prompts import load_prompt, quote_data

__all__ = ["ModelRephraser"]

_AT_A_TIME = 25
"""Sentences rephrased by one call, so that an answer is not cut off."""
_MAX_TOKENS = 4096


class ModelRephraser:
    """Rephrases and ranks with a model; an answer that cannot be read is no answer."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    async def rephrase(self, texts: Sequence[str]) -> Sequence[str]:
        """Give each text in other words, in the same order; an empty one where none came."""
        worded: list[str] = []
        for start in range(0, len(texts), _AT_A_TIME):
            part = list(texts[start : start + _AT_A_TIME])
            told = await self._ask("rephrase", "sentences", part, {"type": "string"})
            fits = len(told) == len(part) and all(isinstance(text, str) for text in told)
            worded += told if fits else [""] * len(part)
        return worded

    async def rank(self, texts: Sequence[str]) -> Sequence[int]:
        """Give the places of the texts, the most important first; none where none came."""
        told = await self._ask("rank", "places", texts, {"type": "integer"})
        numbers = [place for place in told if isinstance(place, int) and place is not True]
        return numbers if len(numbers) == len(told) else []

    async def _ask(
        self, name: str, field: str, texts: Sequence[str], kind: dict[str, str]
    ) -> list[Any]:
        prompt = load_prompt("trialyst.agents", name)
        listed = json.dumps(list(texts), ensure_ascii=False, indent=0)
        request = ModelRequest(
            prompt.system,
            (UserText(prompt.fill(sentences=quote_data("sentences", listed))),),
            schema={
                "type": "object",
                "properties": {field: {"type": "array", "items": kind}},
                "required": [field],
                "additionalProperties": False,
            },
            max_tokens=_MAX_TOKENS,
            prompt=prompt.label,
        )
        try:
            response = await self._adapter.generate(request)
        except BudgetExhausted as problem:
            raise ModelError(problem.message, hint=problem.hint) from None
        found = [each[field] for each in parse_objects(response.text) if field in each]
        return found[-1] if found and isinstance(found[-1], list) else []
