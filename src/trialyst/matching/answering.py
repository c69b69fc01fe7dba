"""The tools of matching: arguments as they come, answers as they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from trialyst.essie.enums import enums
from trialyst.matching.arguments import CriterionArguments, MatchArguments, ProfileArguments
from trialyst.matching.judging.views import to_criterion_view
from trialyst.matching.report_view import DEFAULT_CRITERIA, DEFAULT_TOP, check_part, to_match_view
from trialyst.matching.views import to_profile_view
from trialyst.questions.given import read_given
from trialyst.questions.values import read_list, read_place

if TYPE_CHECKING:
    from trialyst.matching.facade import Matching

__all__ = ["evaluate_criterion", "match_patient", "profile_patient"]


async def profile_patient(matching: Matching, **given: Unpack[ProfileArguments]) -> dict[str, Any]:
    """Read a patient note."""
    asked = read_given(ProfileArguments, given)
    profile = await matching.profile(asked.get("note"), as_of=asked.get("as_of"))
    return to_profile_view(profile, slim=asked.get("slim", False))


async def match_patient(matching: Matching, **given: Unpack[MatchArguments]) -> dict[str, Any]:
    """Find trials for a patient and judge every criterion of each."""
    asked = read_given(MatchArguments, given)
    part = {
        "first": asked.get("first", 1),
        "top": asked.get("top", DEFAULT_TOP),
        "criteria": asked.get("criteria", DEFAULT_CRITERIA),
    }
    check_part(**part)
    profile = await matching.profile(asked.get("note"), as_of=asked.get("as_of"))
    report = await matching.match(
        profile,
        near=read_place(asked.get("near")),
        status=_codes("Status", given.get("status")),
        study_type=_codes("StudyType", given.get("study_type")),
        candidates=asked.get("candidates"),
    )
    return to_match_view(report, **part)


def _codes(type_name: str, value: Any) -> tuple[str, ...] | None:
    """Give codes of an enumeration; `any`, like an empty list, lifts the limit that is usual."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    known = enums()[type_name]
    found = read_list("status", value, lambda text: known.find(text) is not None)
    return () if any(text.lower() in ("any", "all") for text in found) else found


async def evaluate_criterion(
    matching: Matching, **given: Unpack[CriterionArguments]
) -> dict[str, Any]:
    """Judge one criterion against a note."""
    asked = read_given(CriterionArguments, given)
    result = await matching.evaluate_criterion(
        asked.get("note"), asked.get("criterion"), asked.get("criterion_type")
    )
    return to_criterion_view(result, judge="rules")
