"""A requirement in plain words, and as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from trialyst.eligibility.requirement import Requirement

__all__ = ["render_requirement", "to_json"]


def to_json(requirement: Requirement) -> dict[str, Any]:
    """Give a requirement as JSON values, after `docs/contracts/requirement.json`."""
    made: dict[str, Any] = msgspec.to_builtins(requirement)
    return made


def render_requirement(requirement: Requirement) -> str:
    """Give a requirement in plain words."""
    return repr(requirement)
