"""The backtest: what became of every drug and condition, by the grade it had at a cutoff.

`run_backtest` grades all pairs of a source as they were known at a day, then counts how many were
followed by a trial, a phase 3 or a stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.repurposing.backtest.models import BacktestReport
    from trialyst.repurposing.backtest.run import run_backtest

__all__ = ["BacktestReport", "run_backtest"]

_HOMES = {"models": ("BacktestReport",), "run": ("run_backtest",)}

__getattr__ = lazy_names(__name__, _HOMES)
