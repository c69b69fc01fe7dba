"""Matching as MCP tools: arguments pass through to `trialyst.matching`.

A tool's docstring is its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trialyst.discovery import Answer
from trialyst.errors import InvalidInput
from trialyst.interfaces.mcp.tools import Call
from trialyst.matching.facade import Matching
from trialyst.matching.judging.views import to_criterion_view
from trialyst.matching.report_view import (
    DEFAULT_CRITERIA,
    DEFAULT_TOP,
    check_part,
    to_match_view,
)
from trialyst.matching.views import to_profile_view
from trialyst.questions.values import read_flag, read_place

__all__ = ["MATCHING_TOOLS", "evaluate_criterion", "match_patient", "profile_patient"]


async def profile_patient(matching: Matching, given: dict[str, Any]) -> Answer:
    """Read a patient note or FHIR bundle into quoted facts. Nothing leaves this machine."""
    slim = read_flag("slim", given.get("slim"), default=False)
    profile = await matching.profile(given["note"], as_of=given.get("as_of"))
    view = to_profile_view(profile, slim=slim)
    return Answer(view, view.get("facts", []))


async def match_patient(matching: Matching, given: dict[str, Any]) -> Answer:
    """Rank trials for a patient, each criterion judged with evidence. For research use only."""
    part = {
        "first": _number("first", given.get("first"), default=1),
        "top": _number("top", given.get("top"), default=DEFAULT_TOP),
        "criteria": _number("criteria", given.get("criteria"), default=DEFAULT_CRITERIA),
    }
    check_part(**part)
    candidates = given.get("candidates")
    near = read_place(given.get("near"))
    profile = await matching.profile(given["note"], as_of=given.get("as_of"))
    report = await matching.match(
        profile,
        near=near,
        status=_listed(given.get("status")),
        study_type=_listed(given.get("study_type")),
        candidates=None if candidates is None else _number("candidates", candidates, default=0),
    )
    view = to_match_view(report, **part)
    return Answer(view, view["trials"])


def _listed(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise InvalidInput(
            f"{given!r} is no list of codes",
            hint="Give one code or a list of them, such as RECRUITING.",
            invalid_input=str(given),
        )
    return tuple(part.strip() for each in texts for part in each.split(",") if part.strip())


def _number(name: str, given: Any, *, default: int) -> int:
    """Read a whole number, which some hosts send as text."""
    if given is None:
        return default
    try:
        number = float(given) if not isinstance(given, bool) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or not number.is_integer():
        raise InvalidInput(
            f"{name} is {given!r}, which is no whole number",
            hint=f"Give {name} as a whole number.",
            invalid_input=str(given),
        )
    return int(number)


async def evaluate_criterion(matching: Matching, given: dict[str, Any]) -> Answer:
    """Judge one eligibility criterion against a note: MET, NOT_MET or UNKNOWN, with quotes."""
    result = await matching.evaluate_criterion(
        given["note"], given.get("criterion", ""), given.get("criterion_type", "")
    )
    return Answer(to_criterion_view(result, judge="rules"), [])


MATCHING_TOOLS: Mapping[Call[Matching], str] = {
    profile_patient: "Profile a patient",
    match_patient: "Match a patient",
    evaluate_criterion: "Evaluate a criterion",
}
"""Every tool with its title."""
