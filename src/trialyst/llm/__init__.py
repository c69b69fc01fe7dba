"""Language models, opt-in: one protocol, models by `provider:model`, budgets, record and replay.

Nothing here is needed unless a model is named; names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.llm.adapter import (
        Adapter,
        ModelRequest,
        ModelResponse,
        ToolAnswer,
        ToolAnswers,
        ToolCall,
        ToolSpec,
        UserText,
    )
    from trialyst.llm.budget import Meter, ModelBudget
    from trialyst.llm.calling import CallLimits
    from trialyst.llm.endpoint import Endpoint, describe_sending, parse_model_name
    from trialyst.llm.opening import open_adapter
    from trialyst.llm.parsing import parse_objects
    from trialyst.llm.pricing import find_price, load_prices
    from trialyst.llm.prompts import load_prompt, quote_data
    from trialyst.llm.recording import RecordingAdapter, RecordMode

__all__ = [
    "Adapter",
    "CallLimits",
    "Endpoint",
    "Meter",
    "ModelBudget",
    "ModelRequest",
    "ModelResponse",
    "RecordMode",
    "RecordingAdapter",
    "ToolAnswer",
    "ToolAnswers",
    "ToolCall",
    "ToolSpec",
    "UserText",
    "describe_sending",
    "find_price",
    "load_prices",
    "load_prompt",
    "open_adapter",
    "parse_model_name",
    "parse_objects",
    "quote_data",
]

_HOMES = {
    "adapter": (
        "Adapter",
        "ModelRequest",
        "ModelResponse",
        "ToolAnswer",
        "ToolAnswers",
        "ToolCall",
        "ToolSpec",
        "UserText",
    ),
    "budget": ("Meter", "ModelBudget"),
    "calling": ("CallLimits",),
    "endpoint": ("Endpoint", "describe_sending", "parse_model_name"),
    "opening": ("open_adapter",),
    "parsing": ("parse_objects",),
    "pricing": ("find_price", "load_prices"),
    "prompts": ("load_prompt", "quote_data"),
    "recording": ("RecordMode", "RecordingAdapter"),
}

__getattr__ = lazy_names(__name__, _HOMES)
