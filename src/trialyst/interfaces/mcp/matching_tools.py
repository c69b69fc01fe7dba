"""Matching as tools, on `trialyst.matching`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from trialyst.discovery.envelope import Answer
from trialyst.interfaces.mcp.declared import Call
from trialyst.matching import answering
from trialyst.matching.answers import CriterionAnswer, MatchAnswer, ProfileAnswer
from trialyst.matching.arguments import CriterionArguments, MatchArguments, ProfileArguments
from trialyst.matching.facade import Matching

__all__ = ["MATCHING_TOOLS", "evaluate_criterion", "match_patient", "profile_patient"]


async def profile_patient(
    matching: Matching, **given: Unpack[ProfileArguments]
) -> Answer[ProfileAnswer]:
    """Read a patient note or FHIR bundle into quoted facts. Nothing leaves this machine.

    Each fact has the span it was read from, and whether it is present, absent, possible, past, of
    the family or hypothetical. The note is read on this machine and not kept. `key_facts` has the
    same in short; `missing_information` says what a search would want to know.
    docs/guide/matching.md explains the fields.

    Example: {"note": "A 58-year-old woman with HER2+ breast cancer. No diabetes."}
    """
    view = await answering.profile_patient(matching, **given)
    return Answer(view, view.get("facts", []))


async def match_patient(matching: Matching, **given: Unpack[MatchArguments]) -> Answer[MatchAnswer]:
    """Rank trials for a patient, each criterion judged with evidence. For research use only.

    A trial is `ELIGIBLE`, `UNCERTAIN`, `EXCLUDED` or `NOT_RELEVANT`; `missing` names the facts that
    would decide an uncertain one. Of each trial the most telling criteria come first; first=RANK,
    top=1 and criteria=500 give all of one. Everything is judged by rules on this machine; on a live
    source search terms leave it, the note does not, and the notes say so. Synthetic records that
    nobody asked for are refused. Hosts that ask for progress hear of every 20 trials.
    docs/guide/matching.md tells how.

    Example: {"note": "A 63-year-old man with eosinophilic asthma.", "near": "Boston", "top": 3}
    """
    view = await answering.match_patient(matching, **given)
    return Answer(view, view["trials"])


async def evaluate_criterion(
    matching: Matching, **given: Unpack[CriterionArguments]
) -> Answer[CriterionAnswer]:
    """Judge one eligibility criterion against a note: MET, NOT_MET or UNKNOWN, with quotes.

    The verdict speaks of the statement: `MET` on an exclusion criterion means that the patient has
    what excludes, and `disqualifies` is true. `applicability` marks criteria that concern others
    (pregnancy for a man) and administrative ones (consent); `missing` names what would decide an
    open one. Evidence are words of the note. docs/guide/matching.md tells the rules.

    Example: {"note": "A woman with gout.", "criterion": "Gout", "criterion_type": "exclusion"}
    """
    return Answer(await answering.evaluate_criterion(matching, **given), [])


MATCHING_TOOLS: Mapping[Call, str] = {
    profile_patient: "Profile a patient",
    match_patient: "Match a patient",
    evaluate_criterion: "Evaluate a criterion",
}
"""Every tool with its title."""
