"""Repurposing: what has been tried for a drug and a condition, and why it stopped.

`RepurposingClient` asks any source. Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.repurposing.client import RepurposingClient
    from trialyst.repurposing.stop_reasons import StopCategory, StopReason, classify_stop_reason

__all__ = ["RepurposingClient", "StopCategory", "StopReason", "classify_stop_reason"]

_HOMES = {
    "client": ("RepurposingClient",),
    "stop_reasons": ("StopCategory", "StopReason", "classify_stop_reason"),
}

__getattr__ = lazy_names(__name__, _HOMES)
