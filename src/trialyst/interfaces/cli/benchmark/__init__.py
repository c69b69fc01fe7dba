"""The commands that measure: each in a module of its own, named in `group`."""

from __future__ import annotations

from trialyst.interfaces.cli.benchmark.group import add_to

__all__ = ["add_to"]
