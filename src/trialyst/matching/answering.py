"""The tools of matching: arguments as they come, answers as they are sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    from trialyst.matching.patient import PatientProfile

__all__ = ["evaluate_criterion", "match_patient", "profile_patient"]

_SEVERAL = re.compile(r"\s*[|\n]\s*")


async def profile_patient(matching: Matching, **given: Unpack[ProfileArguments]) -> dict[str, Any]:
    """Read a patient note."""
    asked = read_given(ProfileArguments, given)
    profile = await matching.profile(asked.get("note"), as_of=asked.get("as_of"))
    return to_profile_view(profile, slim=asked.get("slim", False), form=asked.get("form", False))


async def match_patient(matching: Matching, **given: Unpack[MatchArguments]) -> dict[str, Any]:
    """Find trials for a patient and judge every criterion of each."""
    asked = read_given(MatchArguments, given)
    part = {
        "first": asked.get("first", 1),
        "top": asked.get("top", DEFAULT_TOP),
        "criteria": asked.get("criteria", DEFAULT_CRITERIA),
    }
    check_part(**part)
    profile = await _read_patient(matching, asked)
    report = await matching.match(
        profile,
        near=read_place(asked.get("near")),
        status=_codes("Status", given.get("status")),
        study_type=_codes("StudyType", given.get("study_type")),
        candidates=asked.get("candidates"),
    )
    return to_match_view(report, **part)


async def _read_patient(matching: Matching, asked: Mapping[str, Any]) -> PatientProfile:
    """Read a note, and correct what was read of it."""
    profile = await matching.profile(asked.get("note"), as_of=asked.get("as_of"))
    given = asked.get("set")
    listed = [given] if isinstance(given, str) else list(given or ())
    settings = [part for each in listed for part in _SEVERAL.split(str(each)) if part.strip()]
    form = asked.get("profile") or None
    return await matching.correct(profile, form=form, settings=settings)


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
