"""What to ask after each answer about a patient; never what would repeat the note."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trialyst.hints import Call
from trialyst.ids import NctId
from trialyst.matching.verdict import TrialVerdict

if TYPE_CHECKING:
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.report import MatchReport

__all__ = ["after_match", "after_profile"]

_OPEN = (TrialVerdict.ELIGIBLE, TrialVerdict.UNCERTAIN)


def after_profile(profile: PatientProfile) -> Iterator[Call]:
    """Say what follows the facts of a note."""
    if profile.primary_diagnosis is None:
        return
    condition = {"condition": profile.primary_diagnosis.name}
    person: dict[str, Any] = {}
    if profile.age is not None:
        person["age"] = f"{profile.age.value:g} {profile.age.unit.value}s".lower()
    if profile.sex is not None:
        person["sex"] = profile.sex.value
    yield Call(
        "search_trials",
        {**condition, **person, "status": "RECRUITING"},
        "Trials of the main diagnosis that recruit people like this.",
    )
    yield Call("count_trials", {**condition, "by": "status|phase"}, "How many there are.")


def after_match(report: MatchReport, *, first: int, top: int) -> Iterator[Call]:
    """Say what follows ranked trials."""
    shown = report.trials[first - 1 : first - 1 + top]
    likely = [NctId.parse(each.nct_id).curie for each in shown if each.verdict in _OPEN]
    for nct_id in likely[:1]:
        yield Call(
            "get_trial",
            {"nct_id": nct_id, "sections": "eligibility"},
            "Every criterion of the first.",
        )
        near = report.understood.get("near", {}).get("asked")
        where = {} if near is None else {"near": near}
        yield Call("get_trial_locations", {"nct_id": nct_id, **where}, "Where to go for it.")
    if len(likely) > 1:
        yield Call("compare_trials", {"nct_ids": likely[:5]}, "The likeliest side by side.")
