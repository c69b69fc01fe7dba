"""Matching as MCP tools: arguments pass through to `trialyst.matching`.

A tool's docstring is its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trialyst.discovery import Answer
from trialyst.discovery.inputs import read_flag
from trialyst.interfaces.mcp.tools import Call
from trialyst.matching.facade import Matching
from trialyst.matching.judging.views import to_criterion_view
from trialyst.matching.views import to_profile_view

__all__ = ["MATCHING_TOOLS", "evaluate_criterion", "profile_patient"]


async def profile_patient(matching: Matching, given: dict[str, Any]) -> Answer:
    """Read a patient note or FHIR bundle into quoted facts. Nothing leaves this machine."""
    slim = read_flag("slim", given.get("slim"), default=False)
    profile = await matching.profile(given["note"], as_of=given.get("as_of"))
    view = to_profile_view(profile, slim=slim)
    return Answer(view, view.get("facts", []))


async def evaluate_criterion(matching: Matching, given: dict[str, Any]) -> Answer:
    """Judge one eligibility criterion against a note: MET, NOT_MET or UNKNOWN, with quotes."""
    result = await matching.evaluate_criterion(
        given["note"], given.get("criterion", ""), given.get("criterion_type", "")
    )
    return Answer(to_criterion_view(result, judge="rules"), [])


MATCHING_TOOLS: Mapping[Call[Matching], str] = {
    profile_patient: "Profile a patient",
    evaluate_criterion: "Evaluate a criterion",
}
"""Every tool with its title."""
